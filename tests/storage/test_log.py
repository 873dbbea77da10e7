"""A database that refuses a row repeats the row; the log does not."""

from __future__ import annotations

import io
import logging
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import telemetry
from bot.settings import StartupError
from bot.storage.engine import told_in_one_line
from bot.storage.store import SqlStore
from bot.tables.ports import Change, StoredLine
from tests.storage.test_store import ONE, later, row

SEED = "5eed" * 16
DRAW = "draw p1 duke"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the host reads."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in ("", "bot", "coup_core")}
    telemetry.configure("DEBUG", "console", stream)
    yield stream
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


async def refused(store: SqlStore, what: str) -> None:
    """A row that the database does not take, with a secret in it."""
    nothing: Any = None
    if what == "row":
        await store.create(row("bbbb", channel_id=7, seed=SEED, speed=nothing), (ONE,))
    elif what == "argument":
        await store.create(row("bbbb", channel_id=7, seed=SEED, window=SEED), (ONE,))
    else:
        lines = (StoredLine(1, DRAW, nothing),) if what == "line" else (StoredLine(1, DRAW, "r"),) * 2
        await store.commit(Change(later(row()), None, lines))


@pytest.mark.expects_errors("interaction failed")
@pytest.mark.parametrize("what", ["row", "line", "twice"])
async def test_a_row_that_is_refused_is_not_in_the_log(
    store: SqlStore, engine: AsyncEngine, log: io.StringIO, what: str
) -> None:
    await store.create(row(), (ONE,))
    with pytest.raises(IntegrityError) as caught:
        await refused(store, what)
    plain = "".join(traceback.format_exception(caught.value))
    assert ("DETAIL" in plain) == (engine.dialect.name == "postgresql"), "there is something to hide"
    telemetry.logger("bot").error("interaction failed", exc_info=caught.value)
    assert "DETAIL" not in log.getvalue()
    assert SEED not in log.getvalue()
    assert "duke" not in log.getvalue()
    assert "IntegrityError: [hidden] (" in log.getvalue(), "with the database's code"
    assert "store.py" in log.getvalue(), "and the way there"


@pytest.mark.expects_errors("clock failed")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_nor_what_the_driver_says_of_an_argument(store: SqlStore, log: io.StringIO) -> None:
    with pytest.raises(DBAPIError) as caught:
        await refused(store, "argument")
    assert SEED[:20] in str(caught.value), "there is something to hide"
    telemetry.logger("bot").error("clock failed", exc_info=caught.value)
    assert "clock failed" in log.getvalue()
    assert SEED[:20] not in log.getvalue()


async def test_nor_on_the_terminal_when_a_step_of_the_schema_fails(store: SqlStore, engine: AsyncEngine) -> None:
    await store.create(row(seed=SEED), (ONE,))
    with pytest.raises(StartupError, match="refused") as caught, told_in_one_line():
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE tables SET speed = NULL"))
    assert SEED not in str(caught.value)
    assert "DETAIL" not in str(caught.value)
