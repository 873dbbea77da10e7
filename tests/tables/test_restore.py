"""The bot was away: every open table goes on where it stood."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from bot.tables.deadlines import SWEEP_EVERY
from bot.tables.ports import StoredTable
from bot.tables.requests import End
from bot.tables.table import Phase, Post, PostKind
from bot.tables.window_time import GRACE
from coup_core.view import Asked
from tests.tables.room import Room


@pytest.mark.parametrize("asked", list(Asked))
async def test_a_restart_in_every_kind_of_question(room: Room, asked: Asked) -> None:
    rng = random.Random(9)
    table = await room.until(asked, rng)
    before = {player.user_id: await room.tables.private(table.id, player.user_id) for player in table.players}
    room.crash()
    await room.time.advance(10_000)
    room.audience.told.clear()
    told = await room.another().restore()
    assert told == sum(stored.row.announced_version < stored.row.version for stored in room.store.tables.values())
    assert table.id in room.audience.told
    again = await room.tables.table(table.id)
    assert again.window == table.window
    assert (again.view, again.story, again.players) == (table.view, table.story, table.players)
    assert again.deadline_at is not None
    length = again.speed.turn if asked is Asked.TURN else again.speed.answer
    assert again.deadline_at == room.time.now() + timedelta(seconds=length)
    for user, private in before.items():
        assert (await room.tables.private(table.id, user)).view == private.view
    # The old buttons work.
    seat = room.awaited(again)[0]
    moves = await room.moves(again, seat)
    assert moves
    while again.phase is Phase.PLAYING:
        again = await room.random_move(again, rng)
    room.assert_sound(table.id)


async def test_the_timer_is_set_again(room: Room) -> None:
    table = await room.game(3)
    room.crash()
    await room.time.advance(5000)
    await room.another().restore()
    room.show(table)
    await room.time.advance(table.speed.turn + GRACE.total_seconds() - 0.01)
    assert room.assert_sound(table.id).lines == ()
    await room.time.advance(0.02)
    assert len(room.assert_sound(table.id).lines) == 1


async def test_lobbies_come_back_and_what_was_told_and_over_does_not(room: Room) -> None:
    lobby = await room.lobby()
    await room.post_lobby(lobby.id, message=31)
    over = await room.game(2, channel=101)
    over = await room.tables.submit(End(request="e", table_id=over.id, user_id=1, name="M", moderator=True))
    untold = await room.game(2, channel=102)
    await room.tables.submit(End(request="f", table_id=untold.id, user_id=1, name="M", moderator=True))
    await room.tables.announced(over.id, over.version)
    room.crash()
    room.audience.told.clear()
    assert await room.another().restore() == 2
    assert set(room.audience.told) == {lobby.id, untold.id}
    assert (await room.tables.table(lobby.id)).posts == (Post(PostKind.LOBBY, 0, 1, 31, False),)
    await room.join(lobby.id, 11)
    assert (await room.start(lobby.id)).mix == "31,10000,11000"


async def test_a_deadline_that_is_far_enough_is_left_alone(room: Room) -> None:
    table = await room.game(3)
    room.crash()
    await room.another().restore()
    assert (await room.tables.table(table.id)).version == table.version


@pytest.mark.expects_errors("table not restored", "clock failed")
async def test_one_table_that_cannot_be_read_does_not_keep_the_others(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, table = await room.game(3), await room.game(3, channel=101)
    await room.play(broken, broken.players[_turn(broken)].user_id, "tax")
    load = room.store.load

    async def unreadable(table_id: str) -> StoredTable | None:
        if table_id == broken.id:
            raise OSError("the disk")
        return await load(table_id)

    monkeypatch.setattr(room.store, "load", unreadable)
    room.crash()
    await room.another().restore()
    assert (await room.tables.table(table.id)).id == table.id
    room.show(table)
    await room.time.advance(table.speed.turn + GRACE.total_seconds() + SWEEP_EVERY)
    assert len(room.stored(table.id).lines) == 1


async def test_posts_are_kept_and_replaced(room: Room) -> None:
    table = await room.lobby()
    await room.tables.save_post(table.id, Post(PostKind.LOBBY, 0, 1, None, False))
    await room.tables.save_post(table.id, Post(PostKind.LOBBY, 0, 1, 7, False))
    await room.tables.save_post(table.id, Post(PostKind.PROMPT, 3, 1, 8, True))
    expected = (Post(PostKind.LOBBY, 0, 1, 7, False), Post(PostKind.PROMPT, 3, 1, 8, True))
    assert (await room.tables.table(table.id)).posts == expected
    assert (await room.another().table(table.id)).posts == expected


def _turn(table: object) -> int:
    view = getattr(table, "view", None)
    assert view is not None
    turn = view.turn
    assert isinstance(turn, int)
    return turn
