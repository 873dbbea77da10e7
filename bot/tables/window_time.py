"""How much time a table's open window has left, and what people are told of it.

Owns: the difference between a stored deadline and the time that people really have: a window that nobody could see has
not begun, and setting the wall clock moves nothing. Knows nothing of timers: `deadlines` does.
"""

from __future__ import annotations

import asyncio
import math
from datetime import datetime, timedelta

from msgspec import Struct

from bot.tables.ports import Clock
from bot.tables.state import TableState

GRACE = timedelta(seconds=2)
"""A window stays open this much longer than people are told, for answers that are on their way."""


class _Shown(Struct, frozen=True):
    """The newest window that people can see, and since when: on the wall's clock and on the loop's."""

    window: int
    since: datetime
    moment: float


class WindowTime:
    """Of one table."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._newest: _Shown | None = None
        self._due: tuple[datetime, float] | None = None
        """The stored deadline, and when that is on the loop's clock: setting the wall clock must not move it."""

    def shown(self, window: int) -> bool:
        """People can see `window` now. False if that was known, or is long past."""
        if self._newest is not None and self._newest.window >= window:
            return False
        self._newest = _Shown(window, self._clock.now(), asyncio.get_running_loop().time())
        return True

    def seconds_left(self, state: TableState) -> float:
        """Until silence answers: past the deadline and its grace, and people have had the window's full length.

        Infinite where no deadline is set.
        """
        deadline = state.row.deadline_at
        if deadline is None:
            return math.inf
        now = asyncio.get_running_loop().time()
        if self._due is None or self._due[0] != deadline:
            self._due = deadline, now + (deadline - self._clock.now()).total_seconds()
        shown = self._showing(state)
        seen = now if shown is None else shown.moment
        return max(self._due[1], seen + state.window_length().total_seconds()) + GRACE.total_seconds() - now

    def closes(self, state: TableState) -> datetime | None:
        """What people are told: the stored deadline, or a later one if they could not see the window in time."""
        deadline = state.row.deadline_at
        if deadline is None:
            return None
        shown = self._showing(state)
        full = (self._clock.now() if shown is None else shown.since) + state.window_length()
        # The moments between storing and showing are inside the grace; telling them would only cost an edit.
        return full if full > deadline + GRACE else deadline

    def _showing(self, state: TableState) -> _Shown | None:
        """The open window, if people can see it."""
        return self._newest if self._newest is not None and self._newest.window == state.row.window else None
