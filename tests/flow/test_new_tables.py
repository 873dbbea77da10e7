"""Where a table is opened, in which language, and how fast it is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, Players, current

THREADS = "/channels/*/threads"


@pytest.fixture
async def spanish(tmp_path: Path) -> AsyncIterator[SimulatedDiscord]:
    """A server whose language is Spanish, with the bot in it."""
    async with SimulatedDiscord(server_locale="es-ES") as sim:
        running = Bot(sim, tmp_path)
        await running.start()
        yield sim
        await sim.stop(closing=running.app.close)
        await running.dispose()


async def test_a_table_speaks_the_server_s_language(spanish: SimulatedDiscord) -> None:
    ana = spanish.person("Ana", locale="pt-BR")
    answer = await ana.command("coup new")
    await spanish.advance(1.3)
    assert "Unirme" in spanish.channel.last.labels
    assert "Você" in answer.text


async def test_the_host_may_choose_another(spanish: SimulatedDiscord) -> None:
    await spanish.person("Ana").command("coup new", language="pt_BR")
    await spanish.advance(1.3)
    assert "Entrar" in spanish.channel.last.labels


async def test_every_speed_can_be_chosen(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    for speed, length in (("blitz", "30 seconds"), ("relaxed", "5 minutes"), ("daily", "24 hours")):
        await ana.command("coup new", speed=speed)
        await sim.advance(1.3)
        assert length in sim.channel.last.text
        await ana.command("coup cancel")
        await sim.advance(1.3)


async def test_a_whole_game_in_a_thread_of_its_own(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    answer = await ana.command("coup new", thread=True)
    (thread,) = sim.channel.threads
    assert answer.private
    assert f"<#{thread.id}>" in answer.text
    assert thread.handle.name == "Coup with Ana"
    await sim.advance(1.3)
    assert not sim.channel.messages or "Join" not in sim.channel.last.labels
    await bob.click(thread.last, label="Join")
    await sim.advance(1.3)
    assert (await bob.command("coup table", channel=thread)).private
    await ana.command("coup start", channel=thread)
    await sim.advance(1.3)
    table = await bot.app.tables.in_channel(thread.id)
    assert (table.channel_id, table.parent_id) == (thread.id, sim.channel.id)
    sim.channel = thread
    assert current(sim) is not None
    await Players(sim, [ana, bob], "thread").play()
    assert "wins" in thread.last.text


async def test_a_table_in_a_thread_hangs_on_its_channel(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    await ana.command("coup new", thread=True)
    (thread,) = sim.channel.threads
    await ana.command("coup cancel", channel=thread)
    await sim.advance(1.3)
    await ana.command("coup new", channel=thread)
    assert (await bot.app.tables.in_channel(thread.id)).parent_id == sim.channel.id
    await ana.command("coup cancel", channel=thread)
    await sim.advance(1.3)
    assert "text channel" in (await ana.command("coup new", channel=thread, thread=True)).text


async def test_rights_for_a_thread_are_named(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    sim.channel.forbid("create_public_threads", "send_messages_in_threads")
    answer = await ana.command("coup new", thread=True)
    assert "Create Public Threads" in answer.text
    assert "Send Messages in Threads" in answer.text
    assert not sim.channel.threads
    assert "You have a seat" in (await ana.command("coup new")).text, "without a thread they are not needed"


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (429, 0), (500, 0), (400, 160006)])
async def test_a_refusal_of_discord_is_told_in_words(sim: SimulatedDiscord, bot: Bot, status: int, code: int) -> None:
    sim.inject_error("POST", THREADS, status, code, times=None)
    answer = await sim.person("Ana").command("coup new", thread=True)
    assert answer.private
    assert "did not open a thread" in answer.text
    assert not await bot.store.open_tables()


async def test_a_thread_that_takes_too_long_is_given_up(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    with sim.slow("POST", THREADS, 60):
        await ana.command("coup new", thread=True)
        await sim.advance(15)
    assert any("did not open a thread" in panel.text for panel in ana.panels)


async def test_no_table_in_a_direct_message(sim: SimulatedDiscord, bot: Bot) -> None:
    answer = await sim.person("Ana").command("coup new", dm=True)
    assert "channel of a server" in answer.text
