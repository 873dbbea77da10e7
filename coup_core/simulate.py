"""Random legal games, with every rule that always holds (docs/RULES.md section 7) asserted after each move.

Owns: how such a game is played, watched and recorded. Deals fairly, from a seed that it draws itself: a record that it
makes passes `verify` as well as `check`. Knows neither files nor clocks: the command line does.
"""

import random
from collections.abc import Iterable

from msgspec import Struct

from coup_core.cards import CHARACTER_OF_WORD, INFLUENCE
from coup_core.checks import closing_checks, legal, position
from coup_core.dealer import FairDealer, commitment
from coup_core.errors import IllegalMove
from coup_core.events import Challenged, Conceded, Debt, Declared, Event, InfluenceLost, Resigned, Shown, TurnStarted
from coup_core.game import Game
from coup_core.headers import Start
from coup_core.invariants import violations
from coup_core.lines import Line
from coup_core.moves import CHALLENGE, FORMS, RESIGN, Move, Seat
from coup_core.record import Record, lines_of
from coup_core.ruleset import Ruleset

PROBE = 0.1
"""How often, a decision, a wrong move is tried first: it must be refused and change nothing (I5)."""


DOUBT = (0.05, 0.3, 1.0)
"""How ready the players of a game are to challenge where they may: one of these, by chance. With ten players who all
choose evenly nearly every claim would be challenged, and hardly an exchange or a steal would ever take effect."""


class BrokenInvariantError(Exception):
    """An invariant does not hold. `record` is the game up to there."""

    def __init__(self, sentence: str, record: Record) -> None:
        super().__init__(sentence)
        self.record = record


class Simulated(Struct, frozen=True):
    """A finished random game."""

    game: Game
    record: Record
    decisions: int


class Debts:
    """I5: what every loss of an influence is for. Fed with all events of a game, it tells the first wrong one."""

    def __init__(self) -> None:
        self.owing: Seat | None = None
        self.challenger: Seat | None = None
        self.stricken: Seat | None = None
        self.gone: set[Seat] = set()
        self.this_turn: dict[Seat, int] = {}

    def wrong(self, events: Iterable[Event]) -> str | None:
        """One sentence on the first event that breaks I5."""
        for event in events:
            sentence = self._follow(event)
            if sentence is not None:
                return sentence
        return None

    def _follow(self, event: Event) -> str | None:
        match event:
            case TurnStarted():
                unpaid = self.owing
                self.owing = self.stricken = None
                self.this_turn = {}
                if unpaid is not None:
                    return f"I5: seat {unpaid} owed an influence and the turn is over"
            case Declared():
                self.stricken = event.target if event.action in ("coup", "assassinate") else None
            case Challenged():
                self.challenger = event.seat
            case Shown():
                self._owe(self.challenger)
            case Conceded():
                self._owe(event.seat)
            case InfluenceLost():
                return self._pay(event.seat, event.debt)
            case Resigned():
                self.gone.add(event.seat)
                if self.owing == event.seat:
                    self.owing = None
        return None

    def _owe(self, seat: Seat | None) -> None:
        # Who has left has paid (R40).
        self.owing = None if seat in self.gone else seat

    def _pay(self, seat: Seat, debt: Debt) -> str | None:
        self.this_turn[seat] = self.this_turn.get(seat, 0) + 1
        if self.this_turn[seat] > INFLUENCE:
            return f"I5: seat {seat} lost more than {INFLUENCE} influences in one turn"
        if self.owing == seat and debt is not Debt.ACTION:
            self.owing = None
        elif self.stricken == seat and debt is Debt.ACTION:
            self.stricken = None
        else:
            return f"I5: seat {seat} lost an influence for nothing"
        return None


def simulate(ruleset: Ruleset, players: int, rng: random.Random, resign: float = 0.0) -> Simulated:
    """Play one random game to its end; `resign` is the chance, at each decision, that a living player leaves instead.

    Raises BrokenInvariantError where an invariant fails, or the engine refuses what it listed as legal.
    """
    names = tuple(f"p{number}" for number in range(1, players + 1))
    seed = rng.randbytes(32)
    mix = ",".join(str(rng.randrange(10**17, 10**18)) for _ in range(players + 1))
    game = Game.new(names, FairDealer(seed, mix), ruleset)
    record = Record(
        rules=ruleset.name,
        names=names,
        first=game.turn,
        start=Start.RANDOM,
        hands=tuple(tuple(game.hands[seat]) for seat in range(players)),
        seed=seed,
        mix=mix,
        commit=commitment(seed),
    )
    return _Table(game, record, rng, resign).play()


class _Table:
    """One game in play, with its watch and its lines."""

    def __init__(self, game: Game, record: Record, rng: random.Random, resign: float) -> None:
        self.game, self.start, self.rng, self.resign = game, record, rng, resign
        self.lines: list[Line] = []
        self.debts = Debts()
        self.decisions = 0
        self.doubt = rng.choice(DOUBT)

    def play(self) -> Simulated:
        self._assert(self.debts.wrong(self.game.opening), *violations(self.game))
        while self.game.outcome is None:
            if self.rng.random() < PROBE:
                self._probe()
            self._decide()
        self._assert(self._wrong_length())
        self.lines.extend(closing_checks(self.game))
        return Simulated(self.game, self._record(), self.decisions)

    def _decide(self) -> None:
        seat, move = self._choice()
        try:
            events = self.game.play(seat, move)
        except IllegalMove as error:
            raise BrokenInvariantError(f"I4: a legal move was refused: {error}", self._record()) from error
        self.decisions += 1
        self.lines.extend(lines_of(seat, move, events))
        self._assert(self.debts.wrong(events), *violations(self.game))

    def _choice(self) -> tuple[Seat, Move]:
        if self.rng.random() < self.resign:
            return self.rng.choice(self.game.living), RESIGN
        awaited = self.game.awaited()
        if not awaited:
            raise BrokenInvariantError("I4: nobody is awaited and the game is not over", self._record())
        seat = self.rng.choice(awaited)
        moves = self.game.legal_moves(seat)
        if CHALLENGE in moves and self.rng.random() >= self.doubt:
            moves = tuple(move for move in moves if move != CHALLENGE)
        return seat, self.rng.choice(moves)

    def _probe(self) -> None:
        """Try some move of some seat. If it is not on their list, it must be refused and change nothing."""
        rng, game = self.rng, self.game
        seat = rng.randrange(len(game.names))
        verb = rng.choice([verb for verb in FORMS if verb != RESIGN.verb])
        form = FORMS[verb]
        target = rng.randrange(len(game.names)) if 1 in form.targets else None
        cards = rng.choices(list(CHARACTER_OF_WORD.values()), k=rng.choice(sorted(form.cards)))
        move = Move(verb, target, tuple(cards))
        listed = {(other.verb, other.target, tuple(sorted(other.cards))) for other in game.legal_moves(seat)}
        if (verb, target, tuple(sorted(cards))) in listed:
            return
        before = position(game)
        words = f"{game.names[seat]}: {move.words(game.names)}"
        self._assert(f"I4: {words!r} is not listed, but legal" if legal(game, seat, move) else None)
        try:
            game.play(seat, move)
        except IllegalMove:
            self._assert(None if position(game) == before else f"I5: {words!r} was refused, but changed something")

    def _wrong_length(self) -> str | None:
        players, lost = len(self.game.names), sum(map(len, self.game.lost))
        if lost in (2 * players - 2, 2 * players - 1):
            return None
        return f"I6: {players} players, but {lost} lost influences at the end"

    def _assert(self, *wrong: str | None) -> None:
        for sentence in filter(None, wrong):
            raise BrokenInvariantError(sentence, self._record())

    def _record(self) -> Record:
        start = self.start
        return Record(
            rules=start.rules,
            names=start.names,
            first=start.first,
            start=start.start,
            hands=start.hands,
            seed=start.seed,
            mix=start.mix,
            commit=start.commit,
            body=tuple(self.lines),
        )
