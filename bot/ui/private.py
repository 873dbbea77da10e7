"""The one answer that every click and command gets.

Owns: how a person is answered in private, also with hidden cards (`bot.ui` lists the ways of these). A private screen
replaces the message that was clicked only if that message is itself private; otherwise it is a new ephemeral one.
Nothing is answered twice. Where the answer takes long Discord is told in time that it will come, and it comes by the
interaction's own address then; that is the one use of follow-ups. Knows nothing of what the screens say.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord

from bot.tables.ports import Clock
from bot.telemetry import count, logger
from bot.ui.discord_errors import TOO_LATE
from bot.ui.discord_form import to_edit, to_send
from bot.ui.screen import Screen

log = logger(__name__)

ANSWER_WITHIN = 2.5
"""Seconds for one request. Discord forgets an unanswered click after three; trying longer is useless."""
DEFER_AFTER = 1.8
"""Seconds after which Discord is told that the answer will come."""

WORDS_PER_PERSON = 3
WORDS_WINDOW = 10.0
"""How many refusals in words a person gets in how many seconds; further ones are only acknowledged."""

_TIMER, _DEFERRAL, _ANSWERED = "timer", "deferral", "answered"
"""What an interaction carries along about its answer."""


class Responses:
    """Answers interactions, one callback each."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._words: dict[int, deque[float]] = {}

    def expect(self, interaction: discord.Interaction) -> None:
        """Somebody waits from now on; a command may have been answered before this is heard."""
        if interaction.type is not discord.InteractionType.autocomplete and not self.answered(interaction):
            loop = asyncio.get_running_loop()
            interaction.extras[_TIMER] = loop.call_later(DEFER_AFTER, self._defer, interaction)

    def answered(self, interaction: discord.Interaction) -> bool:
        """Whether the one answer was given, or was tried to be."""
        return _ANSWERED in interaction.extras

    async def acknowledge(self, interaction: discord.Interaction) -> None:
        """Nothing to say: the public message will show what happened."""
        await self._answer(interaction, interaction.response.defer, None)

    async def show(self, interaction: discord.Interaction, screen: Screen) -> None:
        """Show `screen` to the person alone."""
        if clicked_in_private(interaction):
            await self._answer(
                interaction,
                lambda: interaction.response.edit_message(**to_edit(screen)),
                lambda: interaction.edit_original_response(**to_edit(screen)),
            )
        else:
            await self._new(interaction, screen)

    async def say(self, interaction: discord.Interaction, text: str) -> None:
        """Private words."""
        await self._new(interaction, Screen(text))

    async def refuse(self, interaction: discord.Interaction, text: str) -> None:
        """Private words on why not. A person who keeps clicking in vain is only acknowledged, for a while."""
        if interaction.type is discord.InteractionType.component and self._too_many(interaction.user.id):
            await self.acknowledge(interaction)
        else:
            await self.say(interaction, text)

    # ------------------------------------------------------------------------------------------------ inside

    async def _new(self, interaction: discord.Interaction, screen: Screen) -> None:
        """A message of its own, for the person alone."""

        async def late() -> None:
            if interaction.type is discord.InteractionType.component:
                await interaction.followup.send(ephemeral=True, **to_send(screen))
            else:
                # The ephemeral message that said to wait becomes the answer.
                await interaction.edit_original_response(**to_edit(screen))

        await self._answer(
            interaction, lambda: interaction.response.send_message(ephemeral=True, **to_send(screen)), late
        )

    async def _answer(
        self,
        interaction: discord.Interaction,
        callback: Callable[[], Awaitable[Any]],
        late: Callable[[], Awaitable[Any]] | None,
    ) -> None:
        """The one answer: `callback`, or `late` once Discord was told to wait. State never depends on its arrival."""
        interaction.extras[_ANSWERED] = True
        timer: asyncio.TimerHandle | None = interaction.extras.get(_TIMER)
        if timer is not None:
            timer.cancel()
        deferral: asyncio.Task[None] | None = interaction.extras.get(_DEFERRAL)
        if deferral is None:
            await _tried(callback)
        elif late is not None:
            await deferral
            await _tried(late)

    def _defer(self, interaction: discord.Interaction) -> None:
        count("answer_deferred")
        interaction.extras[_DEFERRAL] = asyncio.get_running_loop().create_task(_deferred(interaction))

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


def clicked_in_dm(interaction: discord.Interaction) -> bool:
    """Whether the clicked message was sent to them by DM: it answered nothing, and stays theirs to come back to."""
    message = interaction.message
    return message is not None and interaction.guild_id is None and not message.flags.ephemeral


async def _deferred(interaction: discord.Interaction) -> None:
    """Tell Discord to wait: on a click nothing is seen of it, after a command the person alone sees that we think."""
    try:
        if interaction.type is discord.InteractionType.component:
            await _tried(interaction.response.defer)
        else:
            await _tried(lambda: interaction.response.defer(ephemeral=True, thinking=True))
    except discord.HTTPException as error:
        log.info("could not be put off", code=error.code)


async def _tried(request: Callable[[], Awaitable[Any]]) -> None:
    """One request to answer somebody. Raises discord.HTTPException where Discord finds fault with it."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN):
            await request()
    except discord.HTTPException as error:
        count(f"discord_{error.code}")
        if error.code not in TOO_LATE and not isinstance(error, discord.DiscordServerError):
            raise
        log.info("answer did not arrive", code=error.code)
    except (TimeoutError, aiohttp.ClientError) as error:
        count("answer_lost")
        log.info("answer did not arrive", code=type(error).__name__)
