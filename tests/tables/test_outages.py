"""Nobody loses anything to our outage: the gateway's, the store's, one server's, or the whole process gone."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from bot.tables import outages as outages_module
from bot.tables.deadlines import SWEEP_EVERY
from bot.tables.outages import OutageCause, Shard
from bot.tables.ports import Change
from bot.tables.requests import Extend
from bot.tables.table import Phase, PublicTable
from bot.tables.watch import ALIVE_FACT, SignOfLife
from bot.tables.window_time import GRACE
from bot.tables.windows import STALE_AFTER
from tests.support.fakes import Broken, Fault
from tests.tables.room import GATEWAY, GUILD, HOST, Room

GRACE_S = GRACE.total_seconds()


async def answers_after(room: Room, table: PublicTable, seconds: float, more: float = 0.0) -> None:
    """Silence answers when `seconds` and the grace have gone by, not before; at most `more` seconds later."""
    lines = len(room.stored(table.id).lines)
    await room.time.advance(seconds + GRACE_S - 0.01)
    assert len(room.lines(table)) == lines, "too early"
    await room.time.advance(more + 0.02)
    assert len(room.lines(table)) > lines, "too late"


# ------------------------------------------------------------------------------------------------ people away


@pytest.mark.parametrize("cause", [GATEWAY, GUILD])
async def test_an_outage_in_the_middle_of_a_window_is_given_back(room: Room, cause: OutageCause) -> None:
    table = await room.game(3)
    await room.time.advance(60)
    room.tables.outages.begin(cause)
    room.tables.outages.begin(cause)
    await room.time.advance(1000)
    assert room.lines(table) == []
    assert room.tables.outages.end(cause)
    assert not room.tables.outages.end(cause)
    told = (await room.tables.table(table.id)).deadline_at
    assert told is not None
    assert (told - room.time.now()).total_seconds() == 30
    await answers_after(room, table, 30)


async def test_an_outage_of_one_server_is_no_others(room: Room) -> None:
    here, there = await room.game(3), await room.game(3, channel=101, guild=GUILD + 1)
    room.tables.outages.begin(GUILD)
    await room.time.advance(90 + GRACE_S)
    assert (len(room.lines(here)), len(room.lines(there))) == (0, 1)
    room.tables.outages.end(GUILD)
    await answers_after(room, here, 90)


async def test_an_outage_of_one_connection_is_that_of_its_servers(room: Room) -> None:
    here = await room.game(3, guild=6 << 22)
    there = await room.game(3, channel=101, guild=7 << 22)
    room.tables.outages.begin(Shard(2, 4))
    await room.time.advance(90 + GRACE_S)
    assert (len(room.lines(here)), len(room.lines(there))) == (0, 1)
    room.tables.outages.end(Shard(2, 4))
    await answers_after(room, here, 90)


async def test_outages_at_the_same_time_count_once(room: Room) -> None:
    table = await room.game(3)
    outages = room.tables.outages
    await room.time.advance(10)
    outages.begin(GATEWAY)
    await room.time.advance(20)
    outages.begin(GUILD)
    await room.time.advance(20)
    outages.end(GATEWAY)
    await room.time.advance(20)
    outages.end(GUILD)
    await room.time.advance(30)
    outages.begin(GATEWAY)
    await room.time.advance(40)
    outages.end(GATEWAY)
    await answers_after(room, table, 50)


async def test_what_was_over_before_the_window_is_not_given_to_it(room: Room) -> None:
    table = await room.game(3)
    room.tables.outages.begin(GATEWAY)
    await room.time.advance(500)
    room.tables.outages.end(GATEWAY)
    table = await room.act(table, room.turn(table), "tax")
    await answers_after(room, table, 30)


async def test_a_window_opened_in_an_outage_and_shown_after_it_has_its_length_and_no_more(room: Room) -> None:
    table = await room.game(3)
    room.tables.outages.begin(GATEWAY)
    opened = await room.play(table, room.user(table, room.turn(table)), "tax")
    await room.time.advance(3600)
    room.tables.outages.end(GATEWAY)
    await room.time.advance(1)
    room.show(opened)
    told = (await room.tables.table(table.id)).deadline_at
    assert told is not None
    assert (told - room.time.now()).total_seconds() == pytest.approx(30, abs=GRACE_S)
    await answers_after(room, table, 30)


async def test_many_servers_come_back_at_once(room: Room) -> None:
    """However many there are, each of them gets its time back."""
    first = await room.game(3, guild=1000)
    outages = room.tables.outages
    for guild in range(1000, 1300):
        outages.begin(guild)
    await room.time.advance(600)
    for guild in range(1000, 1300):
        outages.end(guild)
    await answers_after(room, first, 90)


async def test_what_is_long_past_is_forgotten(room: Room) -> None:
    outages = room.tables.outages
    for guild in range(20):
        outages.begin(guild)
        await room.time.advance(86_400)
        outages.end(guild)
    assert len(outages._past) <= 8


async def test_a_gateway_that_comes_and_goes_all_day_does_not_fill_the_memory(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages_module, "MOST", 10)
    table = await room.game(3, speed="daily")
    outages = room.tables.outages
    for _ in range(30):
        outages.begin(GATEWAY)
        await room.time.advance(3)
        outages.end(GATEWAY)
        await room.time.advance(1)
    assert sum(map(len, outages._past.values())) == 10
    opened = await room.act(table, room.turn(table), "tax")
    outages.begin(GATEWAY)
    await room.time.advance(500)
    outages.end(GATEWAY)
    await answers_after(room, opened, 43_200)


async def test_a_lobby_is_not_stale_because_nobody_could_reach_it(room: Room) -> None:
    table = await room.lobby()
    room.tables.outages.begin(GUILD)
    await room.time.advance(2 * STALE_AFTER.total_seconds())
    assert (await room.tables.table(table.id)).phase is Phase.LOBBY
    room.tables.outages.end(GUILD)
    await room.time.advance(STALE_AFTER.total_seconds() + GRACE_S - 0.01)
    assert (await room.tables.table(table.id)).phase is Phase.LOBBY
    await room.time.advance(0.02)
    assert (await room.tables.table(table.id)).phase is Phase.OVER


@pytest.mark.parametrize("before", [10, 250])
async def test_more_time_in_an_outage_comes_on_top_of_what_was_left(room: Room, before: float) -> None:
    """However long it has lasted when somebody asks for it."""
    table = await room.game(3)
    await room.time.advance(30)
    room.tables.outages.begin(GATEWAY)
    await room.time.advance(before)
    await room.ask(Extend, table, user_id=HOST)
    await room.time.advance(250)
    room.tables.outages.end(GATEWAY)
    await answers_after(room, table, 60 + 90)


# ------------------------------------------------------------------------------------------------ the store away


@pytest.mark.expects_errors("clock failed")
async def test_while_nothing_can_be_stored_nobody_is_silent(room: Room) -> None:
    """A player's answer fails, so the clock does not answer for them; the store comes back with the sweep."""
    table = await room.game(3)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(80)
    room.store.down = True
    with pytest.raises(Broken):
        await room.play(table, room.user(table, room.turn(table)), "tax")
    await room.time.advance(1000)
    room.store.down = False
    assert room.store.tables[table.id].lines == ()
    # By the next sweep it is known; what is left is what was left at the first failure.
    await room.time.advance(10 + GRACE_S - 0.01)
    assert room.lines(table) == []
    await room.time.advance(SWEEP_EVERY + GRACE_S)
    assert len(room.lines(table)) == 1


@pytest.mark.expects_errors("clock failed")
async def test_a_deadline_in_an_outage_of_the_store_waits_for_its_end(room: Room) -> None:
    table = await room.game(3)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(60)
    room.store.down = True
    await room.time.advance(1000)
    room.store.down = False
    await room.time.advance(2 * SWEEP_EVERY)
    assert room.lines(table) == [f"p{room.turn(table) + 1}: income !"]


async def test_a_table_that_cannot_be_stored_does_not_stop_the_others(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, table = await room.game(3), await room.game(3, channel=101)
    commit = room.store.commit

    async def but_not_that_one(change: Change) -> None:
        if change.row.id == broken.id:
            raise Broken
        await commit(change)

    monkeypatch.setattr(room.store, "commit", but_not_that_one)
    room.tables.watch.deadlines.start_sweeping()
    with pytest.raises(Broken):
        await room.play(broken, room.user(broken, room.turn(broken)), "tax")
    await answers_after(room, table, 90)
    room.show(await room.tables.table(table.id))
    await answers_after(room, table, 90)
    monkeypatch.undo()
    await room.time.advance(90 + 2 * SWEEP_EVERY)
    assert len(room.lines(broken)) == 1, "it goes on as soon as it can be stored"


async def test_a_conflict_is_no_outage(room: Room) -> None:
    table = await room.game(3)
    await room.time.advance(80)
    room.store.faults.append(Fault.CONFLICT)
    await room.play(table, room.user(table, room.turn(table)), "tax")
    assert not room.tables.outages._past


# ------------------------------------------------------------------------------------------------ timers


async def test_a_timer_lost_between_commit_and_arm(room: Room) -> None:
    """The work is cancelled when it is stored: whoever reads the table next sets the timer, and so does the sweep."""
    table = await room.game(3)
    room.store.faults.append(Fault.CANCELLED_AFTER)
    with pytest.raises(asyncio.CancelledError):
        await room.play(table, room.user(table, room.turn(table)), "tax")
    room.tables.watch.deadlines.disarm(table.id)
    opened = await room.tables.table(table.id)
    assert room.tables.watch.deadlines.armed(table.id)
    room.show(opened)
    room.tables.watch.deadlines.disarm(table.id)
    room.tables.watch.deadlines.start_sweeping()
    await answers_after(room, opened, 30, more=SWEEP_EVERY)


async def test_a_lost_timer_is_found_though_the_wall_clock_was_set_back(room: Room) -> None:
    table = await room.game(3)
    await room.tables.announced(table.id, table.version)
    room.tables.watch.deadlines.start_sweeping()
    room.tables.watch.deadlines.disarm(table.id)
    room.time.jump = -3600
    await answers_after(room, table, 90)


# ------------------------------------------------------------------------------------------------ the process away


async def _alive(room: Room, table: PublicTable) -> PublicTable:
    """A sweep has been, so that it is known when the bot was last there; the table's message is in the channel."""
    await room.announce(table)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(SWEEP_EVERY)
    return table


@pytest.mark.parametrize("jump", [3600, -3600, 0])
async def test_a_restart_leaves_what_was_left_whatever_the_wall_clock_says(room: Room, jump: float) -> None:
    table = await _alive(room, await room.game(3))
    room.crash()
    room.time.jump = jump
    await room.restart(away=500)
    assert room.left(table) == 75
    room.show(table)
    await answers_after(room, table, 75)


@pytest.mark.parametrize("jump", [3600, -3600])
async def test_the_wall_clock_is_set_and_then_comes_a_restart(room: Room, jump: float) -> None:
    """The stored deadline is by the old clock and the sign of life by the new one: it says how far they are apart."""
    table = await room.game(3)
    await room.announce(table)
    room.time.jump = jump
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(SWEEP_EVERY)
    await room.restart(away=10)
    assert room.left(table) == pytest.approx(75, abs=0.1)
    left = room.left(table)
    room.show(table)
    await answers_after(room, table, left)


async def test_a_restart_gives_the_whole_length_to_a_window_that_was_never_shown(room: Room) -> None:
    table = await room.game(3)
    opened = await room.play(table, room.user(table, room.turn(table)), "tax")
    await room.restart(away=100)
    await room.time.advance(1000)
    room.show(opened)
    await answers_after(room, opened, 30)


@pytest.mark.parametrize("every", [1800, 30_000])
async def test_a_daily_table_times_out_however_often_the_bot_restarts(room: Room, every: float) -> None:
    """What the bot was away is given back; what it was there is not."""
    table = await room.game(3, speed="daily")
    await room.announce(table)
    await room.restart()
    day, there, restarts = 86_400, 0.0, 0
    while not room.stored(table.id).lines:
        await room.announce(table)
        await room.time.advance(every)
        there += every
        await room.restart(away=every)
        restarts += 1
        assert there <= day + restarts * SWEEP_EVERY + every + GRACE_S
    assert there >= day


@pytest.mark.parametrize(("speed", "left"), [("blitz", 30), ("normal", 30), ("daily", 12 * 3600)])
async def test_while_the_bot_dies_every_ten_seconds_nobody_s_time_runs_out(room: Room, speed: str, left: float) -> None:
    """Nobody can rely on such a bot, so silence means nothing. It cannot last: Discord allows a thousand starts a day.

    The window ends as soon as the bot stays for what is left of it.
    """
    table = await room.game(3, speed=speed)
    opened = await room.announce(await room.play(table, room.user(table, room.turn(table)), "tax"))
    lines = len(room.stored(table.id).lines)
    for _ in range(50):
        await room.time.advance(10)
        await room.restart()
        await room.announce(opened)
    assert len(room.stored(table.id).lines) == lines
    assert room.left(opened) == left
    assert len(room.awaited(opened)) == 2, "and everybody may answer all the while"
    await answers_after(room, opened, left)


async def test_a_restart_in_good_order_leaves_exactly_what_was_left(room: Room) -> None:
    """However short the bot was there each time."""
    table = await room.game(3, speed="daily")
    await room.announce(table)
    await room.restart()
    left = room.left(table)
    for _ in range(20):
        await room.announce(table)
        await room.time.advance(5)
        await room.tables.close()
        await room.restart(away=7)
    assert room.left(table) == left - 20 * 5


@pytest.mark.parametrize("cause", [GATEWAY, GUILD])
@pytest.mark.parametrize("over", [True, False])
@pytest.mark.parametrize("crash", [True, False])
async def test_a_restart_forgets_no_outage(room: Room, cause: OutageCause, over: bool, crash: bool) -> None:
    """What an outage has cost a window is owed to it by the next process too."""
    table = await _alive(room, await room.game(3))
    room.tables.unreachable(cause)
    await room.time.advance(500)
    if over:
        room.tables.reachable(cause)
        await room.announce(table)
    if crash:
        room.crash()
    else:
        await room.tables.close()
    await room.restart(away=7)
    assert room.left(table) == pytest.approx(75, abs=0.1)
    room.show(table)
    await answers_after(room, table, room.left(table))


async def test_after_a_restart_a_window_that_cannot_be_shown_again_keeps_what_was_left_of_it(room: Room) -> None:
    """In a channel that is closed nobody sees what the process before has posted there, either."""
    table = await _alive(room, await room.game(3))
    await room.time.advance(20)
    await room.restart(away=7)
    left = room.left(table)
    await room.time.advance(200)
    await room.announce(table)
    await answers_after(room, table, left)


@pytest.mark.parametrize("crash", [True, False])
async def test_a_restart_leaves_its_time_to_a_window_that_was_shown_late(room: Room, crash: bool) -> None:
    table = await room.lobby()
    await room.join(table.id, HOST + 1)
    await room.post_lobby(table.id)
    table = await room.start(table.id)
    room.tables.watch.deadlines.start_sweeping()
    await room.time.advance(40 * SWEEP_EVERY)
    await room.announce(table)
    await room.time.advance(SWEEP_EVERY)
    if crash:
        room.crash()
    else:
        await room.tables.close()
    await room.restart(away=7)
    assert room.left(table) == pytest.approx(75, abs=0.1)


async def test_a_restart_remembers_what_a_lobby_could_not_be_reached(room: Room) -> None:
    table = await _alive(room, await room.lobby())
    room.tables.unreachable(GUILD)
    await room.time.advance(1000)
    await room.tables.close()
    await room.restart(away=7)
    assert room.left(table) == pytest.approx(STALE_AFTER.total_seconds() - SWEEP_EVERY, abs=0.1)


async def test_a_start_that_comes_to_nothing_is_no_sign_of_life(room: Room) -> None:
    table = await room.game(3)
    await room.restart()
    room.crash()
    await room.time.advance(500)
    await room.another().close()
    await room.restart(away=500)
    assert room.left(table) == 90


async def test_the_last_sign_of_life_is_the_start_or_the_newest_sweep(room: Room) -> None:
    def last() -> float:
        return msgspec.json.decode(room.store.facts[ALIVE_FACT], type=SignOfLife).at

    await room.restart(away=100)
    assert last() == room.time.now().timestamp()
    await room.time.advance(SWEEP_EVERY + 1)
    assert last() == room.time.now().timestamp() - 1


@pytest.mark.parametrize("fact", ["1893553445.0", "what is this", '{"at": null}'])
async def test_a_sign_of_life_that_is_not_understood_gives_everybody_their_whole_time(room: Room, fact: str) -> None:
    table = await _alive(room, await room.game(3))
    room.crash()
    room.store.facts[ALIVE_FACT] = fact
    await room.restart(away=10)
    assert room.left(table) == 90
