"""What people are told when something does not work.

Owns: the one place that turns a `Refusal` into words, and the one that turns any other exception into an error id.
Nothing of an exception but its id reaches a person; nothing of a hand reaches the log.
"""

from __future__ import annotations

import discord

from bot.i18n import Translator
from bot.tables.errors import Refusal
from bot.tables.service import Tables
from bot.telemetry import count, error_id, logger
from bot.ui.private import Answers
from bot.ui.refusals import refusal_text

log = logger(__name__)


class Failures:
    """Answers for what went wrong."""

    def __init__(self, tables: Tables, answers: Answers) -> None:
        self._tables = tables
        self._answers = answers

    async def refuse(
        self, interaction: discord.Interaction, refusal: Refusal, table_id: str | None, t: Translator
    ) -> None:
        """Tell a person what they did wrong and what to do."""
        table = None
        if table_id is not None:
            try:
                table = await self._tables.table(table_id)
            except Refusal:
                table = None
        await self._answers.say(interaction, refusal_text(refusal, table, t))

    async def tell(self, interaction: discord.Interaction, error: Exception, t: Translator) -> None:
        """Log `error` and give the person its id."""
        shown = error_id()
        count("unexpected_error")
        log.error("interaction failed", error_id=shown, interaction=interaction.id, exc_info=error)
        if interaction.response.is_done():
            return
        text = t(
            "Something went wrong on our side (error {id}). Nothing of the game is lost; please try again.", id=shown
        )
        try:
            await self._answers.say(interaction, text)
        except discord.HTTPException:
            log.info("error could not be told", error_id=shown)
