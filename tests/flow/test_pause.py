"""A game that everybody left alone waits for somebody to come back."""

from __future__ import annotations

from tests.flow.games import on_turn
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


async def test_who_is_awaited_is_called_when_somebody_else_resumes(sim: SimulatedDiscord, bot: Bot) -> None:
    """The turn's message comes anew, at the end of whatever was written meanwhile; the notice of the pause goes."""
    people = await left_alone(sim)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert table.view.turn is not None
    sleeper = next(person for person in people if person.id == table.players[table.view.turn].user_id)
    (other,) = [person for person in people if person is not sleeper]
    await sim.advance(120)
    since = len(sim.sent)
    await other.click(label="Resume")
    await sim.advance(2)
    assert [write.kind for write in sim.channel_writes(since=since)] == ["post", "delete"]
    assert sim.channel.last.content.startswith(f"{sleeper.mention}, your turn. 30 seconds")
    assert not any("is paused" in seen.content for seen in sim.channel.messages)
    await sim.advance(40)
    assert on_turn(sim.channel, people) is other, "one missed turn since then is not two"


async def test_who_leaves_while_all_sleep_wakes_nobody(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await left_alone(sim, 3)
    await sim.advance(120)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert table.view.turn is not None
    turn = next(person for person in people if person.id == table.players[table.view.turn].user_id)
    await turn.command("coup leave")
    await turn.click(label="Leave for good")
    await sim.advance(100)
    told, notice = sim.channel.messages[-2:]
    assert told.content.startswith("**4.**")
    assert "left the game" in told.content
    assert "is paused" in notice.content
    assert [seen.labels for seen in sim.channel.messages if seen.labels] == [("Resume", "My hand", "Help")]
    assert f"/{notice.id}" in (await people[0].command("coup table")).text


async def test_a_pause_over_a_restart(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await left_alone(sim)
    await bot.restart(abrupt=True, away=300)
    await sim.advance(2)
    assert current(sim) == sim.channel.last
    assert (await people[0].click(label="Resume")).kind == "acknowledged"
    await bot.restart(abrupt=True, away=5)
    await sim.advance(2)
    assert [seen.id for seen in sim.channel.messages if "My hand" in seen.labels] == [sim.channel.last.id]
    assert "your turn" in sim.channel.last.content


async def test_it_is_given_up_after_a_day(sim: SimulatedDiscord, bot: Bot) -> None:
    await left_alone(sim)
    # A day in which the bot is there; one in which it is away does not count.
    await bot.damage("UPDATE tables SET deadline_at = '2026-01-01 00:00:00.000000'")
    await bot.restart(abrupt=True)
    await sim.advance(60)
    left = [label for seen in sim.channel.messages for label in seen.labels]
    assert left == ["Rematch"]
    assert "For a day nobody came back" in sim.channel.last.content
    assert "when the game was ended" in sim.channel.messages[-2].content


async def here(sim: SimulatedDiscord, bot: Bot) -> str:
    return (await bot.app.tables.in_channel(sim.channel.id)).id
