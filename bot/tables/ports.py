"""What the tables need from outside: a clock, a store, who is there, and somebody to tell when a table has changed.

Owns: the interfaces. The implementations are `bot.storage` (Store), `bot.ui.announcer` and `bot.ui.dm_hands`
(Audience), `bot.gateway` (Presence) and `bot.app` (Clock).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from bot.tables.table import Player, Post


class TableRow(Struct, frozen=True, kw_only=True):
    """A table as it is stored, without its moves. Times are aware and UTC."""

    id: str
    version: int
    request: str
    """The request that made this version, so that a retry finds its own work."""
    phase: str
    guild_id: int
    channel_id: int
    parent_id: int
    """The channel that the table's thread hangs on; else `channel_id` again."""
    host_id: int
    language: str
    edition: str
    """The words of the record's `rules:` line."""
    speed: str
    seed: str
    """Hex, 32 bytes."""
    start: str | None = None
    first: int | None = None
    """Who starts when `start` is `winner`; None when the dealer draws it."""
    mix: str | None = None
    """Fixed when the game starts."""
    window: int = 0
    deadline_at: datetime | None = None
    granted: int | None = None
    """Seconds that people have in all for the open window, where that is more than its usual length."""
    paused: str | None = None
    announced_version: int = 0
    """What the channel shows. `Store.commit` leaves it alone, `Store.announced` sets it."""
    ending: str | None = None
    ended_by: str | None = None
    """Display name of who ended it: a moderator needs no seat."""
    ended_by_id: int | None = None
    """Their user id, by which their name is found when they want to be forgotten."""
    winner_id: int | None = None
    """User id of the winner: starts the next game of the channel, if seated (R6)."""
    created_at: datetime
    ended_at: datetime | None = None


class StoredLine(Struct, frozen=True):
    """One line of the record's body. `request` names the request that wrote it, so that a retry finds its own work."""

    number: int
    line: str
    request: str
    cause: str | None = None
    """Why it was played, if its player did not: see `bot.tables.table.Cause`."""


class StoredTable(Struct, frozen=True):
    """All that is stored of one table."""

    row: TableRow
    players: tuple[Player, ...]
    lines: tuple[StoredLine, ...]
    posts: tuple[Post, ...]


class Change(Struct, frozen=True):
    """One transaction: the row as it becomes (its version is the one read plus one), and the lines that are new."""

    row: TableRow
    players: tuple[Player, ...] | None
    """The new seats, or None to leave them as they are."""
    lines: tuple[StoredLine, ...]


class VersionConflict(Exception):
    """The stored version is not the one that the change was made from: somebody else was first."""


class ChannelTaken(Exception):
    """An open table exists in that channel already."""


class Store(Protocol):
    """Where tables are kept. Every method is one transaction; any of them may raise the database's own errors."""

    async def create(self, row: TableRow, players: tuple[Player, ...]) -> None:
        """Store a new table at version 1. Raises ChannelTaken."""

    async def load(self, table_id: str) -> StoredTable | None: ...

    async def commit(self, change: Change) -> None:
        """Apply `change` if the stored version is `change.row.version - 1`; raises VersionConflict otherwise."""

    async def open_tables(self) -> list[str]:
        """Ids of tables that are not over, or over and not yet announced, or with a hand by DM that is not settled."""

    async def open_in_channel(self, channel_id: int) -> str | None: ...

    async def open_in_guild(self, guild_id: int) -> list[str]: ...

    async def open_of_player(self, user_id: int) -> list[str]: ...

    async def last_winner(self, parent_id: int) -> int | None:
        """User id of the winner of the last finished game of a channel and its threads (R6)."""

    async def last_game(self, channel_id: int) -> str | None:
        """Id of the table of a channel whose game ended last, whether or not somebody won it."""

    async def needing_attention(self, now: datetime) -> list[str]:
        """Ids of tables whose deadline is past, or whose announced version is behind."""

    async def announced(self, table_id: str, version: int) -> None:
        """Everything up to `version` is in the channel."""

    async def save_post(self, table_id: str, post: Post) -> None:
        """Insert or replace the post of that kind and number. Does not touch the version."""

    async def remembered(self, key: str) -> str | None:
        """A small fact kept between runs, such as the hash of the registered commands."""

    async def remember(self, key: str, value: str) -> None: ...


class Clock(Protocol):
    """Time, injected everywhere it is needed."""

    def now(self) -> datetime:
        """Aware, UTC."""


class Presence(Protocol):
    """Whoever knows who is in a server."""

    async def missing(self, guild_id: int, user_ids: Collection[int]) -> frozenset[int]:
        """Those of `user_ids` that have certainly left; raises nothing, and in doubt somebody is there."""


class Audience(Protocol):
    """Whoever shows tables to people."""

    def changed(self, table_id: str) -> None:
        """Something of that table is stored that has not been shown yet. Returns at once."""
