"""What follows where somebody who is needed at a table has left the server: its host, or whoever is to be it.

Owns: when that is asked. Discord tells nobody who leaves, so it is looked up where it matters, and only then.
"""

from __future__ import annotations

from bot.tables.errors import Mistake, Refusal, about
from bot.tables.requests import Cancel, Extend, HostGone, Kick, Start, Transfer
from bot.tables.service import Tables
from bot.tables.table import PublicTable

OfHost = Start | Cancel | Kick | Transfer | Extend
"""What a host may ask."""


async def as_host(tables: Tables, request: OfHost) -> PublicTable:
    """Make `request`. Where the host has left the server, a player who makes it is the host from then on.

    Raises Refusal as the tables do.
    """
    try:
        return await tables.submit(request)
    except Refusal as refusal:
        if refusal.mistake is not Mistake.ONLY_HOST or not await _takes_over(tables, request):
            raise
    return await tables.submit(request)


async def must_be_there(tables: Tables, table: PublicTable, user_id: int) -> None:
    """Raises Refusal LEFT_SERVER for a player who is certainly not in the server any more."""
    if await tables.missing(table, [user_id]):
        seat = next(seat for seat, player in enumerate(table.players) if player.user_id == user_id)
        with about(table.id):
            raise Refusal(Mistake.LEFT_SERVER, target=seat)


async def _takes_over(tables: Tables, request: OfHost) -> bool:
    table = await tables.table(request.table_id)
    seated = any(player.user_id == request.user_id for player in table.players)
    if not seated or not await tables.missing(table, [table.host_id]):
        return False
    gone = HostGone(
        request=f"host-gone-{request.request}", table_id=table.id, host=table.host_id, user_id=request.user_id
    )
    return (await tables.submit(gone)).host_id == request.user_id
