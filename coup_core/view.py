"""What may be known: `TableView` by everyone, `SeatView` by one player.

Owns: the only way in which cards leave the engine. A view is built from a `Game` and is never a path back to it. Front
ends and house players see views and events, nothing else.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from coup_core.cards import Cards, Character
from coup_core.moves import Move, Seat
from coup_core.offers import NOBODY

if TYPE_CHECKING:
    from coup_core.game import Game


class Asked(StrEnum):
    """Which question is open."""

    TURN = "turn"  # R9: one action
    REACTION = "reaction"  # W2
    PROOF = "proof"  # W3, or the proof of a block in W5
    SECOND_CHANCE = "second-chance"  # W4, and W5's ruling on foreign aid
    BLOCK = "block"  # W5
    LOSS = "loss"  # R21
    EXCHANGE = "exchange"  # R13


class Declaration(Struct, frozen=True, gc=False):
    """The action that is pending this turn."""

    seat: Seat
    action: str
    target: Seat | None
    claim: Character | None
    cost: int
    blockers: tuple[Seat, ...]
    """Who could be entitled to block it, living players only."""
    blocked_by: tuple[Character, ...]
    """The characters that block it."""


class Claim(Struct, frozen=True, gc=False):
    """`seat` claims to hold `character`; `of_block` tells a block's claim from the action's."""

    seat: Seat
    character: Character
    of_block: bool


class Question(Struct, frozen=True, gc=False):
    """What is open, and who still owes an answer."""

    asked: Asked
    number: int
    """Counts the questions of this game from 1. Does not change while others answer the same question."""
    awaited: tuple[Seat, ...]
    claim: Claim | None = None
    """What a proof is about, or what a block window may challenge; in a reaction window the action's claim."""
    challenger: Seat | None = None
    """Proof: who challenged."""
    declared: Claim | None = None
    """Reaction: a block that is declared and waits (W2)."""


class ActionOffer(Struct, frozen=True, gc=False):
    """One row of the action table, as it stands for the player whose turn it is."""

    action: str
    cost: int
    claim: Character | None
    targeted: bool
    targets: tuple[Seat, ...]
    """Legal targets now, clockwise; empty for an action without target."""
    possible: bool


class SeatState(Struct, frozen=True, gc=False):
    """What everyone knows of one player."""

    seat: Seat
    coins: int
    influence: int
    lost: Cards

    @property
    def out(self) -> bool:
        """Whether no influence is left."""
        return self.influence == 0


class TableView(Struct, frozen=True, gc=False):
    """What everyone knows of a game."""

    rules: str
    characters: tuple[Character, ...]
    seats: tuple[SeatState, ...]
    turn: Seat | None
    """Whose turn it is; None once the game is over."""
    number: int
    """Turns started so far."""
    court: int
    """Cards in the Court deck."""
    treasury: int
    pending: Declaration | None
    question: Question | None
    """None once the game is over."""
    actions: tuple[ActionOffer, ...]
    """Every action of the edition, in the order of the table; `possible` only while the question is the turn."""
    winner: Seat | None

    @property
    def living(self) -> tuple[Seat, ...]:
        """The seats that are not out, in seat order."""
        return tuple(state.seat for state in self.seats if not state.out)


class SeatView(Struct, frozen=True, gc=False):
    """What one player knows: the table, their own cards, and what they may answer now."""

    table: TableView
    seat: Seat
    hand: Cards
    drawn: Cards
    """Cards of an unfinished exchange, not yet kept or returned."""
    moves: tuple[Move, ...]
    """Legal moves, in a stable order; `resign` is not listed and always open to the living."""

    def __repr__(self) -> str:
        # A view that ends up in a log or a traceback must not carry the hand along.
        return f"SeatView(seat={self.seat}, <hidden>)"


def table_view(game: Game) -> TableView:
    """What everyone knows of `game`."""
    seats = tuple(
        SeatState(seat, game.coins[seat], len(game.hands[seat]), game.lost[seat]) for seat in range(len(game.names))
    )
    return TableView(
        rules=game.ruleset.name,
        characters=game.ruleset.characters,
        seats=seats,
        turn=game.turn if game.outcome is None else None,
        number=game.number,
        court=len(game.court),
        treasury=game.treasury,
        pending=_declaration(game),
        question=_question(game),
        actions=_actions(game),
        winner=game.outcome.winner if game.outcome else None,
    )


def seat_view(game: Game, seat: Seat) -> SeatView:
    """What the player at `seat` knows of `game`. Raises ValueError for a seat that does not exist."""
    game.check_seat(seat)
    return SeatView(table_view(game), seat, game.hands[seat], game.drawn(seat), game.legal_moves(seat))


def _declaration(game: Game) -> Declaration | None:
    pending = game.pending
    if pending is None:
        return None
    row = pending.action
    blockers = game.menus.entitled(pending)
    return Declaration(pending.seat, row.verb, pending.target, row.claim, row.cost, blockers, row.blocked_by)


def _question(game: Game) -> Question | None:
    step = game.agenda[-1] if game.agenda else None
    if step is None or step.asked is None or game.offers is NOBODY:
        return None
    return step.question(game)


def _actions(game: Game) -> tuple[ActionOffer, ...]:
    """The table of actions for the player whose turn it is, whatever is being asked."""
    rules = game.ruleset
    choosing = game.pending is None and game.outcome is None
    menu = game.legal_moves(game.turn) if choosing else ()
    offers = []
    for row in rules.actions.values():
        moves = [move for move in menu if move.verb == row.verb]
        targets = tuple(move.target for move in moves if move.target is not None)
        offers.append(ActionOffer(row.verb, row.cost, row.claim, row.targeted, targets, bool(moves)))
    return tuple(offers)
