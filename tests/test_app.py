"""What the host is told when the bot cannot go on, and how it ends."""

from __future__ import annotations

import asyncio
import signal
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot import telemetry
from bot.app import App, SystemClock, discord_told
from bot.app import _serve as serve
from bot.settings import StartupError
from tests.support.fakes import MemoryPeople, MemoryStore


def answer(status: int) -> Any:
    """As much of Discord's answer as the library's errors look at."""
    return SimpleNamespace(status=status, reason="")


def closed(code: int) -> discord.ConnectionClosed:
    """The gateway closed the socket."""
    return discord.ConnectionClosed(SimpleNamespace(close_code=code), shard_id=None, code=code)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (discord.LoginFailure(), "DISCORD_TOKEN"),
        (closed(4004), "DISCORD_TOKEN"),
        (discord.HTTPException(answer(401), ""), "DISCORD_TOKEN"),
        (closed(4011), "4011"),
        (discord.PrivilegedIntentsRequired(None), "privileged intents"),
        (discord.RateLimited(90.0), "90 seconds"),
        (discord.Forbidden(answer(403), {"code": 50001}), r"\(status 403, code 50001\)"),
        (discord.HTTPException(answer(429), ""), r"\(status 429\)"),
        (discord.DiscordServerError(answer(500), ""), r"answers with an error \(status 500\)"),
        (discord.GatewayNotFound(), "cannot be reached"),  # type: ignore[no-untyped-call]
        (aiohttp.ClientPayloadError(), "cannot be reached"),
        (TimeoutError(), "cannot be reached"),
    ],
    ids=repr,
)
async def test_each_refusal_of_discord_is_one_line(error: Exception, words: str) -> None:
    with pytest.raises(StartupError, match=words) as told:
        async with discord_told():
            raise error
    assert "\n" not in str(told.value)


class LostLock:
    """A lock that another process has by now."""

    async def watch(self) -> None:
        raise StartupError("Another bot has taken this database")


class KeptLock:
    async def watch(self) -> None:
        await asyncio.Event().wait()


@pytest.fixture
def app() -> App:
    return App(MemoryStore(), SystemClock(), MemoryPeople())


@pytest.fixture
def nothing_to_connect_to(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connected(client: discord.Client, token: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.app._connected", connected)


async def test_a_bot_whose_database_another_has_taken_ends(app: App, nothing_to_connect_to: None) -> None:
    with pytest.raises(StartupError, match="Another bot has taken this database"):
        await serve(app, "a.b.c", LostLock())
    assert app.client.is_closed()


async def test_a_bot_that_is_refused_closes_before_it_was_connected(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(client: discord.Client, token: str) -> None:
        raise StartupError("Discord refused the token")

    monkeypatch.setattr("bot.app._connected", refused)
    with pytest.raises(StartupError, match="refused the token"):
        await serve(app, "a.b.c", KeptLock())
    assert app.client.is_closed()


async def test_counters_are_told_every_hour_and_at_the_end(
    app: App, nothing_to_connect_to: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    telemetry.forget_counts()
    monkeypatch.setattr("bot.app.COUNTS_EVERY", 0.0)
    for name in ("discord_429", "message_edited", "message_edited"):
        telemetry.count(name)
    serving = asyncio.ensure_future(serve(app, "a.b.c", KeptLock()))
    for _ in range(20):
        await asyncio.sleep(0)
    assert telemetry.counts() == {}
    monkeypatch.setattr("bot.app.COUNTS_EVERY", 3600.0)
    for _ in range(20):
        await asyncio.sleep(0)
    telemetry.count("answer_lost")
    signal.raise_signal(signal.SIGTERM)
    await serving
    lines: list[Any] = [record.msg for record in caplog.records if "counted" in str(record.msg)]
    counted = [{name: value for name, value in line.items() if isinstance(value, int)} for line in lines]
    assert counted == [{"discord_429": 1, "message_edited": 2}, {"answer_lost": 1}]
