"""A rule set: the base game and its modules, put together.

Owns: which characters and actions are in play, and the tables of legal answers derived from them. Menus are cached for
each set of living players, because building them for every question would cost half of the engine's speed. Knows no
position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial

from coup_core.actions import CLASSIC_ACTIONS, Action, Blockers, Pending, Script
from coup_core.cards import MAX_PLAYERS, Cards, Character
from coup_core.errors import UnsupportedRules
from coup_core.events import Declared
from coup_core.moves import CHALLENGE, PASS, Move, Seat
from coup_core.offers import Menu, Offers, offers
from coup_core.steps import Effect
from coup_core.view import Claim

Seats = tuple[Seat, ...]

MUST_COUP_AT = 10
"""Coins with which a turn leaves only the Coup (R10)."""

MODULES = ("duel", "inquisitor", "reformation")
"""What a `rules:` line may add to the base game. None is built yet."""

CACHED_MENUS = 64
"""Sets of living players whose menus are kept: all of a table of six; ten players have a thousand, and a long run must
not keep them all."""


class Ruleset:
    """What can be played by these rules. Immutable; equal names are the same object."""

    def __init__(self, name: str, characters: Cards, actions: tuple[Action, ...]) -> None:
        self.name = name
        """The words of the record's `rules:` line."""
        self.characters = characters
        """In the order of the unshuffled deck (docs/RECORD.md)."""
        self.actions: dict[str, Action] = {action.verb: action for action in actions}
        # One cache per rule set, so that editions never share menus.
        self.menus: Callable[[Seats], Menus] = lru_cache(CACHED_MENUS)(partial(Menus, self))

    @staticmethod
    def parse(words: str) -> Ruleset:
        """The rule set of a `rules:` line, its words joined by single blanks.

        Raises ValueError with one sentence for words it does not know, UnsupportedRules for modules yet to be built.
        """
        if words in RULESETS:
            return RULESETS[words]
        # Not str.split(): what is a blank is the record's decision alone.
        base, *modules = words.split(" ")
        if base != "classic":
            raise ValueError(f"the rules must begin with 'classic', not {base!r}")
        for module in modules:
            if module not in MODULES:
                raise ValueError(f"there is no module {module!r}")
            if modules.count(module) > 1:
                raise ValueError(f"the module {module!r} stands here twice")
        raise UnsupportedRules(modules)


class Menus:
    """Everything that can be asked among one set of living players. A game keeps theirs until somebody goes out."""

    def __init__(self, ruleset: Ruleset, living: Seats) -> None:
        self.ruleset = ruleset
        self.living = living
        self.after: Sequence[Seats] = [_clockwise_after(seat, living) for seat in range(MAX_PLAYERS)]
        """By seat, alive or not: the living others, beginning with the next one clockwise (R7)."""
        self.turn = cache(self._turn)
        self.script = cache(self._script)
        self.block_window = cache(self._block_window)

    def entitled(self, pending: Pending) -> Seats:
        """The living players who may block, clockwise after the actor (R16)."""
        if pending.action.any_may_block:
            return self.after[pending.seat]
        if pending.action.blockers is Blockers.TARGET and pending.target in self.living:
            assert pending.target is not None
            return (pending.target,)
        return ()

    def second_chance(self, pending: Pending, exposed: Seats) -> Offers:
        """W4: block or pass, for whoever is entitled and has not had a block exposed."""
        menu = (PASS, *pending.action.blocks)
        return offers({seat: menu for seat in self.entitled(pending) if seat not in exposed})

    def _turn(self, seat: Seat, coins: int) -> Offers:
        """What the player whose turn it is may do (R9-R11)."""
        menu: list[Move] = []
        for action in self.ruleset.actions.values():
            if action.cost > coins or (coins >= MUST_COUP_AT and action.verb != "coup"):
                continue
            if action.targeted:
                menu.extend(Move(action.verb, target) for target in self.after[seat])
            else:
                menu.append(Move(action.verb))
        return Offers({seat: tuple(menu)})

    def _script(self, seat: Seat, move: Move) -> Script:
        """W1: what happens when `seat` declares the action that `move` names."""
        row = self.ruleset.actions[move.verb]
        pending = Pending(seat, row, move.target, None if row.claim is None else Claim(seat, row.claim, of_block=False))
        declared = Declared(seat, row.verb, move.target, row.claim, row.cost)
        return Script(pending, declared, Effect(pending), self._reaction(pending))

    def _reaction(self, pending: Pending) -> Offers:
        """W2: who is awaited, clockwise after the actor, and what each may answer."""
        row = pending.action
        challenges: Menu = () if row.claim is None else (CHALLENGE,)
        blockers = self.entitled(pending)
        menus: dict[Seat, Menu] = {}
        for other in self.after[pending.seat]:
            answers = challenges + (row.blocks if other in blockers else ())
            if answers:
                menus[other] = (PASS, *answers)
        return offers(menus)

    def _block_window(self, blocker: Seat) -> Offers:
        """W5: every living player except the blocker may challenge or pass."""
        return offers(dict.fromkeys(self.after[blocker], (PASS, CHALLENGE)))


def _clockwise_after(seat: Seat, living: Seats) -> Seats:
    return tuple(other for other in living if other > seat) + tuple(other for other in living if other < seat)


CLASSIC = Ruleset(
    "classic",
    (Character.DUKE, Character.ASSASSIN, Character.CAPTAIN, Character.AMBASSADOR, Character.CONTESSA),
    CLASSIC_ACTIONS,
)

RULESETS: dict[str, Ruleset] = {ruleset.name: ruleset for ruleset in (CLASSIC,)}
