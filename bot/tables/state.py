"""A table in memory: what is stored of it, and the game that follows from that.

Owns: what a table shows to whom. A `TableState` is never changed: every accepted request makes another. Knows neither
Discord nor the database.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from bot.tables.course import Answer, Course
from bot.tables.errors import Mistake, Refusal
from bot.tables.ports import StoredLine, TableRow
from bot.tables.table import (
    DEFAULT_SPEED,
    SPEEDS,
    ClaimTold,
    Ending,
    Pause,
    Phase,
    Player,
    Post,
    PrivateSeat,
    PublicTable,
    Result,
    Speed,
)
from coup_core import record, retrospect
from coup_core.dealer import FairDealer, commitment
from coup_core.game import Game
from coup_core.headers import Start
from coup_core.lines import parse_line
from coup_core.moves import Seat
from coup_core.ruleset import Ruleset
from coup_core.view import Asked, seat_view, table_view


class TableState(Struct, frozen=True):
    """One table at one version."""

    row: TableRow
    players: tuple[Player, ...]
    lines: tuple[StoredLine, ...] = ()
    game: Game | None = None
    """None in the lobby, and where the table is damaged. Not to be played on: copy it first."""
    course: Course = Course()
    damaged: bool = False
    """What is stored does not hold: see `restoring.unplayable`."""

    @property
    def phase(self) -> Phase:
        return Phase(self.row.phase)

    @property
    def paused(self) -> Pause | None:
        return None if self.row.paused is None else Pause(self.row.paused)

    @property
    def speed(self) -> Speed:
        return SPEEDS.get(self.row.speed, DEFAULT_SPEED) if self.damaged else SPEEDS[self.row.speed]

    def holds(self, request: str) -> bool:
        """Whether `request` has made this version or one of the record's lines: what arrives twice counts once."""
        return self.row.request == request or any(line.request == request for line in reversed(self.lines))

    def seat_of(self, user_id: int) -> Seat:
        """Raises Refusal NOT_SEATED."""
        seat = self.find_seat(user_id)
        if seat is None:
            raise Refusal(Mistake.NOT_SEATED)
        return seat

    def find_seat(self, user_id: int) -> Seat | None:
        """Where somebody sits, if they do."""
        return next((seat for seat, player in enumerate(self.players) if player.user_id == user_id), None)

    def names(self, user_id: int) -> bool:
        """Whether somebody is named here: as a player, as the host, or as the one who ended it."""
        named = {self.row.host_id, self.row.ended_by_id, *(player.user_id for player in self.players)}
        return user_id in named

    def window_open(self) -> bool:
        """Whether a question waits and its clock may run."""
        return self.phase is Phase.PLAYING and self.game is not None and self.row.paused is None

    def window_length(self) -> timedelta:
        """How long people have for the open question, with what was added to it; nothing where none is open."""
        if not self.window_open():
            return timedelta()
        return timedelta(seconds=self.row.granted or self.usual_length)

    @property
    def usual_length(self) -> int:
        """Seconds that the table's speed gives for what is asked now."""
        return self.speed.turn if self.game is not None and self.game.asked is Asked.TURN else self.speed.answer

    def public(self, posts: Iterable[Post] = (), closes: datetime | None = None) -> PublicTable:
        """What everyone may see. `closes`: the deadline that people are told, if it is not the stored one."""
        row = self.row
        return PublicTable(
            id=row.id,
            version=row.version,
            phase=self.phase,
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            parent_id=row.parent_id,
            language=row.language,
            edition=row.edition,
            speed=self.speed,
            host_id=row.host_id,
            players=self.players,
            commit="" if self.damaged else commitment(bytes.fromhex(row.seed)),
            start=row.start,
            mix=row.mix,
            window=row.window,
            deadline_at=closes or row.deadline_at,
            window_length=int(self.window_length().total_seconds()),
            paused=self.paused,
            view=None if self.game is None else table_view(self.game),
            story=self.course.story,
            there=self.course.there,
            silent=tuple(seat for seat, turns in enumerate(self.course.silences) if turns),
            posts=tuple(posts),
            ending=None if row.ending is None or self.damaged else Ending(row.ending),
            ended_by=row.ended_by,
            result=self._result(),
            damaged=self.damaged,
        )

    def private(self, user_id: int, public: PublicTable) -> PrivateSeat:
        """What one player may see, beside what everyone may. Raises Refusal NOT_SEATED, NOT_STARTED or UNPLAYABLE."""
        seat = self.seat_of(user_id)
        return PrivateSeat(public, seat, seat_view(self.must_play(), seat))

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

    def with_row(self, **changes: object) -> TableState:
        """This table with `changes` in its row."""
        return replace(self, row=replace(self.row, **changes))

    def played(self, answer: Answer, request: str) -> TableState:
        """This table after `answer`, with its record lines. Raises IllegalMove, and nothing has happened."""
        assert self.game is not None
        game, asked = self.game.copy(), self.game.asked
        events = game.play(answer.seat, answer.move)
        lines = self.lines
        for line in record.move_lines(game.names, answer.seat, answer.move, events, answer.clock):
            lines = (*lines, StoredLine(len(lines) + 1, line, request, answer.cause))
        return replace(self, game=game, course=self.course.then(answer, asked, events, game.living), lines=lines)

    def _result(self) -> Result | None:
        if self.row.ending is None or self.game is None:
            return None
        whole = self.whole_record()
        claims = retrospect.claims(whole)
        return Result(
            winner=self.game.outcome.winner if self.game.outcome else None,
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
