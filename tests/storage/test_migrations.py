"""The schema, step by step and back, and the databases that cannot be brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command, op
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.settings import StartupError
from bot.storage.engine import make_engine
from bot.storage.migrate import config, rebuilding, upgrade, upgrade_database
from bot.storage.models import Base
from tests.storage import databases


@pytest.fixture
async def empty(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = make_engine(database_url)
    yield made
    await made.dispose()


def table_names(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


async def names(engine: AsyncEngine) -> set[str]:
    async with engine.connect() as connection:
        return await connection.run_sync(table_names)


async def move_to(engine: AsyncEngine, step: Any, revision: str) -> None:
    def work(connection: Connection) -> None:
        alembic = config()
        alembic.attributes["connection"] = connection
        with rebuilding(connection):
            step(alembic, revision)

    async with engine.begin() as connection:
        await connection.run_sync(work)


async def test_up_down_and_up_again(empty: AsyncEngine) -> None:
    await upgrade_database(empty)
    full = set(Base.metadata.tables) | {"alembic_version"}
    assert await names(empty) == full
    await upgrade_database(empty)
    await move_to(empty, command.downgrade, "base")
    assert await names(empty) == {"alembic_version"}
    await upgrade_database(empty)
    assert await names(empty) == full


async def test_every_step_goes_back(empty: AsyncEngine) -> None:
    revisions = [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()]
    for revision in reversed(revisions):
        await move_to(empty, command.upgrade, revision)
        await move_to(empty, command.downgrade, "-1")
        await move_to(empty, command.upgrade, revision)


async def test_whoever_ended_a_table_before_is_found_by_their_seat(empty: AsyncEngine) -> None:
    """And a name that is nobody's there goes: nobody could find it when its person wants to be forgotten."""
    await move_to(empty, command.upgrade, "0003")
    columns = "id, version, request, phase, guild_id, channel_id, parent_id, host_id, language, edition, speed, seed"
    async with empty.begin() as connection:
        for name, by in (("a", "'Ana'"), ("b", "'A moderator'"), ("c", "NULL")):
            await connection.execute(
                text(
                    f'INSERT INTO tables ({columns}, "window", announced_version, created_at, ended_by) VALUES'
                    f" ('{name}', 2, 'r', 'over', 1, 1, 1, 7, 'en', 'classic', 'normal', '00', 0, 2,"
                    f" '2030-01-02 03:04:05', {by})"
                )
            )
            await connection.execute(
                text(
                    "INSERT INTO seats (table_id, number, user_id, name, click, auto_allow) VALUES"
                    f" ('{name}', 0, 7, 'Ana', 5, (1 = 0))"
                )
            )
    await move_to(empty, command.upgrade, "0004")
    async with empty.connect() as connection:
        found = await connection.execute(text("SELECT ended_by, ended_by_id FROM tables ORDER BY id"))
        assert [tuple(row) for row in found] == [("Ana", 7), ("?", None), (None, None)]


async def test_there_is_one_line_of_steps() -> None:
    assert len(ScriptDirectory.from_config(config()).get_heads()) == 1


async def test_the_models_are_what_the_steps_make(engine: AsyncEngine) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


def one_line(error: StartupError) -> str:
    line = str(error)
    assert "\n" not in line
    assert len(line) < 350
    return line


async def refused(url: str) -> str:
    made = make_engine(url)
    try:
        with pytest.raises(StartupError) as caught:
            await upgrade_database(made)
        return one_line(caught.value)
    finally:
        await made.dispose()


async def test_a_newer_database_is_refused_and_left_alone(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StartupError) as caught:
        await upgrade_database(engine)
    line = one_line(caught.value)
    assert "newer" in line
    assert "9999" in line
    async with engine.connect() as connection:
        assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"


def test_an_sqlite_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="check DATABASE_URL") as caught:
        upgrade(f"sqlite+aiosqlite:///{tmp_path}/none/coup.db")
    one_line(caught.value)


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "coup.db"
    file.write_bytes(b"not a database at all" * 100)
    assert "not a database" in await refused(f"sqlite+aiosqlite:///{file}")


async def test_a_locked_sqlite_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "coup.db"
    monkeypatch.setattr("bot.storage.engine.BUSY_TIMEOUT_MS", 0)
    other = sqlite3.connect(file)
    other.execute("PRAGMA journal_mode=WAL")
    other.execute("BEGIN IMMEDIATE")
    try:
        assert "locked" in await refused(f"sqlite+aiosqlite:///{file}?timeout=0")
    finally:
        other.close()


async def test_an_exclusively_locked_sqlite_file(tmp_path: Path) -> None:
    file = tmp_path / "coup.db"
    other = sqlite3.connect(file)
    other.execute("BEGIN EXCLUSIVE")
    try:
        assert "locked" in await refused(f"sqlite+aiosqlite:///{file}?timeout=0")
    finally:
        other.close()


async def test_no_server() -> None:
    line = await refused(f"postgresql+asyncpg://user:hush@127.0.0.1:{databases.free_port()}/coup")
    assert "reached" in line
    assert "hush" not in line


async def test_no_such_postgresql_database_or_user(postgresql: str) -> None:
    line = await refused(postgresql + "nothing")
    assert "nothing" in line
    assert "DATABASE_URL" in line
    line = await refused(postgresql.replace("coup@", "stranger:hush@") + "postgres")
    assert "stranger" in line
    assert "hush" not in line


async def test_half_a_schema_is_never_left_behind(empty: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed, or failing, in the middle of a step: the database is as it was."""
    made: Callable[..., Any] = op.create_table

    def failing(name: str, *columns: Any) -> None:
        if name == "moves":
            raise RuntimeError("pulled the plug")
        made(name, *columns)

    with monkeypatch.context() as patched:
        patched.setattr(op, "create_table", failing)
        with pytest.raises(RuntimeError):
            await upgrade_database(empty)
    assert await names(empty) == set()
    await upgrade_database(empty)


def test_the_command_brings_a_database_up_to_date(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'coup.db'}"
    upgrade(url)
    upgrade(url)
    with sqlite3.connect(tmp_path / "coup.db") as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (0,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_games_that_were_over_before_people_were_remembered_count(empty: AsyncEngine) -> None:
    await move_to(empty, command.upgrade, "0002")
    columns = (
        "id, version, request, phase, guild_id, channel_id, parent_id, host_id, language, edition, speed, seed,"
        " window, announced_version, created_at, ending"
    )
    # "window" is a word of SQL's.
    columns = columns.replace("window", '"window"')
    async with empty.begin() as connection:
        for name, ending in (("aaaa", "won"), ("bbbb", "won"), ("cccc", "ended")):
            values = f"'{name}', 1, 'r', 'over', 1, 1, 1, 1, 'en', 'classic', 'normal', 'ab', 0, 1"
            await connection.execute(
                text(f"INSERT INTO tables ({columns}) VALUES ({values}, '2030-01-01 00:00:00', '{ending}')")
            )
        for name, user in (("aaaa", 1), ("aaaa", 2), ("bbbb", 1), ("cccc", 1)):
            await connection.execute(
                text(
                    "INSERT INTO seats (table_id, number, user_id, name, click, auto_allow)"
                    f" VALUES ('{name}', {user}, {user}, 'x', 1, (1 = 0))"
                )
            )
    await upgrade_database(empty)
    async with empty.connect() as connection:
        found = await connection.execute(text("SELECT user_id, games, dm_hand, hints FROM people ORDER BY user_id"))
        assert [tuple(row) for row in found] == [(1, 2, True, True), (2, 1, True, True)]


GAME_AT_THE_FIRST_STEP = """
INSERT INTO tables (id, version, request, phase, guild_id, channel_id, open_channel_id, host_id, language, edition,
    speed, seed, "window", announced_version, created_at)
    VALUES ('aaaa', 7, 'r', 'playing', 1, 2, 2, 3, 'en', 'classic', 'normal', 'ab', 4, 7, '2030-01-01 00:00:00');
INSERT INTO seats (table_id, number, user_id, name, click) VALUES ('aaaa', 0, 3, 'Ana', 5), ('aaaa', 1, 4, 'Bob', 6);
INSERT INTO moves (table_id, number, line, request)
    VALUES ('aaaa', 1, 'p1: tax', 'r'), ('aaaa', 2, 'p2: pass', 'r');
INSERT INTO posts (table_id, kind, number, attempt, message_id, settled)
    VALUES ('aaaa', 'lobby', 0, 1, 9, (1 = 0));
INSERT INTO facts (key, value) VALUES ('commands', 'x')
"""
KEPT = {
    "tables": "id, version, phase, channel_id, host_id, created_at",
    "seats": "table_id, number, user_id, name, click",
    "moves": "table_id, number, line, request",
    "posts": "table_id, kind, number, attempt, message_id, settled",
    "facts": "key, value",
}


async def kept(engine: AsyncEngine) -> dict[str, list[tuple[Any, ...]]]:
    async with engine.connect() as connection:
        return {
            table: sorted(tuple(row) for row in await connection.execute(text(f"SELECT {columns} FROM {table}")))
            for table, columns in KEPT.items()
        }


async def with_a_game(engine: AsyncEngine) -> dict[str, list[tuple[Any, ...]]]:
    """A database at the first step with a game that is on; what of it every later step has to keep."""
    await move_to(engine, command.upgrade, "0001")
    async with engine.begin() as connection:
        for statement in GAME_AT_THE_FIRST_STEP.split(";"):
            await connection.exec_driver_sql(statement)
    return await kept(engine)


async def test_a_game_survives_every_step_up_and_down(empty: AsyncEngine) -> None:
    revisions = [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()][::-1]
    before = await with_a_game(empty)
    assert [len(rows) for rows in before.values()] == [1, 2, 2, 1, 1]
    for revision in revisions[1:]:
        await move_to(empty, command.upgrade, revision)
        assert await kept(empty) == before, f"up to {revision}"
        await move_to(empty, command.downgrade, "-1")
        assert await kept(empty) == before, f"down from {revision}"
        await move_to(empty, command.upgrade, revision)
        assert await kept(empty) == before, f"up to {revision} again"
    await move_to(empty, command.downgrade, revisions[0])
    await upgrade_database(empty)
    assert await kept(empty) == before


async def test_a_game_of_the_first_version_is_there_after_the_upgrade_of_a_start(empty: AsyncEngine) -> None:
    before = await with_a_game(empty)
    await upgrade_database(empty)
    assert await kept(empty) == before
    with pytest.raises(IntegrityError):
        async with empty.begin() as connection:
            await connection.execute(text("UPDATE seats SET table_id = 'nope'"))


async def test_a_step_that_loses_rows_changes_nothing(tmp_path: Path) -> None:
    """On SQLite, which does not look while tables are made anew; PostgreSQL always does."""
    made = make_engine(f"sqlite+aiosqlite:///{tmp_path / 'coup.db'}")
    before = await with_a_game(made)

    def careless(alembic: Config, _revision: str) -> None:
        alembic.attributes["connection"].execute(text("DELETE FROM tables"))

    with pytest.raises(RuntimeError, match="refer to nothing, in moves, posts, seats"):
        await move_to(made, careless, "0002")
    assert await kept(made) == before
    await made.dispose()


async def test_rows_that_belonged_to_nothing_before_keep_nobody_from_the_upgrade(tmp_path: Path) -> None:
    """SQLite's own command line enforces no foreign keys: whoever deletes a table there leaves its seats behind."""
    made = make_engine(f"sqlite+aiosqlite:///{tmp_path / 'coup.db'}")
    await with_a_game(made)
    with sqlite3.connect(tmp_path / "coup.db") as by_hand:
        by_hand.execute("DELETE FROM tables")
    by_hand.close()
    await upgrade_database(made)
    assert [len(rows) for rows in (await kept(made)).values()] == [0, 2, 2, 1, 1]
    await made.dispose()
