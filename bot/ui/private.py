"""The one answer that every click and command gets.

Owns: how a person is answered, and the only way on which hidden cards leave the bot. A private screen replaces the
message that was clicked only if that message is itself private; otherwise it is a new ephemeral one. There are no
follow-ups, and nothing is answered twice. Knows nothing of what the screens say.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Any

import aiohttp
import discord

from bot.tables.ports import Clock
from bot.telemetry import count, logger
from bot.ui.discord_form import to_edit, to_send
from bot.ui.screen import Screen

log = logger(__name__)

ANSWER_WITHIN = 2.5
"""Seconds. Discord forgets an unanswered click after three; trying longer is useless."""

WORDS_PER_PERSON = 3
WORDS_WINDOW = 10.0
"""How many refusals in words a person gets in how many seconds; further ones are only acknowledged."""

TOO_LATE = {10062, 10015, 40060, 50027}
"""Discord's codes for an interaction that cannot be answered any more, or was answered already."""


class Answers:
    """Answers interactions, one callback each."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._words: dict[int, deque[float]] = {}

    async def acknowledge(self, interaction: discord.Interaction) -> None:
        """Nothing to say: the public message will show what happened."""
        await self._send(interaction.response.defer())

    async def show(self, interaction: discord.Interaction, screen: Screen) -> None:
        """Show `screen` to the person alone."""
        if clicked_in_private(interaction):
            await self._send(interaction.response.edit_message(**to_edit(screen)))
        else:
            await self._send(interaction.response.send_message(ephemeral=True, **to_send(screen)))

    async def say(self, interaction: discord.Interaction, text: str) -> None:
        """Private words."""
        none = discord.AllowedMentions.none()
        await self._send(interaction.response.send_message(text, ephemeral=True, allowed_mentions=none))

    async def refuse(self, interaction: discord.Interaction, text: str) -> None:
        """Private words on why not. A person who keeps clicking in vain is only acknowledged, for a while."""
        if interaction.type is discord.InteractionType.component and self._too_many(interaction.user.id):
            await self.acknowledge(interaction)
        else:
            await self.say(interaction, text)

    async def _send(self, callback: Coroutine[Any, Any, Any]) -> None:
        """One callback. State never depends on whether it arrives."""
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await callback
        except discord.HTTPException as error:
            count(f"discord_{error.code}")
            if error.code not in TOO_LATE and not isinstance(error, discord.DiscordServerError):
                raise
            log.info("answer did not arrive", code=error.code)
        except (TimeoutError, aiohttp.ClientError) as error:
            count("answer_lost")
            log.info("answer did not arrive", code=type(error).__name__)

    def _too_many(self, user_id: int) -> bool:
        now = self._clock.now().timestamp()
        times = self._words.setdefault(user_id, deque())
        while times and times[0] <= now - WORDS_WINDOW:
            times.popleft()
        if len(times) >= WORDS_PER_PERSON:
            return True
        times.append(now)
        if len(self._words) > 10_000:
            self._words = {user: kept for user, kept in self._words.items() if kept[-1] > now - WORDS_WINDOW}
        return False


def clicked_in_private(interaction: discord.Interaction) -> bool:
    """Whether the clicked message is one that only this person sees: an ephemeral, or in their DM with the bot."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)
