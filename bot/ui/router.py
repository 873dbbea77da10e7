"""Every click, from its id to the table and back to the person.

Owns: which answer belongs to which button. Buttons are known by their id alone, so they live through a restart;
nothing in an id is trusted but the table and window that it names. There is one handler and no stored view.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.i18n import Translator
from bot.ui import ids
from bot.ui.deeds import Deeds, Opened, Told
from bot.ui.failures import Failures
from bot.ui.help import rules_screen
from bot.ui.ids import ButtonId
from bot.ui.preferences import Choice, Preferences
from bot.ui.private import Responses, clicked_in_private
from bot.ui.readers import Readers
from bot.ui.tour import page_number, tour_screen

Handler = Callable[[discord.Interaction[Any], ButtonId, Translator], Awaitable[None]]


class Router:
    """The one handler of component interactions."""

    def __init__(
        self,
        deeds: Deeds,
        preferences: Preferences,
        readers: Readers,
        responses: Responses,
        failures: Failures,
    ) -> None:
        self._deeds = deeds
        self._readers = readers
        self._responses = responses
        self._failures = failures
        self._handlers: dict[str, Handler] = {
            "join": self._told(deeds.join),
            "leave": self._seen(deeds.leave),
            "start": self._seen(deeds.start),
            "cancel": self._seen(deeds.cancel),
            "rematch": self._told(deeds.rematch),
            "resume": self._seen(deeds.resume),
            "hand": self._opened(deeds.hand),
            "choose": self._opened(deeds.hand),
            "go": self._opened(deeds.go),
            "dm-off": self._opened(deeds.dm_off),
            "quit": self._opened(deeds.ask_to_quit),
            "quit-yes": self._quit_yes,
            "auto": self._auto,
            "target": self._target,
            "help": self._help,
            "tour": self._tour,
            **{verb: self._chosen(choice) for verb, choice in preferences.choices.items()},
        }

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a click, whatever happens."""
        if interaction.type is not discord.InteractionType.component:
            return
        t = await self._readers.words(interaction)
        sent: dict[str, Any] = dict(interaction.data or {})
        button = ids.parse(str(sent.get("custom_id", "")))
        try:
            if button is None:
                await self._responses.refuse(interaction, t("This button is from an older version of the bot."))
                return
            await self._handlers.get(button.verb, self._move)(interaction, button, t)
        except Exception as error:  # noqa: BLE001 - the last one who can still answer the person
            await self._failures.answer(interaction, error, t)
        finally:
            if button is not None:
                self._deeds.answered(interaction, button.table)

    # ------------------------------------------------------------------------------------------------ ways to answer

    def _told(self, deed: Told) -> Handler:
        """The handler of a button that is answered in words."""

        async def handler(interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
            await self._responses.say(interaction, await deed(interaction, button.table, t))

        return handler

    def _seen(self, deed: Told) -> Handler:
        """The handler of a button whose answer is what the public message then shows."""

        async def handler(interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
            await deed(interaction, button.table, t)
            await self._responses.acknowledge(interaction)

        return handler

    def _opened(self, deed: Opened) -> Handler:
        """The handler of a button that opens a private screen."""

        async def handler(interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
            await self._responses.show(interaction, await deed(interaction, button.table, t))

        return handler

    def _chosen(self, choice: Choice) -> Handler:
        """The handler of a button of the preferences."""

        async def handler(interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
            await self._responses.show(interaction, await choice(interaction, button.arg or "", t))

        return handler

    # ------------------------------------------------------------------------------------------------ others

    async def _auto(self, interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
        screen = await self._deeds.allow_for_them(interaction, button.table, t, on=button.arg == "on")
        await self._responses.show(interaction, screen)

    async def _target(self, interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
        await self._responses.show(interaction, await self._deeds.ask_target(interaction, button, t))

    async def _help(self, interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
        await self._responses.show(interaction, rules_screen(button.arg, t) if button.arg else tour_screen(1, t))

    async def _tour(self, interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
        await self._responses.show(interaction, tour_screen(page_number(button.arg), t))

    async def _quit_yes(self, interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
        await self._play(interaction, button, "resign", t)

    async def _move(self, interaction: discord.Interaction[Any], button: ButtonId, t: Translator) -> None:
        sent: dict[str, Any] = dict(interaction.data or {})
        values = sent.get("values")
        choice = f"{button.verb}:{','.join(map(str, values))}" if isinstance(values, list) else button.choice
        await self._play(interaction, button, choice, t)

    async def _play(self, interaction: discord.Interaction[Any], button: ButtonId, choice: str, t: Translator) -> None:
        await self._deeds.play(interaction, button, choice)
        if clicked_in_private(interaction):
            await self._responses.show(interaction, await self._deeds.hand(interaction, button.table, t))
        else:
            await self._responses.acknowledge(interaction)
