"""Coming back: what was on its way is there once, commands are registered once, and a rush becomes a few edits."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.flow.games import acts, dealt, newest, on_turn, pressable
from tests.flow.test_trouble import lobby_of_two
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot

SENDS, EDITS = "/channels/*/messages", "/channels/*/messages/*"


@pytest.mark.parametrize("arrived", [False, True], ids=["before it was sent", "before its id was stored"])
async def test_the_turn_that_was_being_posted_when_the_bot_died_is_there_once(
    sim: SimulatedDiscord, bot: Bot, arrived: bool
) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    actor = on_turn(sim.channel, people)
    with sim.slow("POST", SENDS, 2, delivered=arrived):
        await actor.click(pressable(sim.channel, "Income"))
        await sim.advance(0.5)
        await bot.restart(abrupt=True, away=1)
    await sim.advance(20)
    assert len([seen for seen in sim.channel.messages if "My hand" in seen.labels]) == 1
    assert len([seen for seen in sim.channel.messages if "Turn 2 " in seen.text]) == 1
    assert on_turn(sim.channel, people) is not actor
    repeated = [sent for sent in sim.sent if sent.repeated]
    assert bool(repeated) is arrived, "found again by its nonce"
    await acts(sim, people, "Income")
    assert on_turn(sim.channel, people) is actor


async def test_what_arrived_so_long_ago_that_its_nonce_is_forgotten_is_there_once(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = await lobby_of_two(sim)
    with sim.slow("POST", SENDS, 20, delivered=True):
        await people[0].click(label="Start")
        await sim.advance(3)
        assert "My hand" in sim.channel.last.labels
        assert all(person.dms for person in people)
        await bot.restart(abrupt=True, away=400)
    await sim.advance(20)
    assert len([seen for seen in sim.channel.messages if "My hand" in seen.labels]) == 1
    assert [len(person.dms) for person in people] == [1, 1]
    actor, _ = await acts(sim, people, "Income")
    assert on_turn(sim.channel, people) is not actor


async def test_without_the_right_to_read_back_the_game_goes_on(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    with sim.slow("POST", SENDS, 20, delivered=True):
        await on_turn(sim.channel, people).click(pressable(sim.channel, "Income"))
        await sim.advance(3)
        sim.inject_error("GET", SENDS, 403, 50013, times=None)
        await bot.restart(abrupt=True, away=400)
    await sim.advance(20)
    await acts(sim, people, "Income")
    assert "Turn 3 " in newest(sim.channel).text


async def test_commands_are_registered_when_they_changed_and_not_otherwise(sim: SimulatedDiscord, bot: Bot) -> None:
    def registrations() -> int:
        return len([sent for sent in sim.sent if sent.method == "PUT" and sent.path.endswith("/commands")])

    assert registrations() == 1
    await bot.restart(abrupt=False)
    assert registrations() == 1
    await bot.store.remember("commands", "those of another version")
    await bot.restart(abrupt=True)
    assert registrations() == 2
    await bot.restart(abrupt=True)
    assert registrations() == 2


async def test_a_hundred_changes_in_two_seconds_are_few_edits_and_the_last_shows_the_truth(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    ana = sim.person("Ana")
    await ana.command("coup new")
    await sim.advance(3)
    guests = [sim.person(f"Guest{number}") for number in range(5)]
    since, commits = len(sim.sent), bot.store.commits
    for at in range(100):
        join, leave = sim.channel.last.button("Join"), sim.channel.last.button("Leave")
        await guests[at % 5].forge(leave if at // 5 % 2 else join)
        await sim.advance(0.02)
    # The last round: everybody but the first is there in the end.
    for guest in guests[1:]:
        await guest.forge(sim.channel.last.button("Join"))
    assert bot.store.commits - commits == 104
    await sim.advance(3)
    assert len(sim.channel_writes(since=since)) <= 4
    text = sim.channel.last.text
    assert [guest.name in text for guest in guests] == [False, True, True, True, True]


async def test_the_list_of_who_is_awaited_waits_and_nothing_else_does(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person(f"Player{number}") for number in range(1, 5)]
    await dealt(sim, bot, people)
    _, (one, two, three) = await acts(sim, people, "Tax")
    await sim.advance(2)
    since = len(sim.sent)
    await one.click(pressable(sim.channel, "Allow"))
    await sim.advance(8)
    await two.click(pressable(sim.channel, "Allow"))
    await sim.advance(0.5)
    assert not sim.channel_writes(since=since), "one more name to strike out is not worth an edit of its own"
    await sim.advance(2)
    (edit,) = sim.channel_writes(since=since)
    assert edit.kind == "patch"
    waiting = newest(sim.channel).content.splitlines()[-1]
    assert [f"**{person.name}**" in waiting for person in (one, two, three)] == [False, False, True]
    await three.click(pressable(sim.channel, "Challenge the Duke"))
    await sim.advance(1.3)
    assert "challenged" in newest(sim.channel).content


async def test_a_rush_of_answers_is_never_shown_older_than_it_was(sim: SimulatedDiscord, bot: Bot) -> None:
    """However slow edits are, at most one is on its way, and the newest truth comes last."""
    people = [sim.person(f"Player{number}") for number in range(1, 5)]
    await dealt(sim, bot, people)
    with sim.slow("PATCH", EDITS, 1.5):
        _, others = await acts(sim, people, "Tax")
        await sim.advance(2)
        for other in others[:-1]:
            await other.click(pressable(sim.channel, "Allow"))
            await sim.advance(0.1)
        await sim.advance(12)
    shown = newest(sim.channel).content
    assert f"**{others[-1].name}**" in shown.splitlines()[-1]
    assert f"**{others[0].name}**" not in shown.splitlines()[-1]
    edits = [sent for sent in sim.channel_writes() if sent.kind == "patch"]
    for one, next_one in pairwise(edits):
        assert next_one.started >= one.ended, "never two at a time"
