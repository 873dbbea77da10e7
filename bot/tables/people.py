"""What is remembered of people beyond their seats: how they want to be spoken to.

Owns: the values and the port behind which they are kept. A person who is not known has the defaults. Knows neither
Discord nor the database, and nothing of a game but how many somebody has finished.
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct


class Person(Struct, frozen=True, kw_only=True):
    """One person."""

    user_id: int
    language: str | None = None
    """A code of the catalogs, chosen for good; None follows their Discord."""
    locale: str | None = None
    """The language of their Discord when they were last heard of: a message to them comes without one."""
    dm_hand: bool = True
    """Whether their hand is sent to them at the deal."""
    hints: bool = True
    """Whether a first game comes with hints."""
    games: int = 0
    """Finished games at which they sat; counted by the store alone."""


class People(Protocol):
    """Where people are remembered. Every method is one transaction; any may raise the database's own errors."""

    async def person(self, user_id: int) -> Person:
        """What is known of somebody; the defaults for a stranger."""

    async def heard(self, user_id: int, locale: str) -> None:
        """Remember the language of somebody's Discord, and nothing else."""

    async def choose(self, user_id: int, **choices: Any) -> Person:
        """Remember what somebody chose: `language`, `dm_hand` or `hints`. Returns all that is known of them then."""

    async def forget(self, user_id: int) -> bool:
        """Delete what is known of somebody, and put a stranger in their place in games that are over.

        False, and nothing is changed, while they have a seat at an open table.
        """


FORGOTTEN = "?"
"""The name of whoever was forgotten; no word, for it is the same in every language."""


def stranger(seat: int) -> int:
    """The user id that replaces a forgotten person in that seat. No person has an id below one."""
    return -1 - seat
