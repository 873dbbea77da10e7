"""How much time a table's open window has left, and what people are told of it.

Owns: the difference between a stored deadline and the time that people really have: a window that nobody could see has
not begun, setting the wall clock moves nothing, and while people could not reach us no time passes. Knows nothing of
timers: `deadlines` does.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from msgspec import Struct

from bot.tables.outages import Outages, loop_time
from bot.tables.play import unasked
from bot.tables.ports import Clock
from bot.tables.state import TableState
from bot.tables.windows import AWAY

GRACE = timedelta(seconds=2)
"""A window stays open this much longer than people are told, for answers that are on their way."""
STOOD = 3.0
"""Seconds that a window stands before anybody is allowed for: so that the switch tells nothing."""


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
        self._newest = _Shown(window, self._clock.now(), loop_time())
        return True

    def hidden(self) -> None:
        """The game stands still: its window begins anew when people see it after that."""
        self._newest = self._woken = None

    def woken(self, window: int) -> None:
        """`window` was in the channel before the bot went away: people have had some of it already."""
        self._woken = window

    def seconds_left(self, state: TableState) -> float:
        """Until silence answers: past the deadline and its grace, and people have had the window's length.

        Infinite where no deadline is set. Never nothing while people cannot reach us.
        """
        if state.row.deadline_at is None:
            return math.inf
        now = loop_time()
        due, seen_at = self._times(state, now)
        ends = due + self._outages.since(seen_at, state.row)
        if state.window_open():
            shown = self._showing(state)
            begun = now if shown is None else shown.moment
            ends = max(ends, begun + self._least(state).total_seconds() + self._outages.since(begun, state.row))
        left = ends + GRACE.total_seconds() - now
        return max(left, GRACE.total_seconds()) if self._outages.affects(state.row) else left

    def ends(self, state: TableState) -> datetime | None:
        """When the table's time is really up, by the wall clock as it is set now; None where no deadline is set."""
        left = self.seconds_left(state)
        return None if left == math.inf else self._clock.now() + timedelta(seconds=left) - GRACE

    def later(self, state: TableState) -> float:
        """Seconds by which the table's time is really up after the stored deadline; 0 where none is set."""
        ends = self.ends(state)
        return 0.0 if ends is None or state.row.deadline_at is None else (ends - state.row.deadline_at).total_seconds()

    def seconds_to_stand(self, state: TableState) -> float:
        """Until those who allow without being asked are allowed for; infinite if there are none."""
        shown = self._showing(state)
        if shown is None or not unasked(state):
            return math.inf
        return shown.moment + STOOD - loop_time()

    def closes(self, state: TableState) -> datetime | None:
        """What people are told: the stored deadline, or a later one if they could not see the window in time."""
        deadline = state.row.deadline_at
        if deadline is None or not state.window_open():
            return deadline
        now = loop_time()
        shown = self._showing(state) or _Shown(state.row.window, self._clock.now(), now)
        told = deadline + self._lost(state, self._times(state, now)[1])
        full = shown.since + self._least(state) + self._lost(state, shown.moment)
        # The moments between storing and showing are inside the grace; telling them would only cost an edit.
        return full if full > told + GRACE else told

    def _lost(self, state: TableState, moment: float) -> timedelta:
        """What outages have cost people since `moment`, as far as it is worth telling.

        One that is still on is told when it is over: else there were something new to tell all the time.
        """
        lost = self._outages.since(moment, state.row, ended=True)
        return timedelta(seconds=round(lost) if lost > GRACE.total_seconds() else 0)

    def _times(self, state: TableState, now: float) -> tuple[float, float]:
        deadline = state.row.deadline_at
        assert deadline is not None
        if self._due is None or self._due[0] != deadline:
            self._due = deadline, now + (deadline - self._clock.now()).total_seconds(), now
        return self._due[1:]

    def _least(self, state: TableState) -> timedelta:
        """How long the window must have been in sight. Of one that was in sight before the bot went away, what was left
        of it then, and time enough to come back to it."""
        length = state.window_length()
        if self._woken != state.row.window:
            return length
        due, seen_at = self._times(state, loop_time())
        return min(length, max(timedelta(seconds=due - seen_at), AWAY))

    def _showing(self, state: TableState) -> _Shown | None:
        """The open window, if people can see it."""
        return self._newest if self._newest is not None and self._newest.window == state.row.window else None
