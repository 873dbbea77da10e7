"""Where cards come from: the only source of chance in a game.

Owns: drawing from and returning to the Court list, and the fair, verifiable stream of docs/RECORD.md ("Fair dealing").
A dealer's state is part of the position and is copied with it, except that of `RandomDealer`. Knows nothing of players
and rules.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterable
from typing import Protocol

from coup_core.cards import Cards, Character


class Dealer(Protocol):
    """What a game asks of whoever deals its cards."""

    def below(self, n: int) -> int:
        """A number in 0..n-1 (R6: who starts)."""

    def shuffle(self, cards: list[Character]) -> None:
        """Bring `cards` into an order that nobody can know."""

    def draw(self, court: list[Character], count: int) -> Cards | None:
        """Take `count` cards off the end of `court`. None: not known yet, the draw rests until `Game.deal`."""

    def give_back(self, court: list[Character], cards: Iterable[Character]) -> None:
        """Return `cards` to `court` and reshuffle it (R13, R19)."""

    def copy(self) -> Dealer:
        """A dealer that deals what this one would; `RandomDealer` alone does not promise it."""


class FairDealer:
    """Deals from a committed seed and what the server could not choose, so that players can check every card.

    `seed` is 32 bytes, `mix` ASCII (docs/RECORD.md). stream = HMAC-SHA256(key, i as 8 bytes big-endian), i = 0, 1, 2,
    ..., read as unsigned 32-bit big-endian words.
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: bytes, mix: str) -> None:
        self._key = hmac.digest(seed, mix.encode("ascii"), "sha256")
        self._block = 0
        self._words: tuple[int, ...] = ()

    def below(self, n: int) -> int:
        """Unbiased by rejection: words at or above the largest multiple of n are skipped."""
        limit = (1 << 32) // n * n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def _word(self) -> int:
        if not self._words:
            digest = hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
            self._words = tuple(int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
            self._block += 1
        word, *rest = self._words
        self._words = tuple(rest)
        return word

    def shuffle(self, cards: list[Character]) -> None:
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def draw(self, court: list[Character], count: int) -> Cards:
        return tuple(court.pop() for _ in range(count))

    def give_back(self, court: list[Character], cards: Iterable[Character]) -> None:
        court.extend(cards)
        self.shuffle(court)

    def copy(self) -> FairDealer:
        twin = FairDealer.__new__(FairDealer)
        twin._key, twin._block, twin._words = self._key, self._block, self._words
        return twin


class RandomDealer:
    """Deals at random, for simulation.

    Copies share the generator, whose state takes longer to copy than all the rest of a game. So a game played on in a
    copy changes what the original will draw: copies are for trying moves, not for repeating them. Whoever needs copies
    that deal alike takes a `FairDealer`.

    The Court is kept unordered: drawing takes random places, so that nothing needs a shuffle.
    """

    __slots__ = ("_random", "rng")

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._random = rng.random

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def shuffle(self, cards: list[Character]) -> None:
        """Drawing is random enough."""

    def draw(self, court: list[Character], count: int) -> Cards:
        random = self._random
        return tuple([court.pop(int(random() * len(court))) for _ in range(count)])

    def give_back(self, court: list[Character], cards: Iterable[Character]) -> None:
        court.extend(cards)

    def copy(self) -> RandomDealer:
        return self


class ScriptedDealer:
    """Deals what a record says: every draw rests until `Game.deal` supplies its cards."""

    __slots__ = ()

    def below(self, n: int) -> int:
        raise ValueError("a scripted game says who starts")

    def shuffle(self, cards: list[Character]) -> None:
        """The order of the Court is not known and not needed."""

    def draw(self, court: list[Character], count: int) -> None:
        return None

    def give_back(self, court: list[Character], cards: Iterable[Character]) -> None:
        court.extend(cards)

    def copy(self) -> ScriptedDealer:
        return self


def commitment(seed: bytes) -> str:
    """What is published before the deal: the SHA-256 of the seed, hex."""
    return hashlib.sha256(seed).hexdigest()
