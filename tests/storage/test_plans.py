"""What is asked all day long is found by indexes: tables that are over pile up for years."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage.store import SqlStore
from tests.storage.test_store import NOW

Question = Callable[[SqlStore], Awaitable[object]]

QUESTIONS: dict[str, Question] = {
    "needing_attention": lambda store: store.needing_attention(NOW),
    "open_tables": lambda store: store.open_tables(),
    "open_in_channel": lambda store: store.open_in_channel(1),
    "open_in_guild": lambda store: store.open_in_guild(1),
    "open_of_player": lambda store: store.open_of_player(1),
    "last_winner": lambda store: store.last_winner(1),
    "last_game": lambda store: store.last_game(1),
    "load": lambda store: store.load("aaaa"),
}
OVER = 3000


@contextmanager
def statements(engine: AsyncEngine) -> Iterator[list[tuple[str, Any]]]:
    """What is sent to the database meanwhile, with its parameters."""
    found: list[tuple[str, Any]] = []

    def sent(_connection: object, _cursor: object, statement: str, parameters: Any, *_rest: object) -> None:
        found.append((statement, parameters))

    event.listen(engine.sync_engine, "before_cursor_execute", sent)
    yield found
    event.remove(engine.sync_engine, "before_cursor_execute", sent)


async def plan(engine: AsyncEngine, statement: str, parameters: Any) -> str:
    explain = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    async with engine.connect() as connection:
        rows = await connection.exec_driver_sql(f"{explain} {statement}", parameters)
        return "\n".join(str(row[-1]) for row in rows)


@pytest.fixture
async def years(store: SqlStore, engine: AsyncEngine) -> None:
    """Many games that are over, all in one channel."""
    columns = (
        "version, request, phase, guild_id, channel_id, parent_id, host_id, language, edition, speed, seed, mix,"
        ' "window", announced_version, winner_id'
    )
    values = "9, 'r', 'over', 1, 1, 1, 1, 'en', 'classic', 'normal', 'ab', '1', 0, 9, 1"
    when = "'2030-01-01 00:00:00'"
    series = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OVER})"
    rows = f"{series} SELECT 't' || i, {values}, {when}, {when} FROM n"
    async with engine.begin() as connection:
        await connection.execute(text(f"INSERT INTO tables (id, {columns}, created_at, ended_at) {rows}"))
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # which does it by itself, in time
            await connection.execute(text("ANALYZE"))


@pytest.mark.parametrize("name", QUESTIONS)
async def test_no_question_looks_at_every_table_or_sorts_them(
    store: SqlStore, engine: AsyncEngine, years: None, name: str
) -> None:
    with statements(engine) as asked:
        await QUESTIONS[name](store)
    assert asked
    for statement, parameters in asked:
        found = await plan(engine, statement, parameters)
        # These two hold few tables; reading all of them is what they are for.
        small = ("ix_tables_open", "ix_tables_unannounced")
        steps = [step for step in found.splitlines() if not any(name in step for name in small)]
        assert not [step for step in steps if "SCAN tables" in step or "Seq Scan on tables" in step]
        if name in {"last_winner", "last_game"}:
            assert "Sort" not in found
            assert "TEMP B-TREE" not in found
