"""Events: what a move made happen, in order, each with its audience.

Owns: the facts that a front end may tell. An event's `audience` is None when everyone may know it, else the one seat
that may. Public events never carry a card that is face down. Knows nothing of words or languages.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar

from msgspec import Struct

from coup_core.cards import MAX_PLAYERS, Cards, Character
from coup_core.moves import Seat


class Failure(StrEnum):
    """Why an action came to nothing."""

    EXPOSED = "exposed"  # its claim fell (R22)
    BLOCKED = "blocked"  # a block stood (R22)
    LEFT = "left"  # its player resigned (R40)


class Debt(StrEnum):
    """For what an influence is lost. Two can go in one turn (R24), each for its own debt."""

    CONCEDED = "conceded"  # a challenged claim of its player was not shown (R20)
    DISPROVED = "disproved"  # its player challenged a claim that was shown (R19)
    ACTION = "action"  # the action that was declared takes it


class Event(Struct, frozen=True, gc=False):
    """Something that happened. `audience` is a seat for what only that seat may know."""

    public: ClassVar[bool] = True
    seat: Seat

    @property
    def audience(self) -> Seat | None:
        """The one seat that may know it; None when everyone may."""
        return None if self.public else self.seat


class TurnStarted(Event, frozen=True, gc=False):
    """The turn of `seat`, the game's `number`th, counted from 1."""

    number: int


class Declared(Event, frozen=True, gc=False):
    """W1: an action is declared and its cost paid."""

    action: str
    target: Seat | None
    claim: Character | None
    cost: int


class Passed(Event, frozen=True, gc=False):
    """An answer `pass` in a window."""


PASSED: tuple[Passed, ...] = tuple(Passed(seat) for seat in range(MAX_PLAYERS))
"""By seat; it is the commonest event by far."""


class Challenged(Event, frozen=True, gc=False):
    """`seat` doubts that `claimant` holds `character`."""

    claimant: Seat
    character: Character
    of_block: bool


class BlockDeclared(Event, frozen=True, gc=False):
    """`seat` will block as `character`. `waits`: the action's claim may still be challenged first (W2)."""

    character: Character
    waits: bool


class BlockWithdrawn(Event, frozen=True, gc=False):
    """A declared or unproved block is void: its player resigned (R40)."""

    character: Character


class BlockStood(Event, frozen=True, gc=False):
    """The block was allowed or proved: the action fails."""

    character: Character


class Shown(Event, frozen=True, gc=False):
    """R19: `seat` shows `character`, which goes back to the Court."""

    character: Character


class Conceded(Event, frozen=True, gc=False):
    """R20: `seat` does not prove the claim of `character`."""

    character: Character


class Drew(Event, frozen=True, gc=False):
    """`seat` took `count` cards from the Court."""

    count: int


class CardsDrawn(Event, frozen=True, gc=False):
    """Private: which cards `seat` took from the Court."""

    public: ClassVar[bool] = False
    cards: Cards


class InfluenceLost(Event, frozen=True, gc=False):
    """R21: `seat` turned up `character` for its `debt`; `automatic`: it was the last card and there was no choice."""

    character: Character
    debt: Debt
    automatic: bool


class Resigned(Event, frozen=True, gc=False):
    """R40: `seat` left and turned up `cards`."""

    cards: Cards


class Eliminated(Event, frozen=True, gc=False):
    """`seat` has no influence left."""


class Refunded(Event, frozen=True, gc=False):
    """R22: the cost of a failed claim is back in the purse, which now holds `purse`."""

    amount: int
    purse: int


class Took(Event, frozen=True, gc=False):
    """`seat` received `amount` coins from `source`, a seat, or from the Treasury when None; it now has `purse`."""

    amount: int
    source: Seat | None
    purse: int


class Exchanged(Event, frozen=True, gc=False):
    """R13: `seat` chose which cards to keep; which ones stays secret."""


class ActionFailed(Event, frozen=True, gc=False):
    """The declared action of `seat` does nothing more."""

    action: str
    reason: Failure


class PurseForfeited(Event, frozen=True, gc=False):
    """W7: the purse of a player who is out went to the Treasury."""

    amount: int


class GameEnded(Event, frozen=True, gc=False):
    """R28: `seat` is the last player left and has won."""


def visible(events: Iterable[Event], seat: Seat | None = None) -> list[Event]:
    """The events that `seat` may know; with None, those that everyone may know.

    Events do not know who plays: whoever sits nowhere may know what everyone may.
    """
    return [event for event in events if event.audience is None or event.audience == seat]
