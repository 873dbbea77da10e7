"""A bot without Discord, to be killed: plays random games on a database and says what was acknowledged.

Run as `driver.py DATABASE_URL`. Importing takes longer than the life of a process that is to be killed, so this one
stays and forks. For every line `FIRST_REQUEST SEED MIGRATE` on its input it says `pid PID`; the child, with everything
of its own from there on, opens the database, restores the tables and plays. It prints `ready`, and then `TABLE WINDOW
REQUEST` for each click as soon as that is acknowledged. When it has ended, however it did, the parent says `ended`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sys

from bot.storage.engine import make_engine
from bot.storage.migrate import upgrade_database
from bot.storage.store import SqlStore
from bot.tables.choices import encode
from bot.tables.errors import Refusal
from bot.tables.requests import Join, OpenLobby, Play, Start
from bot.tables.service import Tables
from bot.tables.table import Phase, Post, PostKind, PublicTable
from tests.support.fakes import Listener, Time

CHANNELS = (1, 2, 3)
"""A table in each, of one player more than its number, played at the same time."""


class Driver:
    def __init__(self, store: SqlStore, seed: int, first: int) -> None:
        self.rng = random.Random(seed)
        self.request = first
        self.store = store
        self.tables = Tables(store, Time())
        self.tables.serve(Listener())

    def fresh(self) -> str:
        self.request += 1
        return f"r{self.request}"

    async def channel(self, channel: int) -> None:
        """Game after game in one channel."""
        while True:
            found = await self.store.open_in_channel(channel)
            table = await self.tables.table(found) if found else await self.opened(channel)
            if table.phase is Phase.LOBBY:
                table = await self.begun(table)
            while table.phase is Phase.PLAYING:
                table = await self.click(table)
            await self.tables.announced(table.id, table.version)

    async def opened(self, channel: int) -> PublicTable:
        return await self.tables.open_lobby(
            OpenLobby(
                request=self.fresh(), guild_id=1, channel_id=channel, user_id=1, name="One", click=1, language="en",
                speed="normal",
            )
        )  # fmt: skip

    async def begun(self, table: PublicTable) -> PublicTable:
        for user in range(len(table.players) + 1, 2 + table.channel_id):
            await self.tables.submit(
                Join(request=self.fresh(), table_id=table.id, user_id=user, name=f"User {user}", click=user)
            )
        await self.tables.save_post(table.id, Post(PostKind.LOBBY, 0, 1, 77, False))
        return await self.tables.submit(Start(request=self.fresh(), table_id=table.id, user_id=1))

    async def click(self, table: PublicTable) -> PublicTable:
        """One to three players press a button of theirs in the same instant."""
        assert table.view is not None
        assert table.view.question is not None
        awaited = table.view.question.awaited
        clicks = []
        for seat in self.rng.sample(awaited, min(len(awaited), self.rng.randint(1, 3))):
            private = await self.tables.private(table.id, table.players[seat].user_id)
            choice = encode(self.rng.choice(private.view.moves), private.view)
            clicks.append(self.press(table, seat, choice))
        if self.rng.random() < 0.02:
            clicks.append(self.press(table, self.rng.choice(table.view.living), "resign"))
        await asyncio.gather(*clicks)
        return await self.tables.table(table.id)

    async def press(self, table: PublicTable, seat: int, choice: str) -> None:
        request = self.fresh()
        user = table.players[seat].user_id
        play = Play(request=request, table_id=table.id, user_id=user, window=table.window, choice=choice)
        with contextlib.suppress(Refusal):  # another's click was first
            done = await self.tables.submit(play)
            say(f"{done.id} {done.window} {request}")


def say(line: str) -> None:
    """At once and whole: what is printed was acknowledged, even if the process ends right after."""
    os.write(1, f"{line}\n".encode())


async def play(url: str, seed: int, first: int, *, migrate: bool) -> None:
    engine = make_engine(url)
    if migrate:
        await upgrade_database(engine)
    driver = Driver(SqlStore(engine), seed, first)
    await driver.tables.restore()
    say("ready")
    await asyncio.gather(*(driver.channel(channel) for channel in CHANNELS))


def main() -> None:
    for line in sys.stdin:
        first, seed, migrate = map(int, line.split())
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(play(sys.argv[1], seed, first, migrate=bool(migrate)))
            finally:
                os._exit(3)
        say(f"pid {child}")
        os.waitpid(child, 0)
        say("ended")


if __name__ == "__main__":
    main()
