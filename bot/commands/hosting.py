"""The commands of those who run a table, its host and the server's moderators: `/coup end`.

Owns: their names, options and descriptions. Who may use them is decided by the tables.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.desk import AnyCommand, Desk
from bot.i18n import N_


class HostingCommands:
    """For hosts and moderators."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def commands(self) -> list[AnyCommand]:
        """From the mildest to the last one."""
        return [
            app_commands.Command(
                name="end",
                description=N_("End this channel's table (moderators; the host, when alone)"),
                callback=self.end,
            ),
        ]

    async def end(self, interaction: discord.Interaction) -> None:
        """Whatever state its messages are in."""
        await self._desk.tell(interaction, self._desk.deeds.end)
