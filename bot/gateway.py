"""What happens to our connection, to servers, channels and members, as far as it concerns tables.

Owns: the way from the gateway's events to the tables, and the question who is still in a server. Every table is told
for itself: what one of them refuses or fails at does not keep the others from it. Writes no message and answers nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Iterable, Iterator

import discord

from bot.tables.errors import Refusal
from bot.tables.outages import Shard
from bot.tables.requests import Abandon
from bot.tables.service import Tables
from bot.telemetry import count, error_id, logger
from bot.ui.announcer import Announcer
from bot.ui.discord_errors import NOT_IN_SERVER, TROUBLE
from bot.ui.preflight import is_open

log = logger(__name__)

ALL_SERVERS = Shard(0, 1)
"""As if there were but one connection, which all of them share."""
ASK_WITHIN = 2.5
"""Seconds for asking who is still there; then everyone is."""


class Servers:
    """Tells the tables what the gateway says."""

    def __init__(self, tables: Tables, announcer: Announcer) -> None:
        self._tables = tables
        self._announcer = announcer

    def starting(self) -> None:
        """Nobody's clicks arrive before the bot has connected for the first time."""
        self._tables.unreachable(ALL_SERVERS)

    def started(self, guilds: Iterable[discord.Guild]) -> None:
        """Connected everywhere. Of servers that Discord has trouble with at this moment nothing else is told."""
        for guild in guilds:
            if guild.unavailable:
                self.unavailable(guild.id)
        self._tables.reachable(ALL_SERVERS)

    def disconnected(self, shard: Shard) -> None:
        """From now on the clicks of its servers do not arrive."""
        self._tables.unreachable(shard)

    def connected(self, shard: Shard) -> None:
        """They arrive again."""
        self._tables.reachable(shard)

    def unavailable(self, guild_id: int) -> None:
        """Discord has trouble with a server: that is no reason to end its games."""
        self._tables.unreachable(guild_id)

    def available(self, guild_id: int) -> None:
        """It is there, whether Discord's trouble with it is over or the bot was invited."""
        self._tables.reachable(guild_id)

    async def left(self, guild_id: int) -> None:
        """The bot is not in the server any more. If Discord had trouble with it, nobody will tell us of its end."""
        try:
            await self._abandon(await self._tables.in_guild(guild_id))
        finally:
            self._tables.reachable(guild_id)

    async def channel_gone(self, channel_id: int) -> None:
        """A channel or a thread was deleted."""
        with contextlib.suppress(Refusal):
            table = await self._tables.in_channel(channel_id)
            await self._abandon([table.id])

    async def rights_changed(self, guild: discord.Guild) -> None:
        """Tables that were closed to us may be open now: show those where nothing that we know of is in the way.

        The announcer wakes the games among them that stood still for it.
        """
        for table_id in await self._tables.in_guild(guild.id):
            with _for_itself(table_id, "table not looked at"):
                table = await self._tables.table(table_id)
                if self._announcer.is_shut_out(table) and is_open(guild, table.channel_id):
                    self._announcer.repair(table_id)

    async def _abandon(self, table_ids: Iterable[str]) -> None:
        for table_id in table_ids:
            with _for_itself(table_id, "table not abandoned"):
                await self._tables.submit(Abandon(request=f"abandon-{table_id}", table_id=table_id))
                log.info("table abandoned", table=table_id)


@contextlib.contextmanager
def _for_itself(table_id: str, failed: str) -> Iterator[None]:
    """Log what goes wrong with one table, as `failed`, and go on with the next."""
    try:
        yield
    except Refusal as refusal:
        log.info(failed, table=table_id, mistake=refusal.mistake)
    except Exception:  # the other tables have nothing to do with it
        count("unexpected_error")
        log.exception(failed, table=table_id, error_id=error_id())


class Members:
    """A `Presence` that asks Discord."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def missing(self, guild_id: int, user_ids: Collection[int]) -> frozenset[int]:
        """Those that Discord does not find in the server. It is asked one by one: there is no other way without the
        privileged intent."""
        gone = set()
        try:
            async with asyncio.timeout(ASK_WITHIN):
                for user_id in user_ids:
                    if await self._is_gone(guild_id, user_id):
                        gone.add(user_id)
        except TROUBLE as error:
            log.info("presence not known", guild=guild_id, error=type(error).__name__)
        return frozenset(gone)

    async def _is_gone(self, guild_id: int, user_id: int) -> bool:
        try:
            await self._client.http.get_member(guild_id, user_id)
        except discord.NotFound as error:
            return error.code in NOT_IN_SERVER
        return False
