"""One process a database: two bots on one database would each answer half of the clicks with stale games.

Owns: the lock. Beside an SQLite file it is an operating system's file lock, which ends with its process however that
dies; on PostgreSQL an advisory lock of a connection that is kept open.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.settings import StartupError
from bot.storage.engine import is_sqlite, told_in_one_line

ADVISORY_KEY = 0x434F5550
"""The lock's number on PostgreSQL: `COUP` in ASCII."""

_TAKEN = "Another bot is running on this database; stop it first, or set DATABASE_URL to another one"


@contextlib.asynccontextmanager
async def one_process(engine: AsyncEngine, database_url: str) -> AsyncIterator[None]:
    """Hold the database's lock. Raises StartupError if another process holds it."""
    if is_sqlite(database_url):
        with _file_lock(Path(f"{make_url(database_url).database}.lock")):
            yield
    else:
        async with contextlib.AsyncExitStack() as stack:
            with told_in_one_line():
                connection = await stack.enter_async_context(engine.connect())
                got = await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": ADVISORY_KEY})
                await connection.commit()
            if not got:
                raise StartupError(_TAKEN)
            # The lock is the connection's: a pool that kept it open would keep the lock.
            stack.push_async_callback(connection.invalidate)
            yield


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
