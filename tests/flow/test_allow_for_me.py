"""The switch "Allow for me" of the hand's panel."""

from __future__ import annotations

from tests.flow.test_people import tax
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, current, seated


async def test_whoever_switched_it_on_is_allowed_for(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    for person in people:
        await person.click(label="My hand")
        answer = await person.click(label="Allow for me")
        assert answer.kind == "edit"
        assert "Allow for me is on" in answer.text
    await tax(sim, people)
    await sim.advance(10)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert table.view.number == 2
    assert current(sim) is not None


async def test_a_second_press_of_the_same_changes_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = await seated(sim, 2)
    await ana.click(label="My hand")
    first, again = await ana.double_click(label="Allow for me")
    assert "is on" in first.text
    assert "is on" in again.text
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert [player.auto_allow for player in table.players] == [True, False]
    assert "is off" in (await ana.click(label="Ask me again")).text
    await bob.click(label="My hand")
    assert "Ask me again" not in bob.panel.labels
