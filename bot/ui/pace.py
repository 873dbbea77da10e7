"""How fast the bot writes, everything taken together.

Owns: when a request that carries the bot's token may begin. Discord takes fifty a second from a whole bot, whatever
channels they are for; answers to clicks and commands are not among them. Knows nothing of what is written.
"""

from __future__ import annotations

import asyncio
import math

A_SECOND = 25
AT_ONCE = 15
"""After a rest so many begin without waiting: what six players get at a deal. Within no second are they more than 40,
which leaves room for requests that somebody waits for, and for those that the network has delayed."""


class Pace:
    """One request after the other, first come, first served."""

    def __init__(self) -> None:
        self._next = -math.inf
        """On the loop's clock: the moment that the next one gets, unless the rest since then has become longer."""

    async def turn(self) -> None:
        """Wait until one more request may begin."""
        now = asyncio.get_running_loop().time()
        begins = max(self._next, now - (AT_ONCE - 1) / A_SECOND)
        self._next = begins + 1 / A_SECOND
        if begins > now:
            await asyncio.sleep(begins - now)
