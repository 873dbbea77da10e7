"""The commands with which a game comes about: `/coup new`, `join`, `leave`, `start`, `cancel`.

Owns: their names, options and descriptions. Contains no rule of Coup.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.desk import AnyCommand, Desk
from bot.i18n import N_
from bot.tables.requests import OpenLobby
from bot.tables.table import SPEEDS, Phase
from bot.ui.deeds import joined_text, name_of
from bot.ui.preflight import must_hold_a_table, parent_of
from bot.ui.words import SPEED_NAMES

_SPEEDS = [app_commands.Choice(name=SPEED_NAMES[name], value=name) for name in SPEEDS]


class LobbyCommands:
    """For whoever wants to play."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def commands(self) -> list[AnyCommand]:
        """In the order in which they are needed."""
        return [
            app_commands.Command(name="new", description=N_("Open a lobby in this channel"), callback=self.new),
            app_commands.Command(
                name="join", description=N_("Take a seat in this channel's lobby"), callback=self.join
            ),
            app_commands.Command(name="leave", description=N_("Leave the lobby, or the game"), callback=self.leave),
            app_commands.Command(name="start", description=N_("Start the game (host)"), callback=self.start),
            app_commands.Command(name="cancel", description=N_("Close the lobby (host)"), callback=self.cancel),
        ]

    @app_commands.describe(speed=N_("How long people have for a turn: 30 s, 90 s, 5 minutes or a day"))
    @app_commands.choices(speed=_SPEEDS)
    async def new(self, interaction: discord.Interaction, speed: str = "normal") -> None:
        """A lobby, with its opener as host."""
        t = await self._desk.words(interaction)
        must_hold_a_table(interaction)
        assert interaction.guild_id is not None
        assert interaction.channel_id is not None
        table = await self._desk.tables.open_lobby(
            OpenLobby(
                request=str(interaction.id),
                guild_id=interaction.guild_id,
                channel_id=interaction.channel_id,
                parent_id=parent_of(interaction),
                user_id=interaction.user.id,
                name=name_of(interaction),
                click=interaction.id,
                language="en",
                speed=speed,
            )
        )
        await self._desk.say(interaction, joined_text(table, interaction.id, t))

    async def join(self, interaction: discord.Interaction) -> None:
        """As the button."""
        await self._desk.tell(interaction, self._desk.deeds.join)

    async def leave(self, interaction: discord.Interaction) -> None:
        """In the lobby at once; in a running game it asks first."""
        table = await self._desk.here(interaction)
        if table.phase is Phase.PLAYING:
            await self._desk.show(interaction, self._desk.deeds.ask_to_quit)
        else:
            await self._desk.tell(interaction, self._desk.deeds.leave)

    async def start(self, interaction: discord.Interaction) -> None:
        """As the button."""
        await self._desk.tell(interaction, self._desk.deeds.start)

    async def cancel(self, interaction: discord.Interaction) -> None:
        """As the button."""
        await self._desk.tell(interaction, self._desk.deeds.cancel)
