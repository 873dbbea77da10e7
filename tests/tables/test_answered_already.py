"""A second answer: silence is for the very same one again; everybody else is told what has become of the window."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bot.tables.choices import encode
from bot.tables.errors import Mistake, Refusal
from bot.tables.table import Phase, PublicTable
from bot.tables.window_time import GRACE
from coup_core.view import Asked
from tests.tables.room import Room


async def refused(room: Room, table: PublicTable, seat: int, choice: str) -> Refusal:
    """The refusal of an answer to the window that `table` shows."""
    before = room.store.commits
    with pytest.raises(Refusal) as caught:
        await room.play(table, table.players[seat].user_id, choice)
    assert room.store.commits == before
    room.assert_sound(table.id)
    return caught.value


async def taxed(room: Room, players: int = 4) -> tuple[PublicTable, int, list[int]]:
    """A tax that may be challenged, who claimed it, and who is asked."""
    table = await room.game(players)
    assert table.view is not None
    assert table.view.turn is not None
    turn = table.view.turn
    table = await room.act(table, turn, "tax")
    return table, turn, list(room.awaited(table))


async def silence(room: Room, table: PublicTable) -> PublicTable:
    await room.time.advance(max(table.speed.answer, table.speed.turn) + GRACE.total_seconds())
    return room.show(await room.tables.table(table.id))


async def test_an_answer_stands_while_its_window_is_open(room: Room) -> None:
    table, _, (one, *_) = await taxed(room)
    await room.act(table, one, "pass")
    assert (await refused(room, table, one, "pass")).mistake is Mistake.ALREADY_ANSWERED
    stands = await refused(room, table, one, "challenge")
    assert (stands.mistake, stands.facts) == (Mistake.ANSWER_STANDS, {"verb": "pass"})


async def test_another_answer_to_a_window_that_has_closed_is_late(room: Room) -> None:
    table = await room.game(3)
    assert table.view is not None
    assert table.view.turn is not None
    turn = table.view.turn
    for seat in (turn, turn + 1, turn + 2) * 2:
        table = await room.act(table, seat % 3, "income")
    after = await room.act(table, turn, f"steal:{(turn + 1) % 3}")
    assert (await refused(room, table, turn, f"steal:{(turn + 1) % 3}")).mistake is Mistake.ALREADY_ANSWERED
    for other in (f"steal:{(turn + 2) % 3}", "tax", f"coup:{(turn + 1) % 3}"):
        assert (await refused(room, table, turn, other)).mistake is Mistake.LATE
    assert (await refused(room, after, turn, "pass")).mistake is Mistake.NOT_ASKED


async def test_the_same_verb_in_a_later_window_is_no_answer_to_an_older_one(room: Room) -> None:
    first, turn, others = await taxed(room)
    for seat in others:
        await room.act(first, seat, "pass")
    now = await room.tables.table(first.id)
    assert now.view is not None
    assert now.view.turn is not None
    second = await room.act(now, now.view.turn, "tax")
    await room.act(second, turn, "pass")
    # Whoever claimed the first tax was not asked about it.
    assert (await refused(room, first, turn, "pass")).mistake is Mistake.LATE
    assert (await refused(room, first, turn, "tax")).mistake is Mistake.LATE
    assert (await refused(room, first, others[-1], "pass")).mistake is Mistake.ALREADY_ANSWERED


async def test_what_the_clock_answered_nobody_did(room: Room) -> None:
    table, _, (one, two, *_) = await taxed(room)
    await room.act(table, one, "pass")
    await silence(room, table)
    for choice in ("pass", "challenge"):
        late = await refused(room, table, two, choice)
        assert (late.mistake, late.facts) == (Mistake.CLOCK_ANSWERED, {})
    late = await refused(room, table, one, "challenge")
    assert (late.mistake, late.facts) == (Mistake.LATE, {})
    assert (await refused(room, table, one, "pass")).mistake is Mistake.ALREADY_ANSWERED


@pytest.mark.parametrize("asked", list(Asked))
async def test_late_by_the_clock_in_every_kind_of_question(room: Room, asked: Asked) -> None:
    table = await room.until(asked, random.Random(12))
    private = {seat: (await room.private(table, seat)).view for seat in room.awaited(table)}
    after = await silence(room, table)
    for seat, view in private.items():
        if after.phase is Phase.OVER or after.view is None or seat not in after.view.living:
            continue
        for move in view.moves:
            late = await refused(room, table, seat, encode(move, view))
            assert (late.mistake, late.facts) == (Mistake.CLOCK_ANSWERED, {})


@pytest.mark.parametrize("asked", list(Asked))
async def test_only_the_very_same_answer_is_passed_over_in_silence(room: Room, asked: Asked) -> None:
    """Cards are named by their place in a hand that is another one afterwards."""
    rng = random.Random(4)
    for _ in range(6):
        table = await room.until(asked, rng)
        seat = room.awaited(table)[0]
        view = (await room.private(table, seat)).view
        made = rng.choice(view.moves)
        after = await room.act(table, seat, encode(made, view))
        if after.phase is Phase.OVER:
            continue
        assert (await refused(room, table, seat, encode(made, view))).mistake is Mistake.ALREADY_ANSWERED
        for move in view.moves:
            if move != made:
                other = await refused(room, table, seat, encode(move, view))
                assert other.mistake in {Mistake.LATE, Mistake.ANSWER_STANDS, Mistake.OUT_OF_GAME}


async def test_a_challenge_is_told_to_those_whom_it_forestalled_and_for_its_own_window(room: Room) -> None:
    earlier = await room.game(4)
    assert earlier.view is not None
    assert earlier.view.turn is not None
    table = await room.act(earlier, earlier.view.turn, "tax")
    one, two, three = room.awaited(table)
    await room.act(table, one, "pass")
    await room.act(table, two, "challenge")
    for choice in ("pass", "challenge"):
        first = await refused(room, table, three, choice)
        assert (first.mistake, first.facts) == (Mistake.CHALLENGED_FIRST, {"target": two})
    assert (await refused(room, table, one, "challenge")).mistake is Mistake.CHALLENGED_FIRST
    assert (await refused(room, table, one, "pass")).mistake is Mistake.ALREADY_ANSWERED
    assert (await refused(room, table, two, "challenge")).mistake is Mistake.ALREADY_ANSWERED
    assert (await refused(room, table, two, "pass")).mistake is Mistake.LATE, "it was their own challenge"
    assert (await refused(room, table, earlier.view.turn, "pass")).mistake is Mistake.LATE, "they were not asked"
    assert (await refused(room, earlier, three, "income")).mistake is Mistake.LATE, "another window"


async def last_proof(room: Room, rng: random.Random) -> tuple[PublicTable, int]:
    """A table at which somebody with one card left must prove a claim, and two others play; and their seat."""
    for channel in range(600, 700):
        table = await room.game(4, channel=channel)
        while table.phase is Phase.PLAYING:
            assert table.view is not None
            question = table.view.question
            assert question is not None
            (seat, *_) = question.awaited
            if question.asked is Asked.PROOF and table.view.seats[seat].influence == 1 and len(table.view.living) > 2:
                return table, seat
            table = await room.random_move(table, rng)
    raise AssertionError("nobody had to prove with their last card")


async def test_the_answer_that_put_somebody_out_is_not_held_against_them(room: Room) -> None:
    table, seat = await last_proof(room, random.Random(31))
    after = await room.act(table, seat, "concede")
    assert after.view is not None
    assert seat not in after.view.living
    assert (await refused(room, table, seat, "concede")).mistake is Mistake.ALREADY_ANSWERED
    assert (await refused(room, table, seat, "show")).mistake is Mistake.OUT_OF_GAME
    assert (await refused(room, after, seat, "pass")).mistake is Mistake.OUT_OF_GAME


async def test_numbers_that_no_window_has_are_late(room: Room) -> None:
    rng = random.Random(2)
    table = await room.game(3)
    for _ in range(30):
        if table.phase is Phase.PLAYING:
            table = await room.random_move(table, rng)
    assert table.view is not None
    forged = [*range(table.window), table.window + 1, 10**9]
    for window, seat in product(forged, table.view.living):
        with pytest.raises(Refusal) as caught:
            await room.play(table, table.players[seat].user_id, "challenge", window=window)
        assert caught.value.mistake in {Mistake.LATE, Mistake.ALREADY_ANSWERED, Mistake.CHALLENGED_FIRST}


async def test_a_panel_for_an_answer_opens_only_for_those_who_may_give_it(room: Room) -> None:
    """`private` with a window refuses whom `submit` would refuse."""
    earlier = await room.game(4)
    assert earlier.view is not None
    assert earlier.view.turn is not None
    turn = earlier.view.turn
    users = [player.user_id for player in earlier.players]

    async def told(seat: int, window: int) -> Mistake | None:
        try:
            private = await room.tables.private(earlier.id, users[seat], window=window)
        except Refusal as refusal:
            return refusal.mistake
        assert private == await room.tables.private(earlier.id, users[seat])
        return None

    table = await room.act(earlier, turn, "tax")
    one, two, three = room.awaited(table)
    assert await told(one, table.window) is None
    assert await told(turn, table.window) is Mistake.NOT_ASKED
    assert await told(turn, earlier.window) is Mistake.LATE
    await room.act(table, one, "pass")
    assert await told(one, table.window) is Mistake.ANSWER_STANDS
    await room.act(table, two, "challenge")
    assert await told(three, table.window) is Mistake.CHALLENGED_FIRST
    table = await room.act(table, three, "resign")
    assert await told(three, table.window) is Mistake.OUT_OF_GAME


async def test_a_panel_for_leaving_opens_only_for_those_who_play_on(room: Room) -> None:
    lobby = await room.lobby(channel=900)
    table = await room.game(3)
    asked = [(lobby.id, 10), (table.id, 999), (table.id, 10), (table.id, 11), (table.id, 12)]

    async def told() -> list[str | None]:
        found: list[str | None] = []
        for table_id, user in asked:
            try:
                await room.tables.private(table_id, user, alive=True)
                found.append(None)
            except Refusal as refusal:
                found.append(refusal.mistake)
        return found

    assert await told() == [Mistake.NOT_STARTED, Mistake.NOT_SEATED, None, None, None]
    await room.act(table, 2, "resign")
    assert await told() == [Mistake.NOT_STARTED, Mistake.NOT_SEATED, None, None, Mistake.OUT_OF_GAME]
    await room.act(table, 1, "resign")
    assert await told() == [Mistake.NOT_STARTED, *[Mistake.TABLE_GONE] * 4]
    assert (await room.tables.private(table.id, 11)).view.hand == (), "looking needs no life"
