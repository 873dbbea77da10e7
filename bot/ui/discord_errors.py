"""How Discord fails us, and its numbers for why.

Owns: the names of the codes that the bot tells apart, and the one list of exceptions that are Discord's trouble and no
mistake of ours. What follows from them is each caller's own matter. Source of the numbers: the tables of JSON error
codes in Discord's documentation.
"""

from __future__ import annotations

import aiohttp
import discord

TROUBLE = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, TimeoutError)
"""How a request ends that Discord refuses or does not answer. Anything else is a mistake of ours."""

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
THREAD_ARCHIVED = 50083

NO_ACCESS = frozenset({50001, 50013, THREAD_ARCHIVED, 160005})
"""Refusals that concern the whole channel: not seen, not to be written in, a thread archived or locked."""
NOT_IN_SERVER = frozenset({10007, 10013})
"""A member, or a user, that Discord does not know."""
DM_REFUSED = frozenset({40003, 50007, 50278})
"""Somebody whom we may not write to, or not now: opening DMs is rationed."""
TOO_LATE = frozenset({10015, 10062, 40060, 50027})
"""An interaction that cannot be answered any more, or was answered already."""


def code_of(error: Exception) -> int | str:
    """What a log line and a counter call `error`: Discord's code, or the kind of error where Discord gave none."""
    code: int | str = getattr(error, "code", type(error).__name__)
    return code
