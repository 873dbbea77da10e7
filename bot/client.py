"""The Discord client: the gateway on one side, the router and the command tree on the other.

Owns: what is switched on and off with the connection, and the answer to a command that failed. Holds no state of a
game.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord
from discord import app_commands

from bot.commands.translation import CommandTranslator
from bot.ui.failures import Failures
from bot.ui.private import Responses
from bot.ui.readers import Readers
from bot.ui.router import Router
from bot.ui.servers import Servers

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
    """The bot's connection. `wake` runs once after login."""

    def __init__(
        self,
        responses: Responses,
        failures: Failures,
        readers: Readers,
        router: Router,
        servers: Servers,
        wake: Hook,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=30.0,
        )
        self.responses = responses
        self.failures = failures
        self.readers = readers
        self.tree = CoupTree(self)
        self._router = router
        self._servers = servers
        self._wake = wake

    async def setup_hook(self) -> None:
        """Once after login; never again on a reconnect."""
        await self.tree.set_translator(CommandTranslator())
        await self._wake()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Every click; commands go through the tree."""
        self.responses.expect(interaction)
        await self._router.on_interaction(interaction)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Until the shard is back nobody can answer."""
        self._servers.disconnected(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Connected anew."""
        self._servers.connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Connected again; what was missed is being replayed."""
        self._servers.connected(shard_id)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """An outage of Discord's."""
        self._servers.unavailable(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The outage is over."""
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
        await self._servers.rights_changed(after.guild.id)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """It may have been opened again."""
        await self._servers.rights_changed(after.guild.id)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """The bot's own role may have other rights now."""
        await self._servers.rights_changed(after.guild.id)
