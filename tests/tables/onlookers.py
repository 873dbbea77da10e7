"""What somebody who only watches the store may rely on, whatever happens to the tables.

Owns: the promises that hold between any two looks at the store (what is stored stays, versions grow, one open table a
channel), and a measure of patience for each open table that knows nothing of how the tables keep time: how long people
still have, at least, and how long the table may still be silent, at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.tables import windows
from bot.tables.deadlines import SWEEP_EVERY
from bot.tables.ports import StoredTable
from bot.tables.restoring import rebuilt
from bot.tables.state import TableState
from bot.tables.table import Phase
from bot.tables.window_time import GRACE
from coup_core.invariants import violations

SLACK = GRACE.total_seconds() + 2 * SWEEP_EVERY + 5
EXTENDS = "extend"
"""How the requests begin that give a window more time."""


class Watched:
    """One table, as it was at the last look."""

    def __init__(self, stored: StoredTable) -> None:
        self.stored = stored
        self.state = rebuilt(stored)
        self.shown = -1
        """The newest window that people have been shown by the process that runs."""
        self.owed = 0.0
        """Seconds that people still have for the open window, at least."""
        self.patience = 0.0
        """Seconds that the table may still be silent while nothing is away, at most."""
        self.begin()

    @property
    def open_window(self) -> bool:
        return self.stored.row.phase == Phase.PLAYING and self.stored.row.paused is None

    @property
    def visible(self) -> bool:
        return self.shown == self.stored.row.window

    def whole(self) -> float:
        """The longest that it waits for what it waits for."""
        state = self.state
        if state.phase is Phase.LOBBY:
            return windows.STALE_AFTER.total_seconds()
        if state.paused is not None:
            return windows.GIVEN_UP_AFTER.total_seconds()
        return max(state.window_length(), windows.AWAY).total_seconds()

    def length(self) -> float:
        return self.state.window_length().total_seconds()

    def begin(self) -> None:
        """Something else is waited for now."""
        self.owed, self.patience = self.length(), self.whole() + SLACK

    def again(self, *, clock_was_set: bool) -> None:
        """Another process has taken over: what people had left they have again, up to the whole of it."""
        least = windows.AWAY.total_seconds() if clock_was_set else self.length()
        self.owed = min(self.owed, least, self.length())
        self.patience, self.shown = self.whole() + SLACK, -1

    def put_off(self, seconds: float) -> None:
        """Something went wrong that it may have to wait for."""
        self.patience += seconds

    def wait(self, seconds: float, *, reachable: bool, calm: bool) -> None:
        """Time went by. `reachable`: its people could answer; `calm`: nothing kept the table from going on."""
        if reachable and self.visible:
            self.owed -= seconds
        if calm and (self.visible or not self.open_window):
            self.patience -= seconds
            assert self.patience > 0, f"silent for too long: {self.stored.row}"

    def look(self, now: StoredTable) -> None:
        """Compare with the last look."""
        old, self.stored = self.stored, now
        if now.row.version == old.row.version:
            assert (now.row.window, now.lines, now.players) == (old.row.window, old.lines, old.players)
            return
        assert now.row.version > old.row.version, "a version is taken back"
        assert old.row.phase != Phase.OVER, "a table that is over goes on"
        assert now.row.window >= old.row.window, "a window is taken back"
        assert now.lines[: len(old.lines)] == old.lines, "a line is lost"
        if any(line.line.endswith(" !") for line in now.lines[len(old.lines) :]):
            assert self.owed < 0.001, f"the clock answered {self.owed} seconds too early"
        if old.row.paused is not None:
            self.shown = -1
        self.state = rebuilt(now)
        _sound(self.state)
        if _waits_for(now) != _waits_for(old) or now.row.phase == Phase.LOBBY:
            self.begin()
        elif now.row.request.startswith(EXTENDS) and self.open_window:
            self.owed += self.state.usual_length if self.visible else 0.0
            self.put_off(self.state.usual_length * (now.row.version - old.row.version))
        elif now.row.version > old.row.version + 1:
            # It may have gone there and back.
            self.patience = max(self.patience, self.whole() + SLACK)


class Onlookers:
    """All tables of a store, watched."""

    def __init__(self) -> None:
        self.tables: dict[str, Watched] = {}

    def look(self, stored: dict[str, StoredTable]) -> None:
        """Look at everything that is stored now."""
        for table_id, now in stored.items():
            watched = self.tables.get(table_id)
            if watched is None:
                self.tables[table_id] = Watched(now)
            else:
                watched.look(now)
        channels = Counter(now.row.channel_id for now in stored.values() if now.row.phase != Phase.OVER)
        assert all(count == 1 for count in channels.values()), "two open tables in one channel"

    def open(self) -> Sequence[Watched]:
        return [watched for watched in self.tables.values() if watched.stored.row.phase != Phase.OVER]


def moves_of(stored: StoredTable, request: str) -> int:
    """How many moves `request` has made. Draws, and losses without a choice, stand behind the move that made them."""
    mine = [line for line in stored.lines if line.request == request]
    assert [line.number for line in mine] == list(range(mine[0].number, mine[-1].number + 1)) if mine else True
    return len(mine[:1]) + sum(" lose " not in line.line and not line.line.startswith("draw ") for line in mine[1:])


def _waits_for(stored: StoredTable) -> object:
    return stored.row.phase, stored.row.window, stored.row.paused


def _sound(state: TableState) -> None:
    if state.game is not None:
        assert violations(state.game) == []
