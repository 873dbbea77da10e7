"""A game of Coup: seats, purses, the Court and the agenda of steps, with `play` as the only way forward.

Owns: the position, and what may be done to it. `Game` validates before it changes: a refused move raises `IllegalMove`
and nothing has happened. Knows neither time, nor people, nor languages; randomness comes from its dealer alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct

from coup_core.actions import Pending
from coup_core.cards import INFLUENCE, MAX_PLAYERS, MIN_PLAYERS, Cards, Character, full_deck
from coup_core.events import (
    ActionFailed,
    Debt,
    Eliminated,
    Event,
    Failure,
    GameEnded,
    InfluenceLost,
    PurseForfeited,
    Refunded,
    Resigned,
)
from coup_core.moves import RESIGN, Move, Seat
from coup_core.offers import NOBODY, Offers
from coup_core.refusals import explain
from coup_core.ruleset import CLASSIC, Menus, Ruleset
from coup_core.steps import Drawing, Exchange, Step, start_turn, without_one

if TYPE_CHECKING:
    from coup_core.dealer import Dealer
    from coup_core.view import Asked

BANK = 50
"""Coins in the box (R5)."""


class Outcome(Struct, frozen=True, gc=False):
    """How a game ended."""

    winner: Seat
    reason: str
    """Always `last-player-left` (R28)."""


class Game:
    """A mutable position. Make one with `Game.new` or `Game.position`."""

    __slots__ = (
        "agenda",
        "coins",
        "court",
        "dealer",
        "dying",
        "events",
        "hands",
        "living",
        "lost",
        "menus",
        "minted",
        "names",
        "number",
        "offers",
        "opening",
        "outcome",
        "pending",
        "question_number",
        "ruleset",
        "treasury",
        "turn",
    )

    names: tuple[str, ...]
    """Record names by seat."""
    ruleset: Ruleset
    dealer: Dealer
    hands: list[Cards]
    """Face-down cards by seat, in the record's order."""
    lost: list[Cards]
    """Face-up cards by seat."""
    coins: list[int]
    court: list[Character]
    """The Court deck; cards are drawn from the end."""
    treasury: int
    minted: int
    """Coins that the bank did not have (R5)."""
    living: tuple[Seat, ...]
    menus: Menus
    """What can be asked among the living."""
    turn: Seat
    """Whose turn it is; after the end, whose it was."""
    number: int
    """Turns started so far."""
    question_number: int
    """Questions asked so far; it changes exactly when another question is put."""
    pending: Pending | None
    """The action declared this turn, until W7."""
    agenda: list[Step]
    """The stack of steps, the one at work last. Empty once the game is over."""
    dying: list[Seat]
    """Who went out this turn and keeps a purse until W7."""
    events: list[Event]
    """What the move being played has made happen so far; steps add to it."""
    offers: Offers
    """Those of the open question; empty while a draw rests, and once the game is over."""
    outcome: Outcome | None
    opening: list[Event]
    """What happened before the first move."""

    def __init__(  # noqa: PLR0913, PLR0917 - one for each thing that a deal decides; called twice, below
        self,
        names: Sequence[str],
        dealer: Dealer,
        ruleset: Ruleset,
        starter: Seat,
        hands: list[Cards],
        lost: list[Cards],
        coins: list[int],
        court: list[Character],
    ) -> None:
        """A game as dealt, at the start of a turn. Checks nothing: that is for `new` and `position`."""
        self.names, self.ruleset, self.dealer = tuple(names), ruleset, dealer
        self.hands, self.lost, self.coins, self.court = hands, lost, coins, court
        dealt = sum(coins)
        self.treasury, self.minted = (BANK - dealt, 0) if dealt <= BANK else (0, dealt - BANK)
        self.living = tuple(range(len(hands)))
        if not all(hands):
            self.living = tuple(seat for seat in self.living if hands[seat])
        self.menus = ruleset.menus(self.living)
        self.turn, self.number, self.question_number = starter, 0, 0
        self.pending = self.outcome = None
        self.dying = []
        self.events = self.opening = []
        self.agenda = []
        start_turn(self, starter)

    @classmethod
    def new(cls, names: Sequence[str], dealer: Dealer, ruleset: Ruleset = CLASSIC, first: Seat | None = None) -> Game:
        """Shuffle and deal (R2-R4). `first` starts; None lets the dealer choose, before the shuffle (R6).

        Raises ValueError with one sentence for too many players or too few, and for a `first` who is none of them.
        """
        _check_players(names)
        players = len(names)
        starter = dealer.below(players) if first is None else first
        _check_seats((starter,), names)
        court = list(_unshuffled(ruleset.characters, players))
        dealer.shuffle(court)
        # One card to each player in turn.
        cards = dealer.draw(court, INFLUENCE * players)
        if cards is None:
            raise ValueError("a scripted game is given its hands: it starts from a position")
        hands: list[Cards] = list(zip(cards[:players], cards[players:], strict=True))
        return cls(names, dealer, ruleset, starter, hands, [()] * players, _purses(players, starter), court)

    @classmethod
    def position(
        cls,
        names: Sequence[str],
        dealer: Dealer,
        ruleset: Ruleset = CLASSIC,
        *,
        first: Seat | None = None,
        hands: Mapping[Seat, Cards],
        coins: Mapping[Seat, int] | None = None,
        lost: Mapping[Seat, Cards] | None = None,
    ) -> Game:
        """A game from given cards and purses (docs/RECORD.md: position headers), at the start of a turn.

        What is not given has its value of R4; `first` defaults to the first seat with a face-down card. Raises
        ValueError with one sentence for seats, cards or purses that cannot be.
        """
        coins, lost = coins or {}, lost or {}
        _check_players(names)
        _check_seats((*hands, *coins, *lost), names)
        seats = range(len(names))
        face_down = [hands.get(seat, ()) for seat in seats]
        face_up = [lost.get(seat, ()) for seat in seats]
        living = [seat for seat in seats if face_down[seat]]
        for seat in seats:
            if len(face_down[seat]) + len(face_up[seat]) != INFLUENCE:
                raise ValueError(f"{names[seat]} must have {INFLUENCE} cards, face down and face up together")
        if len(living) < MIN_PLAYERS:
            raise ValueError("at least two players must have a face-down card")
        starter = living[0] if first is None else first
        _check_seats((starter,), names)
        if starter not in living:
            raise ValueError(f"{names[starter]} is out and cannot start")
        court = _court_without((*face_down, *face_up), full_deck(ruleset.characters, len(names)))
        purses = _purses(len(names), starter)
        for seat in seats:
            purses[seat] = coins.get(seat, purses[seat] if seat in living else 0)
            if purses[seat] < 0:
                raise ValueError(f"{names[seat]} cannot have {purses[seat]} coins")
            if purses[seat] and seat not in living:
                raise ValueError(f"{names[seat]} is out and cannot have coins")
        return cls(names, dealer, ruleset, starter, face_down, face_up, purses, court)

    def awaited(self) -> tuple[Seat, ...]:
        """The seats that owe an answer now, clockwise after whoever the question is about. Empty once over."""
        return self.offers.seats

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Everything that `seat` may answer now, in a stable order; `resign` is not listed (I4).

        Raises ValueError for a seat that does not exist.
        """
        menu = self.offers.menus.get(seat)
        if menu is None:
            self.check_seat(seat)
            return ()
        return menu

    def accepts(self, seat: Seat, move: Move) -> bool:
        """Whether `play` would accept `move`."""
        if move == RESIGN:
            return seat in self.living and self.outcome is None and self.draw_due is None
        menu = self.offers.menus.get(seat, ())
        return move in menu or (menu != () and self.agenda[-1].accepts(self, seat, move))

    def play(self, seat: Seat, move: Move) -> list[Event]:
        """Play `move` and tell what happened. Raises IllegalMove, and then nothing has happened."""
        offers = self.offers
        menu = offers.menus.get(seat, ())
        agenda = self.agenda
        if move in menu or (menu and agenda[-1].accepts(self, seat, move)):
            events: list[Event] = []
            self.events = events
            self.offers = offers.rest[seat]
            agenda[-1].answer(self, seat, move)
            # Steps run until one puts a question, a draw rests, or the game is over.
            while self.offers is NOBODY and agenda:
                if agenda.pop().run(self):
                    break
            return events
        if move == RESIGN and self.accepts(seat, move):
            return self._resign(seat)
        raise explain(self, seat, move)

    @property
    def asked(self) -> Asked | None:
        """What the open question asks; None while a draw rests, and once the game is over."""
        return None if self.offers is NOBODY else self.agenda[-1].asked

    @property
    def draw_due(self) -> tuple[Seat, int] | None:
        """Who must be given how many cards by `deal`; None unless the dealer is scripted and a draw rests."""
        step = self.agenda[-1] if self.agenda else None
        return (step.seat, step.count) if isinstance(step, Drawing) and self.offers is NOBODY else None

    def deal(self, cards: Cards) -> list[Event]:
        """Give the cards of the draw that is due. Raises ValueError with one sentence if they cannot be drawn."""
        step = self.agenda[-1] if self.agenda else None
        if not isinstance(step, Drawing) or self.offers is not NOBODY:
            raise ValueError("no draw is due")
        if len(cards) != step.count:
            raise ValueError(f"{self.names[step.seat]} must draw {step.count} cards, not {len(cards)}")
        court = list(self.court)
        for character in cards:
            if character not in court:
                raise ValueError(f"the Court has no {character} left to draw")
            court.remove(character)
        self.court = court
        events: list[Event] = []
        self.events = events
        self.agenda.pop()
        step.receive(self, cards)
        self._advance()
        return events

    def copy(self) -> Game:
        """An independent game at the same position. Only of a `RandomDealer` both draw from the same generator."""
        twin = Game.__new__(Game)
        twin.names, twin.ruleset, twin.opening = self.names, self.ruleset, self.opening
        twin.dealer = self.dealer.copy()
        twin.hands, twin.lost = self.hands.copy(), self.lost.copy()
        twin.coins, twin.court = self.coins.copy(), self.court.copy()
        twin.treasury, twin.minted, twin.living, twin.menus = self.treasury, self.minted, self.living, self.menus
        twin.turn, twin.number, twin.question_number = self.turn, self.number, self.question_number
        twin.pending, twin.outcome = self.pending, self.outcome
        twin.agenda = [step.copy() for step in self.agenda]
        twin.offers, twin.dying, twin.events = self.offers, self.dying.copy(), []
        return twin

    def drawn(self, seat: Seat) -> Cards:
        """The cards of an unfinished exchange of `seat`: in no hand and not in the Court.

        Raises ValueError for a seat that does not exist.
        """
        self.check_seat(seat)
        step = self.agenda[-1] if self.agenda else None
        return step.drawn if isinstance(step, Exchange) and step.seat == seat else ()

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """The living seats but `seat`, clockwise after it. Raises ValueError for a seat that does not exist."""
        self.check_seat(seat)
        return self.menus.after[seat]

    def check_seat(self, seat: Seat) -> None:
        """Raises ValueError for a seat that does not exist: -1 would be the last seat to a list."""
        _check_seats((seat,), self.names)

    # What steps and effects do to the position.

    def ask(self, step: Step, offers: Offers) -> None:
        """`step` puts a question. It is at work until those whom it offers something have answered."""
        self.agenda.append(step)
        self.offers = offers
        self.question_number += 1

    def drop(self, step: Step) -> None:
        """`step` has become pointless, and its question with it."""
        if step is self.agenda[-1]:
            self.offers = NOBODY
        self.agenda.remove(step)

    def pay(self, seat: Seat, cost: int) -> None:
        """`seat` pays the bank for an action (R12)."""
        self.coins[seat] -= cost
        self.treasury += cost

    def pay_out(self, seat: Seat, amount: int) -> None:
        """`seat` gets `amount` coins from the bank, which mints what it has not (R5)."""
        self.coins[seat] += amount
        self.treasury -= amount
        if self.treasury < 0:
            self.minted -= self.treasury
            self.treasury = 0

    def refund(self) -> None:
        """R22: the cost of the pending action comes back."""
        assert self.pending is not None
        cost = self.pending.action.cost
        if cost:
            self.coins[self.pending.seat] += cost
            self.treasury -= cost
            self.events.append(Refunded(self.pending.seat, cost, self.coins[self.pending.seat]))

    def fail(self, reason: Failure) -> None:
        """The pending action comes to nothing: its script is cut, never an influence that is already owed."""
        assert self.pending is not None
        self.agenda[:] = filter(_IS_OWED, self.agenda)
        self.events.append(ActionFailed(self.pending.seat, self.pending.action.verb, reason))

    def lose_influence(self, seat: Seat, character: Character, debt: Debt, *, automatic: bool) -> None:
        """R21: turn up `character` for `debt`; whoever has none left is out, and one player left has won (R28)."""
        self.hands[seat] = hand = without_one(self.hands[seat], character)
        self.lost[seat] += (character,)
        self.events.append(InfluenceLost(seat, character, debt, automatic))
        if not hand:
            self._eliminate(seat)

    def settle_purses(self) -> None:
        """W7: the purses of those who went out go to the Treasury."""
        for seat in self.dying:
            if amount := self.coins[seat]:
                self.coins[seat] = 0
                self.treasury += amount
                self.events.append(PurseForfeited(seat, amount))
        self.dying.clear()

    def _eliminate(self, seat: Seat) -> None:
        place = self.living.index(seat)
        self.living = self.living[:place] + self.living[place + 1 :]
        self.menus = self.ruleset.menus(self.living)
        self.dying.append(seat)
        self.events.append(Eliminated(seat))
        if len(self.living) == 1:
            self._finish()

    def _finish(self) -> None:
        """R28: at once; pending effects are not resolved, cards in transit go back to the Court."""
        if self.agenda:
            self.agenda[-1].void(self)
            self.agenda.clear()
        self.offers = NOBODY
        self.pending = None
        self.settle_purses()
        self.outcome = Outcome(self.living[0], "last-player-left")
        self.events.append(GameEnded(self.living[0]))

    def _resign(self, seat: Seat) -> list[Event]:
        """R40."""
        events: list[Event] = []
        self.events = events
        self.offers = self.offers.rest[seat]
        cards, self.hands[seat] = self.hands[seat], ()
        self.lost[seat] += cards
        self.events.append(Resigned(seat, cards))
        self._eliminate(seat)
        if self.outcome is not None:
            return events
        if self.pending is None:
            self.settle_purses()
        elif self.pending.seat == seat and not all(map(_IS_OWED, self.agenda)):
            if not self.agenda[-1].owed:
                self.agenda[-1].void(self)
                self.offers = NOBODY
            self.fail(Failure.LEFT)
        for step in reversed(self.agenda.copy()):
            step.left(self, seat)
        self._advance()
        return events

    def _advance(self) -> None:
        """Run steps until one puts a question, a draw rests, or the game is over."""
        agenda = self.agenda
        while agenda and self.offers is NOBODY:
            if agenda.pop().run(self):
                return


_IS_OWED = attrgetter("owed")


@cache
def _unshuffled(characters: Cards, players: int) -> Cards:
    return tuple(full_deck(characters, players))


def _check_players(names: Sequence[str]) -> None:
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise ValueError(f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(names)}")


def _check_seats(seats: Iterable[Seat], names: Sequence[str]) -> None:
    for seat in seats:
        if not 0 <= seat < len(names):
            raise ValueError(f"there is no seat {seat}")


def _court_without(piles: Iterable[Cards], deck: list[Character]) -> list[Character]:
    for cards in piles:
        for character in cards:
            if character not in deck:
                raise ValueError(f"there are not that many {character} cards in this game")
            deck.remove(character)
    return deck


def _purses(players: int, starter: Seat) -> list[int]:
    """R4: two coins each; of two players the one who starts gets one."""
    purses = [2] * players
    if players == MIN_PLAYERS:
        purses[starter] = 1
    return purses
