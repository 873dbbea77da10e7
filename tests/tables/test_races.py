"""Several things in one instant: one of them happens, the others are told why not."""

from __future__ import annotations

import asyncio
import random

from bot.tables.errors import Mistake, Refusal
from bot.tables.table import Phase, PublicTable
from bot.tables.window_time import GRACE
from coup_core.view import Asked
from tests.tables.room import Room


async def reaction(room: Room, players: int = 4, channel: int = 100, host: int = 10) -> PublicTable:
    """A table where tax has been claimed and may be challenged."""
    table = await room.game(players, channel=channel, host=host)
    assert table.view is not None
    assert table.view.turn is not None
    return await room.act(table, table.view.turn, "tax")


def mistakes(results: list[PublicTable | BaseException]) -> list[Mistake]:
    assert all(isinstance(result, PublicTable | Refusal) for result in results), results
    return [result.mistake for result in results if isinstance(result, Refusal)]


async def test_two_challenges_in_one_instant(room: Room) -> None:
    table = await reaction(room)
    clicks = [room.play(table, table.players[seat].user_id, "challenge") for seat in room.awaited(table)]
    results = await asyncio.gather(*clicks, return_exceptions=True)
    assert mistakes(results) == [Mistake.CHALLENGED_FIRST, Mistake.CHALLENGED_FIRST]
    lines = [line.line for line in room.assert_sound(table.id).lines]
    assert sum("challenge" in line for line in lines) == 1


async def test_a_challenge_and_a_block_in_one_instant_both_count(room: Room) -> None:
    """R17: a declared block waits for the challenges of the action, whichever arrives first."""
    for first in (0, 1):
        table = await room.game(3, channel=400 + first)
        while True:
            assert table.view is not None
            assert table.view.turn is not None
            turn = table.view.turn
            if table.view.seats[turn].coins >= 3:
                break
            table = await room.act(table, turn, "income")
        target, other = (turn + 1) % 3, (turn + 2) % 3
        table = await room.act(table, turn, f"assassinate:{target}")
        asked = [(target, "block:0"), (other, "challenge")]
        if first:
            asked.reverse()
        clicks = [room.play(table, table.players[seat].user_id, choice) for seat, choice in asked]
        assert mistakes(await asyncio.gather(*clicks, return_exceptions=True)) == (
            [Mistake.CHALLENGED_FIRST] if first else []
        )
        after = await room.tables.table(table.id)
        assert after.view is not None
        assert after.view.question is not None
        assert after.view.question.asked in {Asked.PROOF, Asked.LOSS}, "the challenge came through in either order"
        room.assert_sound(table.id)


async def test_a_double_click_is_one_answer(room: Room) -> None:
    table = await reaction(room)
    seat = room.awaited(table)[0]
    user = table.players[seat].user_id
    results = await asyncio.gather(*(room.play(table, user, "pass") for _ in range(2)), return_exceptions=True)
    assert mistakes(results) == [Mistake.ALREADY_ANSWERED]
    assert len(room.assert_sound(table.id).lines) == 2


async def test_an_action_clicked_twice_is_one_action(room: Room) -> None:
    table = await room.game(3)
    assert table.view is not None
    assert table.view.turn is not None
    user = table.players[table.view.turn].user_id
    results = await asyncio.gather(*(room.play(table, user, "tax") for _ in range(3)), return_exceptions=True)
    assert mistakes(results) == [Mistake.ALREADY_ANSWERED, Mistake.ALREADY_ANSWERED]
    assert len(room.assert_sound(table.id).lines) == 1


async def test_the_last_two_allow_at_once(room: Room) -> None:
    table = await reaction(room, players=3)
    clicks = [room.play(table, table.players[seat].user_id, "pass") for seat in room.awaited(table)]
    assert mistakes(await asyncio.gather(*clicks, return_exceptions=True)) == []
    assert len(room.assert_sound(table.id).lines) == 3


async def test_a_challenge_against_the_clock(room: Room) -> None:
    """The timer goes off while the click holds the lock, or before it: exactly one of both closes the window."""
    for click_first in (True, False):
        table = await reaction(room, channel=200 + click_first)
        user = table.players[room.awaited(table)[0]].user_id
        room.store.gate = asyncio.Event()
        wait = table.speed.answer + GRACE.total_seconds()
        if click_first:
            click = room.play(table, user, "challenge")
            await room.time.advance(wait)
        else:
            await room.time.advance(wait)
            click = room.play(table, user, "challenge")
            await asyncio.sleep(0)
        room.store.gate.set()
        (result,) = await asyncio.gather(click, return_exceptions=True)
        await room.time.advance(0)
        assert isinstance(result, PublicTable) is click_first
        if isinstance(result, Refusal):
            assert result.mistake is Mistake.CLOCK_ANSWERED
        lines = [line.line for line in room.assert_sound(table.id).lines]
        assert any("challenge" in line for line in lines) is click_first
        assert any(line.endswith(" !") for line in lines) is not click_first
        room.store.gate = None


async def test_fifty_clicks_over_two_tables_do_not_touch_each_other(room: Room) -> None:
    one, two = await reaction(room, 10), await reaction(room, 10, channel=101, host=500)
    clicks = []
    for at in range(50):
        table = (one, two)[at % 2]
        clicks.append(room.play(table, table.players[at // 2 % 10].user_id, "pass"))
    results = await asyncio.gather(*clicks, return_exceptions=True)
    applied = [result for result in results if isinstance(result, PublicTable)]
    assert len(applied) == 18
    assert {result.id for result in applied} == {one.id, two.id}
    for table in (one, two):
        lines = room.assert_sound(table.id).lines
        assert len({line.line for line in lines}) == len(lines) == 10
        assert {line.request for line in lines}.isdisjoint(
            line.request for other in (one, two) if other is not table for line in room.stored(other.id).lines
        )


async def test_one_table_waits_for_no_other(room: Room) -> None:
    """While one table's commit hangs, another plays on: they share no lock."""
    one, two = await reaction(room), await reaction(room, channel=101, host=500)
    hanging = asyncio.Event()
    room.store.gate = hanging
    slow = room.play(one, one.players[room.awaited(one)[0]].user_id, "pass")
    await room.time.advance(0)
    room.store.gate = None
    after = await room.play(two, two.players[room.awaited(two)[0]].user_id, "challenge")
    assert after.window > two.window
    assert not slow.done()
    hanging.set()
    assert (await slow).window == one.window


async def test_everybody_clicks_everything_at_once(room: Room) -> None:
    """Whole games in which every player presses a legal button of theirs, all in the same instant, again and again."""
    rng = random.Random(4)
    for players in (2, 4, 6):
        table = await room.game(players, channel=300 + players)
        while table.phase is Phase.PLAYING:
            assert table.view is not None
            before = len(room.store.tables[table.id].lines)
            clicks = []
            for seat in table.view.living:
                private = await room.private(table, seat)
                choices = [move.verb for move in private.view.moves if not move.cards and move.target is None] or [
                    "pass"
                ]
                if private.view.table.question is not None and private.view.table.question.asked is Asked.LOSS:
                    choices = ["lose:0"]
                if private.view.table.question is not None and private.view.table.question.asked is Asked.EXCHANGE:
                    choices = ["keep:" + ",".join(map(str, range(len(private.view.hand))))]
                if private.view.moves and private.view.moves[0].verb == "coup":
                    choices = [f"coup:{private.view.moves[0].target}"]
                clicks += [room.play(table, table.players[seat].user_id, rng.choice(choices)) for _ in range(2)]
            results = await asyncio.gather(*clicks, return_exceptions=True)
            mistakes(results)
            table = room.show(await room.tables.table(table.id))
            assert len(room.assert_sound(table.id).lines) > before
