"""A click and its window: what is taken, what is refused, and how it is told."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.tables.choices import decode, encode
from bot.tables.errors import Mistake, Refusal
from bot.tables.table import Phase, PublicTable
from coup_core.errors import Reason
from coup_core.view import Asked
from tests.tables.room import Room


async def mistake(room: Room, table: PublicTable, user: int, choice: str, window: int | None = None) -> Mistake:
    before = room.store.commits
    with pytest.raises(Refusal) as caught:
        await room.play(table, user, choice, window=window)
    assert room.store.commits == before, "a refusal stores nothing"
    room.assert_sound(table.id)
    return caught.value.mistake


def on_turn(table: PublicTable) -> int:
    assert table.view is not None
    assert table.view.turn is not None
    return table.view.turn


def user_of(table: PublicTable, seat: int) -> int:
    return table.players[seat].user_id


async def test_the_window_is_the_line_that_opened_it_and_stays_while_others_allow(room: Room) -> None:
    table = await room.game(4)
    turn = on_turn(table)
    table = await room.act(table, turn, "tax")
    assert (table.window, room.store.commits) == (1, 5)
    seats = room.awaited(table)
    deadline = table.deadline_at
    for seat in seats[:-1]:
        allowed = await room.play(table, user_of(table, seat), "pass")
        assert (allowed.window, allowed.deadline_at) == (1, deadline)
    closed = await room.play(table, user_of(table, seats[-1]), "pass")
    assert closed.window == 1 + len(seats)
    lines = [line.line for line in room.assert_sound(table.id).lines]
    assert lines == [f"p{turn + 1}: tax", *(f"p{seat + 1}: pass" for seat in seats)]


async def test_each_mistake_has_its_code(room: Room) -> None:
    table = await room.game(4)
    turn = on_turn(table)
    others = [seat for seat in range(4) if seat != turn]
    assert await mistake(room, table, 999, "income") is Mistake.NOT_SEATED
    assert await mistake(room, table, user_of(table, others[0]), "income") is Mistake.NOT_ASKED
    opened = await room.act(table, turn, "tax")
    assert await mistake(room, table, user_of(table, turn), "tax") is Mistake.ALREADY_ANSWERED
    await room.play(opened, user_of(opened, others[0]), "pass")
    assert await mistake(room, opened, user_of(opened, others[0]), "pass") is Mistake.ALREADY_ANSWERED
    assert await mistake(room, opened, user_of(opened, others[0]), "challenge") is Mistake.ANSWER_STANDS
    assert await mistake(room, opened, user_of(opened, others[1]), "pass", window=7) is Mistake.LATE


async def test_whoever_is_asked_nothing_is_told_so_even_if_they_opened_the_window(room: Room) -> None:
    table = await room.game(3)
    opened = await room.act(table, on_turn(table), "tax")
    assert await mistake(room, opened, user_of(opened, on_turn(table)), "pass") is Mistake.NOT_ASKED


async def test_the_dead_are_told_so(room: Room) -> None:
    table = await room.game(3)
    loser = (on_turn(table) + 1) % 3
    after = await room.act(table, loser, "resign")
    assert after.phase is Phase.PLAYING
    for choice in ("pass", "challenge", "income", "resign"):
        assert await mistake(room, after, user_of(after, loser), choice) is Mistake.OUT_OF_GAME
    assert (await room.private(after, loser)).view.hand == ()


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("coup:{other}", Reason.TOO_FEW_COINS),
        ("steal", Reason.NO_TARGET),
        ("steal:{self}", Reason.TARGET_SELF),
        ("steal:9", Reason.NO_SUCH_SEAT),
        ("steal:99999999999999999999", Reason.NO_SUCH_SEAT),
        ("tax:{other}", Reason.TARGETS_NOBODY),
        ("pass", Reason.WRONG_QUESTION),
        ("show", Reason.WRONG_QUESTION),
        ("lose:0", Reason.WRONG_QUESTION),
        ("resign:1", Reason.WRONG_QUESTION),
    ],
)
async def test_what_the_rules_refuse_is_refused_with_their_reason(room: Room, choice: str, reason: Reason) -> None:
    table = await room.game(3)
    turn = on_turn(table)
    spelled = choice.format(self=turn, other=(turn + 1) % 3)
    with pytest.raises(Refusal) as caught:
        await room.play(table, user_of(table, turn), spelled)
    assert (caught.value.mistake, caught.value.facts["reason"]) == (Mistake.ILLEGAL, reason)
    room.assert_sound(table.id)


@pytest.mark.parametrize(
    "choice",
    ["", ":", "jump", "tax:", "steal:x", "steal:-1", "steal:²", "steal:1:2", "lose:", "lose:7", "keep:0,0", "keep:",
     "keep:a", "keep:0,", "block:0", "block:", f"steal:{'9' * 5000}", "TAX"],
)  # fmt: skip
async def test_a_choice_that_no_button_spells_is_malformed(room: Room, choice: str) -> None:
    table = await room.game(3)
    assert await mistake(room, table, user_of(table, on_turn(table)), choice) is Mistake.MALFORMED


async def test_the_same_request_twice_is_applied_once(room: Room) -> None:
    table = await room.game(3)
    turn = on_turn(table)
    first = await room.play(table, user_of(table, turn), "income", request="click")
    told = len(room.audience.told)
    assert await room.play(table, user_of(table, turn), "income", request="click") == first
    assert len(room.audience.told) == told, "nothing new to tell"
    at_once = await asyncio.gather(
        *(room.play(first, user_of(first, on_turn(first)), "income", request="twin") for _ in range(3))
    )
    assert at_once[0] == at_once[1] == at_once[2]
    assert [line.line.split()[1] for line in room.assert_sound(table.id).lines] == ["income", "income"]


async def test_the_winning_move_arriving_twice_is_no_mistake(room: Room) -> None:
    table = await room.game(2)
    over = await room.play(table, user_of(table, 0), "resign", request="bye")
    assert over.phase is Phase.OVER
    assert await room.play(table, user_of(table, 0), "resign", request="bye") == over


@pytest.mark.parametrize("asked", list(Asked))
async def test_leaving_in_every_kind_of_question(room: Room, asked: Asked) -> None:
    rng = random.Random(3)
    for _ in range(4):
        table = await room.until(asked, rng)
        assert table.view is not None
        # Leaving needs no open window and no turn.
        seat = rng.choice(table.view.living)
        after = await room.play(table, user_of(table, seat), "resign", window=rng.choice([0, table.window, 999]))
        stored = room.assert_sound(table.id)
        assert after.view is not None
        assert seat not in after.view.living
        assert stored.lines[table.window :]
        resigned = [line for line in stored.lines if line.line == f"p{seat + 1}: resign"]
        assert len(resigned) == 1
        if after.view.question is not None and after.view.question.number == getattr(table.view.question, "number", 0):
            assert (after.window, after.deadline_at) == (table.window, table.deadline_at), "the window stays open"
        elif after.phase is Phase.PLAYING:
            assert after.window == len(stored.lines)
        while after.phase is Phase.PLAYING:
            after = await room.random_move(after, rng)


async def test_a_line_opens_each_window_of_a_game(room: Room) -> None:
    """The window number grows with every question, and only then."""
    rng = random.Random(8)
    table = await room.game(5)
    while table.phase is Phase.PLAYING:
        assert table.view is not None
        question = table.view.question
        assert question is not None
        after = await room.random_move(table, rng, resign=0.02)
        assert after.view is not None
        same = after.view.question is not None and after.view.question.number == question.number
        assert (after.window == table.window) is same
        assert after.window <= len(room.store.tables[table.id].lines)
        table = after
    room.assert_sound(table.id)


async def test_every_legal_move_survives_its_button(room: Room) -> None:
    """`decode(encode(move))` is the move, for every legal move of random games."""
    rng = random.Random(21)
    seen: set[str] = set()
    for players in range(2, 11):
        table = await room.game(players, channel=100 + players)
        while table.phase is Phase.PLAYING:
            for seat in room.awaited(table):
                view = (await room.private(table, seat)).view
                choices = [encode(move, view) for move in view.moves]
                assert [decode(choice, view) for choice in choices] == list(view.moves)
                assert len(set(choices)) == len(choices)
                assert all(set(choice.partition(":")[2]) <= set("0123456789,") for choice in choices), "names no card"
                seen.update(move.verb for move in view.moves)
            table = await room.random_move(table, rng)
    assert seen == {
        "income", "foreign-aid", "tax", "exchange", "coup", "assassinate", "steal", "challenge", "block", "pass",
        "show", "concede", "lose", "keep",
    }  # fmt: skip
