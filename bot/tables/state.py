"""A table in memory: what is stored of it, and the game that follows from that.

Owns: how a table is rebuilt by replaying its record, and what it shows to whom. A `TableState` is never changed: every
accepted request makes another. Knows neither Discord nor the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from bot.tables.errors import Mistake, Refusal
from bot.tables.ports import StoredLine, StoredTable, TableRow
from bot.tables.table import (
    SPEEDS,
    ClaimTold,
    Ending,
    Phase,
    Player,
    Post,
    PrivateSeat,
    PublicTable,
    Result,
    Speed,
    TurnStory,
)
from coup_core import record, retrospect
from coup_core.dealer import FairDealer, commitment
from coup_core.errors import IllegalMove
from coup_core.events import Event, TurnStarted, visible
from coup_core.game import Game
from coup_core.headers import Start
from coup_core.lines import MoveLine, parse_line
from coup_core.moves import Move, Seat
from coup_core.ruleset import Ruleset
from coup_core.view import Asked, seat_view, table_view


class CorruptTable(Exception):
    """What is stored does not hold: the table cannot be played on. Its words tell no hidden card."""


class Answer(Struct, frozen=True):
    """One move of one player. `clock`: their time had run out (R41)."""

    seat: Seat
    move: Move
    clock: bool


class Asking(Struct, frozen=True):
    """A question as it was put, and the answers that it got, the first one first."""

    game: Game
    answers: tuple[Answer, ...]

    def answer_of(self, seat: Seat) -> Answer | None:
        """What `seat` answered."""
        return next((answer for answer in self.answers if answer.seat == seat), None)


class TableState(Struct, frozen=True):
    """One table at one version."""

    row: TableRow
    players: tuple[Player, ...]
    lines: tuple[StoredLine, ...] = ()
    game: Game | None = None
    """None in the lobby, and where the table is damaged. Not to be played on: copy it first."""
    story: tuple[TurnStory, ...] = ()
    damaged: bool = False
    """What is stored does not hold: see `unplayable`."""

    @property
    def phase(self) -> Phase:
        return Phase(self.row.phase)

    @property
    def speed(self) -> Speed:
        return SPEEDS.get(self.row.speed, SPEEDS["normal"]) if self.damaged else SPEEDS[self.row.speed]

    def answers(self, request: str) -> bool:
        """Whether `request` has made this version or one of the record's lines: what arrives twice counts once."""
        return self.row.request == request or any(line.request == request for line in reversed(self.lines))

    def seat_of(self, user_id: int) -> Seat:
        """Raises Refusal NOT_SEATED."""
        for seat, player in enumerate(self.players):
            if player.user_id == user_id:
                return seat
        raise Refusal(Mistake.NOT_SEATED)

    def window_length(self) -> timedelta:
        """How long the open question may stay unanswered."""
        assert self.game is not None
        return timedelta(seconds=self.speed.turn if self.game.asked is Asked.TURN else self.speed.answer)

    def public(self, posts: Iterable[Post] = (), closes: datetime | None = None) -> PublicTable:
        """What everyone may see. `closes`: the deadline that people are told, if it is not the stored one."""
        row = self.row
        return PublicTable(
            id=row.id,
            version=row.version,
            phase=self.phase,
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            language=row.language,
            speed=self.speed,
            host_id=row.host_id,
            players=self.players,
            commit="" if self.damaged else commitment(bytes.fromhex(row.seed)),
            start=row.start,
            mix=row.mix,
            window=row.window,
            deadline_at=closes or row.deadline_at,
            view=None if self.game is None else table_view(self.game),
            story=self.story,
            posts=tuple(posts),
            result=self._result(),
            damaged=self.damaged,
        )

    def private(self, user_id: int, public: PublicTable | None = None) -> PrivateSeat:
        """What one player may see. Raises Refusal NOT_SEATED, NOT_STARTED or UNPLAYABLE."""
        seat = self.seat_of(user_id)
        return PrivateSeat(public or self.public(), seat, seat_view(self.must_play(), seat))

    def must_play(self) -> Game:
        """The game. Raises Refusal NOT_STARTED where none has begun, UNPLAYABLE where the table is damaged."""
        self.must_be_whole()
        if self.game is None:
            raise Refusal(Mistake.NOT_STARTED)
        return self.game

    def must_be_whole(self) -> None:
        """Raises Refusal UNPLAYABLE where the table is damaged: it can only be looked at and ended."""
        if self.damaged:
            raise Refusal(Mistake.UNPLAYABLE)

    def played(self, moves: Iterable[tuple[Seat, Move]], request: str, *, clock: bool = False) -> TableState:
        """This table after `moves`, with their record lines. Raises IllegalMove, and nothing has happened."""
        assert self.game is not None
        game, story, lines = self.game.copy(), self.story, self.lines
        for seat, move in moves:
            events = game.play(seat, move)
            story = told(story, events)
            for line in record.move_lines(game.names, seat, move, events, clock):
                lines = (*lines, StoredLine(len(lines) + 1, line, request))
        return replace(self, game=game, story=story, lines=lines)

    def asking(self, window: int) -> Asking | None:
        """The question that opened `window`; None for a number that no window has."""
        game = dealt(self.row, len(self.players))
        put = game.copy() if window == 0 else None
        answers: list[Answer] = []
        for answer, _, after in _answers(game, self.lines):
            if put is not None:
                answers.append(answer)
                if game.question_number != put.question_number:
                    break
            elif after == window:
                put = game.copy()
        return None if put is None else Asking(put, tuple(answers))

    def _result(self) -> Result | None:
        if self.row.ending is None or self.game is None:
            return None
        whole = self.whole_record()
        claims = retrospect.claims(whole)
        return Result(
            ending=Ending(self.row.ending),
            winner=self.game.outcome.winner if self.game.outcome else None,
            ended_by=self.row.ended_by,
            hands=tuple(tuple(hand) for hand in self.game.hands),
            claims=tuple(ClaimTold(c.turn, c.seat, c.character, c.held, c.challenged) for c in claims),
            seed=self.row.seed,
            mix=self.row.mix or "",
            record=record.format(whole),
        )

    def whole_record(self) -> record.Record:
        """The record of the game so far, seed and all: for nobody's eyes before the end."""
        assert self.game is not None
        game = self.game
        opening = dealt(self.row, len(self.players))
        return record.Record(
            rules=self.row.edition,
            names=game.names,
            first=opening.turn,
            start=Start(self.row.start) if self.row.start else None,
            hands=tuple(opening.hands),
            display={seat: record.display_text(player.name) for seat, player in enumerate(self.players)},
            seed=bytes.fromhex(self.row.seed),
            mix=self.row.mix,
            commit=commitment(bytes.fromhex(self.row.seed)),
            body=tuple(parse_line(line.line.split(), game.names) for line in self.lines),
        )


def dealt(row: TableRow, players: int) -> Game:
    """The game of a started table as it was dealt."""
    names = tuple(f"p{seat + 1}" for seat in range(players))
    dealer = FairDealer(bytes.fromhex(row.seed), row.mix or "")
    return Game.new(names, dealer, Ruleset.parse(row.edition), row.first)


def told(story: tuple[TurnStory, ...], events: Iterable[Event]) -> tuple[TurnStory, ...]:
    """`story` with the public ones of `events` added, a new entry for every turn that starts."""
    turns = list(story)
    for event in visible(events):
        if isinstance(event, TurnStarted):
            turns.append(TurnStory(event.number, (event,)))
        elif turns:
            turns[-1] = TurnStory(turns[-1].number, (*turns[-1].events, event))
        else:
            turns.append(TurnStory(0, (event,)))
    return tuple(turns)


def rebuilt(stored: StoredTable) -> TableState:
    """The table that is stored, its game replayed with every draw checked against the seed.

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
    story = told((), game.opening)
    for _, events, _ in _answers(game, stored.lines):
        story = told(story, events)
    if row.ending is None and (game.outcome is not None or row.window > len(stored.lines)):
        raise CorruptTable("the game is not where the row says")
    return replace(state, lines=stored.lines, game=game, story=story)


def _answers(game: Game, lines: Sequence[StoredLine]) -> Iterator[tuple[Answer, list[Event], int]]:
    """Play the stored answers on `game`: each, what it made happen, and the index of the next one's line.

    Raises CorruptTable for lines that do not follow from the seed and the rules.
    """
    texts = [line.line for line in lines]
    at = 0
    while at < len(texts):
        try:
            answer = _read_answer(texts[at], game.names)
            events = game.play(answer.seat, answer.move)
        except (ValueError, IllegalMove) as error:
            # Only the kind of error: its words may name a hidden card, and this one is logged.
            raise CorruptTable(f"line {at + 1}: {type(error).__name__}") from None
        again = record.move_lines(game.names, answer.seat, answer.move, events, answer.clock)
        if texts[at : at + len(again)] != again:
            raise CorruptTable(f"line {at + 1}: it does not follow from the seed")
        at += len(again)
        yield answer, events, at


def _read_answer(text: str, names: Sequence[str]) -> Answer:
    """The answer that a line tells. Raises ValueError for any other line."""
    line = parse_line(text.split(), names)
    if isinstance(line, MoveLine) and isinstance(line.move, Move):
        return Answer(line.seat, line.move, line.clock)
    raise ValueError("not a move of this edition")


def unplayable(stored: StoredTable) -> TableState:
    """A table that cannot be rebuilt: no clock runs on it, everyone sees that it is damaged, and it can be ended."""
    row = stored.row
    phase = row.phase if row.phase in set(Phase) else Phase.PLAYING
    return TableState(replace(row, phase=phase, deadline_at=None), stored.players, stored.lines, damaged=True)


def asked_anew(old: TableState, new: TableState, now: datetime) -> TableState:
    """`new` with the window and the deadline of the question that is open in it."""
    game = new.game
    assert game is not None
    if game.outcome is not None:
        row = replace(
            new.row,
            phase=Phase.OVER,
            ending=Ending.WON,
            winner_id=new.players[game.outcome.winner].user_id,
            window=len(new.lines),
            deadline_at=None,
            ended_at=now,
        )
    elif old.game is not None and old.game.question_number == game.question_number:
        return new
    else:
        row = replace(new.row, window=len(new.lines), deadline_at=now + new.window_length())
    return replace(new, row=row)
