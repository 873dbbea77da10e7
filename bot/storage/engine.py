"""The database connection.

Owns: how each kind of database is opened. SQLite writes ahead (readers never wait for the writer), enforces foreign
keys and waits a while for a lock before it gives up. And in which one line a database that cannot be used is told of.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.settings import StartupError

BUSY_TIMEOUT_MS = 2000
"""How long SQLite waits for another process's lock; shorter than the three seconds that a click has."""


def make_engine(database_url: str) -> AsyncEngine:
    """An engine for `database_url`. Connects to nothing yet."""
    engine = create_async_engine(database_url, pool_pre_ping=not is_sqlite(database_url), hide_parameters=True)
    if is_sqlite(database_url):
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    return engine


def is_sqlite(database_url: str) -> bool:
    """Whether the database is an SQLite file."""
    return make_url(database_url).get_backend_name() == "sqlite"


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    try:
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        cursor.close()
    except Exception:
        # Nobody else would: its thread would outlive the loop.
        connection.close()
        raise


@contextlib.contextmanager
def told_in_one_line() -> Iterator[None]:
    """Turn what the drivers raise while the bot starts into StartupError: unreachable, locked, or refusing."""
    try:
        yield
    except (OSError, OperationalError) as error:
        raise StartupError(_unreachable(error)) from error
    except DBAPIError as error:
        raise StartupError(f"The database refused: {_short(error)}; check DATABASE_URL") from error
    except Exception as error:
        # asyncpg's own errors on connecting (wrong password, no such database) are not SQLAlchemy's.
        if type(error).__module__.partition(".")[0] != "asyncpg":
            raise
        raise StartupError(_unreachable(error)) from error


def _unreachable(error: Exception) -> str:
    text = _short(error)
    if "locked" in text:
        return "The database is locked by another program; close that program and start the bot again"
    return f"The database cannot be reached: {text}; check DATABASE_URL"


def _short(error: Exception) -> str:
    """The driver's own words on one line: without SQL, and of the address no more than host, port and user."""
    original = getattr(error, "orig", None) or error
    return " ".join(str(original).split())[:200]
