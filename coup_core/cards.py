"""The characters and the Court deck they are dealt from (R1-R3).

Owns: what a card is and how many of each there are. Knows nothing of players' hands or of the course of a game.
"""

from collections.abc import Sequence
from enum import StrEnum


class Character(StrEnum):
    """A character card. Its value is its word in a game record."""

    DUKE = "duke"
    ASSASSIN = "assassin"
    CAPTAIN = "captain"
    AMBASSADOR = "ambassador"
    CONTESSA = "contessa"
    INQUISITOR = "inquisitor"

    # Enum hashes in Python; cards are looked up all the time, in the caches of menus among others.
    __hash__ = str.__hash__


CHARACTER_OF_WORD: dict[str, Character] = {str(character): character for character in Character}

Cards = tuple[Character, ...]
"""Face-down or face-up cards in the order that the record keeps them in."""

INFLUENCE = 2
"""Face-down cards that a player starts with (R3)."""

MIN_PLAYERS, MAX_PLAYERS = 2, 10


def copies(players: int) -> int:
    """Copies of each character in a game of `players` (R2)."""
    if players <= 6:
        return 3
    return 4 if players <= 8 else 5


def full_deck(characters: Sequence[Character], players: int) -> list[Character]:
    """Every card of the game, all copies of one character after those of another, before any shuffle."""
    return [character for character in characters for _ in range(copies(players))]
