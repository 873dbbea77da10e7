"""Whatever cards a reader cannot know, every screen is the same bytes: texts, labels, custom_ids, order of buttons."""

from __future__ import annotations

from random import Random

import pytest

from bot.tables.table import PublicTable
from bot.ui.hand import hand_screen, quit_screen, target_screen
from bot.ui.lobby import lobby_screen
from bot.ui.prompts import prompt_screen
from bot.ui.screen import payload
from bot.ui.table_message import folded_turn_screen, turn_screen
from coup_core.moves import Seat
from tests.core.test_secrecy import redistributed
from tests.ui.positions import Sitting, T, played_out

MOMENTS = 60
"""For each number of players."""


def public(table: PublicTable) -> list[bytes]:
    """Every message of a running table that the channel could see."""
    screens = [lobby_screen(table, T), turn_screen(table, T)]
    screens += [folded_turn_screen(table, story.number, T) for story in table.story]
    prompt = prompt_screen(table, T)
    return [payload(screen) for screen in (*screens, *([] if prompt is None else [prompt]))]


def private(sitting: Sitting, seat: Seat) -> list[bytes]:
    """Every panel that the player at `seat` could open."""
    view = sitting.seat(seat)
    targets = [target_screen(view, action, T) for action in ("coup", "assassinate", "steal")]
    return [payload(screen) for screen in (hand_screen(view, T), quit_screen(view, T), *targets)]


@pytest.mark.parametrize("players", [2, 3, 5, 10])
def test_no_screen_depends_on_cards_that_its_reader_cannot_know(players: int) -> None:
    rng = Random(players)
    moments = own = 0
    while moments < MOMENTS:
        for sitting in played_out(players, rng.randrange(10_000)):
            game = sitting.game
            if game.outcome is not None or rng.random() < 0.5:
                continue
            moments += 1
            seat = rng.choice(game.living)
            seen, panels = public(sitting.table), private(sitting, seat)
            sitting.game = redistributed(game, None, rng)
            assert public(sitting.table) == seen
            own += private(sitting, seat) != panels
            sitting.game = redistributed(game, seat, rng)
            assert private(sitting, seat) == panels
            sitting.game = game
    # the comparison can fail: one's own panel does show one's own cards
    assert own > moments // 2
