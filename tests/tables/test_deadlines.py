"""Time: a window is never closed early, and never forgotten."""

from __future__ import annotations

import asyncio
import gc
import random
from datetime import datetime, timedelta

import pytest

from bot.tables.deadlines import SWEEP_EVERY
from bot.tables.errors import Refusal
from bot.tables.table import SPEEDS, Ending, Pause, Phase, PublicTable
from bot.tables.window_time import GRACE
from bot.tables.windows import GIVEN_UP_AFTER
from coup_core.view import Asked
from tests.support.fakes import Fault, settle
from tests.tables.room import Room

GRACE_S = GRACE.total_seconds()


def lines(room: Room, table: PublicTable) -> list[str]:
    return [line.line for line in room.assert_sound(table.id).lines]


def turn_of(table: PublicTable) -> int:
    assert table.view is not None
    assert table.view.turn is not None
    return table.view.turn


@pytest.mark.parametrize("speed", list(SPEEDS))
async def test_a_turn_and_an_answer_have_the_time_of_their_speed(room: Room, speed: str) -> None:
    table = await room.game(3, speed=speed)
    assert table.deadline_at == room.time.now() + timedelta(seconds=SPEEDS[speed].turn)
    opened = await room.act(table, turn_of(table), "tax")
    assert opened.deadline_at == room.time.now() + timedelta(seconds=SPEEDS[speed].answer)


async def test_silence_answers_after_the_grace_and_not_before(room: Room) -> None:
    table = await room.game(3)
    await room.time.advance(table.speed.turn + GRACE_S - 0.01)
    assert lines(room, table) == []
    await room.time.advance(0.02)
    assert lines(room, table) == [f"p{turn_of(table) + 1}: income !"]
    assert room.audience.told[-1] == table.id


async def test_an_answer_within_the_grace_counts(room: Room) -> None:
    table = await room.game(3)
    await room.time.advance(table.speed.turn + GRACE_S - 0.01)
    await room.act(table, turn_of(table), "tax")
    await room.time.advance(1)
    assert lines(room, table) == [f"p{turn_of(table) + 1}: tax"]


async def test_everyone_who_is_awaited_is_answered_for(room: Room) -> None:
    table = await room.game(4)
    opened = await room.act(table, turn_of(table), "tax")
    seats = room.awaited(opened)
    await room.play(opened, opened.players[seats[1]].user_id, "pass")
    await room.time.advance(opened.speed.answer + GRACE_S)
    assert lines(room, table)[1:] == [
        f"p{seats[1] + 1}: pass",
        f"p{seats[0] + 1}: pass !",
        f"p{seats[2] + 1}: pass !",
    ]
    stored = room.store.tables[table.id]
    assert len({line.request for line in stored.lines[2:]}) == 1, "one request of the clock"
    assert stored.row.version == opened.version + 2


async def test_a_window_has_its_full_length_from_when_it_could_be_seen(room: Room) -> None:
    table = await room.game(3)
    opened = await room.play(table, table.players[turn_of(table)].user_id, "tax")
    await room.time.advance(opened.speed.answer + 100)
    assert len(lines(room, table)) == 1, "nobody has seen it yet"
    room.show(opened)
    await room.time.advance(5)
    room.show(opened)  # told again: that moves nothing
    room.tables.shown(table.id, table.window)  # a late word of the window before: neither
    await room.time.advance(opened.speed.answer - 5 + GRACE_S - 0.01)
    assert len(lines(room, table)) == 1
    await room.time.advance(0.02)
    assert len(lines(room, table)) == 3


async def test_what_was_seen_is_remembered_through_a_failure(room: Room) -> None:
    """The word that a window is visible may come while its table is being read again."""
    table = await room.game(3)
    opened = await room.play(table, table.players[turn_of(table)].user_id, "tax")
    room.store.faults.extend([Fault.BEFORE, Fault.BEFORE])
    (result,) = await asyncio.gather(
        room.play(opened, opened.players[room.awaited(opened)[0]].user_id, "pass"), return_exceptions=True
    )
    assert isinstance(result, Exception)
    room.tables.watch.memory.entries[table.id].state = None
    room.show(opened)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(opened.speed.answer + GRACE_S + SWEEP_EVERY)
    assert len(lines(room, table)) == 3


async def test_with_ten_coins_silence_is_the_coup_on_the_strongest(room: Room) -> None:
    table = await room.game(3)
    while True:
        assert table.view is not None
        turn = turn_of(table)
        if table.view.seats[turn].coins >= 10:
            break
        table = await room.act(table, turn, "income")
    await room.time.advance(table.speed.turn + GRACE_S)
    (line,) = lines(room, table)[table.window :]
    # All have two cards; the most coins are with whoever plays after the one who plays now, or the one after that.
    others = sorted(((table.view.seats[s].coins, -((s - turn) % 3)) for s in range(3) if s != turn), reverse=True)
    target = (turn - others[0][1]) % 3
    assert line == f"p{turn + 1}: coup p{target + 1} !"


@pytest.mark.parametrize("asked", list(Asked))
async def test_silence_answers_every_question(room: Room, asked: Asked) -> None:
    table = await room.until(asked, random.Random(6))
    seats, before = room.awaited(table), len(lines(room, table))
    await room.time.advance(max(table.speed.answer, table.speed.turn) + GRACE_S)
    new = [line for line in lines(room, table)[before:] if line.endswith(" !")]
    assert [line.partition(":")[0] for line in new] == [f"p{seat + 1}" for seat in seats]


async def test_a_game_that_everyone_left_alone_pauses_after_a_round_and_ends_after_a_day(room: Room) -> None:
    table = await room.game(3, speed="blitz")
    for turn in range(1, 4):
        await room.time.advance(table.speed.turn + GRACE_S)
        table = room.show(await room.tables.table(table.id))
        assert len(lines(room, table)) == turn
    assert all(line.endswith(": income !") for line in lines(room, table))
    assert (table.paused, table.phase) == (Pause.IDLE, Phase.PLAYING)
    await room.time.advance(GIVEN_UP_AFTER.total_seconds())
    assert (await room.tables.table(table.id)).phase is Phase.PLAYING
    await room.time.advance(GRACE_S)
    over = await room.tables.table(table.id)
    assert (over.phase, over.ending, over.paused) == (Phase.OVER, Ending.ABANDONED, None)
    assert len(lines(room, table)) == 3
    assert room.time.timers() == 0, "a finished game has no timer"


async def test_a_window_that_closes_takes_its_timer_along(room: Room) -> None:
    table = await room.game(3)
    assert room.time.timers() == 1
    for _ in range(4):
        table = await room.act(table, turn_of(table), "income")
    assert room.time.timers() == 1


async def test_a_lost_timer_is_found_by_the_sweep(room: Room) -> None:
    table = await room.game(3)
    room.tables.watch.deadlines.disarm(table.id)
    await room.tables.announced(table.id, table.version)
    room.tables.watch.deadlines.start_sweeping()
    room.tables.watch.deadlines.start_sweeping()
    told = len(room.audience.told)
    await room.time.advance(SWEEP_EVERY)
    assert len(room.audience.told) == told, "told already, and not overdue"
    await room.time.advance(table.speed.turn + GRACE_S)
    assert lines(room, table) == [f"p{turn_of(table) + 1}: income !"]


async def test_the_sweep_tells_what_was_not_announced(room: Room) -> None:
    table = await room.game(3)
    room.tables.watch.deadlines.start_sweeping()
    room.audience.told.clear()
    await room.time.advance(SWEEP_EVERY)
    assert room.audience.told == [table.id]
    await room.tables.announced(table.id, table.version)
    await room.time.advance(SWEEP_EVERY)
    assert room.audience.told == [table.id]
    room.tables.watch.deadlines.stop()


async def test_the_sweep_tells_of_a_lobby_that_was_never_shown(room: Room) -> None:
    table = await room.lobby()
    room.audience.told.clear()
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(SWEEP_EVERY)
    assert room.audience.told == [table.id]


async def test_a_sweep_that_takes_long_is_not_joined_by_others(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = 0
    gate = asyncio.Event()

    async def slow(_now: datetime) -> list[str]:
        nonlocal begun
        begun += 1
        await gate.wait()
        return []

    monkeypatch.setattr(room.store, "needing_attention", slow)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(10 * SWEEP_EVERY)
    assert (begun, len(room.tables._running)) == (1, 1)
    gate.set()
    await room.time.advance(SWEEP_EVERY)
    assert begun == 2
    await room.time.advance(SWEEP_EVERY)
    assert begun == 3


@pytest.mark.parametrize(
    "error", [pytest.param(OSError, marks=pytest.mark.expects_errors("clock failed")), asyncio.CancelledError]
)
async def test_after_a_sweep_that_failed_comes_another(
    room: Room, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    begun = 0

    async def failing(_now: datetime) -> list[str]:
        nonlocal begun
        begun += 1
        raise error

    monkeypatch.setattr(room.store, "needing_attention", failing)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(3 * SWEEP_EVERY)
    assert begun == 3
    await room.tables.close()
    await room.time.advance(3 * SWEEP_EVERY)
    assert begun == 3


@pytest.mark.expects_errors("clock failed")
async def test_one_broken_table_does_not_keep_the_sweep_from_the_others(room: Room) -> None:
    broken, table = await room.game(3), await room.game(3, channel=101)
    for each in (broken, table):
        room.tables.watch.deadlines.disarm(each.id)
    room.tables.watch.memory.entries[broken.id].state = None
    room.store.load_faults.append(Fault.BEFORE)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(table.speed.turn + GRACE_S + SWEEP_EVERY)
    assert lines(room, table) == [f"p{turn_of(table) + 1}: income !"]


async def test_a_timer_whose_commit_fails_comes_back(room: Room) -> None:
    table = await room.game(3)
    room.tables.watch.deadlines.start_sweeping()
    room.store.faults.extend([Fault.CANCELLED_BEFORE])
    await room.time.advance(table.speed.turn + GRACE_S)
    assert lines(room, table) == []
    await room.time.advance(SWEEP_EVERY)
    assert lines(room, table) == [f"p{turn_of(table) + 1}: income !"]


async def test_a_timer_waits_for_the_lock_and_then_looks_again(room: Room) -> None:
    table = await room.game(3)
    room.store.gate = asyncio.Event()
    click = room.play(table, table.players[turn_of(table)].user_id, "tax")
    await room.time.advance(table.speed.turn + GRACE_S + 5)
    assert not click.done()
    room.store.gate.set()
    after = await click
    await room.time.advance(0)
    assert lines(room, table) == [f"p{turn_of(table) + 1}: tax"]
    room.store.gate = None
    room.show(after)
    await room.time.advance(after.speed.answer + GRACE_S - 0.01)
    assert len(lines(room, table)) == 1, "however long the storing took, people have their time"


async def test_closing_refuses_the_new_and_finishes_what_runs(room: Room) -> None:
    table = await room.game(3)
    room.store.gate = asyncio.Event()
    running = room.play(table, table.players[turn_of(table)].user_id, "tax")
    opening = asyncio.ensure_future(room.lobby(channel=500))
    await room.time.advance(0)
    closing = asyncio.ensure_future(room.tables.close())
    await room.time.advance(0)
    assert not closing.done()
    for late in (room.play(table, 11, "pass"), asyncio.ensure_future(room.lobby(channel=501))):
        with pytest.raises(Refusal, match="closing"):
            await late
    room.store.gate.set()
    await closing
    assert (await running).window == 1
    assert (await opening).phase is Phase.LOBBY
    assert room.time.timers() == 0
    await room.time.advance(1000)
    assert lines(room, table) == [f"p{turn_of(table) + 1}: tax"]


async def test_closing_with_nothing_to_do(room: Room) -> None:
    await room.tables.close()
    await room.tables.close()


async def test_work_of_the_clock_that_is_cancelled_before_it_begins_leaves_nothing(
    room: Room, recwarn: pytest.WarningsRecorder
) -> None:
    table = await room.game(3)
    room.tables.watch._ring(table.id)
    _ = room.tables.watch._sweep()
    assert len(room.tables._running) == 2
    for task in list(room.tables._running):
        task.cancel()
    await settle()
    gc.collect()
    assert [str(warning.message) for warning in recwarn] == []
