"""Stand-ins for what the tables need from outside, and a time that is moved by hand.

`Time` drives the clock and the loop's timers together; `MemoryStore` fails where it is told to; `Listener` notes what
it was told.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

from msgspec.structs import replace

from bot.tables.people import Person
from bot.tables.ports import Change, ChannelTaken, StoredTable, TableRow, VersionConflict
from bot.tables.table import Phase, Player, Post, PostKind

START = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


class Time:
    """A Clock; once `rule` is called, the running loop's `call_later` follows it too."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.jump = 0.0
        """Seconds by which the wall clock has been set forward."""
        self._loop: Any = None

    def now(self) -> datetime:
        return START + timedelta(seconds=self.passed + self.jump)

    def rule(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        begun = loop.time()
        self._loop.time = lambda: begun + self.passed
        self._begun = begun

    async def advance(self, seconds: float) -> None:
        """Let `seconds` go by; every timer on the way goes off at its own moment."""
        await settle()
        target = self.passed + seconds
        while (next_due := self._next()) is not None and next_due <= target:
            self.passed = max(self.passed, next_due)
            await settle()
        self.passed = target
        await settle()

    def _next(self) -> float | None:
        # The loop runs what is due within the resolution of its clock, so a timer counts as due a little early.
        whens = [handle.when() - self._begun for handle in self._loop._scheduled if not handle.cancelled()]
        return min(whens, default=None)

    def timers(self) -> int:
        """How many timers are set."""
        return sum(not handle.cancelled() for handle in self._loop._scheduled)


async def settle(turns: int = 60) -> None:
    """Let everything that can go on go on."""
    for _ in range(turns):
        await asyncio.sleep(0)


class Fault(Enum):
    """What happens to the next commit."""

    NONE = "none"
    BEFORE = "fails, nothing stored"
    AFTER = "fails, stored all the same"
    CANCELLED_BEFORE = "cancelled, nothing stored"
    CANCELLED_AFTER = "cancelled, stored all the same"
    CONFLICT = "conflict"


class Broken(Exception):
    """What a database raises that has lost its connection."""


class MemoryStore:
    """A Store in memory. Every method lets others run before and after its work, as a database does."""

    def __init__(self) -> None:
        self.tables: dict[str, StoredTable] = {}
        self.facts: dict[str, str] = {}
        self.faults: deque[Fault] = deque()
        """For the commits (and creations) to come, in order."""
        self.load_faults: deque[Fault] = deque()
        self.down = False
        """While true, whatever is asked of it fails."""
        self.commits = 0
        """Commits that were stored."""
        self.gate: asyncio.Event | None = None
        """While set and not opened, commits wait here."""
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        """Done once, just before the next commit looks at the version."""

    async def create(self, row: TableRow, players: tuple[Player, ...]) -> None:
        async def work() -> None:
            if await self.open_in_channel(row.channel_id) is not None:
                raise ChannelTaken
            self.tables[row.id] = StoredTable(row, players, (), ())

        await self._faulty(self.faults, work)

    async def load(self, table_id: str) -> StoredTable | None:
        await self._reached()
        found = self.tables.get(table_id)
        if self.load_faults and self.load_faults.popleft() is Fault.BEFORE:
            raise Broken
        await asyncio.sleep(0)
        return found

    async def commit(self, change: Change) -> None:
        async def work() -> None:
            if self.meanwhile is not None:
                first, self.meanwhile = self.meanwhile, None
                await first()
            stored = self.tables.get(change.row.id)
            if stored is None or stored.row.version != change.row.version - 1:
                raise VersionConflict
            numbers = [line.number for line in (*stored.lines, *change.lines)]
            assert numbers == list(range(1, len(numbers) + 1)), "a line is missing or there twice"
            self.tables[change.row.id] = StoredTable(
                replace(change.row, announced_version=stored.row.announced_version),
                stored.players if change.players is None else change.players,
                (*stored.lines, *change.lines),
                stored.posts,
            )
            self.commits += 1

        await self._faulty(self.faults, work)

    async def _reached(self) -> None:
        await asyncio.sleep(0)
        if self.down:
            raise Broken

    async def _faulty(self, faults: deque[Fault], work: Callable[[], Awaitable[None]]) -> None:
        await self._reached()
        if self.gate is not None:
            await self.gate.wait()
        fault = faults.popleft() if faults else Fault.NONE
        match fault:
            case Fault.BEFORE:
                raise Broken
            case Fault.CONFLICT:
                raise VersionConflict
            case Fault.CANCELLED_BEFORE:
                raise asyncio.CancelledError
        await work()
        await asyncio.sleep(0)
        if fault is Fault.AFTER:
            raise Broken
        if fault is Fault.CANCELLED_AFTER:
            raise asyncio.CancelledError

    async def open_tables(self) -> list[str]:
        await self._reached()
        return [
            table_id
            for table_id, stored in self.tables.items()
            if stored.row.phase != Phase.OVER
            or stored.row.announced_version < stored.row.version
            or not all(post.settled for post in stored.posts if post.kind is PostKind.HAND)
        ]

    async def open_in_channel(self, channel_id: int) -> str | None:
        await self._reached()
        for table_id, stored in self.tables.items():
            if stored.row.channel_id == channel_id and stored.row.phase != Phase.OVER:
                return table_id
        return None

    async def open_of_player(self, user_id: int) -> list[str]:
        await self._reached()
        return [
            table_id
            for table_id, stored in self.tables.items()
            if stored.row.phase != Phase.OVER and any(player.user_id == user_id for player in stored.players)
        ]

    async def open_in_guild(self, guild_id: int) -> list[str]:
        await self._reached()
        tables = self.tables.values()
        return [
            stored.row.id for stored in tables if stored.row.guild_id == guild_id and stored.row.phase != Phase.OVER
        ]

    async def last_winner(self, parent_id: int) -> int | None:
        await self._reached()
        won = [
            (stored.row.ended_at, stored.row.winner_id)
            for stored in self.tables.values()
            if stored.row.parent_id == parent_id and stored.row.winner_id is not None
        ]
        return max(won, key=lambda pair: pair[0] or START)[1] if won else None

    async def last_game(self, channel_id: int) -> str | None:
        await asyncio.sleep(0)
        rows = [stored.row for stored in self.tables.values() if stored.row.channel_id == channel_id]
        over = [row for row in rows if row.phase == Phase.OVER and row.mix is not None]
        return max(over, key=lambda row: row.ended_at or START).id if over else None

    async def needing_attention(self, now: datetime) -> list[str]:
        await self._reached()
        return [
            table_id
            for table_id, stored in self.tables.items()
            if stored.row.announced_version < stored.row.version
            or (stored.row.phase != Phase.OVER and stored.row.deadline_at is not None and stored.row.deadline_at < now)
        ]

    async def announced(self, table_id: str, version: int) -> None:
        await self._reached()
        stored = self.tables[table_id]
        if stored.row.announced_version < version:
            self.tables[table_id] = replace(stored, row=replace(stored.row, announced_version=version))
        await asyncio.sleep(0)

    async def save_post(self, table_id: str, post: Post) -> None:
        await self._reached()
        stored = self.tables[table_id]
        others = tuple(old for old in stored.posts if (old.kind, old.number) != (post.kind, post.number))
        self.tables[table_id] = replace(stored, posts=(*others, post))
        await asyncio.sleep(0)

    async def remembered(self, key: str) -> str | None:
        await self._reached()
        return self.facts.get(key)

    async def remember(self, key: str, value: str) -> None:
        await self._reached()
        self.facts[key] = value


class MemoryPeople:
    """A People in memory."""

    def __init__(self) -> None:
        self.people: dict[int, Person] = {}
        self.seated: set[int] = set()
        """Who sits at an open table."""
        self.saves = 0
        self.broken = False

    async def person(self, user_id: int) -> Person:
        await asyncio.sleep(0)
        if self.broken:
            raise Broken
        return self.people.get(user_id, Person(user_id=user_id))

    async def heard(self, user_id: int, locale: str) -> None:
        await self.choose(user_id, locale=locale)

    async def choose(self, user_id: int, **choices: Any) -> Person:
        await asyncio.sleep(0)
        if self.broken:
            raise Broken
        self.saves += 1
        self.people[user_id] = replace(self.people.get(user_id, Person(user_id=user_id)), **choices)
        return self.people[user_id]

    async def forget(self, user_id: int) -> bool:
        await asyncio.sleep(0)
        if user_id in self.seated:
            return False
        self.people.pop(user_id, None)
        return True


class Listener:
    """An Audience that notes which tables it was told of."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def changed(self, table_id: str) -> None:
        self.told.append(table_id)


class Server:
    """A Presence: everyone is there who is not among those who `left`."""

    def __init__(self) -> None:
        self.left: set[int] = set()
        self.asked: list[frozenset[int]] = []
        """Whom it was asked about, oldest first."""

    async def missing(self, guild_id: int, user_ids: Collection[int]) -> frozenset[int]:
        del guild_id
        self.asked.append(frozenset(user_ids))
        await asyncio.sleep(0)
        return frozenset(self.left.intersection(user_ids))
