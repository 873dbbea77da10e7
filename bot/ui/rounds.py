"""When something is written: one run at a time for each key, with a pause after it.

Owns: the runs, what waits for its turn, and how long to leave Discord alone after it failed. A key names
what the work is about, a table. What is asked for while a run is on, or pauses, becomes one more run. No task outlives
its work: a run that has to wait is started by a timer. Knows nothing of messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import discord

from bot.telemetry import count, error_id, logger
from bot.ui.discord_errors import TROUBLE, code_of

log = logger(__name__)

ROUND_EVERY = 1.2
"""Seconds between two runs for one key: edits are rationed to about one a second a channel."""
RETRY_AFTER = 5.0
"""Seconds until another try after Discord failed; twice as many after each further failure."""
REFUSED_PAUSE = 60.0
"""The same after Discord forbade it: a storm of refused calls gets a bot banned."""
LONGEST_PAUSE = 900.0
"""Seconds between two tries, however often they failed."""
AT_ONCE = 25
"""Runs at one time. After a start everything that is open wants one, and what is put into words long before it can be
written is not true any more."""


class Unfinished(Exception):
    """The work has done what matters; `error` kept it from the rest, which is tried later while changes do not wait."""

    def __init__(self, error: Exception) -> None:
        super().__init__(repr(error))
        self.error = error


class Rounds:
    """Runs `work(key)` for whoever asks; its failures are logged under the `name` of the work.

    If it raises Unfinished, the next run may come as soon as ever; after any other error it comes later and later.
    """

    def __init__(self, name: str, work: Callable[[str], Awaitable[None]]) -> None:
        self._failure = f"{name} failed"
        self._work = work
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._pausing: dict[str, asyncio.TimerHandle] = {}
        self._retries: dict[str, asyncio.TimerHandle] = {}
        """What is left to do where nothing pauses."""
        self._failures: dict[str, int] = {}
        """By key: runs that failed since the last one that did not."""
        self._closing = False
        self._slots = asyncio.Semaphore(AT_ONCE)

    def ask(self, key: str) -> None:
        """Run for `key`, now or as soon as its turn comes."""
        if self._closing:
            return
        if key in self._running or key in self._pausing:
            self._again.add(key)
            return
        self._begin(key)

    def hurry(self, key: str) -> None:
        """The same, without waiting for the end of a pause that a failure has made."""
        if key in self._failures and key in self._pausing:
            self._pausing.pop(key).cancel()
        self.ask(key)

    def later(self, key: str, seconds: float) -> None:
        """Run for `key` in `seconds`, unless something asks for it before. For the work itself to call."""
        timer = self._retries.pop(key, None)
        if timer is not None:
            timer.cancel()
        self._retries[key] = asyncio.get_running_loop().call_later(seconds, self.ask, key)

    async def close(self) -> None:
        """Finish what is running; begin nothing more."""
        self._closing = True
        for timer in (*self._pausing.values(), *self._retries.values()):
            timer.cancel()
        self._pausing.clear()
        self._retries.clear()
        self._again.clear()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    # ------------------------------------------------------------------------------------------------ inside

    def _begin(self, key: str) -> None:
        for timers in (self._pausing, self._retries):
            timer = timers.pop(key, None)
            if timer is not None:
                timer.cancel()
        self._again.discard(key)
        self._running[key] = asyncio.get_running_loop().create_task(self._run(key))

    async def _run(self, key: str) -> None:
        pause, retry = ROUND_EVERY, None
        try:
            async with self._slots:
                if self._closing:
                    return
                await self._work(key)
            self._failures.pop(key, None)
        except Unfinished as rest:
            retry = self._failed(key, rest.error)
        except Exception as error:  # noqa: BLE001 - nobody else would hear of it
            self._again.add(key)
            pause = self._failed(key, error)
        finally:
            del self._running[key]
            if not self._closing:
                # The pause is kept also when nothing waits yet, so that the next change cannot outrun it.
                loop = asyncio.get_running_loop()
                self._pausing[key] = loop.call_later(pause, self._paused, key)
                if retry is not None:
                    self._retries[key] = loop.call_later(retry, self.ask, key)

    def _failed(self, key: str, error: Exception) -> float:
        """Log one more failure. Returns the seconds until the next try."""
        if isinstance(error, TROUBLE):
            code = code_of(error)
            count(f"discord_{code}")
            log.warning(self._failure, table=key, code=code, status=getattr(error, "status", None))
        else:
            log.error(self._failure, table=key, error_id=error_id(), exc_info=error)
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        first = REFUSED_PAUSE if isinstance(error, discord.Forbidden) else RETRY_AFTER
        asked = error.retry_after if isinstance(error, discord.RateLimited) else 0.0
        return max(asked, min(LONGEST_PAUSE, first * 2.0 ** (min(failures, 16) - 1)))

    def _paused(self, key: str) -> None:
        self._pausing.pop(key, None)
        if key in self._again:
            self._begin(key)
