"""A thread for a table of its own.

Owns: how it is made and called, and what becomes of it where no table could be opened in it. Discord limits how often
threads are made, for minutes at a time and without saying so beforehand; that is told to whoever asked.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import discord

from bot.i18n import Translator
from bot.tables.errors import Mistake, Refusal
from bot.telemetry import count, logger
from bot.ui.deeds import name_of
from bot.ui.discord_errors import TROUBLE, code_of

log = logger(__name__)

THREAD_WITHIN = 10.0
"""Seconds for Discord to make a thread; the library would wait for as long as a limit lasts."""


@contextlib.asynccontextmanager
async def new_thread(interaction: discord.Interaction, t: Translator) -> AsyncIterator[int]:
    """The id of a new public thread under the channel, named in the table's language.

    Put away again if the block raises. Raises Refusal NO_THREADS or THREAD_REFUSED.
    """
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise Refusal(Mistake.NO_THREADS)
    name = t("Coup with {name}", name=name_of(interaction))
    try:
        async with asyncio.timeout(THREAD_WITHIN):
            thread = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
    except TROUBLE as error:
        code = code_of(error)
        count(f"discord_{code}")
        log.info("no thread", code=code)
        raise Refusal(Mistake.THREAD_REFUSED) from error
    try:
        yield thread.id
    except BaseException:
        with contextlib.suppress(*TROUBLE):
            await thread.edit(archived=True)
        raise
