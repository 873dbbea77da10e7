"""What people choose for themselves, everywhere: their language, their hand by message, hints; and being forgotten.

Owns: the private screen of it and what its buttons do. It belongs to no table: its buttons carry `ids.NO_TABLE`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.i18n import Translator, endonym, languages
from bot.tables.errors import Mistake, Refusal
from bot.tables.people import Person
from bot.tables.service import Tables
from bot.ui.dm_hands import DirectHands
from bot.ui.ids import NO_TABLE, ButtonId
from bot.ui.readers import Readers
from bot.ui.screen import Button, Screen, Style, in_rows

AUTOMATIC = "auto"
"""The choice of whatever language one's Discord speaks."""
_CODES = {code.lower().replace("_", "-"): code for code in languages()}
"""Languages as a custom_id spells them."""

Choice = Callable[[discord.Interaction[Any], str, Translator], Awaitable[Screen]]
"""What a button does: the interaction, the button's argument, and the words of its reader."""


class Preferences:
    """The screen, and what is chosen on it."""

    def __init__(self, readers: Readers, hands: DirectHands, tables: Tables) -> None:
        self._readers = readers
        self._hands = hands
        self._tables = tables
        self.choices: dict[str, Choice] = {
            "preferences": self.shown,
            "language": self._language,
            "dm": self._dm,
            "hints": self._hints,
            "forget": self._asked_to_forget,
            "forget-yes": self._forgotten,
        }
        """By the verb of the button."""

    async def shown(self, interaction: discord.Interaction[Any], _arg: str, t: Translator) -> Screen:
        """As they are."""
        return preferences_screen(await self._readers.person(interaction.user.id), t)

    async def _language(self, interaction: discord.Interaction[Any], arg: str, _t: Translator) -> Screen:
        if arg not in {AUTOMATIC, *_CODES}:
            raise Refusal(Mistake.MALFORMED)
        person = await self._readers.choose(interaction.user.id, language=_CODES.get(arg))
        return preferences_screen(person, await self._readers.words(interaction))

    async def _dm(self, interaction: discord.Interaction[Any], arg: str, t: Translator) -> Screen:
        person = await self._hands.switch(interaction.user.id, on=_on(arg))
        return preferences_screen(person, t)

    async def _hints(self, interaction: discord.Interaction[Any], arg: str, t: Translator) -> Screen:
        person = await self._readers.choose(interaction.user.id, hints=_on(arg))
        return preferences_screen(person, t)

    async def _asked_to_forget(self, _interaction: discord.Interaction[Any], _arg: str, t: Translator) -> Screen:
        return forget_screen(t)

    async def _forgotten(self, interaction: discord.Interaction[Any], _arg: str, t: Translator) -> Screen:
        if not await self._readers.forget(interaction.user.id):
            raise Refusal(Mistake.STILL_SEATED)
        await self._tables.forget(interaction.user.id)
        return Screen(
            t("Your data is deleted. If you click or type a command here again, your Discord's language is noted anew.")
        )


def preferences_screen(person: Person, t: Translator) -> Screen:
    """What somebody has chosen, in words, and what they may choose instead."""
    if person.language is None:
        language = t("Language: that of your Discord.")
    else:
        language = t("Language: {language}.", language=endonym(person.language))
    lines = [
        t("Your preferences, for all servers and games. Tables speak to everybody in a language of their own."),
        "",
        language,
        t("Hand by direct message: on.") if person.dm_hand else t("Hand by direct message: off."),
        t("Hints in your first game: on.") if person.hints else t("Hints in your first game: off."),
    ]
    chosen = AUTOMATIC if person.language is None else person.language
    speaking = [(AUTOMATIC, AUTOMATIC, t("Automatic")), *((arg, code, endonym(code)) for arg, code in _CODES.items())]
    return Screen(
        "\n".join(lines),
        rows=(
            *in_rows(
                tuple(
                    _button(label, "language", arg, Style.PRIMARY if code == chosen else Style.SECONDARY)
                    for arg, code, label in speaking
                )
            ),
            (
                _switch("dm", person.dm_hand, t("Send me my hand"), t("Send no hand")),
                _switch("hints", person.hints, t("Show me hints"), t("Show no hints")),
            ),
            (_button(t("Delete my data"), "forget", None, Style.DANGER),),
        ),
    )


def forget_screen(t: Translator) -> Screen:
    """Asks once more. Yes stands where the screen before has nothing that is pressed twice by mistake."""
    text = t(
        "Delete what is stored about you? Your preferences go, and in finished games a stranger stands in your place:"
        " your name and your id are removed from our records. Messages that are in the channels already stay as they"
        " are."
    )
    keep = _button(t("Keep it"), "preferences", None, Style.SUCCESS)
    delete = _button(t("Delete for good"), "forget-yes", None, Style.DANGER)
    return Screen(text, rows=((keep,), (delete,)))


def _switch(verb: str, on: bool, turn_on: str, turn_off: str) -> Button:
    """A button that says what pressing it does, and asks for that, so that a second press changes nothing."""
    return _button(turn_off, verb, "off") if on else _button(turn_on, verb, "on", Style.SUCCESS)


def _button(label: str, verb: str, arg: str | None, style: Style = Style.SECONDARY) -> Button:
    return Button(label, ButtonId(NO_TABLE, 0, verb, arg).text, style)


def _on(arg: str) -> bool:
    if arg not in {"on", "off"}:
        raise Refusal(Mistake.MALFORMED)
    return arg == "on"
