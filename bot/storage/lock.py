"""One process a database: two bots on one database would each answer half of the clicks with stale games.

Owns: the lock, and the watch over it. Beside an SQLite file it is an operating system's file lock, which ends with its
process however that dies; on PostgreSQL an advisory lock of a connection that is kept open.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO, Protocol

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.settings import StartupError
from bot.storage.engine import is_sqlite, told_in_one_line
from bot.telemetry import logger

log = logger(__name__)

ADVISORY_KEY = 0x434F5550
"""The lock's number on PostgreSQL: `COUP` in ASCII."""

LOOK_EVERY = 5.0
"""Seconds between two looks at whether a lock that can be lost is still ours."""

_TAKEN = "Another bot is running on this database; stop it first, or set DATABASE_URL to another one"
_LOST = "Another bot has taken this database while the connection to it was lost; this one ends"


class Lock(Protocol):
    """A lock that is held."""

    async def watch(self) -> None:
        """Run for as long as no other process has the lock; raises StartupError then."""


@contextlib.asynccontextmanager
async def one_process(engine: AsyncEngine, database_url: str) -> AsyncIterator[Lock]:
    """Hold the database's lock. Raises StartupError if another process holds it."""
    if is_sqlite(database_url):
        with _file_lock(_beside(database_url)):
            yield _FileLock()
        return
    lock = _AdvisoryLock(engine)
    try:
        if not await lock.take():
            raise StartupError(_TAKEN)
        yield lock
    finally:
        await lock.give_back()


class _AdvisoryLock:
    """PostgreSQL's. It is its connection's: when the server restarts or the network fails, it is gone."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None

    async def take(self) -> bool:
        """Whether it is ours, now or already. Raises StartupError if the database cannot be asked."""
        with told_in_one_line():
            if self._connection is None:
                self._connection = await self._engine.connect()
            got = await self._connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": ADVISORY_KEY})
            await self._connection.commit()
        return bool(got)

    async def give_back(self) -> None:
        """With its connection: a pool that kept it open would keep the lock."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.invalidate()
            await connection.close()

    async def watch(self) -> None:
        """While the database is away nobody has it; when it is back, this process takes it again or ends."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if not await self._kept():
                raise StartupError(_LOST)

    async def _kept(self) -> bool:
        try:
            return await self.take()
        except (StartupError, SQLAlchemyError) as error:
            if self._connection is not None:
                log.warning("lock on the database lost", error=type(error.__cause__ or error).__name__)
            await self.give_back()
            return True


class _FileLock:
    """An open file's, which cannot be lost."""

    async def watch(self) -> None:
        """For ever."""
        await asyncio.Event().wait()


def _beside(database_url: str) -> Path:
    """The file to lock: beside the database's own, whichever link leads there."""
    file = Path(str(make_url(database_url).database)).resolve()
    return file.with_name(f"{file.name}.lock")


@contextlib.contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    try:
        file = path.open("a+b")
    except OSError as error:
        raise StartupError(f"Cannot write {path}: {error.strerror}; check DATABASE_URL") from error
    with file:
        if not _try_lock(file):
            raise StartupError(_TAKEN)
        yield


def _try_lock(file: IO[bytes]) -> bool:
    try:
        try:
            import fcntl
        except ImportError:  # Windows
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
