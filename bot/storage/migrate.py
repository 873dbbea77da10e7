"""Bringing a database up to the schema of this version.

Owns: running alembic, and telling the ways in which a database can refuse in one line each. The scripts are in
`migrations/`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

import migrations
from bot.settings import StartupError
from bot.storage.engine import make_engine, told_in_one_line
from bot.storage.lock import one_process


def config() -> Config:
    """Alembic's configuration; there is no alembic.ini, so that it works wherever the package is installed."""
    found = Config()
    found.set_main_option("script_location", str(Path(migrations.__file__).parent))
    return found


def upgrade(database_url: str) -> None:
    """Bring the database up to date while no bot runs on it. Raises StartupError."""
    asyncio.run(_upgrade_once(database_url))


async def _upgrade_once(database_url: str) -> None:
    engine = make_engine(database_url)
    try:
        async with one_process(engine, database_url):
            await upgrade_database(engine)
    finally:
        await engine.dispose()


async def upgrade_database(engine: AsyncEngine) -> None:
    """Bring the database up to date. Raises StartupError: unreachable, locked, or newer than the code."""
    with told_in_one_line():
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    alembic = config()
    scripts = ScriptDirectory.from_config(alembic)
    current = MigrationContext.configure(connection).get_current_revision()
    if current == scripts.get_current_head():
        return
    if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
        raise StartupError(
            f"The schema {current} of the database is newer than this version of the bot: "
            "get a newer bot, or set DATABASE_URL to another database"
        )
    alembic.attributes["connection"] = connection
    with rebuilding(connection):
        command.upgrade(alembic, "head")


@contextlib.contextmanager
def rebuilding(connection: Connection) -> Iterator[None]:
    """Let steps change the schema, all of them or none; every row stays. The caller commits or rolls back.

    SQLite changes a column by making the table anew and dropping the old one, which takes along every row that refers
    to it: seats, moves, posts. Unless foreign keys are off, and they can be turned off only outside a transaction.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    # Not to go back to the pool: whoever got it next would do without foreign keys, too.
    connection.detach()
    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    # Python's driver begins a transaction before changes of rows, not before those of the schema: without this,
    # a bot that is killed here would leave half a schema behind.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    before = _strays(connection)
    yield
    # Rows that somebody's own hands left behind keep no bot from starting; ours would be a step that loses games.
    if lost := _strays(connection) - before:
        raise RuntimeError(f"a step left rows that refer to nothing, in {', '.join(sorted(lost))}")


def _strays(connection: Connection) -> Counter[str]:
    """By table, how many rows refer to one that is not there."""
    return Counter(row[0] for row in connection.exec_driver_sql("PRAGMA foreign_key_check"))
