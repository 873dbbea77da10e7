"""The commands of those who play: `/coup hand`, `play`, `table`.

Owns: their names, options and descriptions. Contains no rule of Coup.
"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.commands.desk import AnyCommand, Desk, Suggestions, suggestions
from bot.i18n import N_
from bot.tables.choices import encode
from bot.tables.errors import Mistake, Refusal
from bot.tables.table import Pause, PostKind
from bot.ui import ids
from bot.ui.move_words import move_label
from bot.ui.preflight import must_hold_a_table


class PlayingCommands:
    """For whoever sits at a table."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def commands(self) -> list[AnyCommand]:
        """The most used first."""
        play = app_commands.Command[Any, ..., Any](
            name="play", description=N_("Make any move of yours by command"), callback=self.play
        )
        play.autocomplete("move")(self._moves)
        return [
            app_commands.Command(
                name="hand", description=N_("Your cards, coins and choices; only you see them"), callback=self.hand
            ),
            play,
            app_commands.Command(
                name="table", description=N_("Find the current message of this channel's table"), callback=self.table
            ),
        ]

    async def hand(self, interaction: discord.Interaction) -> None:
        """Of this channel's game; in a DM, of all of theirs."""
        if interaction.guild_id is not None:
            await self._desk.show(interaction, self._desk.deeds.hand)
            return
        t = await self._desk.readers.words(interaction)
        await self._desk.responses.show(interaction, await self._desk.deeds.hands(interaction, t))

    async def _moves(self, interaction: discord.Interaction, typed: str) -> Suggestions:
        """The caller's legal moves, in words; the value is the id of the button that makes it."""
        t = await self._desk.readers.words(interaction)
        try:
            table = await self._desk.here(interaction)
            seat = await self._desk.tables.private(table.id, interaction.user.id)
        except Refusal:
            return []
        table = seat.table
        found = [
            (move_label(move, seat, t), ids.ButtonId(table.id, table.window, encode(move, seat.view)).text)
            for move in seat.view.moves
        ]
        return suggestions(found, typed)

    @app_commands.describe(move=N_("One of your legal moves"))
    async def play(self, interaction: discord.Interaction, move: str) -> None:
        """Answered in private; the channel shows what everyone may know."""
        t = await self._desk.readers.words(interaction)
        button = ids.parse(move)
        if button is None:
            raise Refusal(Mistake.MALFORMED)
        await self._desk.deeds.play(interaction, button, button.choice)
        await self._desk.responses.show(interaction, await self._desk.deeds.hand(interaction, button.table, t))

    async def table(self, interaction: discord.Interaction) -> None:
        """A link; a message that was deleted is posted again, and a game that lacked our rights goes on."""
        t = await self._desk.readers.words(interaction)
        table = await self._desk.here(interaction)
        if table.paused is Pause.NO_ACCESS:
            must_hold_a_table(interaction)
        self._desk.announcer.repair(table.id)
        kinds = {PostKind.LOBBY, PostKind.TURN, PostKind.PAUSE}
        shown = {post.message_id: post for post in table.posts if post.kind in kinds and post.message_id is not None}
        newest = max(shown, default=None)
        if newest is None or shown[newest].settled:
            await self._desk.responses.say(interaction, t("The table is being posted again."))
            return
        link = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{newest}"
        text = t("The table is here: {link}. If that message was deleted, it is posted again now.", link=link)
        await self._desk.responses.say(interaction, text)
