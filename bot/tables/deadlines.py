"""The clock beside the tables: one timer a table, and a sweep for what a timer missed.

Owns: `call_later` handles. A deadline's truth is in the table's row; a timer only asks the door to look again, so one
that is lost, early or doubled changes nothing. Knows nothing of games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

SWEEP_EVERY = 15.0
"""Seconds between two sweeps."""


class Deadlines:
    """Timers by table id. `fire(table_id)` is called from the loop; it must not block.

    `sweep()` begins a sweep and gives what ends with it: the next one begins `SWEEP_EVERY` after that.
    """

    def __init__(self, fire: Callable[[str], None], sweep: Callable[[], asyncio.Future[Any]]) -> None:
        self._fire = fire
        self._sweep = sweep
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._stopped = False

    def arm(self, table_id: str, seconds: float) -> None:
        """Ask for `table_id` in `seconds`, instead of when it was asked for before; not at all once it is stopped."""
        self.disarm(table_id)
        if self._stopped:
            return
        loop = asyncio.get_running_loop()
        self._timers[table_id] = loop.call_later(max(0.0, seconds), self._ring, table_id)

    def disarm(self, table_id: str) -> None:
        timer = self._timers.pop(table_id, None)
        if timer is not None:
            timer.cancel()

    def armed(self, table_id: str) -> bool:
        return table_id in self._timers

    def start_sweeping(self) -> None:
        if self._stopped:
            return
        if self._sweeping is not None:
            self._sweeping.cancel()
        self._sweeping = asyncio.get_running_loop().call_later(SWEEP_EVERY, self._swept)

    def stop(self) -> None:
        """For good."""
        self._stopped = True
        for table_id in list(self._timers):
            self.disarm(table_id)
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None

    def _ring(self, table_id: str) -> None:
        self._timers.pop(table_id, None)
        self._fire(table_id)

    def _swept(self) -> None:
        self._sweeping = None
        self._sweep().add_done_callback(lambda _: self.start_sweeping())
