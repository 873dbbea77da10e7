"""Offers: who is awaited, and everything that each may answer.

Owns: the value that every question is. Offers are immutable and shared, between steps, copies and games: what is asked
again and again is built once. Knows nothing of why somebody is awaited.
"""

from __future__ import annotations

from collections.abc import Mapping

from coup_core.moves import Move, Seat

Menu = tuple[Move, ...]
"""What one seat may answer, in a stable order."""


KEPT = 5
"""With more awaited than these, what is left after an answer is made anew each time: there are too many subsets."""


class Offers:
    """The menus of those who are awaited. Nobody awaited is always `NOBODY`."""

    __slots__ = ("menus", "rest", "seats")

    def __init__(self, menus: Mapping[Seat, Menu], kin: dict[tuple[Seat, ...], Offers] | None = None) -> None:
        self.menus = menus
        """By seat, clockwise after whoever the question is about."""
        self.seats = tuple(menus)
        self.rest = _Rest(menus, {} if kin is None else kin)
        """By seat: the offers of the others, once that seat has answered or left."""


class _Rest(dict[Seat, Offers]):
    """Made at the first look-up. In whatever order people answer, those who are left share one value."""

    __slots__ = ("_kin", "_menus")

    def __init__(self, menus: Mapping[Seat, Menu], kin: dict[tuple[Seat, ...], Offers]) -> None:
        self._menus = menus
        self._kin = kin

    def __missing__(self, seat: Seat) -> Offers:
        others = {other: menu for other, menu in self._menus.items() if other != seat}
        if len(self._menus) > KEPT:
            return Offers(others)
        left = tuple(others)
        if left not in self._kin:
            self._kin[left] = Offers(others, self._kin) if others else NOBODY
        rest = self[seat] = self._kin[left]
        return rest


NOBODY = Offers({})


def offers(menus: Mapping[Seat, Menu]) -> Offers:
    """Those with `menus`, of whom there may be none."""
    return Offers(menus) if menus else NOBODY
