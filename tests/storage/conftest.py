"""A database of each kind, empty or with the schema up to date."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage.engine import make_engine
from bot.storage.migrate import upgrade_database
from bot.storage.store import SqlStore
from tests.storage import databases

_names = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    programs = databases.binaries()
    if programs is None:
        pytest.skip("PostgreSQL's server programs (initdb, pg_ctl) are not installed on this machine")
    with databases.cluster(programs) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
async def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'coup.db'}"
    address: str = request.getfixturevalue("postgresql")
    name = f"coup{next(_names)}"
    connection = await asyncpg.connect(address.replace("+asyncpg", "") + "postgres")
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return address + name


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = make_engine(database_url)
    await upgrade_database(made)
    yield made
    await made.dispose()


@pytest.fixture
def store(engine: AsyncEngine) -> SqlStore:
    return SqlStore(engine)
