""" "Allow for me": what it answers, what it never answers, and that it tells nothing."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.tables.errors import Mistake
from bot.tables.requests import AllowForThem, AutoAllow, PauseTable
from bot.tables.table import Cause, Pause, Phase, PublicTable
from bot.tables.window_time import STOOD
from coup_core.view import Asked
from tests.support.fakes import Fault, settle
from tests.tables.room import HOST, Room

WINDOWS = [Asked.REACTION, Asked.SECOND_CHANCE, Asked.BLOCK]


async def taxed(room: Room, *seats: int, shown: bool = True) -> PublicTable:
    """Four players; those that many places after the actor have switched it on; tax is claimed."""
    table = await room.game(4)
    for place in seats:
        await room.switch(table, (room.turn(table) + place) % 4)
    opened = await room.play(table, room.user(table, room.turn(table)), "tax")
    return room.show(opened) if shown else opened


async def test_they_allow_after_a_moment_and_the_others_are_waited_for(room: Room) -> None:
    table = await taxed(room, 1, 3)
    actor = room.turn(table)
    await room.time.advance(STOOD - 0.01)
    assert len(room.lines(table)) == 1
    await room.time.advance(0.02)
    after = await room.tables.table(table.id)
    assert (room.awaited(after), after.window) == (((actor + 2) % 4,), table.window)
    lines = room.stored(table.id).lines[1:]
    assert [line.line for line in lines] == [f"p{(actor + place) % 4 + 1}: pass" for place in (1, 3)]
    assert {line.cause for line in lines} == {Cause.AUTO}
    assert after.deadline_at == table.deadline_at
    assert room.left(table) == pytest.approx(30 - STOOD - 0.01)


async def test_a_window_of_them_alone_stands_for_its_moment_too(room: Room) -> None:
    table = await taxed(room, 1, 2, 3)
    await room.time.advance(STOOD - 0.01)
    assert (await room.tables.table(table.id)).window == table.window
    await room.time.advance(0.02)
    assert len(room.lines(table)) == 4
    assert room.turn(await room.tables.table(table.id)) == (room.turn(table) + 1) % 4
    room.assert_sound(table.id)


async def test_the_moment_counts_from_when_people_can_see_it(room: Room) -> None:
    table = await taxed(room, 1, shown=False)
    await room.time.advance(600)
    assert len(room.lines(table)) == 1
    room.show(table)
    await room.time.advance(STOOD - 0.01)
    assert len(room.lines(table)) == 1
    await room.time.advance(0.02)
    assert len(room.lines(table)) == 2


async def test_whoever_is_quicker_answers_themselves(room: Room) -> None:
    table = await taxed(room, 1)
    seat = (room.turn(table) + 1) % 4
    await room.time.advance(1)
    await room.act(table, seat, "challenge")
    await room.time.advance(STOOD)
    assert room.lines(table)[1] == f"p{seat + 1}: challenge"


async def test_the_switch_in_an_open_window(room: Room) -> None:
    """On: at once, where the window has stood long enough. Off: they are asked like the others."""
    table = await taxed(room, 2)
    one, two, _ = room.awaited(table)
    await room.time.advance(1)
    await room.switch(table, (room.turn(table) + 2) % 4, on=False)
    await room.time.advance(STOOD)
    assert len(room.lines(table)) == 1
    await room.switch(table, one)
    await room.time.advance(0)
    assert len(room.lines(table)) == 2
    await room.switch(table, two)
    await room.time.advance(0)
    assert len(room.lines(table)) == 3


async def test_the_switch_twice_changes_nothing_more(room: Room) -> None:
    table = await room.game(3)
    once = await room.switch(table, 1)
    assert [player.auto_allow for player in once.players] == [False, True, False]
    twice = await room.switch(table, 1)
    assert twice.players == once.players
    assert not any(player.auto_allow for player in (await room.switch(table, 1, on=False)).players)
    room.assert_sound(table.id)


async def test_who_has_no_switch(room: Room) -> None:
    lobby = await room.lobby(channel=101)
    assert await room.mistake(AutoAllow, lobby, user_id=HOST, on=True) == (Mistake.NOT_STARTED, {})
    table = await room.game(3)
    assert await room.mistake(AutoAllow, table, user_id=999, on=True) == (Mistake.NOT_SEATED, {})
    after = await room.act(table, 0, "resign")
    assert await room.mistake(AutoAllow, after, user_id=HOST, on=True) == (Mistake.OUT_OF_GAME, {})


async def test_it_never_answers_what_is_aimed_at_them_nor_about_their_own(room: Room) -> None:
    """Whole games where everyone has it on: targets and actors always answer themselves, or the clock does."""
    rng = random.Random(17)
    answered = 0
    for channel in range(300, 306):
        table = await room.game(4, channel=channel)
        for seat in range(4):
            await room.switch(table, seat)
        while table.phase is Phase.PLAYING:
            assert table.view is not None
            assert table.view.question is not None
            question, pending = table.view.question, table.view.pending
            before = len(room.lines(table))
            await room.time.advance(STOOD)
            table = room.show(await room.tables.table(table.id))
            auto = [line for line in room.stored(table.id).lines[before:] if not line.line.startswith("draw ")]
            if question.asked in WINDOWS:
                assert pending is not None
                concerned = {pending.seat, pending.target}
                mine = {f"p{seat + 1}: pass" for seat in question.awaited if seat not in concerned}
                assert {line.line for line in auto} == mine
                answered += len(auto)
            else:
                assert auto == []
            assert all(line.cause == Cause.AUTO for line in auto)
            if table.phase is Phase.PLAYING and not auto:
                table = await room.random_move(table, rng)
    assert answered > 50


async def test_in_a_pause_nobody_is_allowed_for(room: Room) -> None:
    table = await taxed(room, 1)
    await room.ask(PauseTable, table, why=Pause.NO_ACCESS)
    await room.time.advance(100)
    assert len(room.lines(table)) == 1


async def test_a_late_or_early_word_changes_nothing(room: Room) -> None:
    table = await taxed(room, 1)
    early = await room.ask(AllowForThem, table, window=table.window)
    assert early.version == room.stored(table.id).row.version
    await room.time.advance(STOOD)
    version = room.stored(table.id).row.version
    for window in (0, table.window, 99):
        assert (await room.ask(AllowForThem, table, window=window)).version == version
    assert len(room.lines(table)) == 2


@pytest.mark.parametrize("fault", [Fault.BEFORE, Fault.AFTER])
async def test_storing_it_fails_and_is_done_once(room: Room, fault: Fault) -> None:
    table = await taxed(room, 1, 2)
    room.store.faults.append(fault)
    await room.time.advance(STOOD)
    assert len(room.lines(table)) == 3


async def test_it_and_a_click_in_one_instant(room: Room) -> None:
    table = await taxed(room, 1)
    seat = (room.turn(table) + 1) % 4
    room.store.gate = asyncio.Event()
    await room.time.advance(STOOD)
    click = room.play(table, room.user(table, seat), "pass")
    await settle()
    room.store.gate.set()
    with pytest.raises(Exception, match="already-answered"):
        await click
    assert len(room.lines(table)) == 2


async def test_it_outlives_a_restart(room: Room) -> None:
    table = await taxed(room, 1)
    await room.restart(away=100)
    await room.time.advance(10)
    assert len(room.lines(table)) == 1, "not shown again yet"
    room.show(table)
    await room.time.advance(STOOD)
    assert len(room.lines(table)) == 2
