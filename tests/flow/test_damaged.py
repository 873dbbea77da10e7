"""A game whose record is damaged keeps nobody: each of its players can end it, from wherever they are."""

from __future__ import annotations

import pytest

from tests.flow.test_people import tax
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.table import Bot, seated

pytestmark = pytest.mark.expects_errors("table cannot be replayed")


async def damaged(sim: SimulatedDiscord, bot: Bot) -> list[Person]:
    people = await seated(sim, 2)
    await tax(sim, people)
    await bot.damage("UPDATE moves SET line = 'p1: coup p2'")
    await bot.restart(abrupt=True, away=3)
    await sim.advance(3)
    return people


@pytest.mark.parametrize("how", ["coup leave", "coup end", "button", "coup leave in a DM"])
async def test_a_player_ends_it(sim: SimulatedDiscord, bot: Bot, how: str) -> None:
    _, guest = await damaged(sim, bot)
    told = await guest.command("coup hand")
    assert "Anyone who plays in it can end it with `/coup end`" in told.text
    if how == "button":
        answer = await guest.click(sim.channel.last, label="End the table")
    else:
        answer = await guest.command(how.removesuffix(" in a DM"), dm=how.endswith("DM"))
    assert answer.private
    assert "has ended" in answer.text
    await sim.advance(20)
    assert not await bot.store.open_tables()
    assert not any(seen.labels for seen in sim.channel.messages)
    assert "You have a seat" in (await guest.command("coup new")).text


async def test_somebody_else_does_not(sim: SimulatedDiscord, bot: Bot) -> None:
    await damaged(sim, bot)
    stranger = sim.person("Stranger")
    for answer in (
        await stranger.command("coup leave"),
        await stranger.command("coup end"),
        await stranger.click(sim.channel.last, label="End the table"),
    ):
        assert answer.private
        assert answer.text
    assert await bot.store.open_tables()


async def test_after_its_end_nobody_has_a_hand_by_dm_any_more(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await damaged(sim, bot)
    await people[1].command("coup end")
    await sim.advance(20)
    for person in people:
        assert not person.dms[-1].labels
        assert "over" in person.dms[-1].text
        assert "Your cards" not in person.dms[-1].text


async def test_its_players_can_be_forgotten(sim: SimulatedDiscord, bot: Bot) -> None:
    _, guest = await damaged(sim, bot)
    await guest.command("coup preferences")
    await guest.click(label="Delete my data")
    assert "`/coup leave`" in (await guest.click(label="Delete for good")).text
    await guest.command("coup leave")
    await guest.command("coup preferences")
    await guest.click(label="Delete my data")
    assert "is deleted" in (await guest.click(label="Delete for good")).text
