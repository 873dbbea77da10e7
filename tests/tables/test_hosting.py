"""Those who run a table: whom they may remove, to whom they may hand it over, and what more time they can give."""

from __future__ import annotations

import asyncio

import pytest

from bot.tables.errors import Mistake
from bot.tables.requests import Cancel, Extend, HostGone, Kick, PauseTable, Resume, Start, TimeUp, Transfer, Unblock
from bot.tables.table import Cause, Ending, Pause, Phase, PublicTable, Removed
from bot.tables.window_time import GRACE
from tests.tables.room import GATEWAY, HOST, Room

GRACE_S = GRACE.total_seconds()
RUNS: list[type[Kick] | type[Transfer]] = [Kick, Transfer]


async def lobby(room: Room) -> PublicTable:
    table = await room.lobby()
    await room.join(table.id, 11)
    return await room.join(table.id, 12)


def users(table: PublicTable) -> list[int]:
    return [player.user_id for player in table.players]


# ------------------------------------------------------------------------------------------------ who may


@pytest.mark.parametrize("kind", RUNS)
async def test_host_and_moderators_may_and_nobody_else(room: Room, kind: type[Kick] | type[Transfer]) -> None:
    table = await lobby(room)
    for user in (11, 12, 999):
        assert await room.mistake(kind, table, user_id=user, player=HOST) == (Mistake.ONLY_HOST, {})
    await room.ask(kind, table, user_id=999, moderator=True, player=12)
    await room.mistake(Extend, table, user_id=999)


@pytest.mark.parametrize("kind", RUNS)
async def test_who_has_no_seat_cannot_be_named(room: Room, kind: type[Kick] | type[Transfer]) -> None:
    for table in (await lobby(room), await room.game(2, channel=101)):
        assert await room.mistake(kind, table, user_id=HOST, player=999) == (Mistake.NO_SUCH_PLAYER, {})


async def test_a_table_that_is_over_is_run_by_nobody(room: Room) -> None:
    table = await room.game(2)
    await room.act(table, 0, "resign")
    for kind in RUNS:
        assert await room.mistake(kind, table, user_id=HOST, player=11) == (Mistake.TABLE_GONE, {})
    assert await room.mistake(Extend, table, user_id=HOST) == (Mistake.TABLE_GONE, {})


# ------------------------------------------------------------------------------------------------ removing


async def test_out_of_the_lobby(room: Room) -> None:
    table = await lobby(room)
    after = await room.ask(Kick, table, user_id=HOST, player=11)
    assert users(after) == [HOST, 12]
    assert users(await room.join(table.id, 11)) == [HOST, 12, 11], "nobody is shut out"


async def test_nobody_removes_themselves(room: Room) -> None:
    table = await lobby(room)
    assert await room.mistake(Kick, table, user_id=HOST, player=HOST) == (Mistake.NOT_YOURSELF, {})
    assert await room.mistake(Kick, table, user_id=12, moderator=True, player=12) == (Mistake.NOT_YOURSELF, {})


async def test_a_moderator_removes_the_host_and_the_lobby_has_another(room: Room) -> None:
    table = await lobby(room)
    after = await room.ask(Kick, table, user_id=999, moderator=True, player=HOST)
    assert (after.host_id, users(after)) == (11, [11, 12])
    await room.ask(Kick, table, user_id=999, moderator=True, player=11)
    over = await room.ask(Kick, table, user_id=999, moderator=True, player=12)
    assert (over.phase, over.ending, over.ended_by) == (Phase.OVER, Ending.CANCELLED, "Mo")


async def test_in_the_game_only_who_is_silent(room: Room) -> None:
    table = await room.game(3)
    idle = room.turn(table)
    host = next(player.user_id for seat, player in enumerate(table.players) if seat != idle)
    await room.ask(Transfer, table, user_id=HOST, player=host)
    found = await room.mistake(Kick, table, user_id=host, player=room.user(table, idle))
    assert found == (Mistake.NOT_IDLE, {"target": idle})
    table = await room.pass_in_silence(table)
    assert table.silent == (idle,)
    after = await room.ask(Kick, table, user_id=host, player=room.user(table, idle))
    assert after.view is not None
    assert idle not in after.view.living
    stored = room.stored(table.id).lines[-1]
    assert (stored.line, stored.cause) == (f"p{idle + 1}: resign", Cause.KICKED)
    assert Removed(idle, Cause.KICKED) in after.story[-1].events
    assert (after.window, after.deadline_at) == (table.window, table.deadline_at), "the open question is another's"
    found = await room.mistake(Kick, table, user_id=host, player=room.user(table, idle))
    assert found == (Mistake.PLAYER_OUT, {"target": idle})


async def test_whoever_answers_again_cannot_be_removed(room: Room) -> None:
    table = await room.game(3)
    idle = room.turn(table)
    table = await room.pass_in_silence(table)
    table = await room.act(table, room.turn(table), "tax")
    await room.act(table, idle, "pass")
    found = await room.mistake(Kick, table, user_id=999, moderator=True, player=room.user(table, idle))
    assert found == (Mistake.NOT_IDLE, {"target": idle})


async def test_removing_the_last_other_player_wins(room: Room) -> None:
    table = await room.game(2)
    idle = room.turn(table)
    table = await room.pass_in_silence(table)
    over = await room.ask(Kick, table, user_id=999, moderator=True, player=room.user(table, idle))
    assert (over.phase, over.ending) == (Phase.OVER, Ending.WON)
    assert room.stored(table.id).row.winner_id == room.user(table, 1 - idle)
    assert room.time.timers() == 0


async def test_removing_and_the_clock_in_one_instant(room: Room) -> None:
    """The silent one's second turn runs out while they are being removed: they go once."""
    table = await room.game(3)
    idle = room.turn(table)
    table = await room.pass_in_silence(table)
    for _ in range(2):
        table = await room.act(table, room.turn(table), "income")
    assert room.turn(table) == idle
    room.store.gate = asyncio.Event()
    kick = asyncio.ensure_future(room.ask(Kick, table, user_id=999, moderator=True, player=room.user(table, idle)))
    await room.time.advance(table.window_length + GRACE_S)
    room.store.gate.set()
    await kick
    await room.time.advance(0)
    assert room.lines(table)[3:] == [f"p{idle + 1}: resign"]


# ------------------------------------------------------------------------------------------------ handing over


async def test_handing_over_in_the_lobby(room: Room) -> None:
    table = await lobby(room)
    await room.post_lobby(table.id)
    assert (await room.ask(Transfer, table, user_id=HOST, player=12)).host_id == 12
    assert await room.mistake(Start, table, user_id=HOST) == (Mistake.ONLY_HOST, {})
    assert await room.mistake(Cancel, table, user_id=HOST) == (Mistake.ONLY_HOST, {})
    assert (await room.start(table.id, 12)).phase is Phase.PLAYING
    assert (await room.ask(Transfer, table, user_id=12, player=HOST)).host_id == HOST
    room.assert_sound(table.id)


async def test_whoever_asks_takes_over_from_a_host_who_has_left_the_server(room: Room) -> None:
    table = await lobby(room)
    after = await room.ask(HostGone, table, host=HOST, user_id=12)
    assert (after.host_id, users(after)) == (12, [11, 12])
    again = await room.ask(HostGone, table, host=HOST, user_id=11)
    assert (again.host_id, again.version) == (12, after.version), "another was quicker"
    for outsider in (999, HOST):
        assert (await room.ask(HostGone, table, host=12, user_id=outsider)).version == after.version
    room.assert_sound(table.id)


async def test_only_who_plays_on_takes_over_a_game(room: Room) -> None:
    table = await room.game(3)
    out = room.user(table, room.turn(table))
    table = await room.act(table, room.turn(table), "resign")
    assert (await room.ask(HostGone, table, host=HOST, user_id=out)).version == table.version
    there = next(user for user in users(table) if user not in {out, HOST})
    after = await room.ask(HostGone, table, host=HOST, user_id=there)
    assert (after.host_id, users(after)) == (there, users(table)), "only the clock takes seats in a game"


async def test_handing_over_moves_no_clock(room: Room) -> None:
    table = await room.game(3)
    await room.time.advance(40)
    after = await room.ask(Transfer, table, user_id=HOST, player=11)
    assert after.deadline_at == table.deadline_at
    await room.time.advance(table.window_length - 40 + GRACE_S)
    assert len(room.lines(table)) == 1


# ------------------------------------------------------------------------------------------------ more time


async def test_more_time_is_the_window_once_more(room: Room) -> None:
    table = await room.game(3)
    await room.time.advance(80)
    assert await room.mistake(Extend, table, user_id=11) == (Mistake.ONLY_HOST, {})
    after = await room.ask(Extend, table, user_id=HOST)
    assert (after.window, room.left(table), after.window_length) == (table.window, 100, 180)
    await room.ask(Extend, table, user_id=999, moderator=True)
    await room.time.advance(190 + GRACE_S - 0.01)
    assert room.lines(table) == []
    await room.time.advance(0.02)
    assert len(room.lines(table)) == 1


async def test_nothing_is_open_in_a_lobby_and_in_a_pause(room: Room) -> None:
    assert await room.mistake(Extend, await room.lobby(), user_id=HOST) == (Mistake.NOTHING_TO_EXTEND, {})
    table = await room.game(2, channel=101)
    for _ in range(2):
        table = await room.pass_in_silence(table)
    assert table.paused is Pause.IDLE
    assert await room.mistake(Extend, table, user_id=HOST) == (Mistake.NOTHING_TO_EXTEND, {})
    await room.ask(Resume, table, user_id=HOST)
    await room.ask(Extend, table, user_id=HOST)


async def test_more_time_against_a_timer_that_waits_for_the_lock(room: Room) -> None:
    """The timer has gone off; the host was a moment quicker, however long the storing takes."""
    table = await room.game(3)
    await room.time.advance(table.window_length)
    room.store.gate = asyncio.Event()
    extending = asyncio.ensure_future(room.ask(Extend, table, user_id=HOST))
    await room.time.advance(10)
    assert not extending.done()
    assert len(room.tables._running) > 1, "the clock waits behind the host"
    room.store.gate.set()
    room.store.gate = None
    await extending
    await room.time.advance(table.window_length - 10 + GRACE_S - 0.01)
    assert room.lines(table) == []
    await room.time.advance(0.02)
    assert len(room.lines(table)) == 1


async def test_more_time_that_comes_after_the_clock_is_for_the_next_question(room: Room) -> None:
    table = await room.game(3)
    room.store.gate = asyncio.Event()
    await room.time.advance(table.window_length + GRACE_S)
    extending = asyncio.ensure_future(room.ask(Extend, table, user_id=HOST))
    await room.time.advance(1)
    room.store.gate.set()
    after = await extending
    assert (after.window, len(room.lines(table))) == (1, 1)
    assert room.left(table) == after.window_length == 2 * after.speed.turn


async def test_more_time_though_the_clock_is_late(room: Room) -> None:
    """The clock waits for somebody else's lock, and long: the host's time still counts from when it is given."""
    table = await room.game(3)
    room.store.gate = asyncio.Event()
    handing = asyncio.ensure_future(room.ask(Transfer, table, user_id=HOST, player=11))
    extending = asyncio.ensure_future(room.ask(Extend, table, user_id=11))
    await room.time.advance(table.window_length * 3)
    room.store.gate.set()
    room.store.gate = None
    await asyncio.gather(handing, extending)
    assert room.left(table) == table.window_length
    await room.time.advance(table.window_length + GRACE_S - 0.01)
    assert room.lines(table) == []


async def test_more_time_for_a_window_that_nobody_could_see_yet(room: Room) -> None:
    table = await room.game(3)
    opened = await room.play(table, room.user(table, room.turn(table)), "tax")
    await room.time.advance(600)
    await room.ask(Extend, opened, user_id=HOST)
    room.show(opened)
    await room.time.advance(2 * opened.window_length + GRACE_S - 0.01)
    assert len(room.lines(table)) == 1
    await room.time.advance(0.02)
    assert len(room.lines(table)) == 3


async def test_more_time_for_a_window_that_was_seen_late(room: Room) -> None:
    """Its stored deadline is long past: the time is added to what people really have."""
    table = await room.game(3)
    opened = await room.play(table, room.user(table, room.turn(table)), "tax")
    await room.time.advance(600)
    room.show(opened)
    await room.time.advance(opened.window_length - 5)
    await room.ask(Extend, opened, user_id=HOST)
    assert room.left(table) == opened.window_length + 5
    await room.time.advance(opened.window_length + 5 + GRACE_S - 0.01)
    assert len(room.lines(table)) == 1
    await room.time.advance(0.02)
    assert len(room.lines(table)) == 3


async def test_more_time_after_an_outage_takes_nothing_back(room: Room) -> None:
    table = await room.game(3)
    await room.time.advance(10)
    room.tables.outages.begin(GATEWAY)
    await room.time.advance(300)
    room.tables.outages.end(GATEWAY)
    await room.ask(Extend, table, user_id=HOST)
    assert room.left(table) == 2 * table.window_length - 10


async def test_what_was_given_is_there_after_a_restart(room: Room) -> None:
    table = await room.game(3, speed="daily")
    for _ in range(2):
        await room.ask(Extend, table, user_id=HOST)
    await room.announce(table)
    await room.time.advance(3600)
    left = room.left(table)
    await room.restart(away=300)
    after = await room.announce(table)
    assert room.left(table) >= left
    assert after.window_length == 3 * table.speed.turn
    await room.restart(away=50 * 86_400)
    assert left - 3600 < room.left(table) <= after.window_length, "nor more than that"


async def test_what_was_given_is_there_after_the_channel_was_closed_for_a_moment(room: Room) -> None:
    table = await room.game(3, speed="daily")
    given = await room.ask(Extend, table, user_id=HOST)
    await room.ask(PauseTable, table, why=Pause.NO_ACCESS)
    freed = await room.ask(Unblock, table, why=Pause.NO_ACCESS)
    assert (freed.deadline_at, freed.window_length) == (given.deadline_at, 2 * table.speed.turn)


async def test_what_was_given_is_for_one_question(room: Room) -> None:
    table = await room.game(3)
    await room.ask(Extend, table, user_id=HOST)
    after = await room.act(table, room.turn(table), "income")
    assert (after.window_length, room.left(after)) == (after.speed.turn, after.speed.turn)
    await room.ask(Extend, after, user_id=HOST)
    assert (await room.ask(Extend, after, user_id=HOST)).window_length == 3 * after.speed.turn


@pytest.mark.parametrize("jump", [3600, -3600])
async def test_more_time_after_the_wall_clock_was_set(room: Room, jump: float) -> None:
    table = await room.game(3)
    await room.time.advance(10)
    room.time.jump = jump
    await room.ask(Extend, table, user_id=HOST)
    assert room.left(table) == 2 * table.window_length - 10
    await room.time.advance(2 * table.window_length - 10 + GRACE_S - 0.01)
    assert room.lines(table) == []
    await room.time.advance(0.02)
    assert len(room.lines(table)) == 1


async def test_the_clock_of_a_window_asked_about_before_it_was_extended(room: Room) -> None:
    """A word of the clock that was on its way is only a reason to look again."""
    table = await room.game(3)
    await room.time.advance(table.window_length)
    await room.ask(Extend, table, user_id=HOST)
    same = await room.ask(TimeUp, table, window=table.window, gone=frozenset({HOST, 11, 12}))
    assert (same.window, room.lines(table)) == (table.window, [])
