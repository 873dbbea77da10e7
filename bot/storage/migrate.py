"""Bringing a database up to the schema of this version.

Owns: running alembic, and telling the ways in which a database can refuse in one line each. The scripts are in
`migrations/`.
"""

from __future__ import annotations

import asyncio
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
    if connection.dialect.name == "sqlite":
        # Python's driver begins a transaction before changes of rows, not before those of the schema: without this,
        # a bot that is killed here would leave half a schema behind.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    alembic = config()
    known = {script.revision for script in ScriptDirectory.from_config(alembic).walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise StartupError(
            f"The schema {current} of the database is newer than this version of the bot: "
            "get a newer bot, or set DATABASE_URL to another database"
        )
    alembic.attributes["connection"] = connection
    command.upgrade(alembic, "head")
