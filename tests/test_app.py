"""What the host is told when Discord does not let the bot in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.app import discord_told
from bot.settings import StartupError


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
