"""What a screen reader reads: content, then the embed, then the buttons, in every language.

The readings are kept in `readings/`, to be read by people who speak the language; READINGS=write makes them anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.i18n import Translator, languages, translator
from bot.tables.table import Pause
from bot.ui.hand import dm_screen, hand_screen, target_screen
from bot.ui.help import RULE_TOPICS, rules_screen
from bot.ui.lobby import lobby_screen
from bot.ui.prompts import prompt_screen
from bot.ui.result import result_screen
from bot.ui.screen import Screen, Select
from bot.ui.table_message import folded_turn_screen, paused_screen, turn_screen
from bot.ui.tour import tour_screen
from tests.ui.positions import lobby, three

READINGS = Path(__file__).parent / "readings"


def scenes(t: Translator) -> Iterator[tuple[str, Screen | None]]:
    yield "The lobby", lobby_screen(lobby(), t)
    yield "A turn", turn_screen(three().table, t)
    yield "Whom to steal from", target_screen(three().seat(0), "steal", t)
    steal = three().play("a: steal b")
    yield "A steal, in the channel", turn_screen(steal.table, t)
    yield "The call to its target", prompt_screen(steal.table, t)
    yield "The target's hand", hand_screen(steal.seat(1), t)
    steal.play("b: block ambassador")
    yield "A block that is declared", turn_screen(steal.table, t)
    steal.play("c: pass")
    yield "A block that may be challenged", turn_screen(steal.table, t)
    steal.play("a: challenge")
    yield "A proof", turn_screen(steal.table, t)
    yield "The proof, in a DM", dm_screen(steal.seat(1), t)
    steal.play("b: concede")
    yield "A loss, in the hand", hand_screen(steal.seat(1), t)
    steal.play("b: lose duke")
    yield "The turn that is over", folded_turn_screen(steal.table, 1, t)
    exchange = three().play("a: exchange").everyone_passes()
    yield "An exchange, in the hand", hand_screen(exchange.seat(0), t)
    yield "A game that stands still", paused_screen(replace(three().table, paused=Pause.IDLE, window_length=0), t)
    over = three(coins={0: 7}, b="duke contessa").play("a: coup b", "b: lose duke", "c: resign", "b: resign")
    yield "The result", result_screen(over.table, t)
    for page in range(1, 6):
        yield f"The tour, page {page}", tour_screen(page, t)
    for topic in RULE_TOPICS:
        yield f"The rules: {topic}", rules_screen(topic, t)


def read(screen: Screen) -> Iterator[str]:
    """The words in the order in which they are read."""
    yield screen.content
    if screen.embed is not None:
        yield from (screen.embed.title, screen.embed.description, screen.embed.footer)
    for row in screen.rows:
        for thing in row:
            if isinstance(thing, Select):
                yield f"[{thing.placeholder}: {' / '.join(option.label for option in thing.options)}]"
            else:
                yield f"[{thing.label}]" if not thing.disabled else f"({thing.label})"


def reading(t: Translator) -> str:
    parts = []
    for title, screen in scenes(t):
        assert screen is not None, title
        parts.append("\n".join([f"== {title}", *(text for text in read(screen) if text)]))
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("code", languages())
def test_every_message_reads_as_it_was_approved(code: str) -> None:
    kept = READINGS / f"{code}.txt"
    found = reading(translator(code))
    if os.environ.get("READINGS") == "write":
        kept.write_text(found, "utf-8")
    assert found == kept.read_text("utf-8")


@pytest.mark.parametrize("code", languages())
def test_no_meaning_hangs_on_a_picture_or_a_colour(code: str) -> None:
    """Every button has words, and no emoji stands for one; the signs that we use only go with words."""
    for title, screen in scenes(translator(code)):
        assert screen is not None
        for text in filter(None, read(screen)):
            assert re.search(r"[^\W\d_]", text), f"{title}: {text!r} has no word"
            assert not re.search("[\U0001f000-\U0001ffff☀-➿]", text), f"{title}: {text!r}"
