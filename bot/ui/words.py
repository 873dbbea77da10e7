"""The words of the game: characters, players, amounts of things and of time.

Owns: the catalogs' names of what the engine calls by code words, and the small phrases that many screens share.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from bot.i18n import N_, Translator
from bot.tables.table import PublicTable
from bot.ui.names import told_apart
from coup_core.cards import Character
from coup_core.events import TurnStarted


class CharacterWords(Struct, frozen=True, kw_only=True):
    """How one character is told. Msgids; a character of no edition that is built has a name alone."""

    name: str
    uses: str = ""
    """What it is honestly good for, in the hand of whoever holds it."""
    line: str = ""
    """Its line in the table of characters: what whoever claims it may do, and what it blocks."""


CHARACTERS: dict[Character, CharacterWords] = {
    Character.DUKE: CharacterWords(
        name=N_("Duke"),
        uses=N_("{character}: tax 3 coins; block foreign aid."),
        line=N_("{character}: Tax, take 3 coins. Blocks Foreign Aid."),
    ),
    Character.ASSASSIN: CharacterWords(
        name=N_("Assassin"),
        uses=N_("{character}: assassinate for 3 coins."),
        line=N_("{character}: Assassinate, pay 3 coins and a player loses an influence. Blocks nothing."),
    ),
    Character.CAPTAIN: CharacterWords(
        name=N_("Captain"),
        uses=N_("{character}: steal 2 coins; block stealing."),
        line=N_("{character}: Steal, take 2 coins from a player. Blocks Steal."),
    ),
    Character.AMBASSADOR: CharacterWords(
        name=N_("Ambassador"),
        uses=N_("{character}: exchange cards with the Court; block stealing."),
        line=N_("{character}: Exchange, swap cards with the Court, the face-down deck. Blocks Steal."),
    ),
    Character.CONTESSA: CharacterWords(
        name=N_("Contessa"),
        uses=N_("{character}: block an assassination."),
        line=N_("{character}: no action. Blocks Assassinate."),
    ),
    Character.INQUISITOR: CharacterWords(name=N_("Inquisitor")),
}
_EDITIONS = {"classic": N_("Classic")}
SPEED_NAMES = {"blitz": N_("blitz"), "normal": N_("normal"), "relaxed": N_("relaxed"), "daily": N_("daily")}


def names(table: PublicTable) -> tuple[str, ...]:
    """What to call the players, by seat."""
    return told_apart(player.name for player in table.players)


def host(table: PublicTable) -> str | None:
    """What to call the host; None of a table whose seats are not known any more."""
    pairs = zip(table.players, names(table), strict=True)
    return next((name for player, name in pairs if player.user_id == table.host_id), None)


def mention(user_id: int) -> str:
    """Calls somebody, if the message may ping them."""
    return f"<@{user_id}>"


def starter(table: PublicTable, t: Translator) -> str:
    """Who starts, and why (R6); empty before the deal."""
    seat = next((event.seat for turn in table.story for event in turn.events if isinstance(event, TurnStarted)), None)
    if seat is None:
        return ""
    name = names(table)[seat]
    if table.start == "winner":
        return t("{name} starts: the winner of the last game here.", name=name)
    return t("{name} starts: drawn at random.", name=name)


def character(code: str, t: Translator) -> str:
    """The name of a character, plain: for labels."""
    return t(CHARACTERS[Character(code)].name)


def bold(code: str, t: Translator) -> str:
    """The name of a character in bold: for text."""
    return f"**{character(code, t)}**"


def cards(codes: Iterable[str], t: Translator) -> str:
    """`**Duke** and **Captain**`."""
    return t.list([bold(code, t) for code in codes])


def either(codes: Iterable[str], t: Translator) -> str:
    """`**Captain** or **Ambassador**`."""
    return t.list([bold(code, t) for code in codes], style="or")


def edition(rules: str, t: Translator) -> str:
    """The name of an edition."""
    return t(_EDITIONS[rules]) if rules in _EDITIONS else rules


def speed(code: str, t: Translator) -> str:
    """The name of a speed."""
    return t(SPEED_NAMES[code]) if code in SPEED_NAMES else code


def relative(when: datetime) -> str:
    """How long it is until `when`, as a timestamp that each client words and keeps up to date: `in 30 seconds`."""
    return f"<t:{int(when.timestamp())}:R>"


def coins(count: int, t: Translator) -> str:
    """`3 coins`."""
    return t.n("{count} coin", "{count} coins", count)


def influence(count: int, t: Translator) -> str:
    """`2 cards`: the face-down ones."""
    return t.n("{count} card", "{count} cards", count)


def duration(seconds: int, t: Translator) -> str:
    """A length of time in words."""
    if seconds >= 7200 and seconds % 3600 == 0:
        return t.n("{count} hour", "{count} hours", seconds // 3600)
    if seconds >= 120 and seconds % 60 == 0:
        return t.n("{count} minute", "{count} minutes", seconds // 60)
    return t.n("{count} second", "{count} seconds", seconds)
