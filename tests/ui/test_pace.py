"""The pace: how many begin at once, how many a second, and who comes first."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from bot.ui.pace import A_SECOND, AT_ONCE, Pace
from tests.support.fakes import Time, settle


class Crowd:
    """Many who want their turn, and when each of them got it."""

    def __init__(self, time: Time) -> None:
        self._time = time
        self._pace = Pace()
        self.begun: list[tuple[int, float]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def come(self, number: int = 1) -> None:
        for _ in range(number):
            self.tasks.append(asyncio.ensure_future(self._one(len(self.tasks))))

    async def _one(self, name: int) -> None:
        await self._pace.turn()
        self.begun.append((name, round(self._time.passed, 6)))

    @property
    def moments(self) -> list[float]:
        return [moment for _, moment in self.begun]


@pytest.fixture
async def time() -> AsyncIterator[Time]:
    loop = asyncio.get_running_loop()
    real = loop.time
    made = Time()
    made.rule(loop)
    yield made
    loop.time = real  # type: ignore[method-assign]


@pytest.fixture
async def crowd(time: Time) -> Crowd:
    return Crowd(time)


async def test_some_at_once_and_the_others_in_their_order(time: Time, crowd: Crowd) -> None:
    crowd.come(AT_ONCE + 50)
    await settle()
    assert crowd.moments == [0] * AT_ONCE
    await time.advance(60)
    assert [name for name, _ in crowd.begun] == list(range(AT_ONCE + 50))
    assert crowd.moments[AT_ONCE:] == pytest.approx([at / A_SECOND for at in range(1, 51)], abs=1e-5)
    assert time.timers() == 0


async def test_after_a_rest_nobody_waits(time: Time, crowd: Crowd) -> None:
    crowd.come(100)
    await time.advance(100 / A_SECOND + 1)
    for _ in range(3):
        crowd.come(AT_ONCE)
        await settle()
        assert crowd.moments[-AT_ONCE:] == [round(time.passed, 6)] * AT_ONCE
        await time.advance(AT_ONCE / A_SECOND)


async def test_within_no_second_are_they_more_than_forty(time: Time, crowd: Crowd) -> None:
    rng = random.Random(40)
    for _ in range(120):
        crowd.come(rng.choice((0, 1, 2, 5, 40)))
        await time.advance(rng.uniform(0, 2))
    await time.advance(120)
    moments = crowd.moments
    assert len(moments) == len(crowd.tasks)
    assert max(sum(begun <= other < begun + 0.9999 for other in moments) for begun in moments) in (39, 40)


async def test_who_gives_up_leaves_nothing_behind(time: Time, crowd: Crowd) -> None:
    crowd.come(AT_ONCE + 2)
    await settle()
    for task in crowd.tasks[-2:]:
        task.cancel()
    await settle()
    assert time.timers() == 0
    await time.advance(1)
    crowd.come()
    await settle()
    assert crowd.begun[-1] == (AT_ONCE + 2, 1)
