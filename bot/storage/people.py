"""People in the database.

Owns: the transactions behind `bot.tables.people.People`, and the counting of finished games. Writers queue with those
of the store, for SQLite has room for one at a time.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from msgspec.structs import asdict
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bot.storage.models import PersonModel, SeatModel, TableModel
from bot.tables.people import FORGOTTEN, Person, stranger
from bot.tables.table import Phase


class Database(Protocol):
    """Whoever opens sessions: the store."""

    def reading(self) -> AsyncSession: ...

    def writing(self) -> AbstractAsyncContextManager[AsyncSession]: ...


class SqlPeople:
    """A `People` on the database of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def person(self, user_id: int) -> Person:
        """What is known of somebody; the defaults for a stranger."""
        async with self._database.reading() as session:
            found = await session.get(PersonModel, user_id)
            return Person(user_id=user_id) if found is None else _person(found)

    async def heard(self, user_id: int, locale: str) -> None:
        """Remember the language of somebody's Discord, and nothing else."""
        await self.choose(user_id, locale=locale)

    async def choose(self, user_id: int, **choices: Any) -> Person:
        """Change these columns, and no others. Returns all that is known of them then."""
        try:
            return await self._set(user_id, choices)
        except IntegrityError:
            # They were written of for the first time by another in the same moment.
            return await self._set(user_id, choices)

    async def _set(self, user_id: int, columns: dict[str, Any]) -> Person:
        async with self._database.writing() as session:
            found = await session.get(PersonModel, user_id)
            if found is None:
                found = PersonModel(**asdict(Person(user_id=user_id)))
                session.add(found)
            for name, value in columns.items():
                setattr(found, name, value)  # only what differs from what was read is written
            return _person(found)

    async def forget(self, user_id: int) -> bool:
        """False, and nothing is changed, while they have a seat at an open table."""
        async with self._database.writing() as session:
            query = select(SeatModel, TableModel).join(TableModel, TableModel.id == SeatModel.table_id)
            seats = (await session.execute(query.where(SeatModel.user_id == user_id))).all()
            if any(table.phase != Phase.OVER for _, table in seats):
                return False
            for seat, table in seats:
                _replace(seat, table)
            # Who opened a lobby and left it again is named by no seat, nor is a moderator.
            await session.execute(
                update(TableModel)
                .where(TableModel.host_id == user_id, TableModel.phase == Phase.OVER)
                .values(host_id=0)
            )
            ended = update(TableModel).where(TableModel.ended_by_id == user_id)
            await session.execute(ended.values(ended_by=FORGOTTEN, ended_by_id=None))
            found = await session.get(PersonModel, user_id)
            if found is not None:
                await session.delete(found)
        return True


def _person(found: PersonModel) -> Person:
    return Person(**{name: getattr(found, name) for name in Person.__struct_fields__})


def _replace(seat: SeatModel, table: TableModel) -> None:
    """Put a stranger in the place of whoever had `seat`."""
    known_id = seat.user_id
    seat.user_id, seat.name = stranger(seat.number), FORGOTTEN
    if table.host_id == known_id:
        table.host_id = seat.user_id
    if table.winner_id == known_id:
        # Not NULL: the winner of the game before must not take their place (R6).
        table.winner_id = seat.user_id


async def count_game(session: AsyncSession, table_id: str) -> None:
    """One more finished game for everybody who sat at that table."""
    seated: Any = await session.scalars(select(SeatModel.user_id).where(SeatModel.table_id == table_id))
    for user_id in sorted(seated):
        found = await session.get(PersonModel, user_id)
        if found is None:
            session.add(PersonModel(**asdict(Person(user_id=user_id, games=1))))
        else:
            # In the database, for another table may end in the same moment.
            found.games = PersonModel.games + 1
