"""Where a table can be, and which table is meant."""

from __future__ import annotations

import pytest

from tests.flow.games import dealt, table_of
from tests.support.harness import Channel, Kind, SimulatedDiscord
from tests.support.table import Bot, Players


async def test_a_dm_holds_no_table(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    answer = await ana.command("coup new", dm=True)
    assert "channel of a server" in answer.text
    assert len(answer.callbacks) == 1
    assert not await bot.store.open_tables()


@pytest.mark.parametrize("kind", ["news", "forum"])
async def test_channels_that_hold_no_table_say_so_to_whoever_asks(sim: SimulatedDiscord, bot: Bot, kind: Kind) -> None:
    """What is published may hardly be edited, and into a forum itself nobody can write."""
    channel = sim.add_channel("not here", kind)
    ana, bia, eva = sim.person("Ana"), sim.person("Bia", locale="pt-BR"), sim.person("Eva", locale="es-ES")
    since = len(sim.sent)
    for person, sentence in (
        (ana, "Use the command in a text channel or in a thread."),
        (bia, "Use o comando em um canal de texto ou em um tópico."),
        (eva, "Usa el comando en un canal de texto o en un hilo."),
    ):
        answer = await person.command("coup new", channel=channel)
        assert answer.private
        assert sentence in answer.text
    assert not await bot.store.open_tables()
    assert not sim.channel_writes(since=since)


@pytest.mark.parametrize("kind", ["news", "forum", "voice", "stage"])
async def test_a_thread_is_opened_under_a_text_channel_only(sim: SimulatedDiscord, bot: Bot, kind: Kind) -> None:
    channel = sim.add_channel("no threads", kind)
    answer = await sim.person("Ana").command("coup new", channel=channel, thread=True)
    assert answer.private
    assert "only be opened in a text channel" in answer.text
    assert not channel.threads
    assert not await bot.store.open_tables()


async def plays_a_game(sim: SimulatedDiscord, bot: Bot, channel: Channel) -> None:
    sim.channel = channel
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    await Players(sim, people, "elsewhere").play()
    await sim.advance(3)
    assert "wins" in channel.last.text
    await people[1].click(channel.last, label="Rematch")
    assert (await table_of(sim, bot)).channel_id == channel.id


@pytest.mark.parametrize("kind", ["voice", "stage"])
async def test_a_game_in_the_chat_of_a_voice_channel(sim: SimulatedDiscord, bot: Bot, kind: Kind) -> None:
    await plays_a_game(sim, bot, sim.add_channel("voices", kind))


@pytest.mark.parametrize("kind", ["voice", "stage"])
async def test_who_may_not_connect_may_not_use_the_chat(sim: SimulatedDiscord, bot: Bot, kind: Kind) -> None:
    channel = sim.add_channel("voices", kind)
    channel.forbid("connect")
    answer = await sim.person("Ana").command("coup new", channel=channel)
    assert answer.private
    assert "permissions in this channel: Connect." in answer.text
    assert not await bot.store.open_tables()


@pytest.mark.parametrize("kind", ["text", "news", "forum"])
async def test_a_game_in_a_thread_that_somebody_opened(sim: SimulatedDiscord, bot: Bot, kind: Kind) -> None:
    """In a forum that is a post."""
    parent = sim.add_channel("parent", kind)
    thread = parent.open_thread("Who plays?", sim.person("Opener"))
    await plays_a_game(sim, bot, thread)
    assert (await table_of(sim, bot)).parent_id == parent.id


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
