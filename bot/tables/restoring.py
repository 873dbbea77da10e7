"""From what is stored back to a table: its record replayed, with every draw checked against the seed.

Owns: the decision whether a stored table can be played on, and what is left of one that cannot. Knows neither Discord
nor the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from bot.tables.course import Answer, begun
from bot.tables.ports import StoredLine, StoredTable
from bot.tables.state import TableState, dealt
from bot.tables.table import Cause, Pause, Phase
from coup_core import record
from coup_core.errors import IllegalMove
from coup_core.events import Event
from coup_core.game import Game
from coup_core.headers import Start
from coup_core.lines import MoveLine, parse_line
from coup_core.moves import Move
from coup_core.ruleset import Ruleset
from coup_core.view import Asked


class CorruptTable(Exception):
    """What is stored does not hold: the table cannot be played on. Its words tell no hidden card."""


def rebuilt(stored: StoredTable) -> TableState:
    """The table that is stored.

    Raises CorruptTable if it cannot be shown or played on: the stored record does not follow from the seed and the
    rules, or this version does not know what stands in the row.
    """
    try:
        state = _rebuilt(stored)
        # Whoever asks for it next must not be the first to notice.
        state.public()
    except CorruptTable:
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with what is stored, its channel must not be held
        # Only the kind of error: its words may name a hidden card, and this one is logged.
        raise CorruptTable(f"the row: {type(error).__name__}") from None
    return state


def unplayable(stored: StoredTable) -> TableState:
    """A table that cannot be rebuilt: everyone sees that it is damaged, and it can be ended, or ends with its time."""
    row = stored.row
    phase = row.phase if row.phase in set(Phase) else Phase.PLAYING
    paused = row.paused if row.paused in set(Pause) else None
    row = replace(row, phase=phase, paused=paused)
    return TableState(row, stored.players, stored.lines, damaged=True)


def replayed(game: Game, lines: Sequence[StoredLine]) -> Iterator[tuple[Answer, Asked | None, list[Event], int]]:
    """Play the stored answers on `game`: each, what was asked, what it made happen, and how many lines it took so far.

    Raises CorruptTable for lines that do not follow from the seed and the rules.
    """
    texts = [line.line for line in lines]
    at = 0
    while at < len(texts):
        asked = game.asked
        try:
            answer = _read_answer(lines[at], game.names)
            events = game.play(answer.seat, answer.move)
        except (ValueError, IllegalMove) as error:
            # Only the kind of error: its words may name a hidden card, and this one is logged.
            raise CorruptTable(f"line {at + 1}: {type(error).__name__}") from None
        again = record.move_lines(game.names, answer.seat, answer.move, events, answer.clock)
        if texts[at : at + len(again)] != again:
            raise CorruptTable(f"line {at + 1}: it does not follow from the seed")
        at += len(again)
        yield answer, asked, events, at


def _rebuilt(stored: StoredTable) -> TableState:
    row, players = stored.row, stored.players
    Ruleset.parse(row.edition)
    state = TableState(row, players)
    if state.phase is not Phase.OVER and all(player.user_id != row.host_id for player in players):
        raise CorruptTable("the host has no seat")
    if row.mix is None:
        if state.phase is Phase.PLAYING or stored.lines:
            raise CorruptTable("a game without its shuffle")
        return state
    if row.mix.split(",")[1:] != [str(player.click) for player in players]:
        raise CorruptTable("the seats are not those of the shuffle")
    if row.first is not None and row.first not in range(len(players)):
        raise CorruptTable("nobody has the first seat")
    Start(row.start or "")
    game = dealt(row, len(players))
    course = begun(game)
    for answer, asked, events, _ in replayed(game, stored.lines):
        course = course.then(answer, asked, events, game.living)
    if row.ending is None and (game.outcome is not None or row.window > len(stored.lines)):
        raise CorruptTable("the game is not where the row says")
    return replace(state, lines=stored.lines, game=game, course=course)


def _read_answer(stored: StoredLine, names: Sequence[str]) -> Answer:
    """The answer that a line tells. Raises ValueError for any other line."""
    line = parse_line(stored.line.split(), names)
    if isinstance(line, MoveLine) and isinstance(line.move, Move):
        return Answer(line.seat, line.move, line.clock, None if stored.cause is None else Cause(stored.cause))
    raise ValueError("not a move of this edition")
