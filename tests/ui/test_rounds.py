"""When things are written: one run at a time, nothing lost, and Discord left alone while it fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

import discord
import pytest

from bot.ui.rounds import AT_ONCE, LONGEST_PAUSE, REFUSED_PAUSE, RETRY_AFTER, ROUND_EVERY, Rounds, Unfinished
from tests.support.fakes import Time, settle


class Work:
    """Work that notes when it was begun, fails as it is told, and may be held."""

    def __init__(self, time: Time) -> None:
        self._time = time
        self.begun: list[tuple[str, float]] = []
        self.errors: list[Exception] = []
        """What the next runs end in."""
        self.gate: asyncio.Event | None = None
        self.rounds = Rounds("announcing", self)

    async def __call__(self, key: str) -> None:
        self.begun.append((key, round(self._time.passed, 3)))
        if self.gate is not None:
            await self.gate.wait()
        if self.errors:
            raise self.errors.pop(0)

    def times(self, key: str = "a") -> list[float]:
        return [moment for begun, moment in self.begun if begun == key]


@pytest.fixture
async def time() -> AsyncIterator[Time]:
    loop = asyncio.get_running_loop()
    real = loop.time
    made = Time()
    made.rule(loop)
    yield made
    loop.time = real  # type: ignore[method-assign]


@pytest.fixture
async def work(time: Time) -> AsyncIterator[Work]:
    made = Work(time)
    yield made
    await made.rounds.close()


def trouble() -> Exception:
    return discord.DiscordServerError(SimpleNamespace(status=503, reason=""), "")


def forbidden() -> Exception:
    return discord.Forbidden(SimpleNamespace(status=403, reason=""), "")


async def test_what_is_asked_meanwhile_is_one_more_run(time: Time, work: Work) -> None:
    work.gate = asyncio.Event()
    for _ in range(5):
        work.rounds.ask("a")
        await settle()
    assert work.times() == [0]
    work.gate.set()
    for _ in range(5):
        work.rounds.ask("a")
    await time.advance(60)
    assert work.times() == [0, ROUND_EVERY]


async def test_keys_do_not_wait_for_each_other(time: Time, work: Work) -> None:
    work.gate = asyncio.Event()
    for number in range(AT_ONCE + 3):
        work.rounds.ask(str(number))
    await settle()
    assert len(work.begun) == AT_ONCE, "so many at once, and no more"
    work.gate.set()
    await settle()
    assert len(work.begun) == AT_ONCE + 3


async def test_a_failure_is_tried_again_less_and_less_often(time: Time, work: Work) -> None:
    work.errors = [trouble() for _ in range(12)]
    work.rounds.ask("a")
    await time.advance(6000)
    gaps = [later - earlier for earlier, later in zip(work.times(), work.times()[1:], strict=False)]
    assert gaps[:4] == [RETRY_AFTER * factor for factor in (1, 2, 4, 8)]
    assert max(gaps) == LONGEST_PAUSE
    assert len(work.times()) == 13


async def test_a_change_does_not_outrun_a_failure_but_somebody_who_looks_does(time: Time, work: Work) -> None:
    work.errors = [forbidden(), forbidden()]
    work.rounds.ask("a")
    await time.advance(10)
    work.rounds.ask("a")
    await time.advance(10)
    assert work.times() == [0]
    work.rounds.hurry("a")
    await settle()
    assert work.times() == [0, 20]
    await time.advance(2 * REFUSED_PAUSE)
    assert work.times() == [0, 20, 20 + 2 * REFUSED_PAUSE]


async def test_nobody_hurries_past_the_usual_pause(time: Time, work: Work) -> None:
    work.rounds.ask("a")
    await time.advance(0.5)
    work.rounds.hurry("a")
    await time.advance(5)
    assert work.times() == [0, ROUND_EVERY]


async def test_discord_says_how_long(time: Time, work: Work) -> None:
    work.errors = [discord.RateLimited(1234.0)]
    work.rounds.ask("a")
    await time.advance(2000)
    assert work.times() == [0, 1234]


async def test_what_is_left_is_tried_later_and_holds_nothing_up(time: Time, work: Work) -> None:
    work.errors = [Unfinished(trouble()), Unfinished(trouble())]
    work.rounds.ask("a")
    await time.advance(2)
    work.rounds.ask("a")
    await settle()
    assert work.times() == [0, 2], "a change does not wait"
    await time.advance(100)
    assert work.times() == [0, 2, 2 + 2 * RETRY_AFTER]


@pytest.mark.expects_errors("announcing failed")
async def test_a_mistake_of_ours_is_logged_and_tried_again(time: Time, work: Work) -> None:
    work.errors = [ValueError("no such screen")]
    work.rounds.ask("a")
    await time.advance(60)
    assert work.times() == [0, RETRY_AFTER]


async def test_closing_does_not_wait_for_what_has_not_begun(time: Time, work: Work) -> None:
    work.gate = asyncio.Event()
    for number in range(AT_ONCE + 3):
        work.rounds.ask(str(number))
    await settle()
    closing = asyncio.ensure_future(work.rounds.close())
    await settle()
    work.gate.set()
    await closing
    assert len(work.begun) == AT_ONCE
    assert time.timers() == 0


async def test_closing_finishes_what_runs_and_begins_nothing(time: Time, work: Work) -> None:
    work.errors = [Unfinished(trouble()), trouble()]
    work.rounds.ask("left")
    work.rounds.ask("failed")
    await settle()
    work.gate = asyncio.Event()
    work.rounds.ask("running")
    await settle()
    work.rounds.ask("running")
    closing = asyncio.ensure_future(work.rounds.close())
    await settle()
    assert not closing.done()
    work.gate.set()
    await closing
    work.rounds.ask("new")
    await time.advance(100)
    assert [key for key, _ in work.begun] == ["left", "failed", "running"]
    assert time.timers() == 0
