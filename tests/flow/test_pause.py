"""A game that everybody left alone waits for somebody to come back."""

from __future__ import annotations

from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.table import Bot, Players, current, seated


async def left_alone(sim: SimulatedDiscord, count: int = 2) -> list[Person]:
    """A game in which nobody has answered for a whole round."""
    people = await seated(sim, count, speed="blitz")
    await sim.advance(count * 35)
    return people


async def test_the_message_says_that_it_waits_and_shows_no_clock(sim: SimulatedDiscord, bot: Bot) -> None:
    await left_alone(sim)
    seen = current(sim)
    assert seen is not None
    assert seen.labels == ("Resume", "My hand", "Help")
    assert "is paused" in seen.content
    assert "closes" not in seen.content
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.deadline_at is not None
    assert f"<t:{int(table.deadline_at.timestamp())}:R>" in seen.content
    since = len(sim.sent)
    await sim.advance(600)
    assert not sim.channel_writes(since=since)


async def test_a_player_resumes_it_and_it_goes_on(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await left_alone(sim)
    stranger = sim.person("Stranger")
    await sim.advance(3600)
    answer = await stranger.click(label="Resume")
    assert answer.private
    assert answer.text
    assert (await people[0].click(label="Resume")).kind == "acknowledged"
    await sim.advance(2)
    seen = current(sim)
    assert seen is not None
    assert "Resume" not in seen.labels
    assert "your turn" in seen.content
    assert (await people[1].forge(f"c1:{(await here(sim, bot))}:0:resume", on=seen)).text, "it is not paused any more"
    await Players(sim, people, "resumed").play()


async def test_it_is_given_up_after_a_day(sim: SimulatedDiscord, bot: Bot) -> None:
    await left_alone(sim)
    # A day in which the bot is there; one in which it is away does not count.
    await bot.damage("UPDATE tables SET deadline_at = '2026-01-01 00:00:00.000000'")
    await bot.restart(abrupt=True)
    await sim.advance(60)
    left = [label for seen in sim.channel.messages for label in seen.labels]
    assert left == ["Rematch"]
    assert "Nobody was left" in sim.channel.last.content


async def here(sim: SimulatedDiscord, bot: Bot) -> str:
    return (await bot.app.tables.in_channel(sim.channel.id)).id
