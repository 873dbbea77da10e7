"""Every click, from its id to the table and back to the person.

Owns: which answer belongs to which button. Buttons are known by their id alone, so they live through a restart;
nothing in an id is trusted but the table and window that it names. There is one handler and no stored view.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.i18n import Translator, translator
from bot.tables.requests import Cancel, Join, Leave, Play, Resume, Start
from bot.tables.service import Tables
from bot.tables.table import PublicTable
from bot.ui import ids
from bot.ui.failures import Failures
from bot.ui.hand import hand_screen, quit_screen, target_screen
from bot.ui.help import help_screen, rules_screen
from bot.ui.ids import ButtonId
from bot.ui.names import clean
from bot.ui.private import Answers, clicked_in_private

Handler = Callable[[discord.Interaction[Any], ButtonId, Translator], Awaitable[None]]


class Router:
    """The one handler of component interactions."""

    def __init__(self, tables: Tables, answers: Answers, failures: Failures) -> None:
        self._tables = tables
        self._answers = answers
        self._failures = failures
        self._handlers: dict[str, Handler] = {
            "join": self._join,
            "leave": self._asks(Leave),
            "start": self._asks(Start),
            "cancel": self._asks(Cancel),
            "resume": self._asks(Resume),
            "hand": self._hand,
            "choose": self._hand,
            "target": self._target,
            "help": self._help,
            "quit": self._quit,
            "quit-yes": self._quit_yes,
        }

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a click, whatever happens."""
        if interaction.type is not discord.InteractionType.component:
            return
        t = translator(str(interaction.locale))
        sent: dict[str, Any] = dict(interaction.data or {})
        button = ids.parse(str(sent.get("custom_id", "")))
        try:
            if button is None:
                await self._answers.refuse(interaction, t("This button is from an older version of the bot."))
                return
            await self._handlers.get(button.verb, self._move)(interaction, button, t)
        except Exception as error:  # noqa: BLE001 - the last one who can still answer the person
            await self._failures.answer(interaction, error, t)

    # ------------------------------------------------------------------------------------------------ lobby

    async def _join(self, interaction: discord.Interaction, button: ButtonId, t: Translator) -> None:
        table = await self._tables.submit(join_request(interaction, button.table))
        await self._answers.say(interaction, joined_text(table, interaction.id, t))

    def _asks(self, request: type[Leave | Start | Cancel | Resume]) -> Handler:
        """The handler of a button whose answer is what the public message then shows."""

        async def handler(interaction: discord.Interaction, button: ButtonId, _t: Translator) -> None:
            user_id = interaction.user.id
            await self._tables.submit(request(request=str(interaction.id), table_id=button.table, user_id=user_id))
            await self._answers.acknowledge(interaction)

        return handler

    # ------------------------------------------------------------------------------------------------ private

    async def _hand(self, interaction: discord.Interaction, button: ButtonId, t: Translator) -> None:
        seat = await self._tables.private(button.table, interaction.user.id)
        await self._answers.show(interaction, hand_screen(seat, t))

    async def _target(self, interaction: discord.Interaction, button: ButtonId, t: Translator) -> None:
        seat = await self._tables.private(button.table, interaction.user.id, window=button.window)
        await self._answers.show(interaction, target_screen(seat, button.arg or "", t))

    async def _help(self, interaction: discord.Interaction, button: ButtonId, t: Translator) -> None:
        await self._answers.show(interaction, rules_screen(button.arg, t) if button.arg else help_screen(t))

    async def _quit(self, interaction: discord.Interaction, button: ButtonId, t: Translator) -> None:
        seat = await self._tables.private(button.table, interaction.user.id, alive=True)
        await self._answers.show(interaction, quit_screen(seat, t))

    async def _quit_yes(self, interaction: discord.Interaction, button: ButtonId, t: Translator) -> None:
        await self._play(interaction, button, "resign", t)

    # ------------------------------------------------------------------------------------------------ moves

    async def _move(self, interaction: discord.Interaction, button: ButtonId, t: Translator) -> None:
        sent: dict[str, Any] = dict(interaction.data or {})
        values = sent.get("values")
        choice = f"{button.verb}:{','.join(map(str, values))}" if isinstance(values, list) else button.choice
        await self._play(interaction, button, choice, t)

    async def _play(self, interaction: discord.Interaction, button: ButtonId, choice: str, t: Translator) -> None:
        user_id = interaction.user.id
        await self._tables.submit(
            Play(
                request=str(interaction.id),
                table_id=button.table,
                user_id=user_id,
                window=button.window,
                choice=choice,
            )
        )
        if clicked_in_private(interaction):
            await self._answers.show(interaction, hand_screen(await self._tables.private(button.table, user_id), t))
        else:
            await self._answers.acknowledge(interaction)


def join_request(interaction: discord.Interaction, table_id: str) -> Join:
    """A seat for whoever clicked or typed; the interaction's id is their part of the shuffle."""
    user = interaction.user
    return Join(
        request=str(interaction.id),
        table_id=table_id,
        user_id=user.id,
        name=clean(user.display_name),
        click=interaction.id,
    )


def joined_text(table: PublicTable, click: int, t: Translator) -> str:
    """What a joiner is told in private: the commitment and their own number in the shuffle (docs/RECORD.md)."""
    return t(
        "You have a seat. The shuffle is committed to `{commit}`; your number in it is `{click}`. Both are listed "
        "again at the deal and at the end, so that you can check the cards.",
        commit=table.commit,
        click=click,
    )
