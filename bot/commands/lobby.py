"""The commands with which a game comes about: `/coup new`, `rematch`, `join`, `leave`, `start`, `cancel`.

Owns: their names, options and descriptions. Contains no rule of Coup.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.desk import AnyCommand, Desk
from bot.commands.threads import new_thread
from bot.i18n import N_, SOURCE, endonym, language_of, languages, translator
from bot.tables.errors import Mistake, Refusal
from bot.tables.table import DEFAULT_SPEED, SPEEDS
from bot.ui.deeds import joined_text, new_lobby
from bot.ui.preflight import must_hold_a_table, parent_of
from bot.ui.words import SPEED_NAMES

_LANGUAGES = [app_commands.Choice(name=endonym(code), value=code) for code in languages()]
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
                name="rematch",
                description=N_("The last game of this channel once more, with the same people"),
                callback=self.rematch,
            ),
            app_commands.Command(
                name="join", description=N_("Take a seat in this channel's lobby"), callback=self.join
            ),
            app_commands.Command(name="leave", description=N_("Leave the lobby, or the game"), callback=self.leave),
            app_commands.Command(name="start", description=N_("Start the game (host)"), callback=self.start),
            app_commands.Command(name="cancel", description=N_("Close the lobby (host)"), callback=self.cancel),
        ]

    @app_commands.describe(
        speed=N_("How long people have for a turn: 30 s, 90 s, 5 minutes or a day"),
        language=N_("The language of the table's public messages; otherwise the server's"),
        thread=N_("Play in a thread of its own, opened under this channel"),
    )
    @app_commands.choices(speed=_SPEEDS, language=_LANGUAGES)
    async def new(
        self,
        interaction: discord.Interaction,
        speed: str = DEFAULT_SPEED.name,
        language: str | None = None,
        thread: bool = False,
    ) -> None:
        """A lobby, with its opener as host; here or in a new thread."""
        t = await self._desk.readers.words(interaction)
        must_hold_a_table(interaction, in_new_thread=thread)
        spoken = language or _server_language(interaction)
        if not thread:
            assert interaction.channel_id is not None
            request = new_lobby(
                interaction, interaction.channel_id, parent_of(interaction), language=spoken, speed=speed
            )
            table = await self._desk.tables.open_lobby(request)
            await self._desk.responses.say(interaction, joined_text(table, interaction.id, t))
            return
        async with new_thread(interaction, translator(spoken)) as thread_id:
            request = new_lobby(interaction, thread_id, interaction.channel_id, language=spoken, speed=speed)
            table = await self._desk.tables.open_lobby(request)
        where = t("The table is in <#{channel}>.", channel=table.channel_id)
        await self._desk.responses.say(interaction, f"{where}\n{joined_text(table, interaction.id, t)}")

    async def rematch(self, interaction: discord.Interaction) -> None:
        """As the button on the result of this channel's last game."""
        t = await self._desk.readers.words(interaction)
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Refusal(Mistake.NO_SERVER)
        old = await self._desk.tables.last_game(interaction.channel_id)
        await self._desk.responses.say(interaction, await self._desk.deeds.rematch(interaction, old.id, t))

    async def join(self, interaction: discord.Interaction) -> None:
        """As the button."""
        await self._desk.tell(interaction, self._desk.deeds.join)

    async def leave(self, interaction: discord.Interaction) -> None:
        """In the lobby at once; in a running game it asks first. In a DM it may have to ask which table is meant."""
        if interaction.guild_id is not None:
            await self._desk.show(interaction, self._desk.deeds.go)
            return
        t = await self._desk.readers.words(interaction)
        await self._desk.responses.show(interaction, await self._desk.deeds.go_from_one(interaction, t))

    async def start(self, interaction: discord.Interaction) -> None:
        """As the button."""
        await self._desk.tell(interaction, self._desk.deeds.start)

    async def cancel(self, interaction: discord.Interaction) -> None:
        """As the button."""
        await self._desk.tell(interaction, self._desk.deeds.cancel)


def _server_language(interaction: discord.Interaction) -> str:
    return SOURCE if interaction.guild_locale is None else language_of(str(interaction.guild_locale))
