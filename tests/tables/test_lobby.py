"""Sitting down, leaving, starting, closing."""

from __future__ import annotations

import asyncio

import pytest

from bot.tables.errors import Mistake, Refusal
from bot.tables.requests import AnyRequest, Cancel, End, Leave, OpenLobby
from bot.tables.table import Ending, Phase, Post, PostKind, PublicTable
from bot.tables.windows import STALE_AFTER
from coup_core.dealer import commitment
from tests.support.fakes import START, Fault
from tests.tables.room import CHANNEL, GUILD, HOST, Room


async def refused(room: Room, request: AnyRequest) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await room.tables.submit(request)
    return caught.value


def users(table: PublicTable) -> list[int]:
    return [player.user_id for player in table.players]


async def test_whoever_opens_a_table_is_its_host_and_first_player(room: Room) -> None:
    table = await room.lobby()
    assert (table.phase, table.host_id, users(table), table.version) == (Phase.LOBBY, HOST, [HOST], 1)
    assert (table.view, table.start, table.mix, table.result) == (None, None, None, None)
    assert table.deadline_at == START + STALE_AFTER
    assert table.commit == commitment(bytes.fromhex(room.store.tables[table.id].row.seed))
    assert room.store.tables[table.id].row.created_at == START
    assert room.audience.told == [table.id]
    assert await room.tables.in_channel(CHANNEL) == table


async def test_one_table_a_channel(room: Room) -> None:
    table = await room.lobby()
    with pytest.raises(Refusal) as caught:
        await room.lobby(host=77)
    assert room.audience.told == [table.id], "nothing new to tell"
    assert (caught.value.mistake, caught.value.table_id) == (Mistake.CHANNEL_TAKEN, table.id)
    elsewhere = await room.lobby(channel=CHANNEL + 1, host=77)
    assert elsewhere.id != table.id
    await room.tables.submit(Cancel(request="c", table_id=table.id, user_id=HOST))
    again = await room.lobby(host=77)
    assert (await room.tables.in_channel(CHANNEL)).id == again.id


async def test_opening_at_the_same_instant_makes_one_table(room: Room) -> None:
    results = await asyncio.gather(room.lobby(host=1), room.lobby(host=2), return_exceptions=True)
    refusals = [result.mistake for result in results if isinstance(result, Refusal)]
    assert refusals == [Mistake.CHANNEL_TAKEN]
    assert len(room.store.tables) == 1


@pytest.mark.parametrize("fault", [Fault.AFTER, Fault.NONE])
async def test_an_opening_that_arrives_twice_or_fails_after_storing_is_one_table(room: Room, fault: Fault) -> None:
    asking = OpenLobby(
        request="o", guild_id=GUILD, channel_id=CHANNEL, user_id=HOST, name="H", click=1, language="en", speed="blitz"
    )
    room.store.faults.append(fault)
    first = await room.tables.open_lobby(asking)
    assert room.audience.told == [first.id]
    assert (await room.tables.open_lobby(asking)).id == first.id
    assert len(room.store.tables) == 1


async def test_a_player_may_sit_at_several_tables(room: Room) -> None:
    one, two = await room.lobby(), await room.lobby(channel=CHANNEL + 1, host=50)
    await room.join(two.id, HOST)
    assert {table.id for table in await room.tables.of_player(HOST)} == {one.id, two.id}
    assert [table.id for table in await room.tables.of_player(50)] == [two.id]
    assert await room.tables.of_player(51) == []


async def test_joining(room: Room) -> None:
    table = await room.lobby()
    joined = await room.join(table.id, 11, request="j")
    assert (users(joined), joined.version) == ([HOST, 11], 2)
    assert await room.join(table.id, 11, request="j") == joined, "the same request twice is no mistake"
    with pytest.raises(Refusal, match="already-seated"):
        await room.join(table.id, 11)
    with pytest.raises(Refusal, match="no-table"):
        await room.join("nowhere", 11)
    room.assert_sound(table.id)


async def test_ten_are_seated_at_most_also_when_two_want_the_last_place(room: Room) -> None:
    table = await room.lobby()
    for user in range(11, 19):
        await room.join(table.id, user)
    results = await asyncio.gather(room.join(table.id, 19), room.join(table.id, 20), return_exceptions=True)
    full = [result for result in results if isinstance(result, Refusal)]
    assert [(refusal.mistake, refusal.facts) for refusal in full] == [(Mistake.TABLE_FULL, {"most": 10})]
    assert len(room.assert_sound(table.id).players) == 10


async def test_the_host_passes_on_and_the_last_one_closes_the_lobby(room: Room) -> None:
    table = await room.lobby()
    await room.join(table.id, 11)
    await room.join(table.id, 12)
    left = await room.tables.submit(Leave(request="l1", table_id=table.id, user_id=HOST))
    assert (left.host_id, users(left)) == (11, [11, 12])
    left = await room.tables.submit(Leave(request="l2", table_id=table.id, user_id=12))
    assert (left.host_id, users(left), left.phase) == (11, [11], Phase.LOBBY)
    assert (await refused(room, Leave(request="l3", table_id=table.id, user_id=12))).mistake is Mistake.NOT_SEATED
    left = await room.tables.submit(Leave(request="l4", table_id=table.id, user_id=11))
    assert (left.phase, users(left)) == (Phase.OVER, [])
    assert room.assert_sound(table.id).row.ending == Ending.CANCELLED
    with pytest.raises(Refusal, match="table-gone"):
        await room.join(table.id, 13)
    with pytest.raises(Refusal, match="no-table"):
        await room.tables.in_channel(CHANNEL)


async def test_only_the_host_starts_and_cancels(room: Room) -> None:
    table = await room.lobby()
    await room.join(table.id, 11)
    await room.post_lobby(table.id)
    with pytest.raises(Refusal) as caught:
        await room.start(table.id, 11)
    assert (caught.value.mistake, caught.value.facts) == (Mistake.ONLY_HOST, {})
    refusal = await refused(room, Cancel(request="c", table_id=table.id, user_id=11))
    assert refusal.mistake is Mistake.ONLY_HOST
    cancelled = await room.tables.submit(Cancel(request="c2", table_id=table.id, user_id=HOST))
    assert (cancelled.phase, cancelled.result) == (Phase.OVER, None)
    assert room.assert_sound(table.id).row.ended_at == START


async def test_a_game_needs_two_and_the_lobby_in_the_channel(room: Room) -> None:
    table = await room.lobby()
    await room.post_lobby(table.id, message=4242)
    with pytest.raises(Refusal) as caught:
        await room.start(table.id)
    assert (caught.value.mistake, caught.value.facts) == (Mistake.TOO_FEW_PLAYERS, {"least": 2})

    other = await room.lobby(channel=CHANNEL + 1)
    with pytest.raises(Refusal, match="only-host"):
        await room.start(other.id, 999)
    with pytest.raises(Refusal, match="too-few"):
        await room.start(other.id)
    await room.join(other.id, 11)
    with pytest.raises(Refusal, match="lobby-not-shown"):
        await room.start(other.id)
    await room.tables.save_post(other.id, Post(PostKind.LOBBY, 0, 1, None, False))
    with pytest.raises(Refusal, match="lobby-not-shown"):
        await room.start(other.id)

    await room.join(table.id, 11)
    started = await room.start(table.id)
    assert (started.phase, started.start, started.mix) == (Phase.PLAYING, "random", f"4242,{HOST * 1000},11000")
    assert started.view is not None
    assert started.window == 0
    for late in (room.start(table.id, 11), room.join(table.id, 12)):
        with pytest.raises(Refusal, match="game-running"):
            await late
    for request in (
        Leave(request="x1", table_id=table.id, user_id=11),
        Cancel(request="x2", table_id=table.id, user_id=HOST),
    ):
        assert (await refused(room, request)).mistake is Mistake.GAME_RUNNING
    room.assert_sound(table.id)


async def test_a_refusal_knows_its_table(room: Room) -> None:
    table = await room.lobby()
    for asking in (
        room.join(table.id, HOST),
        room.start(table.id, 999),
        room.play(table, HOST, "income"),
        room.tables.private(table.id, HOST),
        room.tables.private(table.id, 999),
    ):
        with pytest.raises(Refusal) as caught:
            await asking
        assert caught.value.table_id == table.id
    with pytest.raises(Refusal) as caught:
        await room.tables.in_channel(CHANNEL + 1)
    assert caught.value.table_id is None
    await room.tables.close()
    with pytest.raises(Refusal, match="closing") as caught:
        await room.join(table.id, 11)
    assert caught.value.table_id == table.id


async def test_starting_twice_deals_once(room: Room) -> None:
    table = await room.lobby()
    await room.join(table.id, 11)
    await room.post_lobby(table.id)
    results = await asyncio.gather(room.start(table.id), room.start(table.id), return_exceptions=True)
    assert [r.mistake for r in results if isinstance(r, Refusal)] == [Mistake.ALREADY_ANSWERED]
    assert room.assert_sound(table.id).row.version == 3


async def test_before_the_start_there_are_no_hands(room: Room) -> None:
    table = await room.lobby()
    with pytest.raises(Refusal, match="not-started"):
        await room.tables.private(table.id, HOST)
    with pytest.raises(Refusal, match="not-started"):
        await room.play(table, HOST, "income")
    with pytest.raises(Refusal, match="not-seated"):
        await room.tables.private(table.id, 999)
    with pytest.raises(Refusal, match="no-table"):
        await room.tables.table("nowhere")


@pytest.mark.parametrize(
    ("playing", "user", "moderator", "allowed"),
    [
        (False, HOST, False, True),
        (False, 11, False, False),
        (False, 999, True, True),
        (True, HOST, False, False),
        (True, 11, False, False),
        (True, HOST, True, True),
        (True, 999, True, True),
        (True, 999, False, False),
    ],
)
async def test_who_may_end_a_table(room: Room, playing: bool, user: int, moderator: bool, allowed: bool) -> None:
    if playing:
        table = await room.game(2)
    else:
        table = await room.lobby()
        await room.join(table.id, 11)
    request = End(request="e", table_id=table.id, user_id=user, name="Somebody", moderator=moderator)
    if not allowed:
        assert (await refused(room, request)).mistake is Mistake.NOT_ALLOWED
        assert room.assert_sound(table.id).phase is table.phase
        return
    ended = await room.tables.submit(request)
    assert ended.phase is Phase.OVER
    stored = room.assert_sound(table.id).row
    assert stored.ending == (Ending.ENDED if playing else Ending.CANCELLED)
    assert stored.ended_by == "Somebody"
    assert stored.deadline_at is None
    again = End(request="e2", table_id=table.id, user_id=user, name="Somebody", moderator=True)
    assert (await refused(room, again)).mistake is Mistake.TABLE_GONE
    assert room.time.timers() == 0


async def test_a_finished_table_is_not_kept_in_memory_but_can_be_read(room: Room) -> None:
    table = await room.game(2)
    over = await room.tables.submit(End(request="e", table_id=table.id, user_id=1, name="M", moderator=True))
    assert table.id in room.tables.watch.memory.entries
    await room.tables.announced(table.id, over.version)
    assert room.tables.watch.memory.entries == {}
    assert await room.tables.table(table.id) == over
    assert (await room.tables.private(table.id, HOST)).table == over
    with pytest.raises(Refusal, match="table-gone"):
        await room.play(table, HOST, "income")
    assert room.tables.watch.memory.entries == {}
