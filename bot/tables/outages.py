"""When people could not reach us, or we could not store what they did.

Owns: which outages are on and which have been, and whose people each of them keeps from answering. Times are seconds on
the loop's clock. Knows nothing of windows.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable

from msgspec import Struct

from bot.tables.ports import TableRow

REMEMBERED = 7 * 86_400.0
"""Seconds after which an outage is forgotten. Nothing waits for so long but a window that is extended for days, and
that one has had more than it is owed."""
MOST = 1000
"""So many outages of one reach are remembered: what never ceases to come and go must not fill the memory."""


class Unstored(Struct, frozen=True):
    """Why time stands still at one table: what its people do cannot be stored."""

    table_id: str


_Reach = int | Unstored | None
"""Whom an outage concerns: a server, a table, or everybody."""


class Outages:
    """What is on and what has been.

    Causes are named by whoever reports them. A guild's number concerns that server, `Unstored` one table, so that a
    table that cannot be stored does not stop the others; every other cause concerns all.
    """

    def __init__(self) -> None:
        self._since: dict[Hashable, float] = {}
        self._past: dict[_Reach, deque[tuple[float, float]]] = {}
        """From when to when, in the order in which they ended."""

    def begin(self, cause: Hashable) -> None:
        """From now on nobody can be held to answer. Telling it again changes nothing."""
        self._since.setdefault(cause, loop_time())

    def end(self, cause: Hashable) -> bool:
        """It is over. False if it had not begun."""
        began = self._since.pop(cause, None)
        if began is None:
            return False
        now = loop_time()
        self._past = {reach: past for reach, past in self._past.items() if past[-1][1] > now - REMEMBERED}
        self._past.setdefault(_reach(cause), deque(maxlen=MOST)).append((began, now))
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
        for reach in _reaches(row):
            for span in reversed(self._past.get(reach, ())):
                if span[1] <= moment:
                    break
                spans.append(span)
        total, until = 0.0, moment
        for began, over in sorted(spans):
            total += max(0.0, over - max(began, until))
            until = max(until, over)
        return total


def concerns(cause: Hashable, row: TableRow) -> bool:
    """Whether an outage for `cause` keeps the people of that table from answering."""
    return _reach(cause) in _reaches(row)


def loop_time() -> float:
    """Now, in seconds on the loop's clock, which nobody sets."""
    return asyncio.get_running_loop().time()


def _reach(cause: Hashable) -> _Reach:
    return cause if isinstance(cause, int | Unstored) else None


def _reaches(row: TableRow) -> tuple[_Reach, ...]:
    return None, row.guild_id, Unstored(row.id)
