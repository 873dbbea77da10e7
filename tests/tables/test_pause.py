"""Games that stand still: why, how they go on, and when they are given up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.tables.deadlines import SWEEP_EVERY
from bot.tables.errors import Mistake
from bot.tables.requests import Kick, PauseTable, Play, Resume, TimeUp, Unblock
from bot.tables.table import Ending, Pause, Phase, PublicTable
from bot.tables.window_time import GRACE
from bot.tables.windows import AWAY, GIVEN_UP_AFTER
from tests.support.fakes import Fault, settle
from tests.tables.room import HOST, Room

GRACE_S = GRACE.total_seconds()
DAY = GIVEN_UP_AFTER.total_seconds()


async def idle(room: Room, players: int = 3, speed: str = "blitz") -> PublicTable:
    """A game that everyone has left alone for a round."""
    table = await room.game(players, speed=speed)
    for _ in range(players):
        assert table.paused is None
        table = await room.pass_in_silence(table)
    assert (table.paused, table.window_length) == (Pause.IDLE, 0)
    return table


async def test_no_clock_runs_in_a_pause_but_that_of_giving_up(room: Room) -> None:
    table = await idle(room)
    lines = room.lines(table)
    await room.time.advance(DAY - 10)
    assert room.lines(table) == lines
    assert await room.ask(TimeUp, table, window=table.window) == await room.tables.table(table.id)
    await room.time.advance(10 + GRACE_S)
    over = await room.tables.table(table.id)
    assert (over.phase, over.ending, over.paused) == (Phase.OVER, Ending.ABANDONED, None)
    assert room.stored(table.id).row.winner_id is None
    assert (await room.lobby()).phase is Phase.LOBBY, "the channel is free"


async def test_who_may_resume(room: Room) -> None:
    table = await room.game(3)
    assert await room.mistake(Resume, table, user_id=HOST) == (Mistake.NOT_PAUSED, {})
    table = await room.act(table, (room.turn(table) + 1) % 3, "resign")
    out = next(player.user_id for seat, player in enumerate(table.players) if seat not in _living(table))
    for _ in range(2):
        table = await room.pass_in_silence(table)
    assert table.paused is Pause.IDLE
    assert await room.mistake(Resume, table, user_id=out) == (Mistake.OUT_OF_GAME, {})
    assert await room.mistake(Resume, table, user_id=999) == (Mistake.NOT_SEATED, {})
    assert await room.mistake(Resume, await room.lobby(channel=101), user_id=HOST) == (Mistake.NOT_STARTED, {})
    resumed = await room.ask(Resume, table, user_id=room.user(table, _living(table)[0]))
    assert (resumed.paused, resumed.window) == (None, table.window)
    found = await room.mistake(Resume, table, user_id=room.user(table, _living(table)[0]))
    assert found == (Mistake.NOT_PAUSED, {}), "the second of two"


@pytest.mark.parametrize("speed", ["blitz", "normal"])
async def test_after_a_pause_there_is_time_to_come_back(room: Room, speed: str) -> None:
    table = await idle(room, speed=speed)
    await room.time.advance(5000)
    await room.ask(Resume, table, user_id=HOST)
    assert room.left(table) == max(table.speed.turn, AWAY.total_seconds())


@pytest.mark.parametrize("why", [Pause.NO_ACCESS, Pause.IDLE])
@pytest.mark.parametrize("restarted", [False, True])
async def test_after_a_pause_the_time_begins_when_people_see_the_window_again(
    room: Room, why: Pause, restarted: bool
) -> None:
    table = await room.game(3) if why is Pause.NO_ACCESS else await idle(room, speed="normal")
    lines = len(room.lines(table))
    if why is Pause.NO_ACCESS:
        await room.ask(PauseTable, table, why=why)
    else:
        await room.announce(table)
    if restarted:
        await room.restart()
    await room.time.advance(50)
    await room.ask(Resume, table, user_id=HOST)
    await room.time.advance(500)
    assert len(room.lines(table)) == lines, "nobody could see it"
    room.show(await room.tables.table(table.id))
    await room.time.advance(90 + GRACE_S - 0.01)
    assert len(room.lines(table)) == lines
    await room.time.advance(0.02)
    assert len(room.lines(table)) > lines


async def test_an_answer_wakes_a_game_too(room: Room) -> None:
    table = await idle(room)
    after = await room.act(table, room.turn(table), "tax")
    assert (after.paused, len(room.lines(table))) == (None, 4)
    assert room.left(table) == table.speed.answer


async def test_after_a_pause_another_whole_round_must_be_silent(room: Room) -> None:
    """Somebody has resumed it: the next player alone must not stop it again."""
    table = await idle(room)
    await room.ask(Resume, table, user_id=room.user(table, 1))
    table = await room.pass_in_silence(await room.tables.table(table.id), AWAY.total_seconds())
    assert table.paused is None
    room.assert_sound(table.id)


async def test_who_comes_back_finds_the_others_still_there_and_is_there(room: Room) -> None:
    """Silence before the pause is not counted with silence after it, neither theirs nor the others'."""
    table = await idle(room, players=2)
    sleeper = room.turn(table)
    resumer = room.user(table, 1 - sleeper)
    table = room.show(await room.ask(Resume, table, user_id=resumer))
    assert await room.mistake(Kick, table, user_id=999, moderator=True, player=resumer) == (
        Mistake.NOT_IDLE,
        {"target": 1 - sleeper},
    )
    table = await room.pass_in_silence(table)
    assert (_living(table), table.silent) == ((0, 1), (sleeper,))
    table = await room.pass_in_silence(await room.act(table, 1 - sleeper, "income"))
    assert _living(table) == (1 - sleeper,), "two in a row since then"


async def test_whoever_resumed_and_falls_silent_again_may_come_back_again(room: Room) -> None:
    table = await idle(room, players=2)
    for _ in range(2):
        table = room.show(await room.ask(Resume, table, user_id=room.user(table, room.turn(table))))
        table = await room.pass_in_silence(await room.pass_in_silence(table))
        assert (table.paused, _living(table)) == (Pause.IDLE, (0, 1))


async def test_what_was_forgiven_is_so_after_a_restart(room: Room) -> None:
    table = await idle(room)
    await room.ask(Resume, table, user_id=HOST)
    await room.restart()
    table = room.show(await room.tables.table(table.id))
    table = await room.pass_in_silence(table, AWAY.total_seconds())
    assert len(_living(table)) == 3


async def leave(room: Room, table: PublicTable, seat: int) -> PublicTable:
    return await room.ask(Play, table, user_id=room.user(table, seat), window=0, choice="resign")


async def be_removed(room: Room, table: PublicTable, seat: int) -> PublicTable:
    return await room.ask(Kick, table, user_id=999, moderator=True, player=room.user(table, seat))


@pytest.mark.parametrize("go", [leave, be_removed])
@pytest.mark.parametrize("after", [0, 1])
async def test_who_goes_wakes_nobody(
    room: Room, go: Callable[[Room, PublicTable, int], Awaitable[PublicTable]], after: int
) -> None:
    """Whether it is their turn or not: the others sleep on, until somebody plays or the day is over."""
    table = await idle(room)
    await room.time.advance(500)
    left = await go(room, table, (room.turn(table) + after) % 3)
    assert (left.paused, left.deadline_at, len(_living(left))) == (Pause.IDLE, table.deadline_at, 2)
    await room.time.advance(5000)
    same = await room.tables.table(table.id)
    assert (same.paused, _living(same)) == (Pause.IDLE, _living(left))
    over = await go(room, same, room.turn(same))
    assert (over.phase, over.ending, over.paused) == (Phase.OVER, Ending.WON, None)


async def test_who_leaves_a_game_whose_channel_is_closed_opens_no_channel(room: Room) -> None:
    table = await room.game(3)
    closed = await room.ask(PauseTable, table, why=Pause.NO_ACCESS)
    await room.time.advance(500)
    left = await leave(room, closed, room.turn(table))
    assert (left.paused, left.deadline_at) == (Pause.NO_ACCESS, closed.deadline_at)
    freed = await room.ask(Unblock, left, why=Pause.NO_ACCESS)
    assert (freed.paused, room.left(freed)) == (None, table.speed.turn)


async def test_a_window_that_stood_open_keeps_its_number(room: Room) -> None:
    """It does not change when somebody else allows, in a pause neither: buttons and answers belong to the question."""
    table = await room.game(4)
    opened = await room.act(table, room.turn(table), "tax")
    one, two, three = room.awaited(opened)
    await room.ask(PauseTable, opened, why=Pause.NO_ACCESS)
    after = await room.play(opened, room.user(opened, one), "pass")
    assert (after.paused, after.window) == (None, opened.window)
    assert room.left(table) == AWAY.total_seconds()
    with pytest.raises(Exception, match="already-answered"):
        await room.play(opened, room.user(opened, one), "pass")
    await room.play(opened, room.user(opened, two), "pass")
    await room.play(opened, room.user(opened, three), "pass")
    assert len(room.lines(table)) == 4


async def test_where_we_may_not_write_the_game_waits(room: Room) -> None:
    table = await room.game(3)
    paused = await room.ask(PauseTable, table, why=Pause.NO_ACCESS)
    assert paused.paused is Pause.NO_ACCESS
    same = await room.ask(PauseTable, table, why=Pause.IDLE)
    assert (same.paused, same.version) == (Pause.NO_ACCESS, paused.version)
    await room.time.advance(5000)
    assert room.lines(table) == []
    other = await room.ask(Unblock, table, why=Pause.IDLE)
    assert other.paused is Pause.NO_ACCESS, "that is not why it waits"
    freed = await room.ask(Unblock, table, why=Pause.NO_ACCESS)
    assert (freed.paused, room.left(table)) == (None, table.speed.turn)
    again = await room.ask(Unblock, table, why=Pause.NO_ACCESS)
    assert again.version == freed.version


async def test_a_game_whose_channel_stays_closed_ends_for_that(room: Room) -> None:
    table = await room.game(3)
    await room.ask(PauseTable, table, why=Pause.NO_ACCESS)
    await room.time.advance(DAY + GRACE_S)
    assert (await room.tables.table(table.id)).ending is Ending.NO_ACCESS


async def test_a_game_nobody_plays_is_not_woken_because_we_may_write_again(room: Room) -> None:
    table = await idle(room)
    assert (await room.ask(Unblock, table, why=Pause.NO_ACCESS)).paused is Pause.IDLE


async def test_a_lobby_does_not_pause(room: Room) -> None:
    table = await room.lobby()
    assert await room.ask(PauseTable, table, why=Pause.NO_ACCESS) == table


async def test_a_pause_outlives_a_restart_and_is_not_given_up_because_of_it(room: Room) -> None:
    table = await idle(room)
    await room.restart()
    await room.time.advance(100)
    await room.restart(away=3 * DAY)
    back = await room.tables.table(table.id)
    assert (back.phase, back.paused) == (Phase.PLAYING, Pause.IDLE)
    assert DAY - 120 < room.left(table) <= DAY - 100 + SWEEP_EVERY
    await room.ask(Resume, table, user_id=HOST)
    room.assert_sound(table.id)


async def test_resuming_whose_commit_is_cancelled_leaves_no_timer_of_the_pause(room: Room) -> None:
    """It is stored all the same: the timer that was set for a day later would let the question wait for it."""
    table = await idle(room)
    room.tables.watch.deadlines.start_sweeping()
    room.store.faults.append(Fault.CANCELLED_AFTER)
    with pytest.raises(asyncio.CancelledError):
        await room.ask(Resume, table, user_id=HOST)
    await settle()
    assert room.stored(table.id).row.paused is None
    room.tables.shown(table.id, table.window)
    await room.time.advance(AWAY.total_seconds() + 2 * SWEEP_EVERY + GRACE_S)
    assert len(room.lines(table)) == 4


def _living(table: PublicTable) -> tuple[int, ...]:
    assert table.view is not None
    return table.view.living
