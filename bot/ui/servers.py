"""What happens to our connection, to servers, channels and members, as far as it concerns tables.

Owns: the way from the gateway's events to requests, and the question who is still in a server. Shows nothing and
answers nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Collection, Iterable

import aiohttp
import discord

from bot.tables.errors import Refusal
from bot.tables.requests import Abandon, Unblock
from bot.tables.service import Tables
from bot.tables.table import Pause
from bot.telemetry import logger

log = logger(__name__)

GATEWAY = "gateway"
"""The cause of an outage: nobody's clicks reach us."""
ASK_WITHIN = 2.5
"""Seconds for asking who is still there; then everyone is."""
NOT_HERE = {10007, 10013}
"""Discord's codes for a member, or a user, that it does not know."""


class Servers:
    """Tells the tables what the gateway says."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lost: set[int] = set()
        """Shards without a connection."""

    def disconnected(self, shard: int) -> None:
        """From now on clicks do not arrive."""
        self._lost.add(shard)
        self._tables.unreachable(GATEWAY)

    def connected(self, shard: int) -> None:
        """Clicks arrive again."""
        self._lost.discard(shard)
        if not self._lost:
            self._tables.reachable(GATEWAY)

    def unavailable(self, guild_id: int) -> None:
        """Discord has trouble with a server: that is no reason to end its games."""
        self._tables.unreachable(guild_id)

    def available(self, guild_id: int) -> None:
        """It is back."""
        self._tables.reachable(guild_id)

    async def left(self, guild_id: int) -> None:
        """The bot is not in the server any more."""
        await self._abandon(await self._tables.in_guild(guild_id))

    async def channel_gone(self, channel_id: int) -> None:
        """A channel or a thread was deleted."""
        with contextlib.suppress(Refusal):
            table = await self._tables.in_channel(channel_id)
            await self._abandon([table.id])

    async def rights_changed(self, guild_id: int) -> None:
        """Games that stood still because we might not write may be able to go on."""
        for table_id in await self._tables.in_guild(guild_id):
            request = f"unblock-{secrets.token_hex(8)}"
            await self._tables.submit(Unblock(request=request, table_id=table_id, why=Pause.NO_ACCESS))

    async def _abandon(self, table_ids: Iterable[str]) -> None:
        for table_id in table_ids:
            await self._tables.submit(Abandon(request=f"abandon-{table_id}", table_id=table_id))
            log.info("table abandoned", table=table_id)


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
        except (TimeoutError, discord.HTTPException, discord.RateLimited, aiohttp.ClientError) as error:
            log.info("presence not known", guild=guild_id, error=type(error).__name__)
        return frozenset(gone)

    async def _is_gone(self, guild_id: int, user_id: int) -> bool:
        try:
            await self._client.http.get_member(guild_id, user_id)
        except discord.NotFound as error:
            return error.code in NOT_HERE
        return False
