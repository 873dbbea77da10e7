"""The connection, the server, its channels and its people go away while a game is on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client import CoupClient
from bot.tables.requests import Abandon
from tests.flow.games import dealt
from tests.flow.test_people import turn_of
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, Players, current, gathered, seated


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


async def test_a_lost_connection_stops_the_clocks_of_its_own_servers_alone(tmp_path: Path) -> None:
    async with SimulatedDiscord(shards=2) as sim:
        bot = Bot(sim, tmp_path)
        await bot.start()
        people = await seated(sim, 2, speed="blitz")
        ours = (sim.server_id >> 22) % 2
        before = await turn_of(sim, people)
        await sim.lose_connection(33, shard=ours)
        await sim.advance(1.3)
        assert await turn_of(sim, people) is before
        await sim.lose_connection(33, shard=1 - ours)
        assert await turn_of(sim, people) is not before
        await sim.stop(closing=bot.app.close)
        await bot.dispose()


async def test_before_the_bot_has_connected_no_time_passes(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await seated(sim, 2, speed="blitz")
    before = await turn_of(sim, people)
    with monkeypatch.context() as offline:
        for event in ("on_ready", "on_shard_ready"):
            offline.setattr(CoupClient, event, _nothing)
        await bot.restart(abrupt=True)
    await sim.advance(3600)
    assert await turn_of(sim, people) is before
    await sim.as_client(bot.app.client.on_ready())
    await sim.advance(25)
    assert await turn_of(sim, people) is before, "they have their time from now on"
    await sim.advance(15)
    assert await turn_of(sim, people) is not before


async def test_a_server_that_is_away_when_the_bot_comes_back(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await seated(sim, 2, speed="blitz")
    before = await turn_of(sim, people)
    away: Any = SimpleNamespace(id=sim.server_id, unavailable=True)
    with monkeypatch.context() as patched:
        patched.setattr(CoupClient, "guilds", [away])
        await bot.restart(abrupt=True)
    await sim.advance(3600)
    assert await turn_of(sim, people) is before
    await sim.as_client(bot.app.client.on_guild_available(away))
    await sim.advance(40)
    assert await turn_of(sim, people) is not before


async def _nothing(*_about: object) -> None:
    """An event that has not come."""


async def test_an_outage_of_the_server_ends_nothing_and_costs_nobody_time(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3, speed="blitz")
    before = await turn_of(sim, people)
    await sim.server_outage(3600)
    await sim.advance(1.3)
    assert await turn_of(sim, people) is before
    await Players(sim, people, "after the outage").play()


async def test_thrown_out_in_an_outage_and_invited_again_time_passes(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    await sim.begin_server_outage()
    await sim.throw_out()
    await sim.invite()
    await gathered(sim, people, speed="blitz")
    before = await turn_of(sim, people)
    await sim.advance(33)
    assert await turn_of(sim, people) is not before, "the outage ended with the invitation at the latest"


async def test_an_invitation_ends_an_outage_whose_end_nobody_told(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    await sim.begin_server_outage()
    before = await turn_of(sim, people)
    await sim.advance(60)
    assert await turn_of(sim, people) is before
    await sim.invite()
    await sim.advance(33)
    assert await turn_of(sim, people) is not before


async def test_a_bot_that_is_thrown_out_sets_everybody_free(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    since = len(sim.sent)
    await sim.throw_out()
    assert not await bot.store.open_tables() or await bot.store.open_in_channel(sim.channel.id) is None
    assert not await bot.app.tables.of_player(people[0].id)
    await sim.advance(3600)
    assert len(sim.channel_writes(since=since)) < 6, "no storm of writes to where we are not"


@pytest.mark.expects_errors("table not abandoned")
async def test_a_table_that_cannot_be_abandoned_does_not_keep_the_others(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    other = sim.add_channel("other")
    for channel in (sim.channel, other):
        await dealt(sim, bot, people, channel=channel)
    first, _ = await bot.app.tables.in_guild(sim.server_id)
    submit = bot.app.tables.submit

    async def but_not_the_first(request: Any) -> Any:
        if isinstance(request, Abandon) and request.table_id == first:
            raise ConnectionError("the database is away")
        return await submit(request)

    monkeypatch.setattr(bot.app.tables, "submit", but_not_the_first)
    await sim.throw_out()
    assert [table.id for table in await bot.app.tables.of_player(people[0].id)] == [first]
    assert "error_id" in caplog.text


@pytest.mark.expects_errors("event failed")
async def test_an_event_that_fails_is_logged_once_with_an_error_id(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(guild_id: int) -> list[str]:
        raise ConnectionError("the database is away")

    monkeypatch.setattr(bot.app.tables, "in_guild", away)
    await sim.throw_out()
    (told,) = (record for record in caplog.records if record.levelname == "ERROR")
    assert "error_id" in told.getMessage()
    assert "on_guild_remove" in told.getMessage()


async def test_thrown_out_while_it_goes_down_the_bot_makes_no_fuss(sim: SimulatedDiscord, bot: Bot) -> None:
    await seated(sim, 2)
    await sim.as_client(bot.app.tables.close())
    await sim.throw_out()
    assert len(await bot.store.open_tables()) == 1


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
