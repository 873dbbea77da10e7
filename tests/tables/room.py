"""A table room: tables on a store in memory, under a time moved by hand, and short ways to sit down and play."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from bot.tables.choices import encode
from bot.tables.errors import Mistake, Refusal
from bot.tables.outages import Shard
from bot.tables.requests import AnyRequest, AutoAllow, Join, Kick, OpenLobby, Play, Start
from bot.tables.restoring import rebuilt
from bot.tables.service import Tables
from bot.tables.state import TableState
from bot.tables.table import Player, Post, PostKind, PrivateSeat, PublicTable
from bot.tables.window_time import GRACE
from coup_core.moves import Move, Seat
from tests.support.fakes import Listener, MemoryStore, Server, Time

GUILD = 1
GATEWAY = Shard(0, 1)
"""The one connection, by which all clicks arrive."""
CHANNEL = 100
HOST = 10
"""User ids are 10, 11, 12, ... in the order of joining."""


class Room:
    """Tables and everything around them."""

    def __init__(self) -> None:
        self.time = Time()
        self.store = MemoryStore()
        self.audience = Listener()
        self.server = Server()
        self.requests = count(1)
        self.channels = count(5000)
        self.rng = random.Random(5)
        self.seeds = random.Random(77)
        self.all: list[Tables] = []
        self.tables = self.another()

    def another(self) -> Tables:
        """The tables of a process that starts on the same store."""
        self.tables = Tables(
            self.store,
            self.time,
            entropy=self.seeds.randbytes,
            rng=self.rng,
        )
        self.tables.serve(self.audience, self.server)
        self.all.append(self.tables)
        return self.tables

    def crash(self) -> None:
        """The process ends without a word: timers and work are gone."""
        self.tables.watch.deadlines.stop()
        # In the order in which they began: a set has another one every time.
        for task in sorted(self.tables._running, key=lambda task: int(task.get_name().removeprefix("Task-"))):
            task.cancel()

    async def restart(self, away: float = 0.0) -> Tables:
        """The process ends without a word, and another one comes up on the same store after `away` seconds."""
        self.crash()
        await self.time.advance(away)
        await self.another().restore()
        return self.tables

    def request(self) -> str:
        return f"r{next(self.requests)}"

    async def ask(self, kind: type[AnyRequest], table: PublicTable, **facts: Any) -> PublicTable:
        """Submit a request of `kind` about `table`. Whoever removes somebody is called Mo."""
        if kind is Kick:
            facts = {"name": "Mo", **facts}
        return await self.tables.submit(kind(request=self.request(), table_id=table.id, **facts))

    async def mistake(self, kind: type[AnyRequest], table: PublicTable, **facts: Any) -> tuple[Mistake, dict[str, Any]]:
        """Why a request of `kind` is refused, and the facts of it; nothing is stored then."""
        before = self.store.commits
        with pytest.raises(Refusal) as caught:
            await self.ask(kind, table, **facts)
        assert self.store.commits == before, "a refusal stores nothing"
        assert caught.value.table_id == table.id
        self.assert_sound(table.id)
        return caught.value.mistake, caught.value.facts

    async def lobby(
        self,
        channel: int = CHANNEL,
        host: int = HOST,
        speed: str = "normal",
        held: tuple[Player, ...] = (),
        guild: int = GUILD,
    ) -> PublicTable:
        return await self.tables.open_lobby(
            OpenLobby(
                request=self.request(), guild_id=guild, channel_id=channel, user_id=host, name=f"User {host}",
                click=host * 1000, language="en", speed=speed, held=held,
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
        self, players: int = 3, channel: int = CHANNEL, host: int = HOST, speed: str = "normal", guild: int = GUILD
    ) -> PublicTable:
        """A table that plays, its first window shown."""
        table = await self.lobby(channel, host, speed, guild=guild)
        for user in range(host + 1, host + players):
            await self.join(table.id, user)
        await self.post_lobby(table.id)
        started = await self.start(table.id, host)
        return self.show(started)

    def show(self, table: PublicTable) -> PublicTable:
        """`table` is in the channel: its window, unless the game stands still."""
        if table.paused is None:
            self.tables.shown(table.id, table.window)
        return table

    async def announce(self, table: PublicTable) -> PublicTable:
        """The newest version of `table` is in the channel."""
        newest = self.show(await self.tables.table(table.id))
        await self.tables.announced(newest.id, newest.version)
        return newest

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

    async def pass_in_silence(self, table: PublicTable, more: float = 0.0) -> PublicTable:
        """Nobody answers until the clock does; `more` seconds later than it should be. The new window is shown."""
        await self.time.advance(table.window_length + GRACE.total_seconds() + more)
        return self.show(await self.tables.table(table.id))

    async def switch(self, table: PublicTable, seat: Seat, *, on: bool = True) -> PublicTable:
        """The player at `seat` sets their "allow for me"."""
        return await self.ask(AutoAllow, table, user_id=table.players[seat].user_id, on=on)

    def lines(self, table: PublicTable) -> list[str]:
        """The record as it is stored, which is that in memory."""
        return [line.line for line in self.assert_sound(table.id).lines]

    def turn(self, table: PublicTable) -> Seat:
        """Whose turn it is."""
        assert table.view is not None
        assert table.view.turn is not None
        return table.view.turn

    def user(self, table: PublicTable, seat: Seat) -> int:
        return table.players[seat].user_id

    def left(self, table: PublicTable) -> float:
        """Seconds until the stored deadline."""
        deadline = self.stored(table.id).row.deadline_at
        assert deadline is not None
        return (deadline - self.time.now()).total_seconds()

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
        entry = self.tables.watch.memory.entries.get(table)
        if entry is not None and entry.state is not None:
            cached = entry.state
            version = fresh.row.announced_version
            assert replace(cached.row, announced_version=version) == fresh.row
            assert (cached.players, cached.lines, cached.course) == (fresh.players, fresh.lines, fresh.course)
            public = fresh.public()
            assert cached.public() == public
            for player in fresh.players if fresh.game is not None else ():
                assert cached.private(player.user_id, public) == fresh.private(player.user_id, public)
        return fresh
