"""The action table: what each action costs, claims and does, and who may block it with what (R9-R15).

Owns: the rows. A row is data and one effect; nothing else in the engine knows an action by its name, so an edition adds
rows. Knows nothing of windows and challenges: those are steps. Rows and scripts are made once and read all the time,
which slotted classes do faster than msgspec's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from coup_core.cards import Cards, Character
from coup_core.events import Declared, Took
from coup_core.moves import Seat, block
from coup_core.offers import Menu, Offers
from coup_core.steps import STRUCK, Exchange, Step
from coup_core.view import Claim

if TYPE_CHECKING:
    from coup_core.game import Game


class Blockers(Enum):
    """Who may block an action."""

    NOBODY = "nobody"
    TARGET = "target"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Pending:
    """An action that has been declared and paid for: whose, which, at whom."""

    seat: Seat
    action: Action
    target: Seat | None
    claim: Claim | None
    """What a challenge of this action is about."""


@dataclass(frozen=True, slots=True)
class Script:
    """What declaring an action sets going. Immutable, so that games share it."""

    pending: Pending
    declared: Declared
    effect: Step
    """W6, for the agenda."""
    offers: Offers
    """W2: who may react, and how; empty if nobody may (W1)."""


Effect = Callable[["Game", Pending], None]


@dataclass(frozen=True, slots=True)
class Action:
    """One row of the table."""

    verb: str
    effect: Effect
    cost: int = 0
    claim: Character | None = None
    targeted: bool = False
    blockers: Blockers = Blockers.NOBODY
    blocked_by: Cards = ()

    any_may_block: bool = field(init=False)
    """Whether not its target alone may block it."""
    blocks: Menu = field(init=False)
    """The moves that block it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "any_may_block", self.blockers is Blockers.ANYONE)
        object.__setattr__(self, "blocks", tuple(map(block, self.blocked_by)))


def _take(amount: int) -> Effect:
    """The actor takes `amount` coins of the Treasury."""

    def effect(game: Game, pending: Pending) -> None:
        game.pay_out(pending.seat, amount)
        game.events.append(Took(pending.seat, amount, None, game.coins[pending.seat]))

    return effect


def _kill(game: Game, pending: Pending) -> None:
    """The target loses an influence; R25: one who is out already loses nothing more."""
    assert pending.target is not None
    game.agenda.append(STRUCK[pending.target])


def _steal(game: Game, pending: Pending) -> None:
    """Two coins of the target, or what there is: R14 for an empty purse, R26 for that of the dying."""
    assert pending.target is not None
    amount = min(2, game.coins[pending.target])
    game.coins[pending.target] -= amount
    game.coins[pending.seat] += amount
    game.events.append(Took(pending.seat, amount, pending.target, game.coins[pending.seat]))


def _exchange(game: Game, pending: Pending) -> None:
    """R13: draw two, keep as many as there is influence."""
    game.agenda.append(Exchange(pending.seat, 2))


CLASSIC_ACTIONS: tuple[Action, ...] = (
    Action("income", _take(1)),
    Action("foreign-aid", _take(2), blockers=Blockers.ANYONE, blocked_by=(Character.DUKE,)),
    Action("coup", _kill, cost=7, targeted=True),
    Action("tax", _take(3), claim=Character.DUKE),
    Action(
        "assassinate",
        _kill,
        cost=3,
        claim=Character.ASSASSIN,
        targeted=True,
        blockers=Blockers.TARGET,
        blocked_by=(Character.CONTESSA,),
    ),
    Action(
        "steal",
        _steal,
        claim=Character.CAPTAIN,
        targeted=True,
        blockers=Blockers.TARGET,
        blocked_by=(Character.CAPTAIN, Character.AMBASSADOR),
    ),
    Action("exchange", _exchange, claim=Character.AMBASSADOR),
)
