"""The commands in the languages of Discord's clients.

Owns: which of our languages each of Discord's locales gets, and where the words come from: names from `names`,
everything else from the catalogs. Discord falls back from one Spanish or English to the other at most, so all are
named. Asked only when the commands are registered.
"""

from __future__ import annotations

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Place

from bot.commands.names import command_name, option_name
from bot.i18n import translator

LANGUAGES: dict[Locale, str] = {
    Locale.american_english: "en",
    Locale.british_english: "en",
    Locale.spain_spanish: "es",
    Locale.latin_american_spanish: "es",
    Locale.brazil_portuguese: "pt_BR",
}


class CommandTranslator(app_commands.Translator):
    """Words every text of the command tree."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """`string` for `locale`; None leaves the English."""
        language = LANGUAGES.get(locale)
        if language is None:
            return None
        match context.location:
            case Place.group_name | Place.command_name:
                return command_name(string.message, language)
            case Place.parameter_name:
                return option_name(string.message, language)
        return translator(language)(string.message)
