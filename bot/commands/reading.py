"""The commands that need no table: `/coup rules`, `help`, `preferences`.

Owns: their names, options and descriptions. Their answers are private, in the reader's language.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.desk import AnyCommand, Desk
from bot.i18n import N_
from bot.ui.help import FIRST_TOPIC, RULE_TOPICS, rules_screen
from bot.ui.tour import tour_screen

_TOPICS = [app_commands.Choice(name=title, value=topic) for topic, title in RULE_TOPICS.items()]


class ReadingCommands:
    """For everybody."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def commands(self) -> list[AnyCommand]:
        """What to read."""
        return [
            app_commands.Command(
                name="rules", description=N_("The rules of the game, a page a topic"), callback=self.rules
            ),
            app_commands.Command(name="help", description=N_("How to play, on five short pages"), callback=self.help),
            app_commands.Command(
                name="preferences",
                description=N_("Your language, your hand by message, hints; delete your data"),
                callback=self.preferences,
            ),
        ]

    @app_commands.describe(topic=N_("What to read about"))
    @app_commands.choices(topic=_TOPICS)
    async def rules(self, interaction: discord.Interaction, topic: str = FIRST_TOPIC) -> None:
        """A page; its buttons turn to the others."""
        await self._desk.responses.show(interaction, rules_screen(topic, await self._desk.readers.words(interaction)))

    async def help(self, interaction: discord.Interaction) -> None:
        """The first page of the tour; its buttons turn to the others."""
        await self._desk.responses.show(interaction, tour_screen(1, await self._desk.readers.words(interaction)))

    async def preferences(self, interaction: discord.Interaction) -> None:
        """What they have chosen, with buttons to choose otherwise."""
        t = await self._desk.readers.words(interaction)
        await self._desk.responses.show(interaction, await self._desk.preferences.shown(interaction, "", t))
