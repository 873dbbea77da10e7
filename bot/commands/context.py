"""What the commands work with, and whether a channel can host a table.

Owns: the preflight of `/coup new`. A reply to a command works where sending does not, so the rights are asked for by
name.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.i18n import Translator
from bot.tables.choices import encode
from bot.tables.service import Tables
from bot.tables.table import PrivateSeat
from bot.ui.announcer import Announcer
from bot.ui.failures import Failures
from bot.ui.private import Answers
from coup_core.moves import Move

GOOD_CHANNELS = {
    discord.ChannelType.text,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
}
THREADS = {discord.ChannelType.public_thread, discord.ChannelType.private_thread}


@dataclass(frozen=True)
class CommandContext:
    """Everything that a command callback needs."""

    tables: Tables
    answers: Answers
    failures: Failures
    announcer: Announcer

    async def may_play_here(self, interaction: discord.Interaction, t: Translator) -> bool:
        """Whether a table can live in this channel; if not, the person has been told why."""
        channel = interaction.channel
        if interaction.guild_id is None or channel is None:
            await self.answers.say(interaction, t("A table needs a channel of a server; use this command there."))
            return False
        if channel.type not in GOOD_CHANNELS:
            await self.answers.say(
                interaction, t("A table needs a text channel or a thread; this kind of channel cannot hold one.")
            )
            return False
        missing = missing_rights(interaction.app_permissions, channel.type, t)
        if missing:
            await self.answers.say(
                interaction, t("I lack rights in this channel: {rights}. Ask a moderator.", rights=t.list(missing))
            )
        return not missing

    def choices(self, seat: PrivateSeat) -> list[tuple[Move, str]]:
        """The legal moves of `seat`, each with the choice that makes it."""
        return [(move, encode(move, seat.view)) for move in seat.view.moves]


def missing_rights(rights: discord.Permissions, kind: discord.ChannelType, t: Translator) -> list[str]:
    """What the bot may not do there though a table needs it, by the names that Discord shows."""
    sending = (
        (rights.send_messages_in_threads, t("Send Messages in Threads"))
        if kind in THREADS
        else (rights.send_messages, t("Send Messages"))
    )
    needed = (
        (rights.view_channel, t("View Channel")),
        sending,
        (rights.embed_links, t("Embed Links")),
        (rights.attach_files, t("Attach Files")),
        (rights.read_message_history, t("Read Message History")),
    )
    return [name for granted, name in needed if not granted]
