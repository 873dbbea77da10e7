"""The steps of a turn: the windows and consequences W1-W7 of the rules, one small class each.

Owns: who is awaited, what each may answer, what an answer does, and what happens when somebody leaves. A game's
agenda is a stack of steps; only the top one is at work. It either has put a question (`Game.ask`) and awaits the
answers, or is popped and `run`, and may push others. Knows no action by name: what differs between actions stands in
their rows.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Self

from msgspec import Struct

from coup_core.cards import MAX_PLAYERS, Cards, Character
from coup_core.events import (
    PASSED,
    BlockDeclared,
    BlockStood,
    BlockWithdrawn,
    CardsDrawn,
    Challenged,
    Conceded,
    Debt,
    Drew,
    Exchanged,
    Failure,
    Shown,
    TurnStarted,
)
from coup_core.moves import CHALLENGE, CONCEDE, PASS, Move, Seat, keep, lose, show
from coup_core.offers import NOBODY, Offers
from coup_core.view import Asked, Claim, Question

if TYPE_CHECKING:
    from coup_core.actions import Pending
    from coup_core.game import Game

RESTS = True
"""What `run` returns when the agenda must wait for `Game.deal`."""


class Step(Struct, gc=False):
    """One entry of the agenda. No step refers to the agenda or the game, so that there are no cycles to collect."""

    asked: ClassVar[Asked | None] = None
    """The question that this step puts, if it is one that awaits answers."""
    owed: ClassVar[bool] = False
    """Whether this step stays when the action fails: it is a debt, or the end of the turn."""

    def run(self, game: Game) -> bool | None:
        """Work to be done when this step is popped with nobody awaited."""

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        """A legal answer. This step is on top of the agenda, and `seat` is not awaited any more."""

    def accepts(self, game: Game, seat: Seat, move: Move) -> bool:
        """Whether `move` is one of the offers in another spelling."""
        return False

    def left(self, game: Game, seat: Seat) -> None:
        """R40: `seat` has resigned. This step is somewhere on the agenda."""

    def void(self, game: Game) -> None:
        """This step is at work and is dropped: give back what it holds."""

    def question(self, game: Game) -> Question:
        """The open question as everyone may know it: never what its answers depend on in somebody's hand."""
        assert self.asked is not None
        return Question(self.asked, game.question_number, game.offers.seats)

    def copy(self) -> Self:
        """The same for a copy of the game: itself, unless it changes while it stands on the agenda."""
        return self


class Turn(Step, gc=False):
    """R9: one player takes exactly one action."""

    asked = Asked.TURN
    seat: Seat

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        """W1: the cost is paid; what claims nothing and cannot be blocked resolves at once."""
        script = game.menus.script(seat, move)
        game.pending = script.pending
        game.events.append(script.declared)
        if script.declared.cost:
            game.pay(seat, script.declared.cost)
        game.agenda[-1] = SETTLE
        if script.offers is NOBODY:
            script.effect.run(game)
        else:
            game.agenda.append(script.effect)
            game.ask(Reaction(script.pending), script.offers)

    def left(self, game: Game, seat: Seat) -> None:
        """Targets go; and where it is the leaver's own turn, the next player is up."""
        if seat == self.seat:
            game.drop(self)
            start_turn(game, game.menus.after[seat][0])
        else:
            game.offers = game.menus.turn(self.seat, game.coins[self.seat])


class Reaction(Step, gc=False):
    """W2: everyone who may challenge or block answers once."""

    asked = Asked.REACTION
    pending: Pending
    declared: Claim | None = None
    """The target's block: challenges of the action come first (R17), so it waits until the others have answered."""

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        if move == PASS:
            game.events.append(PASSED[seat])
        elif move == CHALLENGE:
            assert self.pending.claim is not None
            game.agenda.pop()
            if self.pending.action.blocked_by:
                game.agenda.append(SecondChance(self.pending, self.declared))
            challenge(game, seat, self.pending.claim)
        elif self.pending.action.any_may_block:
            game.agenda.pop()
            raise_block(game, self.pending, Claim(seat, move.cards[0], of_block=True))
        else:
            self.declared = Claim(seat, move.cards[0], of_block=True)
            game.events.append(BlockDeclared(seat, move.cards[0], game.offers is not NOBODY))

    def run(self, game: Game) -> None:
        """Everyone has answered: a declared block stands to be challenged, else the action takes effect."""
        if self.declared is not None:
            game.ask(BlockWindow(self.declared), game.menus.block_window(self.declared.seat))

    def left(self, game: Game, seat: Seat) -> None:
        self.declared = withdrawn(game, self.declared, seat)

    def question(self, game: Game) -> Question:
        return Question(
            Asked.REACTION, game.question_number, game.offers.seats, claim=self.pending.claim, declared=self.declared
        )

    def copy(self) -> Self:
        twin: Self = self.__copy__()  # type: ignore[attr-defined] # msgspec's stubs leave it out
        return twin


class SecondChance(Step, gc=False):
    """W4: after a proved claim, whoever is entitled may still block. Also W5's ruling: after a fallen block of
    foreign aid, whoever has not had a block exposed this turn may."""

    asked = Asked.SECOND_CHANCE
    pending: Pending
    declared: Claim | None = None
    """A block declared in W2 stands without asking again."""
    exposed: tuple[Seat, ...] = ()
    """Whose block of this action has fallen."""
    opened: bool = False

    def run(self, game: Game) -> None:
        if self.declared is not None:
            game.ask(BlockWindow(self.declared), game.menus.block_window(self.declared.seat))
        elif not self.opened:
            self.opened = True
            offers = game.menus.second_chance(self.pending, self.exposed)
            if offers is not NOBODY:
                game.ask(self, offers)

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        if move == PASS:
            game.events.append(PASSED[seat])
        else:
            game.agenda.pop()
            raise_block(game, self.pending, Claim(seat, move.cards[0], of_block=True), self.exposed)

    def left(self, game: Game, seat: Seat) -> None:
        self.declared = withdrawn(game, self.declared, seat)

    def copy(self) -> Self:
        twin: Self = self.__copy__()  # type: ignore[attr-defined] # msgspec's stubs leave it out
        return twin


class BlockWindow(Step, gc=False):
    """W5: the block may be challenged."""

    asked = Asked.BLOCK
    claim: Claim

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        if move == PASS:
            game.events.append(PASSED[seat])
        else:
            game.agenda.pop()
            challenge(game, seat, self.claim)

    def run(self, game: Game) -> None:
        """Everyone has passed: the block stands, the cost stays spent (R22)."""
        game.events.append(BlockStood(self.claim.seat, self.claim.character))
        game.fail(Failure.BLOCKED)

    def left(self, game: Game, seat: Seat) -> None:
        """A blocker who leaves takes the block along, at no cost to anyone; the action goes on."""
        if withdrawn(game, self.claim, seat) is None:
            game.drop(self)

    def question(self, game: Game) -> Question:
        return Question(Asked.BLOCK, game.question_number, game.offers.seats, claim=self.claim)


class Proof(Step, gc=False):
    """W3, and W5 after a challenge: the claimant shows the card or concedes (R18)."""

    asked = Asked.PROOF
    claim: Claim
    challenger: Seat

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        game.agenda.pop()
        character = self.claim.character
        if move == CONCEDE:
            game.events.append(Conceded(seat, character))
            if not self.claim.of_block:
                game.refund()
                game.fail(Failure.EXPOSED)
            game.agenda.append(CAUGHT[seat])
            return
        game.events.append(Shown(seat, character))
        game.hands[seat] = without_one(game.hands[seat], character)
        game.dealer.give_back(game.court, (character,))
        if self.claim.of_block:
            game.events.append(BlockStood(seat, character))
            game.fail(Failure.BLOCKED)
        game.agenda += (MISTAKEN[self.challenger], DRAWS[seat])

    def left(self, game: Game, seat: Seat) -> None:
        """A blocker who leaves has conceded. A challenger who leaves has paid already; the proof is still owed."""
        if self.claim.of_block and withdrawn(game, self.claim, seat) is None:
            game.drop(self)

    def question(self, game: Game) -> Question:
        return Question(
            Asked.PROOF, game.question_number, game.offers.seats, claim=self.claim, challenger=self.challenger
        )


class Loss(Step, gc=False):
    """R21: a player owes an influence and chooses which; with one card, or none left, there is nothing to choose."""

    asked = Asked.LOSS
    owed = True
    seat: Seat
    debt: Debt

    def run(self, game: Game) -> None:
        hand = game.hands[self.seat]
        if len(hand) > 1:
            game.ask(self, loss_offers(self.seat, hand))
        elif hand:
            game.lose_influence(self.seat, hand[0], self.debt, automatic=True)

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        game.agenda.pop()
        game.lose_influence(seat, move.cards[0], self.debt, automatic=False)

    def left(self, game: Game, seat: Seat) -> None:
        """A debt is paid by leaving."""
        if seat == self.seat:
            game.drop(self)


class Drawing(Step, gc=False):
    """Cards are taken from the Court, at once or as soon as a record says which."""

    seat: Seat
    count: int

    def run(self, game: Game) -> bool | None:
        cards = game.dealer.draw(game.court, self.count)
        if cards is None:
            game.agenda.append(self)
            return RESTS
        self.receive(game, cards)
        return None

    def receive(self, game: Game, cards: Cards) -> None:
        """`cards` have left the Court; this step is off the agenda."""
        game.events.append(Drew(self.seat, len(cards)))
        game.events.append(CardsDrawn(self.seat, cards))


class Draw(Drawing, gc=False):
    """R19: a replacement for a shown card; it goes last in the hand."""

    def receive(self, game: Game, cards: Cards) -> None:
        game.hands[self.seat] += cards
        super().receive(game, cards)


class Exchange(Drawing, gc=False):
    """R13: draw, keep as many cards as there is influence, return the rest."""

    asked = Asked.EXCHANGE
    drawn: Cards = ()

    def receive(self, game: Game, cards: Cards) -> None:
        self.drawn = cards
        hand = game.hands[self.seat]
        game.ask(self, exchange_offers(self.seat, hand + cards, len(hand)))
        super().receive(game, cards)

    def accepts(self, game: Game, seat: Seat, move: Move) -> bool:
        """The cards kept may be named in any order."""
        kept = sorted(move.cards)
        return move.target is None and any(
            offer.verb == move.verb and sorted(offer.cards) == kept for offer in game.legal_moves(seat)
        )

    def answer(self, game: Game, seat: Seat, move: Move) -> None:
        game.agenda.pop()
        rest = without(game.hands[seat] + self.drawn, move.cards)
        game.hands[seat] = move.cards
        game.dealer.give_back(game.court, rest)
        game.events.append(Exchanged(seat))

    def void(self, game: Game) -> None:
        """The drawn cards go back in the order drawn."""
        game.dealer.give_back(game.court, self.drawn)

    def copy(self) -> Self:
        twin: Self = self.__copy__()  # type: ignore[attr-defined] # msgspec's stubs leave it out
        return twin


class Effect(Step, gc=False):
    """W6: the action does what it is for."""

    pending: Pending

    def run(self, game: Game) -> None:
        self.pending.action.effect(game, self.pending)


class Settle(Step, gc=False):
    """W7: the dead pay the Treasury; the next player is up."""

    owed = True

    def run(self, game: Game) -> None:
        if game.dying:
            game.settle_purses()
        game.pending = None
        start_turn(game, game.menus.after[game.turn][0])


# What never changes is shared by all agendas.
SETTLE = Settle()
TURNS = tuple(map(Turn, range(MAX_PLAYERS)))
CAUGHT, MISTAKEN, STRUCK = (
    tuple(Loss(seat, debt) for seat in range(MAX_PLAYERS)) for debt in (Debt.CONCEDED, Debt.DISPROVED, Debt.ACTION)
)
DRAWS = tuple(Draw(seat, 1) for seat in range(MAX_PLAYERS))


def start_turn(game: Game, seat: Seat) -> None:
    """R7: `seat` is up."""
    game.turn = seat
    game.number += 1
    game.events.append(TurnStarted(seat, game.number))
    game.ask(TURNS[seat], game.menus.turn(seat, game.coins[seat]))


def challenge(game: Game, seat: Seat, claim: Claim) -> None:
    """`seat` challenges `claim`: its proof is the next question (R17)."""
    game.events.append(Challenged(seat, claim.seat, claim.character, claim.of_block))
    held = claim.character in game.hands[claim.seat]
    game.ask(Proof(claim, seat), proof_offers(claim.seat, claim.character, held))


def raise_block(game: Game, pending: Pending, claim: Claim, exposed: tuple[Seat, ...] = ()) -> None:
    """A block stands to be challenged. Where anyone may block, others get their chance should it fall."""
    game.events.append(BlockDeclared(claim.seat, claim.character, waits=False))
    if pending.action.any_may_block:
        game.agenda.append(SecondChance(pending, exposed=(*exposed, claim.seat)))
    game.ask(BlockWindow(claim), game.menus.block_window(claim.seat))


@cache
def proof_offers(seat: Seat, character: Character, held: bool) -> Offers:
    """R18: a holder may show or concede, others can only concede, and are asked all the same."""
    return Offers({seat: (show(character), CONCEDE) if held else (CONCEDE,)})


def withdrawn(game: Game, claim: Claim | None, seat: Seat) -> Claim | None:
    """A block's claim after `seat` has left: void if it was theirs."""
    if claim is None or claim.seat != seat:
        return claim
    game.events.append(BlockWithdrawn(seat, claim.character))
    return None


@cache
def loss_offers(seat: Seat, hand: Cards) -> Offers:
    """R21: each character of `hand` once."""
    return Offers({seat: tuple(lose(character) for character in dict.fromkeys(hand))})


@cache
def exchange_offers(seat: Seat, pool: Cards, count: int) -> Offers:
    """R13: each choice of `count` cards once, named in the order of `pool` (hand first)."""
    choices: dict[Cards, Cards] = {}
    for cards in combinations(pool, count):
        choices.setdefault(tuple(sorted(cards)), cards)
    return Offers({seat: tuple(keep(*cards) for cards in choices.values())})


def without(cards: Cards, gone: Cards) -> Cards:
    """`cards` less the first copy of each of `gone`, order kept."""
    rest: list[Character] = list(cards)
    for character in gone:
        rest.remove(character)
    return tuple(rest)


@cache
def without_one(cards: Cards, gone: Character) -> Cards:
    """`cards` less the first copy of `gone`, order kept."""
    place = cards.index(gone)
    return cards[:place] + cards[place + 1 :]
