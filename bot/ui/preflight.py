"""Whether a channel can hold a table, asked before one is opened, and when the bot's rights have changed.

Owns: the kinds of channel, and the rights that the bot needs there. A reply to a command works where sending does not,
so the rights are looked at by name. Whoever asks is told no by a `Refusal`.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.tables.errors import Mistake, Refusal

WITH_VOICE = {discord.ChannelType.voice, discord.ChannelType.stage_voice}
"""Who may not connect to them may not use their chat either."""
THREADS = {
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
}
"""A post in a forum is one."""
GOOD_CHANNELS = {discord.ChannelType.text, *WITH_VOICE, *THREADS}
"""Not those of news, whose messages may hardly be edited, nor forums, where nobody can write but in a post."""
RIGHTS = ("view_channel", "embed_links", "attach_files", "read_message_history")
"""What every table needs, beside sending."""


def must_hold_a_table(interaction: discord.Interaction[Any], *, in_new_thread: bool = False) -> None:
    """Raises Refusal NO_SERVER, WRONG_CHANNEL, NO_THREADS or MISSING_RIGHTS."""
    kind = _kind(interaction)
    if in_new_thread:
        # A thread has the rights of its channel.
        if kind is not discord.ChannelType.text:
            raise Refusal(Mistake.NO_THREADS)
        _must_have(interaction, "create_public_threads", "send_messages_in_threads")
        return
    if kind not in GOOD_CHANNELS:
        raise Refusal(Mistake.WRONG_CHANNEL)
    sending = "send_messages_in_threads" if kind in THREADS else "send_messages"
    _must_have(interaction, sending, *(("connect",) if kind in WITH_VOICE else ()))


def is_open(guild: discord.Guild, channel_id: int) -> bool:
    """Whether, as far as is known, a table can be written in that channel of the server now.

    No thread is known that is archived.
    """
    channel = guild.get_channel_or_thread(channel_id)
    if channel is None:
        return False
    if not isinstance(channel, discord.Thread):
        return not _lacking(channel.permissions_for(guild.me), "send_messages")
    if channel.parent is None:
        return False
    granted = channel.permissions_for(guild.me)
    return not _lacking(granted, "send_messages_in_threads") and (granted.manage_threads or not channel.locked)


def parent_of(interaction: discord.Interaction[Any]) -> int | None:
    """The channel that the thread hangs on, if this is one."""
    channel = interaction.channel
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def _kind(interaction: discord.Interaction[Any]) -> discord.ChannelType:
    if interaction.guild_id is None or interaction.channel is None:
        raise Refusal(Mistake.NO_SERVER)
    return interaction.channel.type


def _must_have(interaction: discord.Interaction[Any], *more: str) -> None:
    missing = _lacking(interaction.app_permissions, *more)
    if missing:
        raise Refusal(Mistake.MISSING_RIGHTS, rights=missing)


def _lacking(granted: discord.Permissions, *more: str) -> list[str]:
    return [right for right in (*more, *RIGHTS) if not getattr(granted, right)]
