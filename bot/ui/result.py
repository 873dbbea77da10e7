"""The last message of a game: who won, what everybody held, which bluffs lived, and how to check the shuffle.

Owns: the only public screen that tells hidden cards, and only those of a finished game.
"""

from __future__ import annotations

from bot.i18n import Translator
from bot.tables.table import ClaimTold, Ending, PublicTable, Result
from bot.ui import words
from bot.ui.buttons import button
from bot.ui.names import clean
from bot.ui.screen import DESCRIPTION, Embed, Screen, Style, shortened
from coup_core.view import SeatState, TableView

_BLUFFS = 1200
"""Room for each list of bluffs, so that the fairness check always fits."""


def result_screen(table: PublicTable, t: Translator) -> Screen:
    """The result of a table whose game is over. Raises ValueError for one that has no result."""
    if table.result is None or table.view is None:
        raise ValueError(f"table {table.id} has no result")
    result, view = table.result, table.view
    parts = [
        "\n".join(_hands(table, result, view, t)),
        *_bluffs(table, result, t),
        _fairness(table, result, t),
    ]
    return Screen(
        content=_headline(table, result, view, t),
        embed=Embed(t("The cards"), shortened("\n\n".join(parts), DESCRIPTION)),
        rows=((button(table, t("Rematch"), "rematch", style=Style.PRIMARY),),),
        attachment=(f"coup-{table.id}.coup", result.record),
    )


def _headline(table: PublicTable, result: Result, view: TableView, t: Translator) -> str:
    turns = t.n("{count} turn", "{count} turns", view.number)
    lost = sum(len(state.lost) for state in view.seats)
    losses = t.n("{count} lost influence", "{count} lost influences", lost)
    if table.ending is Ending.WON and result.winner is not None:
        name = words.names(table)[result.winner]
        return t("**{name}** wins after {turns} and {losses}.", name=name, turns=turns, losses=losses)
    facts = {"turns": turns, "losses": losses}
    if table.ending is Ending.ABANDONED:
        return t("For a day nobody came back: the game ends after {turns} and {losses}. Nobody wins.", **facts)
    if table.ending is Ending.NO_ACCESS:
        return t("I had no access to this channel: the game ends after {turns} and {losses}. Nobody wins.", **facts)
    name = clean(table.ended_by or "")
    return t("The game was ended by {name} after {turns} and {losses}. Nobody wins.", name=name, **facts)


def _hands(table: PublicTable, result: Result, view: TableView, t: Translator) -> list[str]:
    names = words.names(table)
    pairs = zip(view.seats, result.hands, strict=True)
    return [_hand(names[state.seat], state, hand, t) for state, hand in pairs]


def _hand(name: str, state: SeatState, hand: tuple[str, ...], t: Translator) -> str:
    facts = {"name": name, "held": words.cards(hand, t), "lost": words.cards(state.lost, t)}
    if not hand:
        return t("· {name}: lost {lost}", **facts)
    if not state.lost:
        return t("· {name}: held {held}", **facts)
    return t("· {name}: held {held}; lost {lost}", **facts)


def _bluffs(table: PublicTable, result: Result, t: Translator) -> list[str]:
    bluffs = [claim for claim in result.claims if not claim.held]
    if not bluffs:
        return [t("Nobody bluffed.")]
    lived = [claim for claim in bluffs if not claim.challenged]
    died = [claim for claim in bluffs if claim.challenged]
    parts = []
    if lived:
        parts.append(t("Bluffs that lived: {bluffs}.", bluffs=_told(table, lived, t)))
    if died:
        parts.append(t("Bluffs that died: {bluffs}.", bluffs=_told(table, died, t)))
    return parts


def _told(table: PublicTable, claims: list[ClaimTold], t: Translator) -> str:
    names = words.names(table)
    told = [
        t(
            "{name} as {character} (turn {turn})",
            name=names[claim.seat],
            character=words.character(claim.character, t),
            turn=claim.turn,
        )
        for claim in claims
    ]
    return shortened(t.list(told), _BLUFFS)


def _fairness(table: PublicTable, result: Result, t: Translator) -> str:
    return t(
        "Was the shuffle fair? Seed `{seed}`, mixed with `{mix}`; its SHA-256 must be the commitment `{commit}` of the"
        " lobby. `python -m coup_core verify` checks the attached record against them.",
        seed=result.seed,
        mix=result.mix,
        commit=table.commit,
    )
