"""The lines of a game record below its headers: moves, draws and checks, as values with a text form both ways.

Owns: the grammar of one body line (docs/RECORD.md). Knows nothing of headers, files or line numbers, nor of whether a
line holds: `checks` and `replay` know.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from coup_core.cards import CHARACTER_OF_WORD, Cards, Character
from coup_core.moves import Form, Move, Seat, parse_move

HEADERS: Final = frozenset(
    {
        *("rules", "players", "first", "start", "hands", "name", "seed", "mix", "commit"),
        *("coins", "lost", "sides", "reserve"),
    }
)
NOT_NAMES: Final = HEADERS | {"all", "draw"}
"""Words that a record reads as something else than a player."""

SIDES: Final = ("loyalist", "reformist")
CLOCK: Final = "!"
"""Ends a move that the clock made."""

_NAME = re.compile(r"[a-z0-9_-]{1,32}", re.ASCII)
_NUMBER = re.compile(r"0|[1-9][0-9]*", re.ASCII)
_DIGITS: Final = 18
"""Of the longest number: it fits 64 bits, and no text can make the reader convert an endless one."""


class OtherEdition(Struct, frozen=True):
    """A well-formed move of a module that the record's rules do not name. It is never legal."""

    said: tuple[str, ...]

    def words(self, names: Sequence[str]) -> str:
        """The words as they were read."""
        return " ".join(self.said)


AnyMove = Move | OtherEdition


class MoveLine(Struct, frozen=True):
    """`NAME: WORDS`: a move of one player. `clock`: the player's time had run out (R41)."""

    seat: Seat
    move: AnyMove
    clock: bool = False


class AllPass(Struct, frozen=True):
    """`all: pass`: everyone awaited in the open window passes."""

    clock: bool = False


class DrawLine(Struct, frozen=True):
    """`draw NAME CARD...`: the cards that a player took from the Court."""

    seat: Seat
    cards: Cards


class Refused(Struct, frozen=True):
    """`! NAME: WORDS`: these words must be refused here, whatever they are."""

    seat: Seat
    words: tuple[str, ...]


class Check(Struct, frozen=True):
    """`= TOPIC ...`: something that must be true here. What the other fields mean depends on the topic."""

    topic: str
    seats: tuple[Seat, ...] = ()
    cards: Cards = ()
    counts: tuple[int, ...] = ()
    move: AnyMove | None = None
    side: str = ""


Line = MoveLine | AllPass | DrawLine | Refused | Check

# Verbs of modules: a record of another edition is refused as a whole, so that in any record that is read they are
# well-formed and illegal. `show` alone belongs to embezzle.
_MODULE_FORMS: Final[dict[str, Form]] = {
    "examine": Form(targets=frozenset({1})),
    "convert": Form(targets=frozenset({0, 1})),
    "embezzle": Form(),
    "choose": Form(cards=frozenset({1})),
    "offer": Form(cards=frozenset({1})),
    "leave": Form(),
    "force": Form(),
}


def is_name(word: str) -> bool:
    """Whether a player of a record may be called `word`."""
    return _NAME.fullmatch(word) is not None and word not in NOT_NAMES


def number(word: str) -> int:
    """A number of a record, without leading zeros. Raises ValueError."""
    if _NUMBER.fullmatch(word) is None:
        raise ValueError(f"{word!r} is not a number of digits 0-9, without sign and leading zeros")
    if len(word) > _DIGITS:
        raise ValueError(f"a number of {len(word)} digits is too large: {_DIGITS} are the most")
    return int(word)


def card(word: str) -> Character:
    """The card called `word`. Raises ValueError."""
    if word not in CHARACTER_OF_WORD:
        raise ValueError(f"no card is called {word!r}")
    return CHARACTER_OF_WORD[word]


def seat(word: str, names: Sequence[str]) -> Seat:
    """The seat of the player called `word`. Raises ValueError."""
    if word not in names:
        raise ValueError(f"no player is called {word!r}")
    return names.index(word)


def parse_any_move(words: Sequence[str], names: Sequence[str]) -> AnyMove:
    """The move that `words` spell, of this edition or another. Raises ValueError."""
    verb = words[0] if words else ""
    if verb == "side":
        if len(words) != 2 or words[1] not in SIDES:
            raise ValueError("'side' takes loyalist or reformist")
        return OtherEdition(tuple(words))
    if verb in _MODULE_FORMS:
        parse_move(words, names, _MODULE_FORMS)
        return OtherEdition(tuple(words))
    if list(words) == ["show"]:
        return OtherEdition(("show",))
    return parse_move(words, names)


def parse_line(words: Sequence[str], names: Sequence[str]) -> Line:
    """The line that `words` spell, at least one. Raises ValueError with one clear sentence."""
    first, *rest = words
    if first == "=":
        return _parse_check(rest, names)
    if first == "!":
        who = _speaker(rest[0] if rest else "", names)
        if len(rest) < 2:
            raise ValueError("which words must be refused?")
        return Refused(who, tuple(rest[1:]))
    if first == "draw":
        if len(rest) < 2:
            raise ValueError("a draw names a player and the cards drawn")
        return DrawLine(seat(rest[0], names), tuple(map(card, rest[1:])))
    clock = rest[-1:] == [CLOCK]
    said = rest[:-1] if clock else rest
    if first == "all:":
        if said != ["pass"]:
            raise ValueError("all together can only pass")
        return AllPass(clock)
    who = _speaker(first, names)
    return MoveLine(who, parse_any_move(said, names), clock)


def format_line(line: Line, names: Sequence[str]) -> str:
    """The text of `line`; the inverse of `parse_line`."""
    match line:
        case MoveLine():
            return f"{names[line.seat]}: {line.move.words(names)}" + _mark(line.clock)
        case AllPass():
            return "all: pass" + _mark(line.clock)
        case DrawLine():
            return " ".join(("draw", names[line.seat], *line.cards))
        case Refused():
            return f"! {names[line.seat]}: {' '.join(line.words)}"
        case Check():
            return " ".join(("=", *_check_words(line, names)))


def _mark(clock: bool) -> str:
    return f" {CLOCK}" if clock else ""


def _speaker(word: str, names: Sequence[str]) -> Seat:
    if not word.endswith(":"):
        raise ValueError(f"expected NAME: and a move, not {word!r}")
    name = word[:-1]
    if name in HEADERS or name.startswith("name."):
        raise ValueError(f"the header {word!r} comes after the first move or check")
    return seat(name, names)


# ---------------------------------------------------------------------------------------------------- checks


def _parse_check(words: list[str], names: Sequence[str]) -> Check:
    if not words:
        raise ValueError("what must be true?")
    topic, *rest = words
    reader = _CHECKS.get(topic)
    if reader is None:
        raise ValueError(f"unknown check {topic!r}")
    return reader(topic, rest, names)


def _purses(topic: str, rest: list[str], names: Sequence[str]) -> Check:
    if not rest or len(rest) % 2:
        raise ValueError(f"{topic!r} takes names, each with a number")
    return Check(
        topic,
        seats=tuple(seat(word, names) for word in rest[::2]),
        counts=tuple(map(number, rest[1::2])),
    )


def _cards_of(topic: str, rest: list[str], names: Sequence[str]) -> Check:
    if not rest:
        raise ValueError(f"{topic!r} takes a name and cards")
    return Check(topic, seats=(seat(rest[0], names),), cards=tuple(map(card, rest[1:])))


def _court(topic: str, rest: list[str], names: Sequence[str]) -> Check:  # noqa: ARG001 - one signature for all checks
    if len(rest) == 1:
        return Check(topic, counts=(number(rest[0]),))
    if not rest or len(rest) % 2:
        raise ValueError("'court' takes a number, or cards, each with a number")
    return Check(topic, cards=tuple(map(card, rest[::2])), counts=tuple(map(number, rest[1::2])))


def _count(topic: str, rest: list[str], names: Sequence[str]) -> Check:  # noqa: ARG001 - as above
    if len(rest) != 1:
        raise ValueError(f"{topic!r} takes one number")
    return Check(topic, counts=(number(rest[0]),))


def _side(topic: str, rest: list[str], names: Sequence[str]) -> Check:
    if len(rest) != 2 or rest[1] not in SIDES:
        raise ValueError("'side' takes a name, then loyalist or reformist")
    return Check(topic, seats=(seat(rest[0], names),), side=rest[1])


def _one_seat(topic: str, rest: list[str], names: Sequence[str]) -> Check:
    if len(rest) != 1:
        raise ValueError(f"{topic!r} takes one name")
    return Check(topic, seats=(seat(rest[0], names),))


def _seats(topic: str, rest: list[str], names: Sequence[str]) -> Check:
    return Check(topic, seats=tuple(seat(word, names) for word in rest))


def _legality(topic: str, rest: list[str], names: Sequence[str]) -> Check:
    if len(rest) < 2:
        raise ValueError(f"{topic!r} takes a name and a move")
    return Check(topic, seats=(seat(rest[0], names),), move=parse_any_move(rest[1:], names))


def _seen(topic: str, rest: list[str], names: Sequence[str]) -> Check:
    if len(rest) != 2:
        raise ValueError(f"{topic!r} takes a name and a number")
    return _purses(topic, rest, names)


def _bare(topic: str, rest: list[str], names: Sequence[str]) -> Check:  # noqa: ARG001 - as above
    if rest:
        raise ValueError(f"{topic!r} is followed by one word too many: {rest[0]!r}")
    return Check(topic)


_CHECKS: Final[dict[str, Callable[[str, list[str], Sequence[str]], Check]]] = {
    "coins": _purses,
    "hand": _cards_of,
    "lost": _cards_of,
    "court": _court,
    "treasury": _count,
    "reserve": _count,
    "minted": _count,
    "side": _side,
    "turn": _one_seat,
    "awaiting": _seats,
    "may": _legality,
    "may-not": _legality,
    "draws-seen": _seen,
    "winner": _one_seat,
    "going": _bare,
}


def _check_words(check: Check, names: Sequence[str]) -> list[str]:
    """The words of a check after `=`: names or cards, each followed by its number where there are numbers for them."""
    subjects = [names[who] for who in check.seats]
    if check.topic == "court":
        subjects = [str(shown) for shown in check.cards]
    counts = [str(count) for count in check.counts]
    words = [check.topic]
    if subjects and counts:
        words.extend(word for pair in zip(subjects, counts, strict=True) for word in pair)
    else:
        words.extend(subjects + counts)
    if check.topic != "court":
        words.extend(check.cards)
    if check.move is not None:
        words.append(check.move.words(names))
    return words + [check.side] * bool(check.side)
