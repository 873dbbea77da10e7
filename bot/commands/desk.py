"""What the commands work with, and the ways in which they end.

Owns: finding the table that a command is about, and answering with what a deed says or shows. Raises what it is
refused; the tree's error handler answers for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from bot.tables.errors import Mistake, Refusal
from bot.tables.service import Tables
from bot.tables.table import PublicTable
from bot.ui.announcer import Announcer
from bot.ui.deeds import Deeds, Opened, Told
from bot.ui.preferences import Preferences
from bot.ui.private import Responses
from bot.ui.readers import Readers

MAX_CHOICES = 25
"""Discord shows no more suggestions than this."""
LONGEST_CHOICE = 100
"""Nor longer ones."""

AnyCommand = app_commands.Command[Any, ..., Any]
Suggestions = list[app_commands.Choice[str]]


@dataclass(frozen=True)
class Desk:
    """Everything that a command needs."""

    tables: Tables
    deeds: Deeds
    preferences: Preferences
    readers: Readers
    responses: Responses
    announcer: Announcer

    async def here(self, interaction: discord.Interaction) -> PublicTable:
        """The open table of this channel; in a DM the one at which they sit.

        Raises Refusal NO_TABLE; in a DM SEATED_NOWHERE or SEVERAL_TABLES.
        """
        if interaction.guild_id is not None and interaction.channel_id is not None:
            return await self.tables.in_channel(interaction.channel_id)
        mine = await self.tables.of_player(interaction.user.id)
        if len(mine) != 1:
            raise Refusal(Mistake.SEVERAL_TABLES if mine else Mistake.SEATED_NOWHERE)
        return mine[0]

    async def tell(self, interaction: discord.Interaction, deed: Told) -> None:
        """Do it at the table that is meant, and say what it says."""
        t = await self.readers.words(interaction)
        table = await self.here(interaction)
        await self.responses.say(interaction, await deed(interaction, table.id, t))

    async def show(self, interaction: discord.Interaction, deed: Opened) -> None:
        """Do it at the table that is meant, and show what it shows."""
        t = await self.readers.words(interaction)
        table = await self.here(interaction)
        await self.responses.show(interaction, await deed(interaction, table.id, t))


def suggestions(found: list[tuple[str, str]], typed: str) -> Suggestions:
    """Of pairs of label and value those that hold what is `typed` so far, as many as Discord shows."""
    return [
        app_commands.Choice(name=label[:LONGEST_CHOICE], value=value)
        for label, value in found
        if typed.casefold() in label.casefold()
    ][:MAX_CHOICES]
