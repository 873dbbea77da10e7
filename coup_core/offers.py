"""Offers: who is awaited, and everything that each may answer.

Owns: the value that every question is. Offers are immutable and shared, between steps, copies and games: what is asked
again and again is built once. Knows nothing of why somebody is awaited.
"""

from __future__ import annotations

from collections.abc import Mapping

from coup_core.moves import Move, Seat

Menu = tuple[Move, ...]
"""What one seat may answer, in a stable order."""


class Offers:
    """The menus of those who are awaited."""

    __slots__ = ("_less", "menus", "seats")

    def __init__(self, menus: Mapping[Seat, Menu]) -> None:
        self.menus = menus
        """By seat, clockwise after whoever the question is about."""
        self.seats = tuple(menus)
        self._less: dict[Seat, Offers] = {}

    def without(self, seat: Seat) -> Offers:
        """The same for the others, once `seat` has answered or left."""
        less = self._less.get(seat)
        if less is None:
            others = {other: menu for other, menu in self.menus.items() if other != seat}
            less = self._less[seat] = Offers(others) if others else NOBODY
        return less


NOBODY = Offers({})
