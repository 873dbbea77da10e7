"""The screen of what people choose for themselves."""

from __future__ import annotations

import pytest

from bot.i18n import endonym, languages, translator
from bot.tables.people import Person
from bot.ui import preferences
from bot.ui.ids import parse
from bot.ui.preferences import forget_screen, preferences_screen
from bot.ui.screen import Button, Screen, Style
from tests.ui.positions import T
from tests.ui.test_screens import within_limits


def buttons(screen: Screen) -> list[Button]:
    return [thing for row in screen.rows for thing in row if isinstance(thing, Button)]


def test_languages_are_called_as_they_call_themselves_and_one_is_marked() -> None:
    screen = preferences_screen(Person(user_id=1, language="pt_BR"), T)
    assert "Language: Português." in screen.content
    labels = {button.label: button.style for button in screen.rows[0] if isinstance(button, Button)}
    assert list(labels) == ["Automatic", "English", "Español", "Português"]
    assert [label for label, style in labels.items() if style is Style.PRIMARY] == ["Português"]


def test_switches_offer_the_other_state() -> None:
    on = preferences_screen(Person(user_id=1), T)
    off = preferences_screen(Person(user_id=1, dm_hand=False, hints=False), T)
    parts = [[parse(button.id) for button in buttons(screen)] for screen in (on, off)]
    asked = [{found.verb: found.arg for found in part if found and found.verb != "language"} for part in parts]
    assert asked == [{"dm": "off", "hints": "off", "forget": None}, {"dm": "on", "hints": "on", "forget": None}]


@pytest.mark.parametrize("code", languages())
def test_everything_fits_in_every_language(code: str) -> None:
    t = translator(code)
    for screen in (preferences_screen(Person(user_id=1), t), forget_screen(t)):
        assert within_limits(screen)
        assert [button.label for button in buttons(screen) if len(button.label) > 38] == []


@pytest.mark.parametrize("count", [4, 5, 9, 14])
def test_more_languages_take_more_rows(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the row of the switches and that of the deletion a message has room for fourteen."""
    codes = ("en", "es", "pt_BR", "de", "fr", "it", "nl", "pl", "sv", "da", "fi", "cs", "hu", "ro")[:count]
    monkeypatch.setattr(preferences, "_CODES", {code.lower().replace("_", "-"): code for code in codes})
    screen = preferences_screen(Person(user_id=1, language=codes[-1]), T)
    assert within_limits(screen)
    parts = [parse(button.id) for button in buttons(screen)]
    assert [part.verb for part in parts if part] == ["language"] * (count + 1) + ["dm", "hints", "forget"]
    assert [button.label for button in buttons(screen) if button.style is Style.PRIMARY] == [endonym(codes[-1])]


def test_yes_stands_elsewhere_than_the_first_question() -> None:
    """A second press of "Delete my data" must not delete."""
    before, after = preferences_screen(Person(user_id=1), T), forget_screen(T)
    places = {
        (row, place)
        for row, things in enumerate(after.rows)
        for place, thing in enumerate(things)
        if isinstance(thing, Button) and thing.id.endswith("forget-yes")
    }
    asked = {
        (row, place)
        for row, things in enumerate(before.rows)
        for place, thing in enumerate(things)
        if isinstance(thing, Button) and thing.id.endswith("forget")
    }
    assert places.isdisjoint(asked)
