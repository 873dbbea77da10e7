"""A rematch: the seats of the game before are held for a minute, and whoever comes sits where they sat."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.tables.errors import Mistake, Refusal
from bot.tables.requests import Cancel, Kick, Leave, Start, Transfer
from bot.tables.table import Ending, Phase, Player, PublicTable
from bot.tables.window_time import GRACE
from bot.tables.windows import AWAY, HELD_FOR, STALE_AFTER
from tests.support.fakes import START, Fault
from tests.tables.room import HOST, Room

GRACE_S = GRACE.total_seconds()
HELD_S = HELD_FOR.total_seconds()


def before(players: int = 4) -> tuple[Player, ...]:
    """The seats of the game before: users 10, 11, ..."""
    return tuple(Player(HOST + seat, f"User {HOST + seat}", 7000 + seat, auto_allow=True) for seat in range(players))


def users(table: PublicTable) -> list[int]:
    return [player.user_id for player in table.players]


def held(table: PublicTable) -> list[int]:
    return [player.user_id for player in table.players if player.held]


async def rematch(room: Room, host: int = 12, players: int = 4) -> PublicTable:
    return await room.lobby(host=host, held=before(players))


async def test_everyone_has_their_seat_and_the_opener_is_there(room: Room) -> None:
    table = await rematch(room)
    assert (users(table), held(table), table.host_id) == ([10, 11, 12, 13], [10, 11, 13], 12)
    assert table.deadline_at == START + HELD_FOR
    assert not any(player.auto_allow for player in table.players), "that was for the other game"
    room.assert_sound(table.id)


async def test_one_click_takes_the_held_seat(room: Room) -> None:
    table = await rematch(room)
    await room.time.advance(30)
    joined = await room.join(table.id, 13)
    assert (users(joined), held(joined)) == ([10, 11, 12, 13], [10, 11])
    assert joined.players[3].click == 13_000
    assert joined.deadline_at == table.deadline_at, "the minute is not begun again"
    with pytest.raises(Refusal, match="already-seated"):
        await room.join(table.id, 13)


async def test_all_come_and_it_is_a_lobby_like_any_other(room: Room) -> None:
    table = await rematch(room)
    for user in (10, 11, 13):
        table = await room.join(table.id, user)
    assert (held(table), table.deadline_at) == ([], START + STALE_AFTER)
    await room.post_lobby(table.id)
    assert (await room.start(table.id, 12)).mix == "999,10000,11000,12000,13000"


async def test_after_the_minute_the_others_play_without_them(room: Room) -> None:
    table = await rematch(room)
    await room.join(table.id, 10)
    await room.post_lobby(table.id)
    assert await room.mistake(Start, table, user_id=12) == (Mistake.SEATS_HELD, {})
    await room.time.advance(HELD_S + GRACE_S - 0.01)
    assert held(await room.tables.table(table.id)) == [11, 13]
    await room.time.advance(0.02)
    free = await room.tables.table(table.id)
    assert (users(free), free.phase) == ([10, 12], Phase.LOBBY)
    assert free.deadline_at == room.time.now() - timedelta(seconds=0.01) + STALE_AFTER
    assert users(await room.join(table.id, 13)) == [10, 12, 13], "late, but welcome"
    assert (await room.start(table.id, 12)).mix == "999,10000,12000,13000"
    room.assert_sound(table.id)


async def test_the_winner_starts_wherever_they_sit_now(room: Room) -> None:
    first = await room.game(2)
    loser = room.turn(first)
    over = await room.act(first, loser, "resign")
    assert over.result is not None
    winner = room.user(over, 1 - loser)
    table = await room.lobby(host=room.user(over, loser), held=over.players)
    await room.join(table.id, winner)
    await room.post_lobby(table.id, 1000)
    started = await room.start(table.id, room.user(over, loser))
    assert (started.start, room.turn(started)) == ("winner", 1 - loser)


async def test_strangers_take_free_seats_only(room: Room) -> None:
    table = await rematch(room, players=10)
    with pytest.raises(Refusal, match="table-full"):
        await room.join(table.id, 99)
    await room.time.advance(HELD_S + GRACE_S)
    assert users(await room.join(table.id, 99)) == [12, 99]


async def test_a_stranger_sits_behind_the_held_seats(room: Room) -> None:
    table = await rematch(room)
    assert users(await room.join(table.id, 99)) == [10, 11, 12, 13, 99]


async def test_a_held_seat_can_be_given_up_and_freed(room: Room) -> None:
    table = await rematch(room)
    await room.ask(Leave, table, user_id=10)
    await room.ask(Kick, table, user_id=12, player=11)
    after = await room.ask(Kick, table, user_id=999, moderator=True, player=13)
    assert (users(after), held(after)) == ([12], [])
    assert after.deadline_at == room.time.now() + STALE_AFTER


async def test_who_has_not_come_is_no_host(room: Room) -> None:
    table = await rematch(room)
    assert await room.mistake(Transfer, table, user_id=12, player=10) == (Mistake.NOT_HERE, {"target": 0})
    for kind in (Start, Cancel):
        assert await room.mistake(kind, table, user_id=10) == (Mistake.ONLY_HOST, {})
    await room.join(table.id, 13)
    left = await room.ask(Leave, table, user_id=12)
    assert (left.host_id, held(left)) == (13, [10, 11])


async def test_the_last_one_who_was_there_closes_it(room: Room) -> None:
    table = await rematch(room)
    over = await room.ask(Leave, table, user_id=12)
    assert (over.phase, over.ending) == (Phase.OVER, Ending.CANCELLED)
    room.assert_sound(table.id)


async def test_an_opener_who_had_no_seat_gets_one(room: Room) -> None:
    table = await rematch(room, host=77, players=2)
    assert (users(table), held(table)) == ([77, 10, 11], [10, 11])
    room.assert_sound(table.id)


async def test_coming_in_the_instant_the_minute_ends(room: Room) -> None:
    """Whichever is first: they sit in their seat, or behind the others; they never are turned away."""
    for clock_first in (False, True):
        table = await room.lobby(channel=200 + clock_first, host=12, held=before(3))
        room.store.gate = asyncio.Event()
        if clock_first:
            await room.time.advance(HELD_S + GRACE_S)
        joining = asyncio.ensure_future(room.join(table.id, 10))
        await room.time.advance(0 if clock_first else HELD_S + GRACE_S)
        room.store.gate.set()
        room.store.gate = None
        await joining
        await room.time.advance(0)
        after = await room.tables.table(table.id)
        assert (users(after), held(after)) == ([12, 10] if clock_first else [10, 12], [])
        room.assert_sound(table.id)


async def test_the_minute_lasts_over_a_restart(room: Room) -> None:
    """Nobody loses a seat because the bot was away, and coming then does not bring the old end back."""
    table = await rematch(room)
    await room.time.advance(20)
    await room.restart(away=600)
    assert room.left(table) == HELD_S, "it is not known how long it was away"
    await room.time.advance(15)
    await room.restart(away=600)
    assert AWAY.total_seconds() <= room.left(table) <= HELD_S - 15 + 15
    left = room.left(table)
    await room.join(table.id, 10)
    assert room.left(table) == left
    await room.time.advance(left + GRACE_S - 0.01)
    assert held(await room.tables.table(table.id)) == [11, 13]
    await room.time.advance(0.02)
    assert users(await room.tables.table(table.id)) == [10, 12]


@pytest.mark.parametrize("fault", [Fault.NONE, Fault.AFTER])
async def test_a_new_lobby_has_its_timer(room: Room, fault: Fault) -> None:
    room.store.faults.append(fault)
    table = await room.lobby()
    assert room.time.timers() == 1
    await room.time.advance(STALE_AFTER.total_seconds() + GRACE_S)
    over = await room.tables.table(table.id)
    assert (over.phase, over.ending) == (Phase.OVER, Ending.ABANDONED)


async def test_a_lobby_where_something_happens_is_not_stale(room: Room) -> None:
    table = await room.lobby()
    for user in (11, 12):
        await room.time.advance(STALE_AFTER.total_seconds() - 1)
        await room.join(table.id, user)
    await room.ask(Leave, table, user_id=11)
    await room.time.advance(STALE_AFTER.total_seconds())
    assert (await room.tables.table(table.id)).phase is Phase.LOBBY
    await room.time.advance(GRACE_S)
    assert (await room.tables.table(table.id)).phase is Phase.OVER


async def test_a_lobby_is_not_stale_because_the_bot_was_away(room: Room) -> None:
    table = await room.lobby()
    await room.restart()
    await room.time.advance(100)
    await room.restart(away=2 * STALE_AFTER.total_seconds())
    assert (await room.tables.table(table.id)).phase is Phase.LOBBY
    assert STALE_AFTER.total_seconds() - 115 <= room.left(table) <= STALE_AFTER.total_seconds() - 85
