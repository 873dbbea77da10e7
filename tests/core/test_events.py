"""Events tell all that happens to purses, and for what an influence goes: whoever hears them needs no ledger."""

import random

import pytest

from coup_core.cards import CHARACTER_OF_WORD
from coup_core.dealer import RandomDealer
from coup_core.events import Debt, Declared, Event, InfluenceLost, PurseForfeited, Refunded, Took
from coup_core.game import Game
from coup_core.moves import parse_move
from coup_core.ruleset import Ruleset
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


@pytest.mark.parametrize(
    ("moves", "debts"),
    [
        ("a: coup b, b: lose duke", [(1, Debt.ACTION)]),
        ("a: tax, b: challenge, a: concede, a: lose captain", [(0, Debt.CONCEDED)]),
        (
            "a: assassinate b, b: challenge, a: show assassin, b: lose duke, b: pass",
            [(1, Debt.DISPROVED), (1, Debt.ACTION)],
        ),
        (
            "a: assassinate b, b: block contessa, c: pass, c: challenge, b: concede, b: lose duke",
            [(1, Debt.CONCEDED), (1, Debt.ACTION)],
        ),
        ("a: steal b, c: challenge, a: show captain, c: lose duke", [(2, Debt.DISPROVED)]),
    ],
)
def test_an_influence_is_lost_for_its_debt(moves: str, debts: list[tuple[int, Debt]]) -> None:
    """R24: two can go in one turn."""
    hands = {0: "assassin captain", 1: "duke ambassador", 2: "duke contessa"}
    cards = {seat: tuple(CHARACTER_OF_WORD[word] for word in words.split()) for seat, words in hands.items()}
    dealer, rules = RandomDealer(random.Random(1)), Ruleset.parse("classic")
    game = Game.position(("a", "b", "c"), dealer, rules, first=0, hands=cards, coins={0: 7})
    lost: list[tuple[int, Debt]] = []
    for line in moves.split(", "):
        name, _, words = line.partition(": ")
        events = game.play(game.names.index(name), parse_move(words.split(), game.names))
        lost += [(event.seat, event.debt) for event in events if isinstance(event, InfluenceLost)]
    assert lost == debts
