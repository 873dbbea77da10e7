"""Commits that fail: nothing is lost, nothing happens twice, and memory never differs from the store."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from bot.tables.errors import Mistake, Refusal
from bot.tables.ports import Change, VersionConflict
from bot.tables.requests import Join
from bot.tables.service import Tables
from bot.tables.table import Phase, PublicTable
from bot.tables.window_time import GRACE
from tests.support.fakes import Broken, Fault, settle
from tests.tables.room import Room


async def opened(room: Room, channel: int = 100) -> tuple[PublicTable, int, str]:
    """A running table, who is on turn there and a request of theirs."""
    table = await room.game(3, channel=channel)
    assert table.view is not None
    assert table.view.turn is not None
    return table, table.players[table.view.turn].user_id, room.request()


def times(room: Room, table: PublicTable, request: str) -> int:
    return sum(line.request == request for line in room.assert_sound(table.id).lines)


async def test_what_a_database_says_of_its_failure_is_not_logged(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It may repeat the row, and with it a card that nobody may know of."""
    table, user, request = await opened(room)

    async def fails(_change: Change) -> None:
        raise Broken("Failing row contains (1, draw Duke)")

    monkeypatch.setattr(room.store, "commit", fails)
    with pytest.raises(Broken):
        await room.play(table, user, "income", request=request)
    said = [record.getMessage() for record in caplog.records if "commit failed" in record.getMessage()]
    assert len(said) == 2
    assert all("Broken" in line and "Duke" not in line for line in said)


@pytest.mark.parametrize(
    ("faults", "succeeds"),
    [
        ([Fault.BEFORE], True),
        ([Fault.AFTER], True),
        ([Fault.CONFLICT], True),
        ([Fault.BEFORE, Fault.AFTER], True),
        ([Fault.CONFLICT, Fault.AFTER], True),
        ([Fault.BEFORE, Fault.BEFORE], False),
        ([Fault.CONFLICT, Fault.BEFORE], False),
    ],
)
async def test_a_commit_that_fails(room: Room, faults: list[Fault], succeeds: bool) -> None:
    table, user, request = await opened(room)
    room.store.faults.extend(faults)
    if succeeds:
        after = await room.play(table, user, "income", request=request)
        assert after.window == 1
    else:
        with pytest.raises(Broken):
            await room.play(table, user, "income", request=request)
    assert times(room, table, request) == succeeds
    assert room.audience.told[-1] == table.id
    if not succeeds:
        # What failed can be asked again.
        assert (await room.play(table, user, "income", request=request)).window == 1
        assert times(room, table, request) == 1


@pytest.mark.parametrize("fault", [Fault.CANCELLED_BEFORE, Fault.CANCELLED_AFTER])
async def test_a_commit_that_is_cancelled(room: Room, fault: Fault) -> None:
    table, user, request = await opened(room)
    room.store.faults.append(fault)
    with pytest.raises(asyncio.CancelledError):
        await room.play(table, user, "income", request=request)
    assert times(room, table, request) == (fault is Fault.CANCELLED_AFTER)
    assert room.audience.told[-1] == table.id, "it may be stored, so it is told"
    again = await room.play(table, user, "income", request=request)
    assert again.window == 1
    assert times(room, table, request) == 1


async def test_the_asker_may_go_at_any_moment_their_answer_stays(room: Room) -> None:
    for ticks in range(12):
        table, user, request = await opened(room, channel=500 + ticks)
        click = room.play(table, user, "income", request=request)
        await settle(ticks + 1)
        click.cancel()
        await asyncio.gather(click, return_exceptions=True)
        await settle()
        assert times(room, table, request) == 1


async def test_the_work_itself_cancelled_at_every_await(room: Room) -> None:
    """A loop that shuts down cancels everything: the move is there or not, and asking again makes it one."""
    stored = set()
    for ticks in range(12):
        table, user, request = await opened(room, channel=500 + ticks)
        click = room.play(table, user, "income", request=request)
        await settle(ticks)
        for task in list(room.tables._running):
            task.cancel()
        await asyncio.gather(click, return_exceptions=True)
        await settle()
        stored.add(times(room, table, request))
        again = await room.play(table, user, "income", request=request)
        assert again.window == 1
        assert times(room, table, request) == 1
    assert stored == {0, 1}, "cancelled before and after"


async def test_a_failure_while_looking_again(room: Room) -> None:
    for after in (Fault.BEFORE, Fault.AFTER):
        table, user, request = await opened(room, channel=500 + len(room.store.tables))
        room.store.faults.append(after)
        room.store.load_faults.append(Fault.BEFORE)
        with pytest.raises(Broken):
            await room.play(table, user, "income", request=request)
        assert (await room.play(table, user, "income", request=request)).window == 1
        assert times(room, table, request) == 1


async def test_somebody_else_was_first(room: Room) -> None:
    """Another process plays meanwhile: the conflict is seen, and the click is judged by what is stored then."""
    table, user, request = await opened(room)
    first = room.tables
    second = room.another()
    second.shown(table.id, table.window)

    async def other() -> None:
        await room.play(table, user, "tax")

    room.tables = first
    room.store.meanwhile = _by(room, second, other)
    with pytest.raises(Refusal) as caught:
        await _submit(room, first, table, user, "income", request)
    assert caught.value.mistake is Mistake.LATE
    assert [line.line.partition(": ")[2] for line in room.assert_sound(table.id).lines] == ["tax"]


async def test_a_clock_that_loses_to_another_process_stores_nothing(room: Room) -> None:
    table, user, _ = await opened(room)
    first, second = room.tables, room.another()

    async def other() -> None:
        await room.play(table, user, "income")

    room.store.meanwhile = _by(room, second, other)
    await room.time.advance(table.speed.turn + GRACE.total_seconds())
    room.tables = first
    stored = room.assert_sound(table.id)
    assert [line.line.partition(": ")[2] for line in stored.lines] == ["income"]
    assert stored.row.version == table.version + 1, "no empty version"


@pytest.mark.parametrize("fault", [Fault.BEFORE, Fault.AFTER, Fault.CANCELLED_AFTER])
async def test_a_join_whose_commit_fails(room: Room, fault: Fault) -> None:
    table = await room.lobby()
    room.store.faults.append(fault)
    request = Join(request="j", table_id=table.id, user_id=11, name="Eleven", click=5)
    (result,) = await asyncio.gather(room.tables.submit(request), return_exceptions=True)
    assert isinstance(result, asyncio.CancelledError) is (fault is Fault.CANCELLED_AFTER)
    assert len((await room.tables.submit(request)).players) == 2
    assert room.assert_sound(table.id).row.version == 2


async def test_whole_games_through_a_store_that_often_fails(room: Room) -> None:
    """Random games with random faults; each click is asked again until it is answered."""
    rng = random.Random(11)
    kinds = [fault for fault in Fault if fault is not Fault.NONE]
    for players in (2, 3, 5):
        table = await room.game(players, channel=700 + players)
        asked: list[str] = []
        while table.phase is Phase.PLAYING:
            assert table.view is not None
            seat = rng.choice(room.awaited(table))
            private = await room.private(table, seat)
            choice = _simple(private.view.moves[-1].verb, private.view.moves[-1].target, len(private.view.hand))
            request = room.request()
            asked.append(request)
            for attempt in range(8):
                if attempt < 4:
                    room.store.faults.extend(rng.choice(kinds) for _ in range(rng.randrange(4)))
                else:
                    room.store.faults.clear()
                (result,) = await asyncio.gather(
                    room.play(table, private.table.players[seat].user_id, choice, request=request),
                    return_exceptions=True,
                )
                room.assert_sound(table.id)
                if isinstance(result, PublicTable):
                    table = room.show(result)
                    break
                assert isinstance(result, Broken | VersionConflict | asyncio.CancelledError), repr(result)
            room.store.faults.clear()
        written = [line.request for line in room.assert_sound(table.id).lines]
        assert list(dict.fromkeys(written)) == asked, "every click once, in order"


async def test_a_state_that_breaks_an_invariant_is_not_stored(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table, user, request = await opened(room)
    monkeypatch.setattr("bot.tables.play.violations", lambda game: ["I1: a card is missing"])
    with pytest.raises(Exception, match="I1"):
        await room.play(table, user, "income", request=request)
    assert times(room, table, request) == 0
    assert room.store.tables[table.id].row.version == table.version


async def test_what_was_stored_is_told_only_then(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is announced that is not stored."""
    table, user, request = await opened(room)
    order: list[str] = []
    commit = room.store.commit

    async def noted(change: Change) -> None:
        await commit(change)
        order.append("stored")

    monkeypatch.setattr(room.store, "commit", noted)
    monkeypatch.setattr(room.audience, "changed", lambda table_id: order.append("told"))
    await room.play(table, user, "income", request=request)
    assert order == ["stored", "told"]


@pytest.mark.expects_errors("table cannot be replayed")
async def test_what_does_not_follow_from_the_seed_is_not_played_on(room: Room) -> None:
    table, user, _ = await opened(room)
    await room.play(table, user, "exchange")
    stored = room.store.tables[table.id]
    forged = replace(stored, lines=(replace(stored.lines[0], line="p1: keep duke duke"),))
    room.store.tables[table.id] = forged
    found = await room.another().table(table.id)
    assert found.view is None


def _simple(verb: str, target: int | None, hand: int) -> str:
    if verb in {"lose", "block"}:
        return f"{verb}:0"
    if verb == "keep":
        return "keep:" + ",".join(str(place) for place in range(hand))
    return verb if target is None else f"{verb}:{target}"


def _by(room: Room, tables: Tables, work: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    """`work` done through another process's tables."""

    async def done() -> None:
        mine, room.tables = room.tables, tables
        await work()
        room.tables = mine

    return done


async def _submit(room: Room, tables: Tables, table: PublicTable, user: int, choice: str, request: str) -> PublicTable:
    room.tables = tables
    return await room.play(table, user, choice, request=request)
