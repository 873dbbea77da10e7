"""A table room: tables on a store in memory, under a time moved by hand, and short ways to sit down and play."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import count

from msgspec.structs import replace

from bot.tables.choices import encode
from bot.tables.requests import Join, OpenLobby, Play, Start
from bot.tables.restoring import rebuilt
from bot.tables.service import Tables
from bot.tables.state import TableState
from bot.tables.table import Post, PostKind, PrivateSeat, PublicTable
from coup_core.moves import Move, Seat
from tests.support.fakes import Listener, MemoryStore, Time

GUILD = 1
CHANNEL = 100
HOST = 10
"""User ids are 10, 11, 12, ... in the order of joining."""


class Room:
    """Tables and everything around them."""

    def __init__(self) -> None:
        self.time = Time()
        self.store = MemoryStore()
        self.audience = Listener()
        self.requests = count(1)
        self.channels = count(5000)
        self.rng = random.Random(5)
        self.seeds = random.Random(77)
        self.all: list[Tables] = []
        self.tables = self.another()

    def another(self) -> Tables:
        """The tables of a process that starts on the same store."""
        self.tables = Tables(self.store, self.time, self.audience, entropy=self.seeds.randbytes, rng=self.rng)
        self.all.append(self.tables)
        return self.tables

    def crash(self) -> None:
        """The process ends without a word: timers and work are gone."""
        self.tables._deadlines.stop()
        for task in list(self.tables._running):
            task.cancel()

    def request(self) -> str:
        return f"r{next(self.requests)}"

    async def lobby(self, channel: int = CHANNEL, host: int = HOST, speed: str = "normal") -> PublicTable:
        return await self.tables.open_lobby(
            OpenLobby(
                request=self.request(), guild_id=GUILD, channel_id=channel, user_id=host, name=f"User {host}",
                click=host * 1000, language="en", speed=speed,
            )
        )  # fmt: skip

    async def join(self, table: str, user: int, request: str | None = None) -> PublicTable:
        return await self.tables.submit(
            Join(
                request=request or self.request(), table_id=table, user_id=user, name=f"User {user}", click=user * 1000
            )
        )

    async def post_lobby(self, table: str, message: int = 999) -> None:
        await self.tables.save_post(table, Post(PostKind.LOBBY, 0, 1, message, False))

    async def start(self, table: str, host: int = HOST) -> PublicTable:
        return await self.tables.submit(Start(request=self.request(), table_id=table, user_id=host))

    async def game(
        self, players: int = 3, channel: int = CHANNEL, host: int = HOST, speed: str = "normal"
    ) -> PublicTable:
        """A table that plays, its first window shown."""
        table = await self.lobby(channel, host, speed)
        for user in range(host + 1, host + players):
            await self.join(table.id, user)
        await self.post_lobby(table.id)
        started = await self.start(table.id, host)
        return self.show(started)

    def show(self, table: PublicTable) -> PublicTable:
        self.tables.shown(table.id, table.window)
        return table

    def play(
        self, table: PublicTable, user: int, choice: str, *, window: int | None = None, request: str | None = None
    ) -> asyncio.Task[PublicTable]:
        """`window` is the one that `table` shows, where no other is given."""
        return asyncio.ensure_future(
            self.tables.submit(
                Play(
                    request=request or self.request(), table_id=table.id, user_id=user,
                    window=table.window if window is None else window, choice=choice,
                )
            )
        )  # fmt: skip

    async def act(self, table: PublicTable, seat: Seat, choice: str) -> PublicTable:
        """The player at `seat` answers, and the new window is shown."""
        return self.show(await self.play(table, table.players[seat].user_id, choice))

    async def private(self, table: PublicTable, seat: Seat) -> PrivateSeat:
        return await self.tables.private(table.id, table.players[seat].user_id)

    async def moves(self, table: PublicTable, seat: Seat) -> Sequence[Move]:
        return (await self.private(table, seat)).view.moves

    def awaited(self, table: PublicTable) -> tuple[Seat, ...]:
        assert table.view is not None
        return () if table.view.question is None else table.view.question.awaited

    async def random_move(self, table: PublicTable, rng: random.Random, resign: float = 0.0) -> PublicTable:
        """Somebody awaited answers anything legal; with chance `resign` somebody leaves."""
        assert table.view is not None
        if rng.random() < resign:
            return await self.act(table, rng.choice(table.view.living), "resign")
        seat = rng.choice(self.awaited(table))
        private = await self.private(table, seat)
        return await self.act(table, seat, encode(rng.choice(private.view.moves), private.view))

    async def until(self, asked: str, rng: random.Random, players: int = 4) -> PublicTable:
        """A table at which the question is `asked`, reached by random play."""
        for _ in range(400):
            table = await self.game(players, channel=next(self.channels))
            while table.view is not None and table.view.question is not None:
                if table.view.question.asked == asked:
                    return table
                table = await self.random_move(table, rng)
        raise AssertionError(f"no {asked} in 400 games")

    def stored(self, table: str) -> TableState:
        """The table as a new process would find it."""
        return rebuilt(self.store.tables[table])

    def assert_sound(self, table: str) -> TableState:
        """The cached table is the stored one: same row, lines, and the same game."""
        fresh = self.stored(table)
        entry = self.tables._entries.get(table)
        if entry is not None and entry.state is not None:
            cached = entry.state
            version = fresh.row.announced_version
            assert replace(cached.row, announced_version=version) == fresh.row
            assert (cached.players, cached.lines, cached.course) == (fresh.players, fresh.lines, fresh.course)
            assert cached.public() == fresh.public()
            for player in fresh.players if fresh.game is not None else ():
                assert cached.private(player.user_id) == fresh.private(player.user_id)
        return fresh
