"""The real bot in a simulated Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot


@pytest.fixture
async def bot(sim: SimulatedDiscord, tmp_path: Path) -> AsyncIterator[Bot]:
    """The bot, started on a database of its own."""
    running = Bot(sim, tmp_path)
    await running.start()
    yield running
    await sim.stop(closing=running.app.close)
    await running.dispose()
