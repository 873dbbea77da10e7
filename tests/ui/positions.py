"""Tables to look at: games played without a store, as the screens are handed them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from random import Random

from msgspec.structs import replace

from bot.i18n import translator
from bot.tables.course import Answer, begun
from bot.tables.table import (
    SPEEDS,
    ClaimTold,
    Ending,
    Phase,
    Player,
    PrivateSeat,
    PublicTable,
    Result,
)
from coup_core.cards import CHARACTER_OF_WORD, Cards
from coup_core.dealer import RandomDealer
from coup_core.game import Game
from coup_core.moves import RESIGN, Move, Seat, parse_move
from coup_core.ruleset import Ruleset
from coup_core.view import Asked, seat_view, table_view

T = translator("en")
CLASSIC = Ruleset.parse("classic")
PEOPLE = ("Ana", "Bob", "Cid", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon")
CLOSES = datetime(2030, 1, 1, 12, tzinfo=UTC)


class Sitting:
    """A game with its story."""

    def __init__(self, game: Game, people: Sequence[str] = PEOPLE) -> None:
        self.game = game
        self.people = tuple(people[: len(game.names)])
        self.course = begun(game)
        self.moves = 0

    def play(self, *lines: str) -> Sitting:
        """`a: steal b` and the like, the record's way."""
        for line in lines:
            name, _, words = line.partition(": ")
            names = self.game.names
            self.do(names.index(name), parse_move(words.split(), names))
        return self

    def everyone_passes(self) -> Sitting:
        while self.game.awaited() and any(
            move.verb == "pass" for move in self.game.legal_moves(self.game.awaited()[0])
        ):
            self.do(self.game.awaited()[0], Move("pass"))
        return self

    def do(self, seat: Seat, move: Move) -> None:
        asked = self.game.asked
        self.course = self.course.then(Answer(seat, move), asked, self.game.play(seat, move), self.game.living)
        self.moves += 1

    @property
    def table(self) -> PublicTable:
        over = self.game.outcome is not None
        table = PublicTable(
            id="abcd2345",
            version=self.moves + 3,
            phase=Phase.OVER if over else Phase.PLAYING,
            guild_id=1,
            channel_id=2,
            parent_id=2,
            language="en",
            edition="classic",
            speed=SPEEDS["normal"],
            host_id=100,
            players=tuple(Player(100 + seat, name, 9000 + seat) for seat, name in enumerate(self.people)),
            commit="c0" * 32,
            start="random",
            mix=",".join(str(9000 + seat) for seat in range(-1, len(self.people))),
            window=self.moves,
            deadline_at=None if over else CLOSES,
            window_length=0 if over else 90 if self.game.asked is Asked.TURN else 30,
            paused=None,
            view=table_view(self.game),
            story=self.course.story,
            silent=(),
            there=None,
            posts=(),
            ending=Ending.WON if over else None,
            ended_by=None,
            result=None,
        )
        return replace(table, result=self.result()) if over else table

    def result(self) -> Result:
        outcome = self.game.outcome
        return Result(
            winner=None if outcome is None else outcome.winner,
            hands=tuple(tuple(map(str, hand)) for hand in self.game.hands),
            claims=(ClaimTold(1, 0, "duke", False, False), ClaimTold(2, 1, "captain", False, True)),
            seed="5e" * 32,
            mix="1,2,3",
            record="rules: classic\n",
        )

    def seat(self, seat: Seat) -> PrivateSeat:
        return PrivateSeat(self.table, seat, seat_view(self.game, seat))


def lobby(people: Sequence[str] = PEOPLE[:3]) -> PublicTable:
    table = Sitting(dealt(len(people), 1), people).table
    return replace(table, phase=Phase.LOBBY, view=None, story=(), mix=None, start=None, deadline_at=None, window=0)


def dealt(players: int, seed: int) -> Game:
    names = tuple(f"p{seat + 1}" for seat in range(players))
    return Game.new(names, RandomDealer(Random(seed)))


def three(coins: dict[Seat, int] | None = None, lost: dict[Seat, Cards] | None = None, **hands: str) -> Sitting:
    """Ana (a), Bob (b) and Cid (c) with the hands named; Ana starts."""
    usual = {"a": "duke captain", "b": "contessa duke", "c": "assassin ambassador"}
    cards = {
        seat: tuple(CHARACTER_OF_WORD[word] for word in (usual | hands)[name].split())
        for seat, name in enumerate(usual)
    }
    game = Game.position(
        ("a", "b", "c"), RandomDealer(Random(1)), CLASSIC, first=0, hands=cards, coins=coins or {}, lost=lost or {}
    )
    return Sitting(game)


def played_out(players: int, seed: int, people: Sequence[str] = PEOPLE) -> Iterator[Sitting]:
    """A random game, some leave it, looked at after every move."""
    rng = Random(seed)
    sitting = Sitting(dealt(players, seed), people)
    yield sitting
    while sitting.game.outcome is None:
        if rng.random() < 0.02:
            sitting.do(rng.choice(sitting.game.living), RESIGN)
        else:
            seat = rng.choice(sitting.game.awaited())
            sitting.do(seat, rng.choice(sitting.game.legal_moves(seat)))
        yield sitting
