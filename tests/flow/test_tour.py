"""How to play, as it is opened and turned."""

from __future__ import annotations

from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, seated


async def test_the_tour_is_turned_in_place_and_leads_to_the_rules(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    answer = await ana.command("coup help")
    assert answer.private
    assert "Page 1 of 5" in answer.text
    for page in (2, 3, 4, 5):
        answer = await ana.click(label="Next")
        assert answer.kind == "edit"
        assert f"Page {page} of 5" in answer.text
    assert "Page 4 of 5" in (await ana.click(label="Back")).text
    await ana.click(label="Next")
    assert "The game in short" in (await ana.click(label="The rules")).text
    assert "Page 1 of 5" in (await ana.click(label="How to play")).text
    assert len(ana.panels) == 1


async def test_a_double_click_turns_one_page(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    await ana.command("coup help")
    first, again = await ana.double_click(label="Next")
    assert "Page 2 of 5" in first.text
    assert "Page 2 of 5" in again.text


async def test_the_help_button_of_a_table_opens_it_privately(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, _ = await seated(sim, 2)
    writes = len(sim.channel_writes())
    answer = await ana.click(label="Help")
    assert answer.private
    assert "Page 1 of 5" in answer.text
    assert len(sim.channel_writes()) == writes


async def test_it_works_in_a_dm_and_after_a_restart(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana", locale="pt-BR")
    await ana.command("coup help", dm=True)
    await bot.restart(abrupt=True, away=2)
    assert "Página 2 de 5" in (await ana.click(label="Avançar")).text
