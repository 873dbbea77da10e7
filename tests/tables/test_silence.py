"""People who do not answer: who falls silent, who is out for it, and who has left the server."""

from __future__ import annotations

import random

import pytest

from bot.tables.requests import TimeUp
from bot.tables.table import Cause, Ending, Pause, Phase, PublicTable, Removed, TimeRanOut
from bot.tables.window_time import GRACE
from coup_core.view import Asked
from tests.tables.room import Room

GRACE_S = GRACE.total_seconds()


async def income(room: Room, table: PublicTable, turns: int) -> PublicTable:
    for _ in range(turns):
        table = await room.act(table, room.turn(table), "income")
    return table


async def test_a_silent_turn_is_told_and_forgotten_with_the_next_answer(room: Room) -> None:
    table = await room.game(3)
    idle = room.turn(table)
    table = await room.pass_in_silence(table)
    assert table.silent == (idle,)
    assert table.story[0].events[1:2] == (TimeRanOut(idle),)
    table = await income(room, table, 2)
    assert table.silent == (idle,)
    table = await income(room, table, 1)
    assert table.silent == ()
    table = await income(room, table, 2)
    assert room.turn(table) == idle
    table = await room.pass_in_silence(table)
    assert (table.silent, len(_living(table))) == ((idle,), 3), "not two in a row"


async def test_two_silent_turns_in_a_row_are_the_end(room: Room) -> None:
    table = await room.game(3)
    idle = room.turn(table)
    table = await income(room, await room.pass_in_silence(table), 2)
    table = await room.pass_in_silence(table)
    assert idle not in _living(table)
    last = room.stored(table.id).lines[-1]
    assert (last.line, last.cause) == (f"p{idle + 1}: resign !", Cause.SILENT)
    told = [event for turn in table.story for event in turn.events if isinstance(event, Removed)]
    assert told == [Removed(idle, Cause.SILENT)]
    assert TimeRanOut(idle) not in table.story[3].events, "one word about it is enough"
    assert table.silent == (idle,)
    room.assert_sound(table.id)


async def test_a_silent_answer_is_no_silent_turn(room: Room) -> None:
    """Silence allows: whoever lets windows pass is not on the way out."""
    table = await room.game(3)
    for _ in range(4):
        table = await room.act(table, room.turn(table), "tax")
        table = await room.pass_in_silence(table)
    assert (table.silent, len(_living(table))) == ((), 3)


async def test_an_answer_in_somebody_elses_turn_counts(room: Room) -> None:
    table = await room.game(3)
    idle = room.turn(table)
    table = await room.pass_in_silence(table)
    table = await room.act(table, room.turn(table), "tax")
    await room.act(table, idle, "pass")
    table = await room.pass_in_silence(table)
    assert table.silent == ()
    table = await income(room, table, 1)
    assert idle in _living(await room.pass_in_silence(table))


async def test_what_is_allowed_for_them_is_no_sign_of_life(room: Room) -> None:
    table = await room.game(3)
    idle = room.turn(table)
    await room.switch(table, idle)
    table = await room.pass_in_silence(table)
    table = await room.act(table, room.turn(table), "tax")
    table = await room.pass_in_silence(table)
    assert Cause.AUTO in {line.cause for line in room.stored(table.id).lines}
    assert table.silent == (idle,)


async def test_in_a_game_of_two_the_other_wins_after_two_silent_turns(room: Room) -> None:
    table = await room.game(2)
    idle = room.turn(table)
    table = await income(room, await room.pass_in_silence(table), 1)
    table = await room.pass_in_silence(table)
    assert (table.phase, table.ending, table.result and table.result.winner) == (Phase.OVER, Ending.WON, 1 - idle)


async def test_a_round_without_anybody_pauses_before_it_removes_anybody(room: Room) -> None:
    table = await room.game(2)
    for _ in range(2):
        table = await room.pass_in_silence(table)
    assert (table.paused, len(_living(table))) == (Pause.IDLE, 2)


async def test_one_answer_in_the_round_and_it_does_not_pause(room: Room) -> None:
    table = await room.game(4)
    for _ in range(2):
        table = await room.pass_in_silence(table)
    answered = room.turn(table)
    table = await income(room, table, 1)
    for _ in range(3):
        table = await room.pass_in_silence(table)
        assert table.paused is None
    assert room.turn(table) == answered, "the others have been silent, two of them twice"
    assert len(_living(table)) == 2
    assert (await room.pass_in_silence(table)).paused is Pause.IDLE


async def test_silence_survives_a_restart(room: Room) -> None:
    table = await room.game(3)
    idle = room.turn(table)
    table = await income(room, await room.pass_in_silence(table), 2)
    await room.restart(away=500)
    table = await room.pass_in_silence(await room.tables.table(table.id))
    table = room.show(await room.tables.table(table.id))
    table = await room.pass_in_silence(table)
    assert idle not in _living(await room.tables.table(table.id))


# ------------------------------------------------------------------------------------------------ who left the server


@pytest.mark.parametrize("asked", list(Asked))
async def test_who_has_left_the_server_is_out_at_the_deadline(room: Room, asked: Asked) -> None:
    table = await room.until(asked, random.Random(31))
    seat = room.awaited(table)[0]
    room.server.left = {room.user(table, seat)}
    before = len(room.lines(table))
    await room.time.advance(table.window_length + GRACE_S - 0.01)
    assert (len(room.lines(table)), room.server.asked) == (before, []), "nobody is asked for before the time is up"
    await room.time.advance(0.02)
    after = await room.tables.table(table.id)
    assert seat not in _living(after)
    (line,) = [line for line in room.stored(table.id).lines[before:] if line.cause is not None]
    assert (line.line, line.cause) == (f"p{seat + 1}: resign !", Cause.GONE)
    assert any(Removed(seat, Cause.GONE) in turn.events for turn in after.story)
    assert room.server.asked == [frozenset(room.user(table, seat) for seat in room.awaited(table))]
    room.assert_sound(table.id)


async def test_only_who_is_asked_is_looked_for(room: Room) -> None:
    table = await room.game(3)
    turn = room.turn(table)
    others = [room.user(table, seat) for seat in range(3) if seat != turn]
    room.server.left = set(others)
    table = await room.pass_in_silence(table)
    assert _living(table) == (0, 1, 2)


async def test_everyone_asked_has_left(room: Room) -> None:
    table = await room.game(3)
    turn = room.turn(table)
    table = await room.act(table, turn, "tax")
    room.server.left = {room.user(table, seat) for seat in range(3) if seat != turn}
    over = await room.pass_in_silence(table)
    assert (over.phase, over.ending, over.result and over.result.winner) == (Phase.OVER, Ending.WON, turn)


async def test_who_left_and_answered_in_time_has_answered(room: Room) -> None:
    """They can still press buttons of a thread, or come back: only silence is judged."""
    table = await room.game(3)
    turn = room.turn(table)
    room.server.left = {room.user(table, turn)}
    await room.act(table, turn, "income")
    await room.time.advance(table.window_length - 1)
    assert turn in _living(await room.tables.table(table.id))


async def test_an_early_word_of_the_clock_removes_nobody(room: Room) -> None:
    table = await room.game(3)
    everyone = frozenset(player.user_id for player in table.players)
    await room.ask(TimeUp, table, window=table.window, gone=everyone)
    assert room.lines(table) == []


def _living(table: PublicTable) -> tuple[int, ...]:
    assert table.view is not None
    return table.view.living
