"""When people could not reach us, or we could not store what they did.

Owns: which outages are on and which have been, and whose people each of them keeps from answering. Times are seconds on
the loop's clock. Knows nothing of windows.
"""

from __future__ import annotations

import asyncio
from collections import deque

from msgspec import Struct

from bot.tables.ports import TableRow

REMEMBERED = 7 * 86_400.0
"""Seconds after which an outage is forgotten. Nothing waits for so long but a window that is extended for days, and
that one has had more than it is owed."""
MOST = 1000
"""So many outages of one cause are remembered: what never ceases to come and go must not fill the memory."""


class Unstored(Struct, frozen=True):
    """Why time stands still at one table: what its people do cannot be stored."""

    table_id: str


class Shard(Struct, frozen=True):
    """Why time stands still in some servers: their clicks arrive by connection `number` of `count`, which is lost.

    Discord deals the servers out by their ids, the same way for everybody (its documentation, "Sharding").
    """

    number: int
    count: int


OutageCause = int | Unstored | Shard
"""What an outage is an outage of. A number is a server's id. None of them stops a table that it does not concern."""


class Outages:
    """What is on and what has been."""

    def __init__(self) -> None:
        self._since: dict[OutageCause, float] = {}
        self._past: dict[OutageCause, deque[tuple[float, float]]] = {}
        """From when to when, in the order in which they ended."""
        self._shards: set[Shard] = set()
        """Those that were ever lost."""

    def begin(self, cause: OutageCause) -> None:
        """From now on nobody can be held to answer. Telling it again changes nothing."""
        self._since.setdefault(cause, loop_time())

    def end(self, cause: OutageCause) -> bool:
        """It is over. False if it had not begun."""
        began = self._since.pop(cause, None)
        if began is None:
            return False
        now = loop_time()
        self._past = {old: past for old, past in self._past.items() if past[-1][1] > now - REMEMBERED}
        if isinstance(cause, Shard):
            self._shards.add(cause)
        self._past.setdefault(cause, deque(maxlen=MOST)).append((began, now))
        return True

    def unstored(self) -> list[str]:
        """The tables that cannot be stored, as far as we know."""
        return [cause.table_id for cause in self._since if isinstance(cause, Unstored)]

    def affects(self, row: TableRow) -> bool:
        """Whether the people of that table cannot answer at this moment."""
        return any(concerns(cause, row) for cause in self._since)

    def since(self, moment: float, row: TableRow, *, ended: bool = False) -> float:
        """Seconds of outage that the table has had since `moment`; two at a time count once.

        With `ended` only what is over counts, else what is still on too, up to now.
        """
        spans = [] if ended else [(began, loop_time()) for cause, began in self._since.items() if concerns(cause, row)]
        mine: tuple[OutageCause, ...] = (row.guild_id, Unstored(row.id), *self._shards)
        for cause in mine:
            if concerns(cause, row):
                spans += (span for span in self._past.get(cause, ()) if span[1] > moment)
        total, until = 0.0, moment
        for began, over in sorted(spans):
            total += max(0.0, over - max(began, until))
            until = max(until, over)
        return total


def concerns(cause: OutageCause, row: TableRow) -> bool:
    """Whether an outage for `cause` keeps the people of that table from answering."""
    match cause:
        case int():
            return cause == row.guild_id
        case Unstored():
            return cause.table_id == row.id
        case Shard():
            return (row.guild_id >> 22) % cause.count == cause.number


def loop_time() -> float:
    """Now, in seconds on the loop's clock, which nobody sets."""
    return asyncio.get_running_loop().time()
