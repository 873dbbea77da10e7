"""A table that is stored but does not hold: its people are told, everyone sees it, and it can be ended."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bot.tables.errors import Mistake, Refusal
from bot.tables.ports import StoredTable
from bot.tables.requests import Abandon, Cancel, End, Leave
from bot.tables.table import Ending, Pause, Phase, PublicTable
from bot.tables.window_time import GRACE
from bot.tables.windows import GIVEN_UP_AFTER, STALE_AFTER
from tests.tables.room import CHANNEL, HOST, Room


async def damaged(room: Room, line: str) -> PublicTable:
    """A table with two moves, the first of which was changed in the store; the bot is started again."""
    table = await room.game(3)
    for _ in range(2):
        assert table.view is not None
        assert table.view.turn is not None
        table = await room.act(table, table.view.turn, "income")
    stored = room.store.tables[table.id]
    first = replace(stored.lines[0], line=line)
    room.store.tables[table.id] = replace(stored, lines=(first, *stored.lines[1:]))
    room.tables = room.another()
    return table


@pytest.mark.parametrize("line", ["p1: lose duke", "p9: income", "nonsense", "p1: income !!"])
@pytest.mark.expects_errors("table cannot be replayed")
async def test_it_is_told_and_can_be_ended(room: Room, line: str) -> None:
    table = await damaged(room, line)
    await room.tables.restore()
    user = table.players[0].user_id
    for asking in (room.tables.private(table.id, user), room.play(table, user, "income")):
        with pytest.raises(Refusal) as caught:
            await asking
        assert caught.value.mistake is Mistake.UNPLAYABLE
    assert (await room.tables.in_channel(CHANNEL)).id == table.id
    await room.time.advance(1000)
    over = await room.tables.submit(
        End(request=room.request(), table_id=table.id, user_id=HOST, name="Host", moderator=False)
    )
    assert over.phase is Phase.OVER
    assert over.result is None
    with pytest.raises(Refusal) as caught:
        await room.tables.in_channel(CHANNEL)
    assert caught.value.mistake is Mistake.NO_TABLE


def without(stored: StoredTable, seat: int) -> StoredTable:
    return replace(stored, players=(*stored.players[:seat], *stored.players[seat + 1 :]))


async def spoilt(room: Room, *, playing: bool, players: int = 3, **columns: Any) -> PublicTable:
    """A table whose row was changed in the store; the bot is started again."""
    if playing:
        table = await room.game(players)
    else:
        table = await room.lobby()
        for user in range(HOST + 1, HOST + players):
            await room.join(table.id, user)
        await room.post_lobby(table.id)
    stored = room.store.tables[table.id]
    room.store.tables[table.id] = replace(stored, row=replace(stored.row, **columns))
    room.crash()
    room.tables = room.another()
    return table


async def assert_damaged_and_ended(room: Room, table: PublicTable) -> None:
    """Seen by everyone, refused to everyone, ended by its host."""
    await room.tables.restore()
    shown = await room.tables.in_channel(CHANNEL)
    assert (shown.id, shown.damaged, shown.view, shown.paused) == (table.id, True, None, Pause.DAMAGED)
    assert shown.deadline_at == room.time.now() + GIVEN_UP_AFTER
    user = table.players[0].user_id
    for asking in (
        room.tables.private(table.id, user),
        room.play(table, user, "income"),
        room.join(table.id, 77),
        room.start(table.id),
        room.tables.submit(Cancel(request="c", table_id=table.id, user_id=HOST)),
    ):
        with pytest.raises(Refusal) as caught:
            await asking
        assert caught.value.mistake is Mistake.UNPLAYABLE
    assert [mine.id for mine in await room.tables.of_player(user)] == [table.id], "other hands are still found"
    await room.time.advance(1000)
    over = await room.tables.submit(
        End(request=room.request(), table_id=table.id, user_id=shown.host_id, name="Host", moderator=False)
    )
    assert (over.phase, over.result, over.damaged) == (Phase.OVER, None, True)
    opened = await room.lobby(host=88)
    assert (await room.tables.in_channel(CHANNEL)).id == opened.id, "the channel is free"


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.parametrize(
    "columns",
    [
        {"speed": "hourly"},
        {"edition": "classic rebellion"},
        {"edition": ""},
        {"seed": "not hex"},
        {"phase": "paused"},
        {"host_id": 4242},
    ],
)
@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_row_that_this_version_cannot_read(room: Room, playing: bool, columns: dict[str, Any]) -> None:
    table = await spoilt(room, playing=playing, **columns)
    await assert_damaged_and_ended(room, table)


@pytest.mark.parametrize(
    "columns",
    [
        {"first": 7},
        {"first": -1},
        {"start": "nonsense"},
        {"start": None},
        {"mix": None},
        {"mix": "999"},
        {"window": 5},
    ],
)
@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_game_whose_deal_does_not_hold(room: Room, columns: dict[str, Any]) -> None:
    table = await spoilt(room, playing=True, **columns)
    await assert_damaged_and_ended(room, table)


@pytest.mark.parametrize(("playing", "players", "seat"), [(True, 2, 1), (True, 3, 2), (True, 4, 1)])
@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_game_that_has_lost_a_seat(room: Room, playing: bool, players: int, seat: int) -> None:
    table = await spoilt(room, playing=playing, players=players)
    room.store.tables[table.id] = without(room.store.tables[table.id], seat)
    await assert_damaged_and_ended(room, table)


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.parametrize("kind", [Leave, End])
@pytest.mark.expects_errors("table cannot be replayed")
async def test_whoever_sits_there_may_end_it(room: Room, playing: bool, kind: type[Leave] | type[End]) -> None:
    table = await spoilt(room, playing=playing, speed="hourly")
    await room.tables.restore()
    facts = {"name": "User 12"} if kind is End else {}
    with pytest.raises(Refusal) as caught:
        await room.ask(kind, table, user_id=999, **facts)
    assert caught.value.mistake is (Mistake.NOT_ALLOWED if kind is End else Mistake.NOT_SEATED)
    over = await room.ask(kind, table, user_id=12, **facts)
    assert (over.phase, over.ended_by, over.paused) == (Phase.OVER, "User 12", None)
    assert room.store.tables[table.id].row.ending == Ending.ENDED
    assert await room.tables.of_player(HOST) == [], "everybody is free"
    assert (await room.lobby()).phase is Phase.LOBBY, "and the channel"


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.expects_errors("table cannot be replayed")
async def test_it_ends_by_itself_after_a_day_with_us(room: Room, playing: bool) -> None:
    table = await spoilt(room, playing=playing, speed="hourly")
    await room.tables.restore()
    day = GIVEN_UP_AFTER.total_seconds()
    await room.time.advance(day / 2)
    await room.restart(away=3 * day)
    assert day / 2 <= _left(room, table) < day / 2 + 30
    await room.time.advance(day / 2 + 30 + GRACE.total_seconds())
    row = room.store.tables[table.id].row
    assert (row.phase, row.ending) == (Phase.OVER, Ending.ABANDONED)


@pytest.mark.expects_errors("table cannot be replayed")
async def test_damage_that_is_found_while_the_bot_runs_has_its_day_too(room: Room) -> None:
    table = await room.game(3)
    stored = room.store.tables[table.id]
    room.store.tables[table.id] = replace(stored, row=replace(stored.row, speed="hourly"))
    room.tables.watch.memory.entries.clear()
    assert (await room.tables.table(table.id)).damaged
    await room.time.advance(table.window_length + GRACE.total_seconds() + 1)
    waiting = await room.tables.table(table.id)
    assert (waiting.phase, waiting.paused) == (Phase.PLAYING, Pause.DAMAGED)
    await room.time.advance(GIVEN_UP_AFTER.total_seconds() + GRACE.total_seconds())
    assert (await room.tables.table(table.id)).phase is Phase.OVER


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.expects_errors("table cannot be replayed")
async def test_what_was_mended_goes_on(room: Room, playing: bool) -> None:
    table = await spoilt(room, playing=playing, speed="hourly")
    await room.tables.restore()
    await room.time.advance(500)
    stored = room.store.tables[table.id]
    room.store.tables[table.id] = replace(stored, row=replace(stored.row, speed="normal"))
    await room.restart(away=50)
    mended = await room.tables.table(table.id)
    assert (mended.damaged, mended.paused) == (False, None)
    assert room.left(table) == (table.window_length if playing else STALE_AFTER.total_seconds())
    room.assert_sound(table.id)


@pytest.mark.expects_errors("table cannot be replayed")
async def test_it_ends_with_its_channel(room: Room) -> None:
    table = await spoilt(room, playing=True, speed="hourly")
    assert (await room.ask(Abandon, table)).phase is Phase.OVER
    assert room.store.tables[table.id].row.ending == Ending.NO_ACCESS


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_table_that_has_lost_all_seats_is_ended_by_a_moderator(room: Room, playing: bool) -> None:
    table = await spoilt(room, playing=playing)
    room.store.tables[table.id] = replace(room.store.tables[table.id], players=())
    await room.tables.restore()
    assert (await room.tables.table(table.id)).damaged
    over = await room.tables.submit(End(request="e", table_id=table.id, user_id=1, name="Mo", moderator=True))
    assert over.phase is Phase.OVER


@pytest.mark.expects_errors("table cannot be replayed")
async def test_the_damage_is_logged_once_a_load_and_not_any_more_after_the_end(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    table = await spoilt(room, playing=True, edition="the duke's")
    await room.tables.restore()
    for _ in range(3):
        await room.tables.table(table.id)
    errors = [entry for entry in caplog.records if entry.levelname == "ERROR"]
    assert len(errors) == 1
    assert "the duke's" not in caplog.text
    over = await room.tables.submit(End(request="e", table_id=table.id, user_id=HOST, name="H", moderator=False))
    await room.tables.announced(table.id, over.version)
    assert (await room.another().table(table.id)).damaged
    assert len([entry for entry in caplog.records if entry.levelname == "ERROR"]) == 1


def _left(room: Room, table: PublicTable) -> float:
    """Seconds until it ends by itself."""
    deadline = room.store.tables[table.id].row.deadline_at
    assert deadline is not None
    return (deadline - room.time.now()).total_seconds()
