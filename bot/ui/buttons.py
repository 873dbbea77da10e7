"""The buttons of a turn: what may be done and what may be answered, each in its fixed place.

Owns: the layout of the turn's message (the private panel arranges the same rows its own way). Rows, from the first:

1. actions that are free - or **Allow**, or **Choose**
2. actions that cost - or **Block as ...**
3. **Challenge**, alone, in every state; disabled where nothing can be challenged

So Challenge never stands where anything else stood a moment ago, and an Allow that is pressed too late meets an Allow.
Buttons look the same whoever looks and whatever they hold.
"""

from __future__ import annotations

from bot.i18n import Translator
from bot.tables.table import PublicTable
from bot.ui import words
from bot.ui.ids import ButtonId
from bot.ui.move_words import ACTIONS, action_label
from bot.ui.screen import LABEL, Button, Style, shortened
from coup_core.view import ActionOffer, Asked, Question, TableView

CHOICES = (Asked.PROOF, Asked.LOSS, Asked.EXCHANGE)
"""Questions that are answered in private, with one's own cards in view."""


def button(table: PublicTable, label: str, verb: str, arg: str | None = None, style: Style = Style.SECONDARY) -> Button:
    """A button of this table's open window."""
    return Button(shortened(label, LABEL), ButtonId(table.id, table.window, verb, arg).text, style)


def disabled(table: PublicTable, label: str, verb: str, arg: str | None = None) -> Button:
    """A button that keeps its place and cannot be pressed."""
    return Button(shortened(label, LABEL), ButtonId(table.id, table.window, verb, arg).text, disabled=True)


def answer_rows(table: PublicTable, t: Translator) -> tuple[tuple[Button, ...], ...]:
    """The three rows for the question that is open."""
    view = table.view
    if view is None or view.question is None:
        return ()
    question = view.question
    challenge = (_challenge(table, question, t),)
    if question.asked is Asked.TURN:
        return (*_actions(table, view, t), challenge)
    if question.asked in CHOICES:
        first = button(table, t("Choose"), "choose", style=Style.PRIMARY)
    else:
        first = button(table, t("Allow"), "pass", style=Style.SUCCESS)
    return ((first,), _blocks(table, view, t), challenge)


def may_be_blocked(view: TableView) -> bool:
    """Whether somebody who is awaited could be entitled to block."""
    question, pending = view.question, view.pending
    if question is None or pending is None or question.asked not in {Asked.REACTION, Asked.SECOND_CHANCE}:
        return False
    return any(seat in pending.blockers for seat in question.awaited)


def may_be_challenged(question: Question) -> bool:
    """Whether a claim is open to challenge."""
    return question.claim is not None and question.asked in {Asked.REACTION, Asked.BLOCK}


def _actions(table: PublicTable, view: TableView, t: Translator) -> tuple[tuple[Button, ...], tuple[Button, ...]]:
    free = tuple(_action(table, offer, t) for offer in view.actions if not offer.cost)
    paid = [offer for offer in view.actions if offer.cost]
    return free, tuple(_action(table, offer, t) for offer in sorted(paid, key=lambda offer: offer.cost))


def _action(table: PublicTable, offer: ActionOffer, t: Translator) -> Button:
    label = action_label(offer.action, offer.claim, t)
    verb, arg = ("target", offer.action) if offer.targeted else (offer.action, None)
    if not offer.possible:
        return disabled(table, label, verb, arg)
    style = Style.DANGER if ACTIONS[offer.action].grave else Style.PRIMARY if offer.claim else Style.SECONDARY
    return button(table, label, verb, arg, style)


def _blocks(table: PublicTable, view: TableView, t: Translator) -> tuple[Button, ...]:
    if view.pending is None or not may_be_blocked(view):
        return (disabled(table, t("Block"), "block"),)
    labels = [t("Block as {character}", character=words.character(card, t)) for card in view.pending.blocked_by]
    return tuple(button(table, label, "block", str(place), Style.PRIMARY) for place, label in enumerate(labels))


def _challenge(table: PublicTable, question: Question, t: Translator) -> Button:
    if question.claim is None or not may_be_challenged(question):
        return disabled(table, t("Challenge"), "challenge")
    label = t("Challenge the {character}", character=words.character(question.claim.character, t))
    return button(table, label, "challenge", style=Style.DANGER)
