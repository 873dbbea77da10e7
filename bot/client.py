"""The Discord client: the gateway on one side, the router and the command tree on the other.

Owns: what is switched on and off with the connection, the answer to a command that failed, and the log line of an event
that did. Holds no state of a game.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot.commands.translation import CommandTranslator
from bot.gateway import Servers
from bot.tables.errors import Refusal
from bot.tables.outages import Shard
from bot.telemetry import count, error_id, logger
from bot.ui.failures import Failures
from bot.ui.private import Responses
from bot.ui.readers import Readers
from bot.ui.router import Router

log = logger(__name__)

Hook = Callable[[], Awaitable[None]]


class CoupTree(app_commands.CommandTree["CoupClient"]):
    """The command tree; every failure of a command ends in one private sentence."""

    async def on_error(
        self, interaction: discord.Interaction[CoupClient], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer for what a command raised."""
        client = interaction.client
        t = await client.readers.words(interaction)
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(cause, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            text = t("The commands were updated. Try again in a minute, or reload Discord.")
            await client.responses.say(interaction, text)
        else:
            await client.failures.answer(interaction, cause, t)


class CoupClient(discord.AutoShardedClient):
    """The bot's connection. It is made first, for others write with it; then `serve` says where its events go."""

    responses: Responses
    failures: Failures
    readers: Readers
    _router: Router
    _servers: Servers
    _wake: Hook

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=30.0,
        )
        self.tree = CoupTree(self)

    def serve(
        self,
        responses: Responses,
        failures: Failures,
        readers: Readers,
        router: Router,
        servers: Servers,
        wake: Hook,
    ) -> None:
        """Say what answers people and events; before login, after which `wake` runs once."""
        self.responses = responses
        self.failures = failures
        self.readers = readers
        self._router = router
        self._servers = servers
        self._wake = wake

    async def setup_hook(self) -> None:
        """Once after login; never again on a reconnect."""
        await self.tree.set_translator(CommandTranslator())
        self._servers.starting()
        await self._wake()

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log what an event's handler raised: nobody waits for it."""
        error = sys.exception()
        if isinstance(error, Refusal):
            log.info("event refused", handler=event_method, mistake=error.mistake)
        else:
            count("unexpected_error")
            log.error("event failed", handler=event_method, error_id=error_id(), exc_info=error)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Every click; commands go through the tree."""
        self.responses.expect(interaction)
        await self._router.on_interaction(interaction)

    async def on_ready(self) -> None:
        """Connected, for the first time or anew."""
        self._servers.started(self.guilds)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Until the shard is back nobody of its servers can answer."""
        self._servers.disconnected(self._shard(shard_id))

    async def on_shard_ready(self, shard_id: int) -> None:
        """Connected anew."""
        self._servers.connected(self._shard(shard_id))

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Connected again; what was missed is being replayed."""
        self._servers.connected(self._shard(shard_id))

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """An outage of Discord's."""
        self._servers.unavailable(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The outage is over."""
        self._servers.available(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Invited; told of a server that was thought unavailable, too."""
        self._servers.available(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Kicked, or the server is no more."""
        await self._servers.left(guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """With its table."""
        await self._servers.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """With its table; raw, for the thread need not be known."""
        await self._servers.channel_gone(payload.thread_id)

    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Rights in the channel may be others now."""
        await self._servers.rights_changed(after.guild)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """It may have been unlocked."""
        await self._servers.rights_changed(after.guild)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """What the library says of any thread that it did not know: one that was archived is open again, too."""
        await self._servers.rights_changed(thread.guild)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """The bot's own role may have other rights now."""
        await self._servers.rights_changed(after.guild)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """It may have been the one that kept the bot out."""
        await self._servers.rights_changed(role.guild)

    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """The bot was given a role, or lost one: without the privileged intent Discord tells of no other member."""
        await self._servers.rights_changed(after.guild)

    def _shard(self, shard_id: int) -> Shard:
        # How many there are is settled before the first of them connects.
        return Shard(shard_id, self.shard_count or 1)
