"""The turn's message: the story so far, what is asked of whom, the table, and the buttons.

Owns: the public message of a turn, open and folded. It is made of a `PublicTable`, so it cannot tell what is hidden.
"""

from __future__ import annotations

from bot.i18n import Translator
from bot.tables.errors import Mistake
from bot.tables.table import Phase, PublicTable, TurnStory
from bot.ui import words
from bot.ui.buttons import answer_rows, button, may_be_blocked
from bot.ui.narration import turn_story
from bot.ui.refusals import MISTAKES
from bot.ui.screen import CONTENT, DESCRIPTION, Button, Embed, Screen, Style, shortened, with_story
from coup_core.events import TurnStarted
from coup_core.view import Asked, Question, SeatState, TableView


def turn_screen(table: PublicTable, t: Translator) -> Screen:
    """The newest turn's message; its folded form once the game is over."""
    view = table.view
    story = table.story[-1] if table.story else TurnStory(0, ())
    if view is None or view.question is None or table.phase is not Phase.PLAYING:
        return folded_turn_screen(table, story.number, t)
    if _has_begun(story, view.question):
        told = turn_story(table, story, t)
    else:
        told = words.starter(table, t) if view.number == 1 else ""
    asked = [*question_lines(table, view, view.question, t), _waiting(table, view.question, t)]
    return Screen(
        content=with_story("", told, "\n".join(asked)),
        embed=table_embed(table, view, t),
        rows=(*answer_rows(table, t), _always(table, t)),
        ping=table.players[view.question.awaited[0]].user_id if view.question.asked is Asked.TURN else None,
    )


def folded_turn_screen(table: PublicTable, number: int, t: Translator) -> Screen:
    """What remains of turn `number` in the channel: its story."""
    story = next((turn for turn in table.story if turn.number == number), TurnStory(number, ()))
    return Screen(content=shortened(turn_story(table, story, t), CONTENT) or f"**{number}.**")


def table_embed(table: PublicTable, view: TableView, t: Translator) -> Embed:
    """What lies on the table: every seat's coins, face-down cards and lost cards."""
    footer = t(
        "Turn {number} · {edition} · Court {court} · Treasury {treasury}",
        number=view.number,
        edition=words.edition(view.rules, t),
        court=view.court,
        treasury=view.treasury,
    )
    return Embed("", shortened("\n".join(seat_lines(table, view, t)), DESCRIPTION), footer)


def seat_lines(table: PublicTable, view: TableView, t: Translator) -> list[str]:
    """A line for each seat, in seat order."""
    names = words.names(table)
    return [f"{'▸' if state.seat == view.turn else '·'} {_seat_line(names, state, t)}" for state in view.seats]


def question_lines(table: PublicTable, view: TableView, question: Question, t: Translator) -> list[str]:
    """What the open question is about, beyond the story."""
    names = words.names(table)
    who = names[question.awaited[0]]
    match question.asked:
        case Asked.PROOF if question.claim is not None:
            character = words.bold(question.claim.character, t)
            return [t("**{name}** shows {character} or concedes.", name=who, character=character)]
        case Asked.LOSS:
            return [t("**{name}** chooses an influence to lose.", name=who)]
        case Asked.EXCHANGE:
            return [t("**{name}** chooses which cards to keep.", name=who)]
        case Asked.BLOCK if question.claim is not None:
            facts = {"name": names[question.claim.seat], "character": words.bold(question.claim.character, t)}
            return [t("Anyone else may challenge {name}'s {character}.", **facts)]
        case Asked.REACTION | Asked.SECOND_CHANCE if may_be_blocked(view):
            return [_block_line(names, view, question, t)]
    return []


def damaged_screen(table: PublicTable, t: Translator) -> Screen:
    """In place of a turn, where the stored game cannot be replayed."""
    if table.phase is Phase.OVER:
        return Screen(content=t("This game was ended: its record was damaged. `/coup new` opens another table."))
    end = button(table, t("End the table"), "go", style=Style.DANGER)
    return Screen(content=t(MISTAKES[Mistake.UNPLAYABLE]), rows=((end,),))


def paused_screen(table: PublicTable, t: Translator) -> Screen:
    """The table while it waits for somebody to come back: no question is put, and no clock is shown as running.

    Raises ValueError for one at which no game is on.
    """
    if table.view is None:
        raise ValueError(f"table {table.id} has no game")
    told = turn_story(table, table.story[-1], t)
    until = "" if table.deadline_at is None else words.relative(table.deadline_at)
    line = t(
        "The game is paused: nobody answered for a whole round. It waits one day for a player to press **Resume**, and"
        " is given up {until}.",
        until=until,
    )
    resume = button(table, t("Resume"), "resume", style=Style.SUCCESS)
    return Screen(with_story("", told, line), table_embed(table, table.view, t), ((resume, *_always(table, t)),))


def _always(table: PublicTable, t: Translator) -> tuple[Button, Button]:
    """What can be pressed at any time."""
    return button(table, t("My hand"), "hand"), button(table, t("Help"), "help")


def _block_line(names: tuple[str, ...], view: TableView, question: Question, t: Translator) -> str:
    assert view.pending is not None
    characters = words.either(view.pending.blocked_by, t)
    able = [seat for seat in question.awaited if seat in view.pending.blockers]
    if question.asked is Asked.SECOND_CHANCE:
        blockers = t.list([names[seat] for seat in able], style="or")
        return t.n(
            "{names} may still block as {characters}.",
            "{names} may still block as {characters}.",
            len(able),
            names=blockers,
            characters=characters,
        )
    if view.pending.target is None:
        return t("Any other player may block as {characters}.", characters=characters)
    return t("{name} may block as {characters}.", name=names[view.pending.target], characters=characters)


def _waiting(table: PublicTable, question: Question, t: Translator) -> str:
    """Who is awaited, and for how long: in words too, for a relative timestamp does not always tick."""
    turn = question.asked is Asked.TURN
    facts = {
        "mention": words.mention(table.players[question.awaited[0]].user_id),
        "names": t.list([f"**{words.names(table)[seat]}**" for seat in question.awaited]),
        "time": words.duration(table.window_length, t),
        "closes": "" if table.deadline_at is None else words.relative(table.deadline_at),
    }
    if table.deadline_at is None:
        return t("{mention}, your turn.", **facts) if turn else t("Waiting for {names}.", **facts)
    if turn:
        return t("{mention}, your turn. {time}, closes {closes}.", **facts)
    return t("Waiting for {names}: {time}, closes {closes}.", **facts)


def _has_begun(story: TurnStory, question: Question) -> bool:
    """Whether there is anything to tell yet."""
    return question.asked is not Asked.TURN or any(not isinstance(event, TurnStarted) for event in story.events)


def _seat_line(names: tuple[str, ...], state: SeatState, t: Translator) -> str:
    facts = {
        "name": names[state.seat],
        "coins": words.coins(state.coins, t),
        "cards": words.influence(state.influence, t),
        "lost": t.list([words.character(card, t) for card in state.lost]),
    }
    if state.out:
        return t("~~{name}~~ — out · lost {lost}", **facts)
    if state.lost:
        return t("**{name}** — {coins} · {cards} · lost {lost}", **facts)
    return t("**{name}** — {coins} · {cards}", **facts)
