"""The connection, the server, its channels and its people go away while a game is on."""

from __future__ import annotations

from tests.flow.test_people import turn_of
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, Players, current, seated


async def test_while_the_gateway_is_away_no_time_passes(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    before = await turn_of(sim, people)
    told = (await bot.app.tables.in_channel(sim.channel.id)).deadline_at
    await sim.advance(10)
    await sim.lose_connection(300)
    await sim.advance(1.3)
    assert await turn_of(sim, people) is before, "nobody loses a turn to our outage"
    later = (await bot.app.tables.in_channel(sim.channel.id)).deadline_at
    assert told is not None
    assert later is not None
    assert (later - told).total_seconds() == 300
    shown = current(sim)
    assert shown is not None
    assert f"<t:{int(later.timestamp())}:R>" in shown.content, "people are told"
    await sim.advance(15)
    assert await turn_of(sim, people) is before
    await sim.advance(8)
    assert await turn_of(sim, people) is not before, "then silence counts again"


async def test_an_outage_of_the_server_ends_nothing_and_costs_nobody_time(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3, speed="blitz")
    before = await turn_of(sim, people)
    await sim.server_outage(3600)
    await sim.advance(1.3)
    assert await turn_of(sim, people) is before
    await Players(sim, people, "after the outage").play()


async def test_a_bot_that_is_thrown_out_sets_everybody_free(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    since = len(sim.sent)
    await sim.throw_out()
    assert not await bot.store.open_tables() or await bot.store.open_in_channel(sim.channel.id) is None
    assert not await bot.app.tables.of_player(people[0].id)
    await sim.advance(3600)
    assert len(sim.channel_writes(since=since)) < 6, "no storm of writes to where we are not"


async def test_a_deleted_channel_sets_everybody_free_at_once(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.channel.delete()
    await sim.settle()
    assert not await bot.app.tables.of_player(people[0].id)


async def test_who_has_left_the_server_is_resigned_when_their_time_is_up(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3, speed="blitz")
    gone = await turn_of(sim, people)
    gone.leave_server()
    await sim.advance(33)
    table = await bot.app.tables.in_channel(sim.channel.id)
    seat = next(seat for seat, player in enumerate(table.players) if player.user_id == gone.id)
    assert table.view is not None
    assert table.view.seats[seat].out
    assert any("is not in this server any more" in message.content for message in sim.channel.messages)


async def test_two_silent_turns_in_a_row_are_the_end_and_a_word_in_between_is_not(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = await seated(sim, 3, speed="blitz")
    silent = await turn_of(sim, people)
    for _ in range(2):
        while (player := await turn_of(sim, people)) is not silent:
            await player.click(label="Income +1")
            await sim.advance(1.3)
        await sim.advance(33)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert [state.out for state in table.view.seats].count(True) == 1
    assert any("silent for two turns in a row" in message.content for message in sim.channel.messages)
