"""The clock on the wall may be set while people play: nobody's window closes early for it, and none stays open."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.tables.requests import TimeUp
from bot.tables.table import Post, PostKind, PublicTable
from tests.tables.room import Room


def user(table: PublicTable, seat: int) -> int:
    return table.players[seat].user_id


async def taxed(room: Room, speed: str = "normal", *, shown: bool = True) -> PublicTable:
    """A table of four with a tax declared."""
    table = await room.game(4, speed=speed)
    assert table.view is not None
    assert table.view.turn is not None
    after = await room.play(table, user(table, table.view.turn), "tax")
    return room.show(after) if shown else after


@pytest.mark.parametrize("jump", [3600, -3600])
async def test_a_window_has_its_length_whatever_the_wall_clock_says(room: Room, jump: float) -> None:
    table = await taxed(room)
    room.time.jump = jump
    # An answer of one of them sets the timer anew.
    await room.play(table, user(table, room.awaited(table)[0]), "pass")
    await room.time.advance(31)
    assert len(room.stored(table.id).lines) == 2
    await room.time.advance(2)
    assert len(room.stored(table.id).lines) == 4


async def test_a_window_that_is_shown_late_is_told_with_its_full_length(room: Room) -> None:
    table = await taxed(room, shown=False)
    await room.time.advance(600)
    late = await room.tables.table(table.id)
    assert late.window == table.window, "nobody saw it, so nobody was silent"
    assert late.deadline_at is not None
    assert (late.deadline_at - room.time.now()).total_seconds() == 30
    room.show(late)
    await room.time.advance(10)
    assert (await room.tables.table(table.id)).deadline_at == late.deadline_at
    await room.time.advance(22.1)
    assert (await room.tables.table(table.id)).window > table.window


async def test_where_no_deadline_is_set_the_clock_has_nothing_to_say(room: Room) -> None:
    table = await taxed(room)
    entry = room.tables.watch.memory.entries[table.id]
    assert entry.state is not None
    entry.state = replace(entry.state, row=replace(entry.state.row, deadline_at=None))
    asking = TimeUp(request="t", table_id=table.id, window=table.window)
    assert (await room.tables.submit(asking)).version == table.version
    assert room.time.timers() == 0
    assert len(room.stored(table.id).lines) == 1


async def test_coming_back_leaves_half_a_minute_even_to_the_fastest(room: Room) -> None:
    table = await taxed(room, "blitz")
    await room.time.advance(14)
    room.crash()
    await room.another().restore()
    back = await room.tables.table(table.id)
    assert back.deadline_at is not None
    assert (back.deadline_at - room.time.now()).total_seconds() == 30


async def test_old_messages_are_remembered_without_keeping_their_table(room: Room) -> None:
    table = await room.game(2)
    over = await room.play(table, user(table, 0), "resign")
    await room.tables.announced(table.id, over.version)
    await room.tables.save_post(table.id, Post(PostKind.RESULT, 0, 1, 5, settled=True))
    assert not room.tables.watch.memory.entries
    assert Post(PostKind.RESULT, 0, 1, 5, settled=True) in (await room.tables.table(table.id)).posts
