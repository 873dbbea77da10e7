"""When tables are looked at without anybody asking: their time is up, they were neglected, or the bot has come back.

Owns: what a timer, the sweep, the end of an outage and the start do, and the sign of life that one process leaves to
the next. It changes no table by itself: whatever follows is asked at the one door.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

import msgspec

from bot.tables.deadlines import Deadlines
from bot.tables.errors import Refusal
from bot.tables.memory import Memory
from bot.tables.outages import OutageCause, Outages, Unstored, concerns
from bot.tables.ports import Audience, Clock, Presence, Store
from bot.tables.requests import AllowForThem, AnyRequest, TimeUp, Woken
from bot.tables.state import TableState
from bot.tables.table import PublicTable
from bot.telemetry import logger

log = logger(__name__)

ALIVE_FACT = "alive"
"""Under which name the store remembers the last sign of life."""


class SignOfLife(msgspec.Struct, frozen=True):
    """What a process leaves to the next one, so that nobody loses time to a restart."""

    at: float
    """When the bot was last there, by the wall clock: seconds since 1970."""
    later: dict[str, tuple[int, float]]
    """By table: its window, and the seconds by which its time is really up after the stored deadline, for an outage or
    a late showing; tables of which the deadline is true are left out."""


class Watch:
    """Over all tables of this process.

    `submit` is the one door. `begin` starts work that nobody waits for, and the process does not end before it.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        outages: Outages,
        *,
        submit: Callable[[AnyRequest], Awaitable[PublicTable]],
        begin: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._audience: Audience
        self._presence: Presence | None
        self._outages = outages
        self._submit = submit
        self._begin = begin
        self.deadlines = Deadlines(self._ring, self._sweep)
        self.memory = Memory(store, clock, outages, self.deadlines)
        self._awake = False
        """Whether what was open before the start has its time again."""

    def serve(self, audience: Audience, presence: Presence | None) -> None:
        """Say who is told, and who knows whether a silent player is still there: before anything else."""
        self._audience, self._presence = audience, presence

    async def restore(self) -> int:
        """After a start: load every open table, give its window its time again, have it shown. Returns how many."""
        sign = await self._last_sign()
        open_tables = await self._store.open_tables()
        for table_id in open_tables:
            try:
                entry, state = await self.memory.read(table_id)
                # Before anybody is told of the table: what they are told has to be the time that people really have.
                if state.row.announced_version == state.row.version:
                    entry.time.woken(state.row.window)
                await self._submit(Woken(request=_request("woken"), table_id=table_id, owed=self._owed(state, sign)))
            except Exception:  # one table that cannot be loaded must not keep the others from their players
                log.exception("table not restored", table=table_id)
            self._audience.changed(table_id)
        await self._store_alive()
        self._awake = True
        self.deadlines.start_sweeping()
        return len(open_tables)

    def stop(self) -> None:
        """No timer goes off any more."""
        self.deadlines.stop()

    async def take_leave(self) -> None:
        """The last sign of life, of a process that has come as far as giving one."""
        if self._awake:
            await _logged(self._store_alive)

    def reachable(self, cause: OutageCause) -> None:
        """An outage is over: windows get back what it cost them, and people are told."""
        if not self._outages.end(cause):
            return
        for table_id, entry in self.memory.entries.items():
            state = entry.state
            if state is not None and state.window_open() and concerns(cause, state.row):
                self.memory.arm(state, entry)
                self._audience.changed(table_id)

    # ------------------------------------------------------------------------------------------------ timers

    def _ring(self, table_id: str) -> None:
        """A timer went off: have the door look again."""
        if table_id in self.memory.entries:
            _ = self._begin(_logged(self._time_up, table_id))

    async def _time_up(self, table_id: str) -> None:
        entry, state = await self.memory.read(table_id)
        request, window = _request("clock"), state.row.window
        if state.row.deadline_at is None:
            return
        if entry.time.seconds_to_stand(state) <= 0 < entry.time.seconds_left(state):
            await self._submit(AllowForThem(request=request, table_id=table_id, window=window))
            return
        gone = await self._gone(state) if entry.time.seconds_left(state) <= 0 else frozenset()
        await self._submit(TimeUp(request=request, table_id=table_id, window=window, gone=gone))

    async def missing(self, guild_id: int, user_ids: Collection[int]) -> frozenset[int]:
        """Those of `user_ids` that have certainly left the server."""
        return frozenset() if self._presence is None else await self._presence.missing(guild_id, user_ids)

    async def _gone(self, state: TableState) -> frozenset[int]:
        """Who of those that the clock will answer for has left the server."""
        if state.game is None or not state.window_open():
            return frozenset()
        return await self.missing(state.row.guild_id, [state.players[seat].user_id for seat in state.game.awaited()])

    # ------------------------------------------------------------------------------------------------ the sweep

    def _sweep(self) -> asyncio.Task[None]:
        return self._begin(_logged(self._look_for_neglected))

    async def _look_for_neglected(self) -> None:
        """Find tables that are overdue or not announced, and tables whose timer was lost."""
        for table_id in self._outages.unstored():
            # As far as we know.
            self.reachable(Unstored(table_id))
        # Not every table that has lost its timer is overdue by the wall clock, which may have been set back.
        for table_id in list(self.memory.entries):
            await _logged(self._set_timer, table_id)
        await self._store_alive()
        for table_id in await self._store.needing_attention(self._clock.now()):
            self._audience.changed(table_id)
            await _logged(self._set_timer, table_id)

    async def _set_timer(self, table_id: str) -> None:
        entry, state = await self.memory.read(table_id)
        if not self.deadlines.armed(table_id):
            self.memory.arm(state, entry)

    # ------------------------------------------------------------------------------------------------ signs of life

    async def _last_sign(self) -> SignOfLife | None:
        """What the process before has left; None if nobody knows when it was there."""
        fact = await self._store.remembered(ALIVE_FACT)
        with contextlib.suppress(msgspec.DecodeError):
            return None if fact is None else msgspec.json.decode(fact, type=SignOfLife)
        return None

    def _owed(self, state: TableState, sign: SignOfLife | None) -> float | None:
        """Seconds that the people of a table could not use and its deadline does not know of; None if unknown.

        Less than nothing if the wall clock was set back.
        """
        if sign is None:
            return None
        window, later = sign.later.get(state.row.id, (0, 0.0))
        return self._clock.now().timestamp() - sign.at + (later if window == state.row.window else 0.0)

    async def _store_alive(self) -> None:
        """So that after the next start nothing is given back twice, and nothing is forgotten."""
        later = {
            table_id: (entry.state.row.window, seconds)
            for table_id, entry in self.memory.entries.items()
            # A tenth of a second is inside the grace; and any less would be told of every table at every sweep.
            if entry.state is not None and (seconds := round(entry.time.later(entry.state), 1))
        }
        sign = SignOfLife(self._clock.now().timestamp(), later)
        await self._store.remember(ALIVE_FACT, msgspec.json.encode(sign).decode())


async def _logged(work: Callable[..., Awaitable[None]], *about: str) -> None:
    """Work that nobody waits for. The sweep will come to it again."""
    try:
        await work(*about)
    except Refusal as refusal:
        log.info("clock refused", mistake=refusal.mistake)
    except Exception:  # a timer must never die with its error unseen
        log.exception("clock failed")


def _request(kind: str) -> str:
    return f"{kind}-{secrets.token_hex(8)}"
