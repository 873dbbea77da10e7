"""For every test: nothing is logged at ERROR unless the test said it would be. On request: a simulated Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support import logs
from tests.support.harness import SimulatedDiscord


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "expects_errors(*patterns): each pattern must be logged at ERROR, nothing else may"
    )


@pytest.fixture(autouse=True)
def expected_errors(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Patterns of the ERRORs this test means to cause; append to it, or use the marker `expects_errors`."""
    expected = [pattern for mark in request.node.iter_markers("expects_errors") for pattern in mark.args]
    with logs.watched() as caught:
        yield expected
    wrong = logs.verdict(caught, expected)
    if wrong is not None:
        pytest.fail(wrong, pytrace=False)


@pytest.fixture
async def sim(expected_errors: list[str]) -> AsyncIterator[SimulatedDiscord]:
    """An empty simulated Discord: a server, a channel, nobody yet and no bot; ended after the test."""
    async with SimulatedDiscord() as simulated:
        yield simulated
