"""What a decision about a table may depend on besides the table and the request."""

from __future__ import annotations

from datetime import datetime
from random import Random

from msgspec import Struct


class Moment(Struct, frozen=True):
    """The world at the time of a decision, looked at under the table's lock."""

    now: datetime
    rng: Random
    """For R41's random choices; it has nothing to do with the deal."""
    overdue: bool = False
    """Whether the table's deadline is past, and people have had all of it."""
    ends: datetime | None = None
    """When the table's time is up, outages and late showing counted in; None where no deadline is set."""
    stood: bool = False
    """Whether the open window has stood long enough to be answered for those who allow without being asked."""
    lobby_message: int | None = None
    """The lobby's message, if it is in the channel: the shuffle is mixed with its number."""
    last_winner: int | None = None
    """User id of the winner of the channel's last game (R6)."""
