"""How much time a table's open window has left, and what people are told of it.

Owns: the difference between a stored deadline and the time that people really have: a window that nobody could see has
not begun, setting the wall clock moves nothing, and while people could not reach us no time passes. Knows nothing of
timers: `deadlines` does.
"""

from __future__ import annotations

import asyncio
import math
from datetime import datetime, timedelta

from msgspec import Struct

from bot.tables.play import unasked
from bot.tables.ports import Clock, TableRow
from bot.tables.state import TableState
from bot.tables.windows import AWAY

GRACE = timedelta(seconds=2)
"""A window stays open this much longer than people are told, for answers that are on their way."""
STOOD = 3.0
"""Seconds that a window stands before anybody is allowed for: so that the switch tells nothing."""
REMEMBERED = 2 * 86_400.0
"""Seconds for which an outage is remembered: longer than anything waits."""


class Unstored(Struct, frozen=True):
    """Why time stands still at one table: what its people do cannot be stored."""

    table_id: str


class Shard(Struct, frozen=True):
    """Why time stands still in some servers: their clicks arrive by connection `number` of `count`, which is lost.

    Discord deals the servers out by their ids, the same way for everybody (its documentation, "Sharding").
    """

    number: int
    count: int


OutageCause = int | Unstored | Shard
"""What an outage is an outage of. A number is a server's id. None of them stops a table that it does not concern."""


class Outages:
    """When people could not reach us, or we could not store what they did: seconds on the loop's clock."""

    def __init__(self) -> None:
        self._since: dict[OutageCause, float] = {}
        self._past: list[tuple[OutageCause, float, float]] = []

    def begin(self, cause: OutageCause) -> None:
        """From now on nobody can be held to answer. Telling it again changes nothing."""
        self._since.setdefault(cause, _moment())

    def end(self, cause: OutageCause) -> bool:
        """It is over. False if it had not begun."""
        began = self._since.pop(cause, None)
        if began is None:
            return False
        now = _moment()
        self._past = [span for span in self._past if span[2] > now - REMEMBERED]
        self._past.append((cause, began, now))
        return True

    def now(self, row: TableRow) -> bool:
        """Whether the people of that table cannot answer at this moment."""
        return any(concerns(cause, row) for cause in self._since)

    def since(self, moment: float, row: TableRow) -> float:
        """Seconds of outage, as far as over, that the table has had since `moment`; two at a time count once."""
        spans = sorted(
            (max(began, moment), ended) for cause, began, ended in self._past if ended > moment and concerns(cause, row)
        )
        total, until = 0.0, moment
        for began, ended in spans:
            total += max(0.0, ended - max(began, until))
            until = max(until, ended)
        return total


class _Shown(Struct, frozen=True):
    """The newest window that people can see, and since when: on the wall's clock and on the loop's."""

    window: int
    since: datetime
    moment: float


class WindowTime:
    """Of one table."""

    def __init__(self, clock: Clock, outages: Outages) -> None:
        self._clock = clock
        self._outages = outages
        self._newest: _Shown | None = None
        self._due: tuple[datetime, float, float] | None = None
        """The stored deadline, when that is on the loop's clock, and when it was first looked at: setting the wall
        clock must not move it."""
        self._woken: int | None = None
        """The window that was open as the bot came back."""

    def shown(self, window: int) -> bool:
        """People can see `window` now. False if that was known, or is long past."""
        if self._newest is not None and self._newest.window >= window:
            return False
        self._newest = _Shown(window, self._clock.now(), _moment())
        return True

    def woken(self, window: int) -> None:
        """`window` was in the channel before the bot went away: people have had some of it already."""
        self._woken = window

    def seconds_left(self, state: TableState) -> float:
        """Until silence answers: past the deadline and its grace, and people have had the window's length.

        Infinite where no deadline is set. Never nothing while people cannot reach us.
        """
        if state.row.deadline_at is None:
            return math.inf
        now = _moment()
        due, seen_at = self._times(state, now)
        ends = due + self._outages.since(seen_at, state.row)
        if state.window_open():
            shown = self._showing(state)
            begun = now if shown is None else shown.moment
            ends = max(ends, begun + self._least(state).total_seconds() + self._outages.since(begun, state.row))
        left = ends + GRACE.total_seconds() - now
        return max(left, GRACE.total_seconds()) if self._outages.now(state.row) else left

    def ends(self, state: TableState) -> datetime | None:
        """When the table's time is really up, by the wall clock as it is set now; None where no deadline is set."""
        left = self.seconds_left(state)
        return None if left == math.inf else self._clock.now() + timedelta(seconds=left) - GRACE

    def seconds_to_stand(self, state: TableState) -> float:
        """Until those who allow without being asked are allowed for; infinite if there are none."""
        shown = self._showing(state)
        if shown is None or not unasked(state):
            return math.inf
        return shown.moment + STOOD - _moment()

    def closes(self, state: TableState) -> datetime | None:
        """What people are told: the stored deadline, or a later one if they could not see the window in time."""
        deadline = state.row.deadline_at
        if deadline is None or not state.window_open():
            return deadline
        now = _moment()
        shown = self._showing(state) or _Shown(state.row.window, self._clock.now(), now)
        told = deadline + self._lost(state, self._times(state, now)[1])
        full = shown.since + self._least(state) + self._lost(state, shown.moment)
        # The moments between storing and showing are inside the grace; telling them would only cost an edit.
        return full if full > told + GRACE else told

    def _lost(self, state: TableState, moment: float) -> timedelta:
        """What outages have cost people since `moment`, as far as it is worth telling."""
        lost = self._outages.since(moment, state.row)
        return timedelta(seconds=round(lost) if lost > GRACE.total_seconds() else 0)

    def _times(self, state: TableState, now: float) -> tuple[float, float]:
        deadline = state.row.deadline_at
        assert deadline is not None
        if self._due is None or self._due[0] != deadline:
            self._due = deadline, now + (deadline - self._clock.now()).total_seconds(), now
        return self._due[1:]

    def _least(self, state: TableState) -> timedelta:
        """How long the window must have been in sight."""
        length = state.window_length()
        return min(length, AWAY) if self._woken == state.row.window else length

    def _showing(self, state: TableState) -> _Shown | None:
        """The open window, if people can see it."""
        return self._newest if self._newest is not None and self._newest.window == state.row.window else None


def _moment() -> float:
    return asyncio.get_running_loop().time()


def concerns(cause: OutageCause, row: TableRow) -> bool:
    """Whether an outage for `cause` keeps the people of that table from answering."""
    match cause:
        case int():
            return cause == row.guild_id
        case Unstored():
            return cause.table_id == row.id
        case Shard():
            return (row.guild_id >> 22) % cause.count == cause.number
