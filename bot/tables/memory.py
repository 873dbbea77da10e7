"""What is kept in memory of tables: each with its lock, its messages, its time, and its timer set.

Owns: the cache. A table is loaded once and kept until it is over and told; whoever changes it holds its lock. Knows
nothing of requests.
"""

from __future__ import annotations

import asyncio
import math

from bot.tables.deadlines import Deadlines
from bot.tables.errors import Mistake, Refusal
from bot.tables.outages import Outages
from bot.tables.ports import Clock, Store
from bot.tables.restoring import CorruptTable, rebuilt, unplayable
from bot.tables.state import TableState
from bot.tables.table import Phase, Post, PostKind, PublicTable
from bot.tables.window_time import WindowTime
from bot.telemetry import logger

log = logger(__name__)


class Entry:
    """What is kept of one table."""

    def __init__(self, clock: Clock, outages: Outages) -> None:
        self.lock = asyncio.Lock()
        self.state: TableState | None = None
        """None where it is not known what is stored."""
        self.posts: dict[tuple[PostKind, int], Post] = {}
        self.time = WindowTime(clock, outages)

    def public(self, state: TableState) -> PublicTable:
        """`state`, which is that of this table, as everyone may see it."""
        return state.public(self.posts.values(), self.time.closes(state))


class Memory:
    """The tables of this process that have been asked for."""

    def __init__(self, store: Store, clock: Clock, outages: Outages, deadlines: Deadlines) -> None:
        self._store = store
        self._clock = clock
        self._outages = outages
        self._deadlines = deadlines
        self.entries: dict[str, Entry] = {}

    def entry(self, table_id: str) -> Entry:
        """The one of a table; an empty one if there was none."""
        return self.entries.setdefault(table_id, Entry(self._clock, self._outages))

    async def read(self, table_id: str) -> tuple[Entry, TableState]:
        """A table as it is now. Raises Refusal NO_TABLE."""
        entry = self.entry(table_id)
        if entry.state is not None:
            return entry, entry.state
        async with entry.lock:
            state = await self.load(table_id, entry)
        self.forget_finished(table_id, entry)
        return entry, state

    async def load(self, table_id: str, entry: Entry) -> TableState:
        """The cached state, else the stored one. The lock is held. Raises Refusal NO_TABLE."""
        if entry.state is None:
            stored = await self._store.load(table_id)
            if stored is None:
                self.entries.pop(table_id, None)
                raise Refusal(Mistake.NO_TABLE)
            try:
                entry.state = rebuilt(stored)
            except CorruptTable as error:
                # Its people are told, and it can be ended: a damaged game must not hold its channel for ever.
                entry.state = unplayable(stored)
                # One that has ended is looked at for years, and there is nothing left to do about it.
                note = log.info if entry.state.phase is Phase.OVER else log.error
                note("table cannot be replayed", table=table_id, error=str(error))
            entry.posts = {(post.kind, post.number): post for post in stored.posts}
            # However it came to be stored, by whatever was cancelled or failed: its clock runs.
            self.arm(entry.state, entry)
        return entry.state

    def arm(self, state: TableState, entry: Entry) -> None:
        """Have the table looked at when its time is up, and not when it was to be before."""
        if state.row.paused is not None:
            entry.time.hidden()
        left = min(entry.time.seconds_left(state), entry.time.seconds_to_stand(state))
        if left == math.inf:
            self._deadlines.disarm(state.row.id)
        else:
            self._deadlines.arm(state.row.id, left)

    async def forget_person(self, user_id: int) -> None:
        """What is stored of somebody has changed at tables that are over: what is known of those is read anew."""
        for entry in list(self.entries.values()):
            # Under the lock, so that a loading that began before does not keep what it found.
            async with entry.lock:
                state = entry.state
                if state is not None and state.phase is Phase.OVER and state.names(user_id):
                    entry.state = None

    def forget_finished(self, table_id: str, entry: Entry) -> None:
        """A table that is over and told needs no memory: people look at old messages for years."""
        state = entry.state
        if state is None or state.phase is not Phase.OVER or state.row.announced_version < state.row.version:
            return
        if self.entries.get(table_id) is entry and not entry.lock.locked():
            self._deadlines.disarm(table_id)
            del self.entries[table_id]
