"""Tables in the database.

Owns: the transactions behind `bot.tables.ports.Store`. Moves are rows holding record lines; a table is loaded as it
was stored and replayed by `bot.tables.restoring`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import asdict
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from bot.storage.engine import is_sqlite
from bot.storage.models import FactModel, MoveModel, PostModel, SeatModel, TableModel
from bot.storage.people import count_game
from bot.tables.ports import Change, ChannelTaken, StoredLine, StoredTable, TableRow, VersionConflict
from bot.tables.table import Ending, Phase, Player, Post, PostKind

# As the indexes have them. Joined by UNION, for SQLite answers an OR of the two by looking at every table.
_OPEN = TableModel.open_channel_id.is_not(None)
_UNANNOUNCED = TableModel.announced_version < TableModel.version


class SqlStore:
    """A `Store` on a database whose schema is up to date."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._session = async_sessionmaker(engine, expire_on_commit=False)
        # SQLite has one writer at a time, and whoever waits for it sleeps and tries again in no order: of twenty tables
        # some would give up. Here they queue.
        self._turn = asyncio.Lock() if is_sqlite(str(engine.url)) else contextlib.nullcontext()

    def reading(self) -> AsyncSession:
        """A session that changes nothing."""
        return self._session()

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A transaction that changes something."""
        async with self._turn, self._session.begin() as session:
            yield session

    async def create(self, row: TableRow, players: tuple[Player, ...]) -> None:
        """Raises ChannelTaken if a table is open in that channel."""
        try:
            async with self.writing() as session:
                session.add(TableModel(**_columns(row)))
                await session.flush()
                session.add_all(_seats(row.id, players))
        except IntegrityError as error:
            if await self.open_in_channel(row.channel_id) is None:
                raise
            raise ChannelTaken from error

    async def load(self, table_id: str) -> StoredTable | None:
        """All of one table as it stood at one version, or None."""
        while True:
            async with self.reading() as session:
                table = await session.get(TableModel, table_id)
                if table is None:
                    return None
                stored = StoredTable(
                    TableRow(**{name: getattr(table, name) for name in TableRow.__struct_fields__}),
                    await self._players(session, table_id),
                    await self._lines(session, table_id),
                    await self._posts(session, table_id),
                )
                # Each query sees what was committed before it: a commit that was given up by its caller, and goes
                # through all the same, must not be read in part.
                query = select(TableModel.version).where(TableModel.id == table_id)
                if await session.scalar(query) == stored.row.version:
                    return stored

    async def commit(self, change: Change) -> None:
        """Raises VersionConflict if the stored version is not the one that the change was made from."""
        row = change.row
        columns = _columns(row)
        del columns["announced_version"]
        async with self.writing() as session:
            guarded = (TableModel.id == row.id) & (TableModel.version == row.version - 1)
            done = await session.execute(update(TableModel).where(guarded).values(**columns))
            if _rows(done) != 1:
                raise VersionConflict
            if change.players is not None:
                await session.execute(delete(SeatModel).where(SeatModel.table_id == row.id))
                session.add_all(_seats(row.id, change.players))
            session.add_all(MoveModel(table_id=row.id, **asdict(line)) for line in change.lines)
            if row.ending == Ending.WON:
                # Here, so that a game is counted if and only if it is over, and once.
                await count_game(session, row.id)

    async def open_tables(self) -> list[str]:
        """Tables that are not over, or over and not yet announced, or with a hand by DM that is not settled."""
        tables = select(TableModel.id, TableModel.created_at)
        left = select(PostModel.table_id).where(~PostModel.settled, PostModel.kind == PostKind.HAND)
        query = tables.where(_OPEN).union(tables.where(_UNANNOUNCED), tables.where(TableModel.id.in_(left)))
        return await self._ids(query.order_by("created_at", "id"))

    async def open_in_channel(self, channel_id: int) -> str | None:
        """The one open table of a channel."""
        found = await self._ids(select(TableModel.id).where(TableModel.open_channel_id == channel_id))
        return found[0] if found else None

    async def open_in_guild(self, guild_id: int) -> list[str]:
        """The open tables of a server, oldest first."""
        query = select(TableModel.id).where(TableModel.guild_id == guild_id, _OPEN)
        return await self._ids(query.order_by(TableModel.created_at, TableModel.id))

    async def open_of_player(self, user_id: int) -> list[str]:
        """The open tables at which `user_id` has a seat, oldest first."""
        query = select(TableModel.id).join(SeatModel, SeatModel.table_id == TableModel.id)
        query = query.where(SeatModel.user_id == user_id, _OPEN)
        return await self._ids(query.order_by(TableModel.created_at, TableModel.id))

    async def last_winner(self, parent_id: int) -> int | None:
        """Who won the last game of a channel and its threads that somebody won."""
        query = select(TableModel.winner_id).where(TableModel.parent_id == parent_id, TableModel.winner_id.is_not(None))
        async with self.reading() as session:
            return await session.scalar(query.order_by(TableModel.ended_at.desc()).limit(1))

    async def last_game(self, channel_id: int) -> str | None:
        """The table of a channel whose game ended last; a lobby that was closed had none."""
        played = (TableModel.channel_id == channel_id) & (TableModel.phase == Phase.OVER) & TableModel.mix.is_not(None)
        found = await self._ids(select(TableModel.id).where(played).order_by(TableModel.ended_at.desc()).limit(1))
        return found[0] if found else None

    async def needing_attention(self, now: datetime) -> list[str]:
        """Tables past their deadline, or whose newest version is not in the channel."""
        tables = select(TableModel.id)
        overdue = tables.where(_OPEN, TableModel.deadline_at < now)
        return await self._ids(overdue.union(tables.where(_UNANNOUNCED)))

    async def announced(self, table_id: str, version: int) -> None:
        """Note that the channel shows `version`; never goes back."""
        behind = (TableModel.id == table_id) & (TableModel.announced_version < version)
        async with self.writing() as session:
            await session.execute(update(TableModel).where(behind).values(announced_version=version))

    async def save_post(self, table_id: str, post: Post) -> None:
        """Insert or replace the post of that kind and number."""
        async with self.writing() as session:
            await session.merge(PostModel(table_id=table_id, **{**asdict(post), "kind": post.kind.value}))

    async def remembered(self, key: str) -> str | None:
        """The fact of that name."""
        async with self.reading() as session:
            fact = await session.get(FactModel, key)
            return None if fact is None else fact.value

    async def remember(self, key: str, value: str) -> None:
        """Set the fact of that name."""
        async with self.writing() as session:
            await session.merge(FactModel(key=key, value=value))

    async def _ids(self, query: Any) -> list[str]:
        async with self.reading() as session:
            return list(await session.scalars(query))

    @staticmethod
    async def _players(session: AsyncSession, table_id: str) -> tuple[Player, ...]:
        query = select(SeatModel).where(SeatModel.table_id == table_id).order_by(SeatModel.number)
        return tuple(
            Player(seat.user_id, seat.name, seat.click, seat.auto_allow) for seat in await session.scalars(query)
        )

    @staticmethod
    async def _lines(session: AsyncSession, table_id: str) -> tuple[StoredLine, ...]:
        columns = (MoveModel.number, MoveModel.line, MoveModel.request, MoveModel.cause)
        rows = await session.execute(select(*columns).where(MoveModel.table_id == table_id).order_by(MoveModel.number))
        return tuple(StoredLine(*row) for row in rows)

    @staticmethod
    async def _posts(session: AsyncSession, table_id: str) -> tuple[Post, ...]:
        query = select(PostModel).where(PostModel.table_id == table_id).order_by(PostModel.kind, PostModel.number)
        return tuple(
            Post(PostKind(post.kind), post.number, post.attempt, post.message_id, post.settled)
            for post in await session.scalars(query)
        )


def _columns(row: TableRow) -> dict[str, Any]:
    return {**asdict(row), "open_channel_id": None if row.phase == Phase.OVER else row.channel_id}


def _seats(table_id: str, players: Sequence[Player]) -> list[SeatModel]:
    return [SeatModel(table_id=table_id, number=number, **asdict(player)) for number, player in enumerate(players)]


def _rows(result: Any) -> int:
    """Rows that an UPDATE changed. SQLAlchemy types the result of `execute` too widely for this."""
    return int(result.rowcount)
