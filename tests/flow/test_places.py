"""Where a table can be, and which table is meant."""

from __future__ import annotations

from tests.flow.games import dealt, table_of
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot


async def test_a_dm_holds_no_table(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    answer = await ana.command("coup new", dm=True)
    assert "channel of a server" in answer.text
    assert len(answer.callbacks) == 1
    assert not await bot.store.open_tables()


async def test_who_plays_at_two_tables_is_asked_which_hand(sim: SimulatedDiscord, bot: Bot) -> None:
    other = sim.add_channel("other")
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    await dealt(sim, bot, people, channel=other)
    asked = await people[0].command("coup hand", dm=True)
    assert "several tables" in asked.text
    assert asked.labels == ("Table 1", "Table 2")
    assert asked.message is not None
    tables = [button.custom_id.split(":")[1] for button in asked.message.buttons]
    assert set(tables) == {(await table_of(sim, bot, channel)).id for channel in (sim.channel, other)}
    for at, table in enumerate(tables):
        listed = await people[0].command("coup hand", dm=True)
        hand = await people[0].click(listed.message, label=f"Table {at + 1}")
        assert "Your cards:" in hand.text
        assert hand.message is not None
        assert {button.custom_id.split(":")[1] for button in hand.message.buttons} == {table}


async def test_a_second_table_in_a_channel_is_refused_and_the_first_can_be_found(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    assert "`/coup table`" in (await people[1].command("coup new")).text
    assert f"channels/{sim.server_id}/{sim.channel.id}/" in (await people[1].command("coup table")).text
    assert len(await bot.store.open_tables()) == 1


async def test_a_host_who_leaves_the_lobby_hands_it_on_and_the_last_one_closes_it(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("coup new")
    await sim.advance(1.3)
    await bob.click(label="Join")
    await sim.advance(1.3)
    await ana.click(label="Leave")
    await sim.advance(1.3)
    assert (await table_of(sim, bot)).host_id == bob.id
    await bob.click(label="Leave")
    await sim.advance(3)
    assert not await bot.store.open_tables()
    assert not sim.channel.last.labels
