"""One process a database."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.settings import StartupError
from bot.storage.engine import make_engine
from bot.storage.lock import one_process
from tests.storage import databases

HOLD = """
import asyncio, sys
from bot.settings import StartupError
from bot.storage.engine import make_engine
from bot.storage.lock import one_process

async def main():
    engine = make_engine(sys.argv[1])
    try:
        async with one_process(engine, sys.argv[1]):
            print("held", flush=True)
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    except StartupError as error:
        print(error, flush=True)
    await engine.dispose()

asyncio.run(main())
"""
ROOT = Path(__file__).parents[2]


def start(url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


async def test_a_second_process_is_refused_until_the_first_has_ended(database_url: str) -> None:
    first = start(database_url)
    try:
        assert await asyncio.to_thread(said, first) == "held"
        second = start(database_url)
        line = await asyncio.to_thread(said, second)
        assert line.startswith("Another bot is running on this database")
        assert await asyncio.to_thread(second.wait) == 0
        first.kill()
        await asyncio.to_thread(first.wait)
        await _free(database_url)
    finally:
        first.kill()
        first.communicate()


async def _free(url: str) -> None:
    """However the first process died, the lock went with it."""
    engine = make_engine(url)
    try:
        async with _at_last(engine, url):
            pass
    finally:
        await engine.dispose()


@contextlib.asynccontextmanager
async def _at_last(engine: AsyncEngine, url: str) -> AsyncIterator[None]:
    """Hold the lock that its last holder has lost: a server may take a moment to notice."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(1000):
            try:
                await stack.enter_async_context(one_process(engine, url))
            except StartupError:
                await asyncio.to_thread(subprocess.run, ["true"], check=True)
            else:
                yield
                return
        raise AssertionError("the lock outlived its holder")


async def test_the_lock_is_given_back(engine: AsyncEngine, database_url: str) -> None:
    other = make_engine(database_url)
    try:
        for _ in range(3):
            async with one_process(engine, database_url):
                with pytest.raises(StartupError, match="Another bot is running"):
                    async with one_process(other, database_url):
                        pass
            async with one_process(other, database_url), other.connect() as connection:
                assert await connection.scalar(text("SELECT 1")) == 1
    finally:
        await other.dispose()


_HOLDER = """
    FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE locktype = 'advisory' AND datname = current_database()
"""
END_ITS_CONNECTION = f"SELECT pg_terminate_backend(pid) {_HOLDER}"
ITS_CONNECTION = f"SELECT pid {_HOLDER}"


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_lost_lock_is_taken_again(
    engine: AsyncEngine, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.lock.LOOK_EVERY", 0.0)
    other = make_engine(database_url)
    async with one_process(engine, database_url) as lock:
        watching = asyncio.ensure_future(lock.watch())
        for _ in range(3):
            async with other.connect() as connection:
                before = await connection.scalar(text(ITS_CONNECTION))
                assert await connection.scalar(text(END_ITS_CONNECTION))
                while await connection.scalar(text(ITS_CONNECTION)) in (None, before):
                    pass  # ended, and taken again
            assert not watching.done()
        with pytest.raises(StartupError, match="Another bot is running"):
            async with one_process(other, database_url):
                pass
        watching.cancel()
        await asyncio.wait([watching])
    async with one_process(other, database_url):
        pass
    await other.dispose()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_who_lost_the_lock_to_another_ends(
    engine: AsyncEngine, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.lock.LOOK_EVERY", 0.0)
    other = make_engine(database_url)
    async with one_process(engine, database_url) as lock:
        async with other.connect() as connection:
            await connection.scalar(text(END_ITS_CONNECTION))
        async with _at_last(other, database_url):
            with pytest.raises(StartupError, match="Another bot has taken this database"):
                await lock.watch()
    await other.dispose()


async def test_what_goes_wrong_inside_is_not_ours_to_word(engine: AsyncEngine, database_url: str) -> None:
    with pytest.raises(ZeroDivisionError):
        async with one_process(engine, database_url):
            raise ZeroDivisionError
    async with one_process(engine, database_url):
        pass


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_where_no_lock_can_be_had(kind: str, tmp_path: Path) -> None:
    nowhere = {
        "sqlite": f"sqlite+aiosqlite:///{tmp_path}/none/coup.db",
        "postgresql": f"postgresql+asyncpg://a:hush@127.0.0.1:{databases.free_port()}/b",
    }[kind]
    engine = make_engine(nowhere)
    with pytest.raises(StartupError, match="DATABASE_URL") as caught:
        async with one_process(engine, nowhere):
            pass
    assert "hush" not in str(caught.value)
    await engine.dispose()


async def test_a_file_by_another_name_is_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to("coup.db")
    (tmp_path / "folder").symlink_to(".")
    first = f"sqlite+aiosqlite:///{tmp_path}/coup.db"
    engine = make_engine(first)
    async with one_process(engine, first):
        for other in ("link.db", "folder/coup.db", "coup.db?timeout=1"):
            with pytest.raises(StartupError, match="Another bot is running"):
                async with one_process(engine, f"sqlite+aiosqlite:///{tmp_path}/{other}"):
                    pass
    await engine.dispose()
