"""The short replies that call one player: a target who may block, and whoever must choose a card.

Owns: their words. A message that is edited pings nobody, so a block that must not be missed needs one of its own.
"""

from __future__ import annotations

from bot.i18n import Translator
from bot.tables.table import Phase, PublicTable
from bot.ui import words
from bot.ui.buttons import CHOICES, button, may_be_blocked
from bot.ui.move_words import ACTIONS
from bot.ui.screen import Screen, Style
from coup_core.moves import Seat
from coup_core.view import Asked, Question, TableView


def prompt_screen(table: PublicTable, t: Translator) -> Screen | None:
    """The call that the open question needs; None where nobody in particular is to be called."""
    view = table.view
    if view is None or view.question is None or table.phase is not Phase.PLAYING or table.paused is not None:
        return None
    if view.question.asked in CHOICES:
        # Whose own answer leads to the choice is looking at the table, or at the panel that asks on.
        return None if view.question.awaited == (table.there,) else _choice(table, view.question, t)
    return _aimed(table, view, view.question, t)


def _aimed(table: PublicTable, view: TableView, question: Question, t: Translator) -> Screen | None:
    pending = view.pending
    if pending is None or pending.target is None or not may_be_blocked(view) or pending.target not in question.awaited:
        return None
    user = table.players[pending.target].user_id
    facts = {"mention": words.mention(user), "actor": words.names(table)[pending.seat]}
    text = t(ACTIONS[pending.action].aimed, **facts)
    return Screen(content=text, ping=user)


def _choice(table: PublicTable, question: Question, t: Translator) -> Screen:
    seat = question.awaited[0]
    user = table.players[seat].user_id
    choose = button(table, t("Choose"), "choose", style=Style.PRIMARY)
    return Screen(content=_asking(table, question, seat, t), rows=((choose,),), ping=user)


def _asking(table: PublicTable, question: Question, seat: Seat, t: Translator) -> str:
    mention = words.mention(table.players[seat].user_id)
    if question.asked is Asked.LOSS:
        return t("{mention}, choose which influence you lose.", mention=mention)
    if question.asked is Asked.EXCHANGE or question.claim is None:
        return t("{mention}, choose which cards you keep.", mention=mention)
    character = words.bold(question.claim.character, t)
    if question.challenger is None:
        return t("{mention}, show {character} or concede.", mention=mention, character=character)
    challenger = words.names(table)[question.challenger]
    facts = {"mention": mention, "challenger": challenger, "character": character}
    return t("{mention}, {challenger} challenges your {character}: show it or concede.", **facts)
