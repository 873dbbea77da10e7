"""The composition root: the only place that wires objects together.

Owns: the order in which the bot comes up (lock, schema, login, open tables) and goes down (refuse, finish, close).
Everything that can keep it from starting leaves here as a `StartupError` with one line for its host.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

import aiohttp
import discord

from bot.client import CoupClient
from bot.commands.coup import coup
from bot.commands.desk import Desk
from bot.commands.registration import register
from bot.gateway import Members, Servers
from bot.settings import Settings, StartupError
from bot.storage.engine import make_engine
from bot.storage.lock import Lock, one_process
from bot.storage.migrate import upgrade_database
from bot.storage.people import SqlPeople
from bot.storage.store import SqlStore
from bot.tables.people import People
from bot.tables.ports import Audience, Clock, Store
from bot.tables.service import Tables
from bot.telemetry import logger, tell_counts
from bot.ui.announcer import Announcer
from bot.ui.deeds import Deeds
from bot.ui.discord_errors import TROUBLE, code_of
from bot.ui.dm_hands import DirectHands
from bot.ui.failures import Failures
from bot.ui.pace import Pace
from bot.ui.preferences import Preferences
from bot.ui.private import Responses
from bot.ui.readers import Readers
from bot.ui.router import Router

log = logger(__name__)

DRAIN_WITHIN = 6.0
"""Seconds for what is running to finish; the process is gone within eight."""

COUNTS_EVERY = 3600.0
"""Seconds between two lines of counters."""

Work = Callable[["App", str, Lock], Awaitable[None]]
"""Something to do with the app and the token, while the database is locked for it."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Aware, UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the one place that asks the machine


class Audiences:
    """Several who are told of the same tables."""

    def __init__(self, *audiences: Audience) -> None:
        self._audiences = audiences

    def changed(self, table_id: str) -> None:
        """Tell them all."""
        for audience in self._audiences:
            audience.changed(table_id)


class App:
    """The bot, put together around a store, a clock and what is known of people. `client` is what connects.

    `serving`: after login it opens its tables; otherwise it only registers its commands.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        people: People,
        *,
        serving: bool = True,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._store = store
        self._serving = serving
        self.readers = Readers(people)
        self.tables = Tables(store, clock, entropy=entropy)
        self.client = CoupClient()
        pace = Pace()
        self.announcer = Announcer(self.client, self.tables, pace)
        self.hands = DirectHands(self.client, self.tables, self.readers, pace)
        responses = Responses(clock)
        failures = Failures(self.tables, responses)
        deeds = Deeds(self.tables, self.hands, self.readers)
        preferences = Preferences(self.readers, self.hands, self.tables)
        router = Router(deeds, preferences, self.readers, responses, failures)
        servers = Servers(self.tables, self.announcer)
        desk = Desk(self.tables, deeds, preferences, self.readers, responses, self.announcer)
        self.client.tree.add_command(coup(desk))
        # These two everything else is made of; what they serve is known last.
        self.tables.serve(Audiences(self.announcer, self.hands), Members(self.client))
        self.client.serve(responses, failures, self.readers, router, servers, self._wake)

    async def _wake(self) -> None:
        if not self._serving:
            await register(self.client.tree, self._store)
            return
        try:
            await register(self.client.tree, self._store)
        except TROUBLE as error:
            # The games that are on do not need it; the next start tries again.
            log.warning("commands not registered", code=code_of(error))
        count = await self.tables.restore()
        log.info("ready", open_tables=count)

    async def close(self) -> None:
        """Refuse what is new, finish what is running, leave the gateway."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_WITHIN):
                await self.tables.close()
                await asyncio.gather(self.announcer.close(), self.hands.close())
                await self.readers.close()
        await self.client.close()


def run(settings: Settings) -> int:
    """Run the bot until it is told to stop. Returns the exit code; raises StartupError."""
    asyncio.run(_with_app(settings, _serve, serving=True))
    return 0


def sync(settings: Settings) -> int:
    """Register the commands if they changed. Returns the exit code; raises StartupError."""
    asyncio.run(_with_app(settings, _sync, serving=False))
    return 0


async def _with_app(settings: Settings, work: Work, *, serving: bool) -> None:
    engine = make_engine(settings.database_url)
    try:
        async with one_process(engine, settings.database_url) as lock:
            await upgrade_database(engine)
            store = SqlStore(engine)
            app = App(store, SystemClock(), SqlPeople(store), serving=serving)
            await work(app, settings.discord_token.get_secret_value(), lock)
    finally:
        await engine.dispose()


async def _serve(app: App, token: str, lock: Lock) -> None:
    """Connected until SIGINT or SIGTERM, until Discord refuses us, or until another process has the database."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers on its loop
            loop.add_signal_handler(number, stop.set)
    async with app.client:  # discord.py cannot close a client that was never set up
        ends = [loop.create_task(work) for work in (_connected(app.client, token), lock.watch(), stop.wait())]
        counting = loop.create_task(_tell_counts())
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        await app.close()
    for task in (*ends, counting):
        task.cancel()
    tell_counts()
    for ended in await asyncio.gather(*ends, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended


async def _tell_counts() -> None:
    while True:
        await asyncio.sleep(COUNTS_EVERY)
        tell_counts()


async def _sync(app: App, token: str, _lock: Lock) -> None:
    async with discord_told(), app.client:
        await app.client.login(token)


async def _connected(client: CoupClient, token: str) -> None:
    async with discord_told():
        await client.start(token)


@contextlib.asynccontextmanager
async def discord_told() -> AsyncIterator[None]:
    """Discord's refusals, each as a StartupError of one line for the host."""
    try:
        yield
    except (discord.DiscordException, aiohttp.ClientError, TimeoutError) as error:
        text = _told(error)
        if text is None:
            raise
        raise StartupError(text) from error


def _told(error: Exception) -> str | None:
    """What the host can do about `error`; None for one that is no refusal of Discord's."""
    match error:
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004) | discord.HTTPException(status=401):
            return "Discord refused the token: copy it again from the Bot page of your application into DISCORD_TOKEN"
        case discord.PrivilegedIntentsRequired():
            return "Discord asks for privileged intents, which this bot does not use: update the bot"
        case discord.RateLimited():
            return f"Discord asks us to wait: try again in {error.retry_after:.0f} seconds"
        case discord.DiscordServerError():
            return f"Discord answers with an error (status {error.status}): try again later"
        case discord.GatewayNotFound() | aiohttp.ClientError() | TimeoutError():
            return "Discord cannot be reached: check the network and try again"
        case discord.HTTPException():
            code = f", code {error.code}" if error.code else ""
            return f"Discord refused us (status {error.status}{code}): try again later"
        case discord.ConnectionClosed():
            return f"Discord closed the connection (code {error.code}): try again later"
    return None
