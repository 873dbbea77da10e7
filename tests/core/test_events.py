"""Events tell all that happens to purses: whoever hears them needs no ledger."""

import random

import pytest

from coup_core.events import Declared, Event, PurseForfeited, Refunded, Took
from tests.core.games import fresh, play


def booked(purses: list[int], event: Event) -> None:
    """Do to `purses` what `event` tells; where it tells a purse as well, the two must agree."""
    match event:
        case Declared():
            purses[event.seat] -= event.cost
        case PurseForfeited():
            purses[event.seat] -= event.amount
        case Refunded() | Took():
            purses[event.seat] += event.amount
            assert purses[event.seat] == event.purse
            if isinstance(event, Took) and event.source is not None:
                purses[event.source] -= event.amount


@pytest.mark.parametrize("players", [2, 3, 6])
def test_events_tell_every_coin_that_moves(players: int) -> None:
    rng = random.Random(players)
    for _ in range(60):
        game = fresh(players, rng)
        purses = list(game.coins)
        for events in play(game, rng, resign=0.02):
            for event in events:
                booked(purses, event)
            assert purses == game.coins
