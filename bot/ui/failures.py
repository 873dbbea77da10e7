"""What people are told when something does not work.

Owns: the one place that turns a `Refusal` into words, and the one that turns any other exception into an error id.
Nothing of an exception but its id reaches a person; nothing of a hand reaches the log.
"""

from __future__ import annotations

import contextlib
from typing import Any

import discord

from bot.i18n import Translator
from bot.tables.errors import Mistake, Refusal
from bot.tables.service import Tables
from bot.telemetry import count, error_id, logger
from bot.ui.private import Responses
from bot.ui.refusals import refusal_text

log = logger(__name__)


class Failures:
    """Answers for what went wrong."""

    def __init__(self, tables: Tables, responses: Responses) -> None:
        self._tables = tables
        self._responses = responses

    async def answer(self, interaction: discord.Interaction, error: Exception, t: Translator) -> None:
        """Answer for what a click or a command raised. Raises nothing."""
        try:
            if isinstance(error, Refusal):
                await self._refuse(interaction, error, t)
                return
        except Exception as another:  # noqa: BLE001 - it is told below, in place of the refusal
            error = another
        await self._tell(interaction, error, t)

    async def _refuse(self, interaction: discord.Interaction, refusal: Refusal, t: Translator) -> None:
        """Tell a person what they did wrong and what to do."""
        if refusal.mistake is Mistake.ALREADY_ANSWERED and interaction.type is discord.InteractionType.component:
            # A second press of the same button: what they wanted has happened.
            await self._responses.acknowledge(interaction)
            return
        table = None
        if refusal.table_id is not None:
            with contextlib.suppress(Refusal):
                table = await self._tables.table(refusal.table_id)
        await self._responses.refuse(interaction, refusal_text(refusal, table, t))

    async def _tell(self, interaction: discord.Interaction, error: Exception, t: Translator) -> None:
        """Log `error` and give the person its id."""
        shown = error_id()
        count("unexpected_error")
        # A custom_id names the table, and never a card.
        sent: dict[str, Any] = dict(interaction.data or {})
        asked = sent.get("custom_id") or getattr(interaction.command, "qualified_name", None)
        log.error("interaction failed", error_id=shown, interaction=interaction.id, asked=asked, exc_info=error)
        if self._responses.answered(interaction):
            return
        text = t(
            "Something went wrong on our side (error {id}). Nothing of the game is lost; please try again.", id=shown
        )
        try:
            await self._responses.say(interaction, text)
        except Exception as worse:  # noqa: BLE001 - nobody is left to tell
            log.info("error could not be told", error_id=shown, error=type(worse).__name__)
