"""A rule set: the base game and its modules, put together.

Owns: which characters and actions are in play, and the tables of legal answers derived from them. Menus are cached
here, because building them for every question would cost half of the engine's speed. Knows no position.
"""

from __future__ import annotations

from functools import cache, lru_cache

from coup_core.actions import CLASSIC_ACTIONS, Action, Blockers, Pending, Script
from coup_core.cards import Cards, Character
from coup_core.events import Declared
from coup_core.moves import CHALLENGE, PASS, Move, Seat, block
from coup_core.offers import Menu, Offers
from coup_core.steps import SETTLE, Effect, clockwise_after
from coup_core.view import Claim

Seats = tuple[Seat, ...]

MUST_COUP_AT = 10
"""Coins with which a turn leaves only the Coup (R10)."""

CACHED_SCRIPTS = 8_000
"""Every script of a table of six fits; ten players have a million, and a long run must not keep them all."""


class Ruleset:
    """What can be played by these rules. Immutable; equal names are the same object."""

    def __init__(self, name: str, characters: Cards, actions: tuple[Action, ...]) -> None:
        self.name = name
        """The words of the record's `rules:` line."""
        self.characters = characters
        """In the order of the unshuffled deck (RECORD.md)."""
        self.actions: dict[str, Action] = {action.verb: action for action in actions}
        # One cache per rule set, so that editions never share menus.
        self.turn_offers = lru_cache(CACHED_SCRIPTS)(self._turn_offers)
        self.script = lru_cache(CACHED_SCRIPTS)(self._script)
        self.block_menu = cache(self._block_menu)

    @staticmethod
    def parse(words: str) -> Ruleset:
        """The rule set of a `rules:` line. Raises ValueError with one sentence for words it does not know."""
        if words in RULESETS:
            return RULESETS[words]
        base, *modules = words.split() or [""]
        if base != "classic":
            raise ValueError(f"the rules must begin with 'classic', not {base!r}")
        unknown = [module for module in modules if module not in ("duel", "inquisitor", "reformation")]
        if unknown:
            raise ValueError(f"there is no module {unknown[0]!r}")
        raise ValueError(f"the module {modules[0]!r} is not supported yet")

    def _turn_offers(self, seat: Seat, living: Seats, coins: int) -> Offers:
        """What the player whose turn it is may do (R9-R11)."""
        others = clockwise_after(seat, living)
        menu: list[Move] = []
        for action in self.actions.values():
            if action.cost > coins or (coins >= MUST_COUP_AT and action.verb != "coup"):
                continue
            if action.targeted:
                menu.extend(Move(action.verb, target) for target in others)
            else:
                menu.append(Move(action.verb))
        return Offers({seat: tuple(menu)})

    def _script(self, seat: Seat, move: Move, living: Seats) -> Script:
        """W1: what happens when `seat` declares the action that `move` names."""
        row = self.actions[move.verb]
        pending = Pending(seat, row, move.target, None if row.claim is None else Claim(seat, row.claim, of_block=False))
        return Script(
            pending,
            Declared(seat, row.verb, move.target, row.claim, row.cost),
            (SETTLE, Effect(pending)),
            self._reaction_offers(pending, living),
        )

    def _reaction_offers(self, pending: Pending, living: Seats) -> Offers:
        """W2: who is awaited, clockwise after the actor, and what each may answer."""
        row = pending.action
        challenges: Menu = () if row.claim is None else (CHALLENGE,)
        blockers = self.entitled(pending, living)
        menus: dict[Seat, Menu] = {}
        for other in clockwise_after(pending.seat, living):
            answers = challenges + (self._blocks(row) if other in blockers else ())
            if answers:
                menus[other] = (PASS, *answers)
        return Offers(menus)

    def _block_menu(self, action: str) -> Menu:
        """W4: block or pass."""
        return (PASS, *self._blocks(self.actions[action]))

    @staticmethod
    def _blocks(row: Action) -> Menu:
        return tuple(block(character) for character in row.blocked_by)

    def entitled(self, pending: Pending, living: Seats) -> Seats:
        """The living players who may block, clockwise after the actor (R16)."""
        if pending.action.any_may_block:
            return clockwise_after(pending.seat, living)
        if pending.action.blockers is Blockers.TARGET and pending.target in living:
            assert pending.target is not None
            return (pending.target,)
        return ()


CLASSIC = Ruleset(
    "classic",
    (Character.DUKE, Character.ASSASSIN, Character.CAPTAIN, Character.AMBASSADOR, Character.CONTESSA),
    CLASSIC_ACTIONS,
)

RULESETS: dict[str, Ruleset] = {ruleset.name: ruleset for ruleset in (CLASSIC,)}
