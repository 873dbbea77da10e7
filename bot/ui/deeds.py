"""What people do at a table, whether by a button or by a command.

Owns: the request that each deed makes of the tables, and what is said or shown to whoever did it. A deed takes the
interaction, the table and the words of its reader; it answers nothing itself, because buttons and commands are answered
differently. Raises whatever the tables refuse.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from msgspec.structs import replace

from bot.i18n import Translator
from bot.tables.errors import Mistake, Refusal
from bot.tables.requests import Cancel, End, Join, Leave, Play, Resume, Start
from bot.tables.service import Tables
from bot.tables.table import Phase, PublicTable
from bot.ui.dm_hands import DirectHands
from bot.ui.hand import games_screen, hand_screen, no_dm_screen, quit_screen
from bot.ui.ids import ButtonId
from bot.ui.names import clean
from bot.ui.screen import Screen

Told = Callable[[discord.Interaction[Any], str, Translator], Awaitable[str]]
"""A deed that ends in words."""
Shown = Callable[[discord.Interaction[Any], str, Translator], Awaitable[Screen]]
"""A deed that ends in a private screen."""


class Deeds:
    """Everything that can be done in more than one way."""

    def __init__(self, tables: Tables, hands: DirectHands) -> None:
        self._tables = tables
        self._hands = hands

    # ------------------------------------------------------------------------------------------------ lobby

    async def join(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """A seat; the interaction's id is their part of the shuffle."""
        request = Join(**by(interaction, table_id), name=name_of(interaction), click=interaction.id)
        return joined_text(await self._tables.submit(request), interaction.id, t)

    async def leave(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """Out of the lobby."""
        await self._tables.submit(Leave(**by(interaction, table_id)))
        return t("You have left the lobby.")

    async def start(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """The deal."""
        await self._tables.submit(Start(**by(interaction, table_id)))
        return t("The cards are dealt. Press My hand below to see yours.")

    async def cancel(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """The end of the lobby."""
        await self._tables.submit(Cancel(**by(interaction, table_id)))
        return t("The lobby is closed.")

    # ------------------------------------------------------------------------------------------------ game

    async def hand(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> Screen:
        """Their own panel."""
        screen = hand_screen(await self._tables.private(table_id, interaction.user.id), t)
        if self._hands.take_notice(table_id, interaction.user.id):
            notice = t("I could not send you your hand by DM: your privacy settings for this server do not let me.")
            screen = replace(screen, content=f"{screen.content}\n\n{notice}")
        return screen

    async def dm_off(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> Screen:
        """No more hands by DM."""
        await self._hands.stop(table_id, interaction.user.id)
        return no_dm_screen(t)

    async def hands(self, interaction: discord.Interaction[Any], t: Translator) -> Screen:
        """The panel of their one game, or the choice between several."""
        tables = await self._tables.of_player(interaction.user.id)
        playing = [table for table in tables if table.phase is Phase.PLAYING]
        if not playing:
            raise Refusal(Mistake.NO_TABLE)
        return games_screen(playing, t) if len(playing) > 1 else await self.hand(interaction, playing[0].id, t)

    async def ask_to_quit(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> Screen:
        """Leaving a game asks once more."""
        return quit_screen(await self._tables.private(table_id, interaction.user.id, alive=True), t)

    async def play(self, interaction: discord.Interaction[Any], button: ButtonId, choice: str) -> None:
        """A move, in the window that `button` was shown in; the table tells what comes of it."""
        await self._tables.submit(Play(**by(interaction, button.table), window=button.window, choice=choice))

    async def resume(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """A paused game is woken."""
        await self._tables.submit(Resume(**by(interaction, table_id)))
        return t("The game goes on.")

    # ------------------------------------------------------------------------------------------------ hosting

    async def end(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """The end of the table, whatever state it is in."""
        await self._tables.submit(End(**ruling(interaction, table_id), name=name_of(interaction)))
        return t("The table has ended.")


def by(interaction: discord.Interaction[Any], table_id: str) -> dict[str, Any]:
    """What every request of a person says: which asking it is, of which table, by whom."""
    return {"request": str(interaction.id), "table_id": table_id, "user_id": interaction.user.id}


def ruling(interaction: discord.Interaction[Any], table_id: str) -> dict[str, Any]:
    """The same for what only the host and moderators may ask; a moderator may manage the channel or the server."""
    rights = interaction.permissions
    return {**by(interaction, table_id), "moderator": rights.manage_channels or rights.manage_guild}


def name_of(interaction: discord.Interaction[Any]) -> str:
    """What whoever clicked or typed is called at the table."""
    return clean(interaction.user.display_name)


def joined_text(table: PublicTable, click: int, t: Translator) -> str:
    """What a joiner is told in private: the commitment and their own number in the shuffle (docs/RECORD.md)."""
    return t(
        "You have a seat. The shuffle is committed to `{commit}`; your number in it is `{click}`. Both are listed "
        "again at the deal and at the end, so that you can check the cards.",
        commit=table.commit,
        click=click,
    )
