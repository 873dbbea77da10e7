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
    """The menus of those who are awaited. Nobody awaited is always `NOBODY`."""

    __slots__ = ("menus", "rest", "seats")

    def __init__(self, menus: Mapping[Seat, Menu]) -> None:
        self.menus = menus
        """By seat, clockwise after whoever the question is about."""
        self.seats = tuple(menus)
        self.rest = _Rest(menus)
        """By seat: the offers of the others, once that seat has answered or left."""


class _Rest(dict[Seat, Offers]):
    """Made at the first look-up: most subsets of a large table never come up."""

    __slots__ = ("_menus",)

    def __init__(self, menus: Mapping[Seat, Menu]) -> None:
        self._menus = menus

    def __missing__(self, seat: Seat) -> Offers:
        others = {other: menu for other, menu in self._menus.items() if other != seat}
        rest = self[seat] = offers(others)
        return rest


NOBODY = Offers({})


def offers(menus: Mapping[Seat, Menu]) -> Offers:
    """Those with `menus`, of which there may be none."""
    return Offers(menus) if menus else NOBODY
