"""Messages, rights and channels that go away while a game is on."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest

from tests.flow.test_people import tax, turn_of
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.table import Bot, Players, current, seated

EDITS = "/channels/*/messages/*"
SENDS = "/channels/*/messages"


async def test_a_deleted_message_is_posted_again_with_the_same_buttons(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    before = current(sim)
    assert before is not None
    sim.channel.delete(before)
    assert current(sim) is None
    await people[0].command("coup table")
    await sim.advance(3)
    after = current(sim)
    assert after is not None
    assert after.id != before.id
    assert [button.custom_id for button in after.buttons] == [button.custom_id for button in before.buttons]
    await Players(sim, people, "deleted").play()


async def test_a_channel_that_is_gone_ends_its_table(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.inject_error("PATCH", EDITS, 404, 10003, times=None)
    sim.inject_error("POST", SENDS, 404, 10003, times=None)
    await tax(sim, people)
    await sim.advance(2)
    assert not await bot.store.open_tables()
    assert not (await bot.app.tables.of_player(people[0].id))
    sim.heal()
    assert "no" in (await people[0].command("coup hand")).text.lower()
    await people[0].command("coup new")
    assert await bot.store.open_tables()


async def test_revoked_rights_cause_no_storm_and_the_game_waits(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    sim.inject_error("PATCH", EDITS, 403, 50013, times=None)
    sim.inject_error("POST", SENDS, 403, 50013, times=None)
    since = len(sim.sent)
    _, (other,) = await tax(sim, people)
    await sim.advance(600)
    assert len(sim.channel_writes(since=since)) < 6
    sim.heal()
    await people[0].command("coup table")
    await sim.advance(1)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert table.view.number == 1, "nobody loses anything to a window that nobody could see"
    assert (await other.click(label="Allow")).kind == "acknowledged"


async def test_discord_failing_for_a_while_loses_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.inject_error("PATCH", EDITS, 500, 0, times=2)
    await tax(sim, people)
    await sim.advance(17)
    assert "Allow" in labels(sim)
    await Players(sim, people, "failing").play()


async def test_refused_writes_are_tried_less_and_less(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.inject_error("*", "/channels/*/messages*", 400, 50035, times=None)
    since = len(sim.sent)
    await tax(sim, people)
    await sim.advance(600)
    assert 3 < len(sim.channel_writes(since=since)) < 12


async def test_discord_says_how_long_to_wait(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.break_off("PATCH", EDITS, discord.RateLimited(120.0))
    await tax(sim, people)
    await sim.advance(100)
    assert "Allow" not in labels(sim)
    await sim.advance(25)
    assert "Allow" in labels(sim)


async def test_a_broken_connection_is_tried_again(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.break_off("PATCH", EDITS, aiohttp.ServerDisconnectedError())
    await tax(sim, people)
    await sim.advance(6)
    assert "Allow" in labels(sim)


async def test_a_move_whose_answer_is_lost_is_not_told_as_a_failure(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.break_off("POST", "/interactions/*/callback", aiohttp.ServerDisconnectedError())
    await tax(sim, people)
    assert "Allow" in labels(sim)
    assert not any("went wrong" in seen.text for person in people for seen in person.sees)


async def test_an_edit_whose_answer_is_lost_is_made_again(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("coup new")
    await sim.advance(3)
    sim.break_off("PATCH", EDITS, lost(), delivered=True)
    await bob.click(label="Join")
    await sim.advance(1)
    await bob.click(label="Leave")
    await sim.advance(20)
    assert "Bob" not in sim.channel.last.text


async def test_one_lobby_however_slow_its_answer_is(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await sim.advance(14.7)
    with sim.slow("POST", "*", 2, delivered=True):
        await ana.command("coup new")
        await bob.command("coup join")
        await sim.advance(5)
    await sim.advance(20)
    (lobby,) = sim.channel.messages
    assert "Bob" in lobby.text


async def test_a_lobby_that_was_being_posted_when_the_bot_died_is_the_only_one(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    with sim.slow("POST", SENDS, 2, delivered=True):
        await ana.command("coup new")
        await bot.restart(abrupt=True, away=1)
    await sim.advance(20)
    assert len(sim.channel.messages) == 1
    await bob.click(label="Join")
    await sim.advance(3)
    assert "Bob" in sim.channel.last.text


async def test_a_message_found_again_shows_what_is_true_now(sim: SimulatedDiscord, bot: Bot) -> None:
    """The turn's message arrives, its id is lost, and its player acts on it before the next try."""
    people = await lobby_of_two(sim)
    sim.break_off("POST", SENDS, lost(), delivered=True)
    await people[0].click(label="Start")
    await sim.advance(0.5)
    await tax(sim, people)
    await sim.advance(10)
    assert "Allow" in labels(sim)


async def test_a_turn_that_could_not_be_posted_is_told_later(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    actor = await turn_of(sim, people)
    sim.inject_error("POST", SENDS, 500, 0)
    await actor.click(label="Income +1")
    await sim.advance(1)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert table.view.turn is not None
    second = next(person for person in people if person.id == table.players[table.view.turn].user_id)
    (income,) = await second.autocomplete("coup play", "move", "Income")
    await second.command("coup play", move=income.value)
    await sim.advance(20)
    _, first, missed, now = (seen.text for seen in sim.channel.messages)
    assert actor.name in first
    assert second.name in missed
    assert "Turn 3" in now


async def test_a_turn_whose_message_was_lost_in_a_crash_keeps_no_buttons(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    actor = await turn_of(sim, people)
    with sim.slow("POST", SENDS, 2, delivered=True):
        await actor.click(label="Income +1")
        await sim.advance(0.5)
        second = await turn_of(sim, people)
        await second.click(label="Income +1")
        await bot.restart(abrupt=True, away=3)
    await sim.advance(20)
    assert len([seen for seen in sim.channel.messages if "My hand" in seen.labels]) == 1


async def test_the_numbers_of_the_shuffle_are_told_though_the_lobby_was_deleted(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = await lobby_of_two(sim)
    sim.channel.delete(sim.channel.last)
    await people[0].command("coup start")
    await sim.advance(5)
    assert any("The shuffle was mixed with" in seen.text for seen in sim.channel.messages)


@pytest.mark.expects_errors("table cannot be replayed")
async def test_an_ended_damaged_game_is_told_and_keeps_no_buttons(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await tax(sim, people)
    await bot.damage("UPDATE moves SET line = 'p1: coup p2'")
    await bot.restart(abrupt=True, away=3)
    await sim.advance(3)
    assert "cannot go on" in " ".join(seen.text for seen in sim.channel.messages)
    await people[0].command("coup end")
    await sim.advance(20)
    assert not any(seen.labels for seen in sim.channel.messages)
    assert "was ended" in sim.channel.messages[-1].text


@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_damaged_lobby_says_so_and_keeps_no_buttons(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await lobby_of_two(sim)
    await bot.damage("UPDATE tables SET speed = 'unheard-of'")
    await bot.restart(abrupt=True, away=3)
    await sim.advance(3)
    assert "cannot go on" in sim.channel.last.text
    assert sim.channel.last.labels == ("End the table",)
    await people[0].command("coup end")
    await sim.advance(3)
    assert "was ended" in sim.channel.last.text


async def test_a_call_goes_when_the_called_has_answered(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    actor = await turn_of(sim, people)
    others = [person for person in people if person is not actor]
    asked = await actor.click(label="Steal 2 (Captain)")
    assert asked.message is not None
    await actor.click(next(button for button in asked.message.buttons if button.label.startswith(others[0].name)))
    await sim.advance(2)
    assert any(seen.content.startswith(others[0].mention) for seen in sim.channel.messages)
    await others[0].click(label="Allow")
    await sim.advance(3)
    assert not any(seen.content.startswith(others[0].mention) for seen in sim.channel.messages)


async def test_a_person_who_clicked_in_vain_is_told_what_must_be_heard(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("coup new")
    await sim.advance(3)
    for _ in range(5):
        await bob.click(label="Start")
    assert "number" in (await bob.click(label="Join")).text


@pytest.mark.parametrize("error", [discord.RateLimited(900.0), aiohttp.ClientError()], ids=repr)
async def test_commands_that_cannot_be_registered_keep_no_game_from_its_players(
    sim: SimulatedDiscord, bot: Bot, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    await seated(sim, 2)
    await bot.store.remember("commands", "others")

    monkeypatch.setattr(discord.app_commands.CommandTree, "sync", AsyncMock(side_effect=error))
    await bot.restart(abrupt=False)
    await sim.advance(3)
    assert await bot.store.open_tables()
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.deadline_at is not None
    assert await bot.store.remembered("commands") == "others"


def labels(sim: SimulatedDiscord) -> list[str]:
    """What can be pressed on the message of the turn."""
    seen = current(sim)
    assert seen is not None
    return [button.label for button in seen.buttons if not button.disabled]


def lost() -> discord.DiscordServerError:
    """What the library raises when a gateway of Discord's gives up on an answer."""
    return discord.DiscordServerError(SimpleNamespace(status=502, reason="Bad Gateway"), "")


async def lobby_of_two(sim: SimulatedDiscord) -> list[Person]:
    """A lobby with two people, not started."""
    people = [sim.person("Ana"), sim.person("Bob")]
    await people[0].command("coup new")
    await sim.advance(2)
    await people[1].click(label="Join")
    await sim.advance(3)
    return people
