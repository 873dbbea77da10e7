"""The headers of a game record: what may follow each of their words (docs/RECORD.md).

Owns: the grammar of header values. Knows nothing of which headers a record needs, of lines or of files: `record` does.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from coup_core.cards import MAX_PLAYERS, MIN_PLAYERS, Cards
from coup_core.lines import card, is_name, number, seat
from coup_core.moves import Seat
from coup_core.ruleset import Ruleset

BLANKS: Final = " \t"

_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_MIX = re.compile(r"(0|[1-9][0-9]*)(,(0|[1-9][0-9]*))*", re.ASCII)


class Start(StrEnum):
    """How the starting player was chosen (R6)."""

    RANDOM = "random"
    WINNER = "winner"


def words_of(text: str) -> list[str]:
    """The words of a line."""
    # Not str.split(): to a record only these two are blanks, and only \n ends a line.
    return [word for word in re.split(r"[ \t]+", text) if word]


def rules(text: str) -> str:
    """The rule set and modules, in the order in which they are written. Raises ValueError."""
    return ruleset(text).name


def ruleset(text: str) -> Ruleset:
    """The rule set that `text`, with whatever blanks, names. Raises ValueError."""
    return Ruleset.parse(" ".join(words_of(text)))


def players(text: str) -> tuple[str, ...]:
    """The names in seat order. Raises ValueError."""
    names = tuple(words_of(text))
    for name in names:
        if not is_name(name):
            raise ValueError(f"{name!r} cannot be a player's name")
    if len(set(names)) < len(names):
        raise ValueError("two players have the same name")
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise ValueError(f"{MIN_PLAYERS} to {MAX_PLAYERS} play, not {len(names)}")
    return names


def _first(text: str, names: tuple[str, ...]) -> Seat:
    return seat(text, names)


def _start(text: str, _names: tuple[str, ...]) -> Start:
    if text not in (Start.RANDOM, Start.WINNER):
        raise ValueError(f"'start:' is random or winner, not {text!r}")
    return Start(text)


def _hex(text: str, _names: tuple[str, ...]) -> str:
    if _HEX.fullmatch(text) is None:
        raise ValueError("32 bytes are 64 digits 0-9 a-f")
    return text


def _seed(text: str, names: tuple[str, ...]) -> bytes:
    return bytes.fromhex(_hex(text, names))


def _mix(text: str, _names: tuple[str, ...]) -> str:
    if _MIX.fullmatch(text) is None:
        raise ValueError("'mix:' is one or more numbers, joined with commas")
    return text


def _by_seat(text: str, names: tuple[str, ...]) -> dict[Seat, str]:
    """`a=X b=Y` as X and Y by seat, in seat order."""
    found: dict[Seat, str] = {}
    for word in words_of(text):
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=..., not {word!r}")
        who = seat(name, names)
        if who in found:
            raise ValueError(f"{name!r} stands here twice")
        found[who] = value
    if not found:
        raise ValueError("a header without content")
    return dict(sorted(found.items()))


def _cards(text: str) -> Cards:
    return tuple(map(card, text.split(","))) if text else ()


def _hands(text: str, names: tuple[str, ...]) -> tuple[Cards, ...]:
    hands = {who: _cards(cards) for who, cards in _by_seat(text, names).items()}
    for who, name in enumerate(names):
        if who not in hands:
            raise ValueError(f"the hand of {name!r} is missing")
    return tuple(hands.values())


def _lost(text: str, names: tuple[str, ...]) -> dict[Seat, Cards]:
    return {who: _cards(cards) for who, cards in _by_seat(text, names).items()}


def _coins(text: str, names: tuple[str, ...]) -> dict[Seat, int]:
    return {who: number(coins) for who, coins in _by_seat(text, names).items()}


def _reformation_only(_text: str, _names: tuple[str, ...]) -> None:
    raise ValueError("'sides:' and 'reserve:' belong to reformation")


VALUES: Final[dict[str, Callable[[str, tuple[str, ...]], Any]]] = {
    "first": _first,
    "start": _start,
    "hands": _hands,
    "seed": _seed,
    "mix": _mix,
    "commit": _hex,
    "coins": _coins,
    "lost": _lost,
    "sides": _reformation_only,
    "reserve": _reformation_only,
}
"""How to read what follows each other header: its text and the names to a value. ValueError if the text is bad."""
