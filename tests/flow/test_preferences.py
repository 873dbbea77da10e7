"""What people choose for themselves, and how they are forgotten."""

from __future__ import annotations

from bot.tables.people import Person
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, Players, seated


async def test_the_language_that_somebody_chose_is_theirs_everywhere(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana", locale="en-US")
    answer = await ana.command("coup preferences")
    assert answer.private
    assert "that of your Discord" in answer.text
    answer = await ana.click(label="Español")
    assert answer.kind == "edit"
    assert "Idioma: Español" in answer.text
    assert "partida" in (await ana.command("coup help")).text or "sala" in (await ana.command("coup help")).text
    await bot.restart(abrupt=False)
    assert "Aquí no hay" in (await ana.command("coup table")).text
    await ana.command("coup preferences")
    assert "Language: that of your Discord" in (await ana.click(label="Automático")).text


async def test_it_works_in_a_dm_and_the_public_text_stays_the_table_s(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    await ana.command("coup preferences", dm=True)
    await ana.click(label="Português")
    answer = await ana.command("coup new")
    await sim.advance(1.3)
    assert "Você" in answer.text
    assert "Join" in sim.channel.last.labels


async def test_switches_say_what_pressing_them_does(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    await ana.command("coup preferences")
    first, again = await ana.double_click(label="Send no hand")
    assert "direct message: off" in first.text
    assert "direct message: off" in again.text
    assert not await bot.app.readers.dm_hand(ana.id)
    assert "direct message: on" in (await ana.click(label="Send me my hand")).text
    assert "first game: off" in (await ana.click(label="Show no hints")).text
    assert "first game: on" in (await ana.click(label="Show me hints")).text
    assert await bot.people.person(ana.id) == Person(user_id=ana.id, locale="en-US")


async def test_what_no_button_spells_is_refused(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    await ana.command("coup preferences")
    for custom_id in ("c1:-:0:language:klingon", "c1:-:0:language", "c1:-:0:dm:maybe", "c1:-:0:hints"):
        assert "not a choice" in (await ana.forge(custom_id, on=ana.panel)).text
        await sim.advance(11)


async def test_the_last_language_is_known_without_a_click(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana", locale="pt-BR")
    await ana.command("coup help")
    await bot.restart(abrupt=True)
    assert str((await bot.app.readers.words_for(ana.id)).locale) == "pt_BR"


async def test_forgetting_asks_once_more_and_leaves_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = await seated(sim, 2)
    table = await bot.app.tables.in_channel(sim.channel.id)
    await ana.command("coup preferences")
    await ana.click(label="Delete my data")
    assert "open" in (await ana.click(label="Delete for good")).text
    await Players(sim, [ana, bob], "forgotten").play()
    await sim.advance(1.3)
    await ana.command("coup preferences")
    assert "stranger" in (await ana.click(label="Delete my data")).text
    assert "Your preferences" in (await ana.click(label="Keep it")).text
    await ana.click(label="Delete my data")
    answer = await ana.click(label="Delete for good")
    assert "deleted" in answer.text
    assert not answer.labels
    stored = await bot.store.load(table.id)
    assert stored is not None
    assert ana.id not in [player.user_id for player in stored.players]
    assert ana.name not in [player.name for player in stored.players]
    assert (await bot.people.person(ana.id)).games == 0
    assert (await bot.people.person(bob.id)).games == 1


async def test_a_result_that_is_told_late_tells_nothing_of_whoever_was_forgotten_meanwhile(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    ana, bob = await seated(sim, 2)
    sim.inject_error("POST", f"/channels/{sim.channel.id}/messages", 500, 0, times=5)
    await ana.command("coup leave")
    await ana.click(label="Leave for good")
    await ana.command("coup preferences")
    await ana.click(label="Delete my data")
    assert "deleted" in (await ana.click(label="Delete for good")).text
    await sim.advance(120)
    result = sim.channel.last
    assert f"{bob.name}** wins" in result.text
    assert ana.name not in result.text
    assert all(ana.name.encode() not in content for content in result.files.values())


async def test_a_rematch_without_whoever_was_forgotten(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = await seated(sim, 2)
    await Players(sim, [ana, bob], "one is gone").play()
    await sim.advance(1.3)
    assert await bot.app.readers.forget(ana.id)
    assert "no seat" in (await ana.click(label="Rematch")).text
    await bob.click(label="Rematch")
    lobby = await bot.app.tables.in_channel(sim.channel.id)
    assert [player.user_id for player in lobby.players] == [bob.id]
