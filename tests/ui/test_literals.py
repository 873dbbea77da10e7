"""No word that a person reads stands outside the catalogs: what is not translated is found by a made-up language."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest
from babel import Locale

from bot.i18n import Translator
from bot.tables.errors import Mistake, Refusal
from bot.ui.help import RULE_TOPICS, rules_screen
from bot.ui.lobby import lobby_screen
from bot.ui.preferences import forget_screen
from bot.ui.refusals import refusal_text
from bot.ui.screen import Screen, Select
from bot.ui.tour import PAGES, tour_screen
from tests.ui.positions import lobby, played_out, three
from tests.ui.test_screens import all_screens

NAMES = tuple(f"{number}{number}" for number in range(10, 20))
"""Without letters, so that every letter is a word of ours."""


class Marked(NullTranslations):
    """Puts every sentence of the catalogs in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


T = Translator(Locale.parse("en"), Marked())


def loose(text: str) -> str:
    """The letters of `text` that stand in no brackets; mentions and timestamps are no words."""
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = inner
    return "".join(re.findall(r"[^\W\d_]", re.sub(r"<(?:t:\d+:R|@\d+)>", "", text)))


def texts(screen: Screen) -> list[str]:
    found = [screen.content]
    if screen.embed is not None:
        found += [screen.embed.title, screen.embed.description, screen.embed.footer]
    for row in screen.rows:
        for thing in row:
            if isinstance(thing, Select):
                found += [thing.placeholder, *(option.label for option in thing.options)]
            else:
                found.append(thing.label)
    return found


def test_brackets_are_looked_through() -> None:
    assert loose("⟦a ⟦b⟧ c⟧ <t:12:R> <@5> 7") == ""
    assert loose("⟦a⟧ stray ⟦b⟧") == "stray"


def test_screens_have_no_words_of_their_own() -> None:
    for place, sitting in enumerate(played_out(5, 21, NAMES)):
        for screen in all_screens(sitting, T) if place % 4 == 0 or sitting.game.outcome is not None else ():
            assert [text for text in texts(screen) if loose(text)] == []
    for screen in (
        lobby_screen(lobby(NAMES[:3]), T),
        *(tour_screen(page, T) for page in range(1, PAGES + 1)),
        *(rules_screen(topic, T) for topic in RULE_TOPICS),
        forget_screen(T),
    ):
        assert [text for text in texts(screen) if loose(text)] == []


@pytest.mark.parametrize("mistake", list(Mistake))
def test_refusals_have_no_words_of_their_own(mistake: Mistake) -> None:
    for table in (None, lobby(NAMES[:3])):
        assert loose(refusal_text(Refusal(mistake), table, T)) == ""


def test_a_planted_literal_is_found() -> None:
    assert [text for text in texts(Screen(f"Hello {three().table.id}")) if loose(text)]
