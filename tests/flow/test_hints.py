"""Hints stand in the panels of somebody's first game, and only there."""

from __future__ import annotations

from tests.flow.test_people import tax, turn_of
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Seen
from tests.support.table import Bot, Players, seated


async def panel(person: Person) -> str:
    """What their panel says now."""
    return (await person.click(label="My hand")).text


async def again(sim: SimulatedDiscord, host: Person, others: list[Person]) -> None:
    """The next game of the same people."""
    await host.command("coup new")
    for person in others:
        await person.click(label="Join")
        await sim.advance(1.3)
    await host.click(label="Start")
    await sim.advance(1.3)


async def test_a_newcomer_has_hints_in_the_first_game_and_not_in_the_second(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    first = await turn_of(sim, people)
    hinted = await panel(first)
    assert "Hint: " in hinted
    assert "/coup preferences" in hinted
    seen: list[Seen] = []
    await Players(sim, people, "hints").play(before_each=seen.append)
    assert not any("Hint" in message.content for message in sim.channel.messages), "never in public"
    assert not any("Hint" in message.content for message in seen)
    await sim.advance(1.3)
    await again(sim, people[0], people[1:])
    for person in people:
        assert "Your cards" in await panel(person)
        assert "Hint" not in await panel(person)
    actor, (other,) = await tax(sim, people)
    assert "Hint" not in await panel(other)
    await other.click(label="Challenge the Duke")
    await sim.advance(3)
    assert "challenges your" in actor.dms[-1].content
    assert "Hint" not in actor.dms[-1].content


async def test_a_choice_by_dm_is_hinted_too(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    actor, (other,) = await tax(sim, people)
    assert "Hint" not in actor.dms[0].content
    await other.click(label="Challenge the Duke")
    await sim.advance(3)
    assert "Hint: " in actor.dms[0].content


async def test_switched_off_with_one_click_in_the_middle_of_the_game(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    first = await turn_of(sim, people)
    assert "Hint: " in await panel(first)
    await first.command("coup preferences")
    await first.click(label="Show no hints")
    assert "Hint" not in await panel(first)
    await bot.restart(abrupt=True, away=2)
    await sim.advance(3)
    assert "Hint" not in await panel(first)
    await first.command("coup preferences")
    await first.click(label="Show me hints")
    assert "Hint: " in await panel(first)
