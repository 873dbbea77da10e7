"""What the games of the cost benchmark cost, game by game and turn by turn.

Owns: the names of what is counted, and to which turn of which game everything belongs. Reads the requests that the
simulated Discord received and is told of every transaction; knows nothing of how games are played.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage.store import SqlStore
from bot.tables.ports import Change, TableRow
from bot.tables.table import Phase, Player, Post
from bot.ui.ids import parse
from tests.support.harness import SimulatedClock
from tests.support.seen import Seen, Sent

AROUND_KIND = "around"
WRITES = {
    "turn posted": "POST a turn's message",
    "call posted": "POST a call to one player",
    "question": "PATCH the next question",
    "answer": "PATCH who is still awaited",
    "folded": "PATCH a turn that is over",
    "call deleted": "DELETE a call",
    AROUND_KIND: "lobby and result, of any kind",
}
"""What is done to a channel, and how it is called."""
CLICKS, CALLBACKS, MOVES, LATE = "clicks", "callbacks", "moves", "late"
FOR_MOVES, FOR_MESSAGES = "commits for moves", "commits for messages"
AROUND = 0
"""The turn of what belongs to none: the lobby and the result."""
BUSY = timedelta(seconds=5)
"""Over so long Discord rations the writes to a channel."""


@dataclass
class Account:
    """One game."""

    channel_id: int
    turn: int = AROUND
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)
    """By what is counted, and by turn."""
    callbacks: Counter[int] = field(default_factory=Counter)
    """By click or command."""
    shown: dict[int, Seen] = field(default_factory=dict)
    """The public messages as they stand now, oldest first."""
    writes: list[Sent] = field(default_factory=list)
    unseen: deque[datetime] = field(default_factory=deque)
    """When the versions were stored that the channel does not show yet."""
    delays: list[float] = field(default_factory=list)
    """Of every version: seconds until the channel showed it."""
    most_unseen: int = 0
    began: datetime | None = None
    ended: datetime | None = None
    _turn_of: dict[int, int] = field(default_factory=dict)
    """By message."""

    @property
    def over(self) -> bool:
        """Whether it has ended and the channel shows it."""
        return self.ended is not None and not self.unseen

    @property
    def minutes(self) -> float:
        assert self.began is not None
        assert self.ended is not None
        return (self.ended - self.began).total_seconds() / 60

    @property
    def in_flight(self) -> int:
        """The most writes that were on their way at one time."""
        return max(
            sum(other.started <= write.started < other.ended or other is write for other in self.writes)
            for write in self.writes
        )

    @property
    def busiest(self) -> int:
        """The most writes that arrived within `BUSY`."""
        times = [write.ended for write in self.writes]
        return max(sum(time <= other < time + BUSY for other in times) for time in times)

    def add(self, what: str, turn: int | None = None) -> None:
        self.counts[what, self.turn if turn is None else turn] += 1

    def wrote(self, sent: Sent) -> None:
        """One request that changed a public message of this channel."""
        self.writes.append(sent)
        if sent.error is not None:
            raise AssertionError(f"Discord refused {sent.method} {sent.path}: {sent.error}")
        message_id = int(sent.path.rsplit("/", 1)[-1]) if sent.message is None else sent.message.id
        what, turn = self._kind(sent, message_id)
        self.add(what, turn)
        if sent.message is None:
            self.shown.pop(message_id, None)
        else:
            self.shown[message_id] = sent.message

    def _kind(self, sent: Sent, message_id: int) -> tuple[str, int]:
        if sent.kind == "post":
            kind, number = sent.body["nonce"].split(":")[1][:1], int(sent.body["nonce"].split(":")[1][1:])
            self._turn_of[message_id] = {"t": number, "p": self.turn}.get(kind, AROUND)
            return {"t": "turn posted", "p": "call posted"}.get(kind, AROUND_KIND), self._turn_of[message_id]
        turn = self._turn_of[message_id]
        if sent.kind == "delete" or turn == AROUND:
            return AROUND_KIND if turn == AROUND else "call deleted", turn
        before, now = window(self.shown[message_id]), window(sent.message)
        return "folded" if now is None else "answer" if now == before else "question", turn


class Ledger:
    """All games of one bot."""

    def __init__(self, clock: SimulatedClock) -> None:
        self._clock = clock
        self._by_table: dict[str, Account] = {}
        self._by_channel: dict[int, Account] = {}
        self._read = 0
        self.longest_queue = 0
        """The most tables whose newest version was not shown yet."""

    def opened(self, row: TableRow) -> None:
        account = self._by_channel[row.channel_id]
        self._by_table[row.id] = account
        self.stored(row, moves=0)

    def account(self, channel_id: int) -> Account:
        """The game in that channel; a new one if there is none."""
        return self._by_channel.setdefault(channel_id, Account(channel_id))

    def stored(self, row: TableRow, moves: int) -> None:
        """A version of a table, with so many moves."""
        account, now = self._by_table[row.id], self._clock.now()
        account.add(FOR_MOVES)
        account.counts[MOVES, account.turn] += moves
        account.unseen.append(now)
        account.most_unseen = max(account.most_unseen, len(account.unseen))
        self.longest_queue = max(self.longest_queue, sum(bool(each.unseen) for each in self._by_table.values()))
        if row.phase == Phase.PLAYING and account.began is None:
            account.began = now
        if row.phase == Phase.OVER:
            account.ended = now

    def announced(self, table_id: str, behind: int) -> None:
        """The channel shows all versions but the last `behind`."""
        account, now = self._by_table[table_id], self._clock.now()
        account.add(FOR_MESSAGES)
        while len(account.unseen) > behind:
            account.delays.append((now - account.unseen.popleft()).total_seconds())

    def saved(self, table_id: str) -> None:
        """A message of the table was noted."""
        self._by_table[table_id].add(FOR_MESSAGES)

    def read(self, sent: Sequence[Sent]) -> None:
        """Enter the requests that are new in `sent`."""
        for request in sent[self._read :]:
            account = self._by_channel.get(request.channel_id or 0)
            if account is None:
                continue
            if request.kind == "callback" and request.interaction_id is not None:
                account.add(CALLBACKS)
                account.callbacks[request.interaction_id] += 1
            elif request.kind in ("post", "patch", "delete"):
                account.wrote(request)
        self._read = len(sent)


class WatchedStore(SqlStore):
    """The real store; every transaction that changes a table is entered."""

    def __init__(self, engine: AsyncEngine, ledger: Ledger) -> None:
        super().__init__(engine)
        self._ledger = ledger
        self._versions: dict[str, int] = {}

    async def create(self, row: TableRow, players: tuple[Player, ...]) -> None:
        await super().create(row, players)
        self._versions[row.id] = row.version
        self._ledger.opened(row)

    async def commit(self, change: Change) -> None:
        await super().commit(change)
        self._versions[change.row.id] = change.row.version
        self._ledger.stored(change.row, sum(not line.line.startswith("draw") for line in change.lines))

    async def announced(self, table_id: str, version: int) -> None:
        await super().announced(table_id, version)
        self._ledger.announced(table_id, self._versions[table_id] - version)

    async def save_post(self, table_id: str, post: Post) -> None:
        await super().save_post(table_id, post)
        self._ledger.saved(table_id)


def window(seen: Seen | None) -> int | None:
    """Which window the buttons of a message answer; None without buttons."""
    found = [parse(button.custom_id) for button in seen.buttons] if seen is not None else []
    return next((button.window for button in found if button is not None), None)
