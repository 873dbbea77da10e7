"""A game record: its headers and its lines as one value, with a text form both ways (docs/RECORD.md).

Owns: the layout of a `.coup` file and the grammar of its headers. Knows nothing of whether the game in it is legal:
`replay` does. Reads only what is malformed as malformed; an impossible game is a well-formed record.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from msgspec import Struct, field

from coup_core.cards import Cards
from coup_core.errors import RecordError, UnsupportedRules
from coup_core.events import CardsDrawn, Event, InfluenceLost
from coup_core.headers import BLANKS, VALUES, Start, players, rules, words_of
from coup_core.lines import HEADERS, DrawLine, Line, MoveLine, format_line, parse_line, seat
from coup_core.moves import Move, Seat, lose


class Record(Struct, frozen=True, kw_only=True):
    """One game, whole or broken off. Two records are equal when they tell the same game."""

    rules: str = "classic"
    names: tuple[str, ...]
    """The players' record names in seat order."""
    first: Seat | None = None
    """Who starts, where the record says so."""
    start: Start | None = None
    hands: tuple[Cards, ...]
    """Face-down cards at the start, in seat order."""
    display: dict[Seat, str] = field(default_factory=dict)
    """Display names, for the seats that have one."""
    seed: bytes | None = None
    mix: str | None = None
    commit: str | None = None
    """The commitment to the seed, hex."""
    coins: dict[Seat, int] = field(default_factory=dict)
    """Purses of a position; the seats not named have R4's coins."""
    lost: dict[Seat, Cards] = field(default_factory=dict)
    """Face-up cards of a position."""
    body: tuple[Line, ...] = ()

    @property
    def is_position(self) -> bool:
        """Whether it starts in the middle of a game."""
        return bool(self.coins or self.lost)

    @property
    def starter(self) -> Seat:
        """Who starts: `first`, by default the first listed who is alive."""
        if self.first is not None:
            return self.first
        return next((seat for seat, hand in enumerate(self.hands) if hand), 0)


class Places(Struct, frozen=True):
    """Where in a file a record's parts stand; kept apart from the record, which is the same game in any file."""

    file: str
    headers: Mapping[str, int]
    """Line of each header, by its word."""
    body: tuple[int, ...]
    """Line of each line of the body."""

    @property
    def last(self) -> int:
        """The last line that says something."""
        return max((*self.headers.values(), *self.body), default=1)


def parse(text: str, file: str = "record") -> Record:
    """The record that `text` holds. `file` is how errors call it. Raises RecordError, malformed."""
    return read(text, file)[0]


def read(text: str, file: str = "record") -> tuple[Record, Places]:
    """Like `parse`, and where everything stands."""
    return _Reader(text, file).read()


def format(record: Record) -> str:  # noqa: A001 - `parse` and `format` are the two directions of docs/RECORD.md
    """The text of `record`: `parse(format(record)) == record`.

    Raises ValueError for a display name that no record can hold; `display_text` makes it one that can.
    """
    lines = [*_format_headers(record), ""]
    lines.extend(format_line(line, record.names) for line in record.body)
    return "\n".join(lines).rstrip("\n") + "\n"


def display_text(name: str) -> str:
    """`name` as a record can hold it: on one line, without the sign that starts a comment."""
    return " ".join(name.replace("#", "\N{FULLWIDTH NUMBER SIGN}").split())


def lines_of(seat: Seat, move: Move, events: Iterable[Event], *, clock: bool = False) -> list[Line]:
    """The lines of one accepted move: itself, then in order the draws and automatic losses among its `events`."""
    lines: list[Line] = [MoveLine(seat, move, clock)]
    for event in events:
        if isinstance(event, CardsDrawn):
            lines.append(DrawLine(event.seat, event.cards))
        elif isinstance(event, InfluenceLost) and event.automatic:
            lines.append(MoveLine(event.seat, lose(event.character)))
    return lines


def move_lines(names: Sequence[str], seat: Seat, move: Move, events: Iterable[Event], clock: bool = False) -> list[str]:
    """The text of `lines_of`, a string a line."""
    return [format_line(line, names) for line in lines_of(seat, move, events, clock=clock)]


# ---------------------------------------------------------------------------------------------------- reading

P = ParamSpec("P")
T = TypeVar("T")

_HEADER = re.compile(r"(?P<key>[a-z]+|name\.[^ \t:]*):(?:[ \t]+(?P<value>.*))?", re.DOTALL)


class _Reader:
    """One reading of one text: cuts it into lines, then reads the headers, then the body."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        said = ((at, self._said(at, line)) for at, line in enumerate(text.split("\n"), start=1))
        self.lines = [(at, line) for at, line in said if line]

    def _said(self, at: int, line: str) -> str:
        """What a line says: without its end, its comment and the blanks around."""
        said = line.removesuffix("\r").partition("#")[0].strip(BLANKS)
        # Written at the end of a line it would be read as part of the line's end, so it may stand nowhere.
        if "\r" in said:
            raise RecordError(at, "a carriage return that does not end the line", malformed=True, file=self.file)
        return said

    def read(self) -> tuple[Record, Places]:
        headers, places, body = self._cut()
        values = self._headers(headers, places)
        names: tuple[str, ...] = values["names"]
        lines = tuple(self._try(at, parse_line, words_of(line), names) for at, line in body)
        return Record(**values, body=lines), Places(self.file, places, tuple(at for at, _ in body))

    def _try(self, at: int, read: Callable[P, T], *arguments: P.args, **words: P.kwargs) -> T:
        try:
            return read(*arguments, **words)
        except ValueError as error:
            unsupported = isinstance(error, UnsupportedRules)
            raise RecordError(at, str(error), malformed=True, file=self.file, unsupported=unsupported) from None

    def _cut(self) -> tuple[dict[str, str], dict[str, int], list[tuple[int, str]]]:
        """The headers' texts and lines, by word, and the body."""
        headers: dict[str, str] = {}
        places: dict[str, int] = {}
        for index, (at, line) in enumerate(self.lines):
            match = _HEADER.fullmatch(line)
            key = match["key"] if match else ""
            if match is None or key.partition(".")[0] not in HEADERS:
                return headers, places, self.lines[index:]
            if key in headers:
                raise RecordError(at, f"a second header {key + ':'!r}", malformed=True, file=self.file)
            headers[key] = match["value"] or ""
            places[key] = at
        return headers, places, []

    def _headers(self, headers: dict[str, str], places: dict[str, int]) -> dict[str, Any]:
        """The fields of a Record that the headers give."""
        if not headers or next(iter(headers)) != "rules":
            at = self.lines[0][0] if self.lines else 1
            raise RecordError(at, "a record begins with 'rules:'", malformed=True, file=self.file)
        # The edition first: what else may stand here depends on it.
        values: dict[str, Any] = {"rules": self._try(places["rules"], rules, headers["rules"])}
        for needed in ("players", "hands", *["start"] * ("seed" in headers)):
            if needed not in headers:
                why = " with 'seed:'" if needed == "start" else ""
                raise RecordError(
                    max(places.values()), f"the header '{needed}:' is required{why}", malformed=True, file=self.file
                )
        names = self._try(places["players"], players, headers["players"])
        values |= {"names": names, "display": {}}
        for key, text in headers.items():
            if key.partition(".")[0] == "name":
                values["display"][self._try(places[key], seat, key.removeprefix("name."), names)] = text
            elif key not in ("rules", "players"):
                values[key] = self._try(places[key], VALUES[key], text, names)
        return values


# ---------------------------------------------------------------------------------------------------- writing


def _format_headers(record: Record) -> list[str]:
    names = record.names
    lines = [f"rules: {record.rules}", f"players: {' '.join(names)}"]
    if record.first is not None:
        lines.append(f"first: {names[record.first]}")
    if record.start is not None:
        lines.append(f"start: {record.start}")
    lines.append("hands: " + _format_cards(names, dict(enumerate(record.hands))))
    for who, text in sorted(record.display.items()):
        if any(sign in text for sign in "#\n\r") or text != text.strip(BLANKS):
            raise ValueError(f"a record cannot hold the display name {text!r}")
        lines.append(f"name.{names[who]}: {text}".rstrip(BLANKS))
    if record.seed is not None:
        lines.append(f"seed: {record.seed.hex()}")
    if record.mix is not None:
        lines.append(f"mix: {record.mix}")
    if record.commit is not None:
        lines.append(f"commit: {record.commit}")
    if record.coins:
        lines.append("coins: " + " ".join(f"{names[who]}={coins}" for who, coins in sorted(record.coins.items())))
    if record.lost:
        lines.append("lost: " + _format_cards(names, record.lost))
    return lines


def _format_cards(names: Sequence[str], cards: Mapping[Seat, Cards]) -> str:
    return " ".join(f"{names[who]}={','.join(held)}" for who, held in sorted(cards.items()))
