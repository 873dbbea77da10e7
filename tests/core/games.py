"""Random games for the tests of the engine: how they are set up, played and photographed."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from coup_core.checks import position
from coup_core.dealer import FairDealer, RandomDealer
from coup_core.events import Event
from coup_core.game import Game
from coup_core.moves import PASS, RESIGN, Move, Seat

NAMES = tuple("abcdefghij")


def fresh(players: int, rng: random.Random) -> Game:
    """A game dealt at random."""
    return Game.new(NAMES[:players], RandomDealer(rng))


def fair(players: int, rng: random.Random) -> Game:
    """A game whose dealer has a state of its own, so that copies deal alike."""
    return Game.new(NAMES[:players], FairDealer(rng.randbytes(32), "1"))


def choose(moves: Sequence[Move], rng: random.Random, calm: float) -> Move:
    """One of `moves`; with the chance `calm` it is to pass, where that may be, so that actions take effect too."""
    return PASS if PASS in moves and rng.random() < calm else rng.choice(moves)


def play(game: Game, rng: random.Random, resign: float = 0.0) -> Iterator[list[Event]]:
    """Play `game` to its end; yields the events of every move. `resign` is the chance, each time, to leave."""
    calm = rng.choice([0.0, 0.5, 0.9])
    while game.outcome is None:
        if rng.random() < resign:
            yield game.play(rng.choice(game.living), RESIGN)
        else:
            seat = rng.choice(game.awaited())
            yield game.play(seat, choose(game.legal_moves(seat), rng, calm))


def snapshot(game: Game) -> Any:
    """All that there is to a position, hidden state too."""
    dealer = game.dealer
    stream = (dealer._key, dealer._block, dealer._words) if isinstance(dealer, FairDealer) else None
    agenda = tuple((type(step), step.copy()) for step in game.agenda)
    return position(game), game.living, game.pending, tuple(game.dying), agenda, game.offers.menus, stream


def seats_and_strangers(game: Game) -> Iterator[Seat]:
    """Every seat, and a number on either side that is none."""
    yield from range(-1, len(game.names) + 1)
