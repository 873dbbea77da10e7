"""A table whose stored game cannot be replayed: its people are told, and it can be ended."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.tables.errors import Mistake, Refusal
from bot.tables.requests import End
from bot.tables.table import Phase, PublicTable
from tests.tables.room import CHANNEL, HOST, Room


async def damaged(room: Room, line: str) -> PublicTable:
    """A table with two moves, the first of which was changed in the store; the bot is started again."""
    table = await room.game(3)
    for _ in range(2):
        assert table.view is not None
        assert table.view.turn is not None
        table = await room.act(table, table.view.turn, "income")
    stored = room.store.tables[table.id]
    first = replace(stored.lines[0], line=line)
    room.store.tables[table.id] = replace(stored, lines=(first, *stored.lines[1:]))
    room.tables = room.another()
    return table


@pytest.mark.parametrize("line", ["p1: lose duke", "p9: income", "nonsense", "p1: income !!"])
@pytest.mark.expects_errors("table cannot be replayed")
async def test_it_is_told_and_can_be_ended(room: Room, line: str) -> None:
    table = await damaged(room, line)
    await room.tables.restore()
    user = table.players[0].user_id
    for asking in (room.tables.private(table.id, user), room.play(table, user, "income")):
        with pytest.raises(Refusal) as caught:
            await asking
        assert caught.value.mistake is Mistake.UNPLAYABLE
    assert (await room.tables.in_channel(CHANNEL)).id == table.id
    await room.time.advance(1000)
    over = await room.tables.submit(
        End(request=room.request(), table_id=table.id, user_id=HOST, name="Host", moderator=False)
    )
    assert over.phase is Phase.OVER
    assert over.result is None
    with pytest.raises(Refusal) as caught:
        await room.tables.in_channel(CHANNEL)
    assert caught.value.mistake is Mistake.NO_TABLE
