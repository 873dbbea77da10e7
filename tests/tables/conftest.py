"""The table room, with its loop under the time that is moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.tables.room import Room


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    loop = asyncio.get_running_loop()
    real = loop.time
    made = Room()
    made.time.rule(loop)
    yield made
    for tables in made.all:
        tables.watch.deadlines.stop()
        for task in list(tables._running):
            task.cancel()
    await asyncio.sleep(0)
    loop.time = real  # type: ignore[method-assign]
