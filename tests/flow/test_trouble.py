"""Messages, rights and channels that go away while a game is on."""

from __future__ import annotations

from tests.flow.test_people import tax
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, Players, current, seated


async def test_a_deleted_message_is_posted_again_with_the_same_buttons(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    before = current(sim)
    assert before is not None
    sim.channel.delete(before)
    assert current(sim) is None
    await people[0].command("coup table")
    await sim.advance(3)
    after = current(sim)
    assert after is not None
    assert after.id != before.id
    assert [button.custom_id for button in after.buttons] == [button.custom_id for button in before.buttons]
    await Players(sim, people, "deleted").play()


async def test_a_channel_that_is_gone_ends_its_table(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.inject_error("PATCH", "/channels/*/messages/*", 404, 10003, times=None)
    sim.inject_error("POST", "/channels/*/messages", 404, 10003, times=None)
    await tax(sim, people)
    assert not await bot.store.open_tables()
    assert not (await bot.app.tables.of_player(people[0].id))
    sim.heal()
    assert "no" in (await people[0].command("coup hand")).text.lower()
    await people[0].command("coup new")
    assert await bot.store.open_tables()


async def test_revoked_rights_cause_no_storm_and_the_game_waits(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    sim.inject_error("PATCH", "/channels/*/messages/*", 403, 50013, times=None)
    sim.inject_error("POST", "/channels/*/messages", 403, 50013, times=None)
    since = len(sim.sent)
    _, (other,) = await tax(sim, people)
    await sim.advance(240)
    assert len(sim.channel_writes(since=since)) < 6
    sim.heal()
    await sim.advance(62)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert table.view.number == 1, "nobody loses anything to a window that nobody could see"
    assert (await other.click(label="Allow")).kind == "acknowledged"


async def test_discord_failing_for_a_while_loses_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.inject_error("PATCH", "/channels/*/messages/*", 500, 0, times=2)
    await tax(sim, people)
    await sim.advance(12)
    seen = current(sim)
    assert seen is not None
    assert "Allow" in seen.labels
    await Players(sim, people, "failing").play()
