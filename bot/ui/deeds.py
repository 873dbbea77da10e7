"""What people do at a table, whether by a button or by a command.

Owns: the request that each deed makes of the tables, and what is said or shown to whoever did it. A deed takes the
interaction, the table and the words of its reader; it answers nothing itself, because buttons and commands are answered
differently. Raises whatever the tables refuse.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypedDict

import discord
from msgspec.structs import replace

from bot.i18n import Translator
from bot.tables.errors import Mistake, Refusal, about
from bot.tables.requests import AutoAllow, Cancel, Join, Leave, OpenLobby, Play, Resume, Start
from bot.tables.service import Tables
from bot.tables.table import Phase, PublicTable
from bot.ui.dm_hands import DirectHands
from bot.ui.hand import (
    dm_screen,
    games_screen,
    hand_screen,
    leaving_screen,
    no_dm_screen,
    quit_screen,
    target_screen,
)
from bot.ui.hosts import as_host
from bot.ui.ids import ButtonId
from bot.ui.names import clean
from bot.ui.preflight import must_hold_a_table
from bot.ui.private import clicked_in_dm
from bot.ui.readers import Readers
from bot.ui.screen import Screen

Told = Callable[[discord.Interaction[Any], str, Translator], Awaitable[str]]
"""A deed that ends in words."""
Opened = Callable[[discord.Interaction[Any], str, Translator], Awaitable[Screen]]
"""A deed that ends in a private screen."""


class Deeds:
    """Everything that can be done in more than one way."""

    def __init__(self, tables: Tables, hands: DirectHands, readers: Readers) -> None:
        self._tables = tables
        self._hands = hands
        self._readers = readers

    # ------------------------------------------------------------------------------------------------ lobby

    async def join(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """A seat; the interaction's id is their part of the shuffle."""
        request = Join(**by(interaction, table_id), name=name_of(interaction), click=interaction.id)
        return joined_text(await self._tables.submit(request), interaction.id, t)

    async def leave(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """Out of the lobby, or away from a damaged game, which ends with that."""
        table = await self._tables.submit(Leave(**by(interaction, table_id)))
        return t("The table has ended.") if table.damaged else t("You have left the lobby.")

    async def start(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """The deal."""
        await as_host(self._tables, Start(**by(interaction, table_id)))
        return t("The cards are dealt. Press **My hand** below to see yours.")

    async def cancel(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """The end of the lobby."""
        await as_host(self._tables, Cancel(**by(interaction, table_id)))
        return t("The lobby is closed.")

    async def rematch(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """A lobby like that of the finished game, with everybody's seat kept for a while.

        Who comes second to ask for it takes the seat that is kept for them.
        """
        old = await self._tables.table(table_id)
        with about(table_id):
            _must_be_repeatable(old, interaction.user.id)
            must_hold_a_table(interaction)
        try:
            table = await self._tables.open_lobby(_rematch(old, interaction))
        except Refusal as refusal:
            if refusal.mistake is not Mistake.CHANNEL_TAKEN or refusal.table_id is None:
                raise
            there = await self._tables.table(refusal.table_id)
            if not any(player.held and player.user_id == interaction.user.id for player in there.players):
                raise
            return await self.join(interaction, there.id, t)
        return joined_text(table, interaction.id, t)

    # ------------------------------------------------------------------------------------------------ game

    async def hand(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> Screen:
        """Their own panel; on the message of their hand by DM that hand, which its own writer keeps up to date."""
        seat = await self._tables.private(table_id, interaction.user.id)
        hints = await self._readers.hints(interaction.user.id, table_id)
        if clicked_in_dm(interaction):
            return dm_screen(seat, t, hints=hints)
        notice = ""
        if self._hands.take_notice(table_id, interaction.user.id):
            notice = t("I could not send you your hand by DM: your privacy settings for this server do not let me.")
        return hand_screen(seat, t, hints=hints, notice=notice)

    async def dm_off(self, interaction: discord.Interaction[Any], _table_id: str, t: Translator) -> Screen:
        """No more hands by DM."""
        await self._hands.switch(interaction.user.id, on=False)
        return no_dm_screen(t)

    async def hands(self, interaction: discord.Interaction[Any], t: Translator) -> Screen:
        """The panel of their one game, or the choice between several."""
        tables = await self._tables.of_player(interaction.user.id)
        playing = [table for table in tables if table.phase is Phase.PLAYING]
        if not tables:
            raise Refusal(Mistake.SEATED_NOWHERE)
        if len(playing) > 1:
            return games_screen(playing, t)
        return await self.hand(interaction, (playing or tables)[0].id, t)

    def answered(self, interaction: discord.Interaction[Any], table_id: str) -> None:
        """A click was answered, and the message that it came from may show something else since."""
        if clicked_in_dm(interaction) and interaction.message is not None:
            self._hands.overwritten(table_id, interaction.user.id, interaction.message.id)

    async def ask_target(self, interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> Screen:
        """The targets of the action that `button` names."""
        seat = await self._tables.private(button.table, interaction.user.id, window=button.window)
        return target_screen(seat, button.arg or "", t)

    async def ask_to_quit(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> Screen:
        """Leaving a game asks once more."""
        return quit_screen(await self._tables.private(table_id, interaction.user.id, alive=True), t)

    async def play(self, interaction: discord.Interaction[Any], button: ButtonId, choice: str) -> None:
        """A move, in the window that `button` was shown in; the table tells what comes of it."""
        await self._tables.submit(Play(**by(interaction, button.table), window=button.window, choice=choice))

    async def allow_for_them(
        self, interaction: discord.Interaction[Any], table_id: str, t: Translator, *, on: bool
    ) -> Screen:
        """The switch of their panel, which shows its new state."""
        await self._tables.submit(AutoAllow(**by(interaction, table_id), on=on))
        return await self.hand(interaction, table_id, t)

    async def resume(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> str:
        """A paused game is woken."""
        await self._tables.submit(Resume(**by(interaction, table_id)))
        return t("The game goes on.")

    # ------------------------------------------------------------------------------------------------ either

    async def go(self, interaction: discord.Interaction[Any], table_id: str, t: Translator) -> Screen:
        """Away from a table: out of a lobby at once, while a game that can go on asks once more."""
        table = await self._tables.table(table_id)
        if table.phase is Phase.PLAYING and not table.damaged:
            return await self.ask_to_quit(interaction, table_id, t)
        return Screen(await self.leave(interaction, table_id, t))

    async def go_from_one(self, interaction: discord.Interaction[Any], t: Translator) -> Screen:
        """Away from the one table at which they sit, or the choice between several."""
        tables = await self._tables.of_player(interaction.user.id)
        if not tables:
            raise Refusal(Mistake.SEATED_NOWHERE)
        return leaving_screen(tables, t) if len(tables) > 1 else await self.go(interaction, tables[0].id, t)


class Asker(TypedDict):
    """What every request of a person says: which asking it is, of which table, by whom."""

    request: str
    table_id: str
    user_id: int


def by(interaction: discord.Interaction[Any], table_id: str) -> Asker:
    """The asker, for whoever clicked or typed."""
    return {"request": str(interaction.id), "table_id": table_id, "user_id": interaction.user.id}


def name_of(interaction: discord.Interaction[Any]) -> str:
    """What whoever clicked or typed is called at the table."""
    return clean(interaction.user.display_name)


def new_lobby(
    interaction: discord.Interaction[Any], channel_id: int, parent_id: int | None, *, language: str, speed: str
) -> OpenLobby:
    """The request of whoever clicked or typed for a lobby in a channel of their server; see `OpenLobby`."""
    assert interaction.guild_id is not None
    return OpenLobby(
        request=str(interaction.id),
        guild_id=interaction.guild_id,
        channel_id=channel_id,
        parent_id=parent_id,
        user_id=interaction.user.id,
        name=name_of(interaction),
        click=interaction.id,
        language=language,
        speed=speed,
    )


def joined_text(table: PublicTable, click: int, t: Translator) -> str:
    """What a joiner is told in private: the commitment and their own number in the shuffle (docs/RECORD.md)."""
    return t(
        "You have a seat. The shuffle is committed to `{commit}`; your number in it is `{click}`. Both are listed "
        "again at the deal and at the end, so that you can check the cards.",
        commit=table.commit,
        click=click,
    )


def _must_be_repeatable(old: PublicTable, user_id: int) -> None:
    """Raises Refusal GAME_GOES_ON, NOTHING_TO_REPEAT or NOT_SEATED."""
    if old.phase is not Phase.OVER:
        raise Refusal(Mistake.GAME_GOES_ON)
    if old.view is None:
        raise Refusal(Mistake.NOTHING_TO_REPEAT)
    if all(player.user_id != user_id for player in old.players):
        raise Refusal(Mistake.NOT_SEATED)


def _rematch(old: PublicTable, interaction: discord.Interaction[Any]) -> OpenLobby:
    asked = new_lobby(interaction, old.channel_id, old.parent_id, language=old.language, speed=old.speed.name)
    # Whoever had their data deleted cannot come back.
    held = tuple(player for player in old.players if player.user_id > 0)
    return replace(asked, guild_id=old.guild_id, edition=old.edition, held=held)
