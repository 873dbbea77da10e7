"""How to play: five short pages that are turned without looking."""

from __future__ import annotations

import pytest

from bot.i18n import languages, translator
from bot.ui import words
from bot.ui.help import RULE_TOPICS, rules_screen
from bot.ui.ids import parse
from bot.ui.screen import Button, Screen, width
from bot.ui.tour import PAGES, page_number, tour_screen
from coup_core.cards import Character
from tests.ui.positions import CLASSIC, T, three
from tests.ui.test_screens import within_limits

EVERY = range(1, PAGES + 1)


def turning(screen: Screen) -> list[tuple[str, str, bool]]:
    """Label, choice and whether it can be pressed, of the first row."""
    found = []
    for thing in screen.rows[0]:
        assert isinstance(thing, Button)
        button = parse(thing.id)
        assert button is not None
        found.append((thing.label, button.choice, not thing.disabled))
    return found


def test_back_and_next_keep_their_places_on_five_pages() -> None:
    assert PAGES == 5
    for page in EVERY:
        assert turning(tour_screen(page, T)) == [
            ("Back", f"tour:{page - 1}", page > 1),
            ("Next", f"tour:{page + 1}", page < PAGES),
        ]


def test_a_second_press_of_the_same_button_asks_for_the_same_page() -> None:
    (_, _, _), (_, choice, _) = turning(tour_screen(1, T))
    assert tour_screen(page_number(choice.partition(":")[2]), T) == tour_screen(2, T)


@pytest.mark.parametrize("arg", [None, "", "0", "6", "99999", "basics", "-1", "1,2"])
def test_a_page_that_does_not_exist_is_the_first(arg: str | None) -> None:
    assert tour_screen(page_number(arg), T) == tour_screen(1, T)


@pytest.mark.parametrize("code", languages())
def test_every_page_is_short_and_says_which_it_is(code: str) -> None:
    t = translator(code)
    titles = set()
    for page in EVERY:
        screen = tour_screen(page, t)
        assert within_limits(screen)
        assert screen.embed is not None
        assert width(screen.embed.title + screen.embed.description + screen.embed.footer) < 900
        assert "{" not in screen.embed.description
        assert screen.embed.footer == t("Page {page} of {pages}", page=page, pages=5)
        titles.add(screen.embed.title)
    assert len(titles) == PAGES
    assert tour_screen(2, T).embed.footer == "Page 2 of 5"  # type: ignore[union-attr]


@pytest.mark.parametrize("code", languages())
def test_the_last_page_has_a_line_for_every_character(code: str) -> None:
    t = translator(code)
    embed = tour_screen(PAGES, t).embed
    assert embed is not None
    lines = [line for line in embed.description.splitlines() if line.startswith("- ")]
    assert [line.partition(":")[0] for line in lines] == [f"- {words.bold(card, t)}" for card in CLASSIC.characters]


def test_the_table_of_characters_says_what_the_rules_do() -> None:
    embed = tour_screen(PAGES, T).embed
    assert embed is not None
    line_of = {
        card: next(line for line in embed.description.splitlines() if line.startswith(f"- {words.bold(card, T)}"))
        for card in CLASSIC.characters
    }
    names = {"tax": "Tax", "assassinate": "Assassinate", "steal": "Steal", "exchange": "Exchange"}
    for offer in three().table.view.actions:  # type: ignore[union-attr]
        if offer.claim is not None:
            assert names[offer.action] in line_of[offer.claim].partition("Blocks")[0]
    assert "Blocks Foreign Aid" in line_of[Character.DUKE]
    assert "Blocks Assassinate" in line_of[Character.CONTESSA]
    assert [card for card, line in line_of.items() if "Blocks Steal" in line] == [
        *(Character.CAPTAIN, Character.AMBASSADOR),
    ]


def test_the_rules_are_reached_from_the_last_page_and_the_tour_from_every_topic() -> None:
    assert [len(tour_screen(page, T).rows) for page in EVERY] == [1, 1, 1, 1, 2]
    (rules,) = tour_screen(PAGES, T).rows[1]
    assert isinstance(rules, Button)
    assert (rules.label, rules.id) == ("The rules", "c1:-:0:help:basics")
    for topic in RULE_TOPICS:
        (back,) = rules_screen(topic, T).rows[-1]
        assert (back.id, getattr(back, "label", "")) == ("c1:-:0:help", "How to play")
