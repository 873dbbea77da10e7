"""Channels that are closed to us while a table is in them: one refusal, no storm, and the table waits."""

from __future__ import annotations

import pytest

from bot.tables.requests import Resume, Unblock
from bot.tables.table import Pause, PublicTable
from tests.flow.games import newest, on_turn, pressable, table_of
from tests.flow.test_people import tax
from tests.flow.test_trouble import lobby_of_two
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, current, seated

CLOSED = [(403, 50001), (403, 50013), (400, 50083), (400, 160005), (403, 160005)]


def close(sim: SimulatedDiscord, status: int = 403, code: int = 50013) -> None:
    for method in ("POST", "PATCH", "DELETE"):
        sim.inject_error(method, "/channels/*/messages*", status, code, times=None)


async def here(sim: SimulatedDiscord, bot: Bot) -> PublicTable:
    return await bot.app.tables.in_channel(sim.channel.id)


@pytest.mark.parametrize(("status", "code"), CLOSED)
async def test_one_refusal_pauses_the_game(sim: SimulatedDiscord, bot: Bot, status: int, code: int) -> None:
    people = await seated(sim, 2, speed="blitz")
    close(sim, status, code)
    since = len(sim.sent)
    await tax(sim, people)
    await sim.advance(300)
    assert len(sim.channel_writes(since=since)) == 1
    table = await here(sim, bot)
    assert table.paused is Pause.NO_ACCESS
    assert table.view is not None
    assert table.view.number == 1, "nobody loses anything to a window that nobody could see"


async def test_a_thread_that_was_put_away_is_opened_again(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await people[0].command("coup new", thread=True, speed="daily")
    await sim.advance(1.3)
    (thread,) = sim.channel.threads
    await people[1].click(thread.last, label="Join")
    await people[0].click(thread.last, label="Start")
    await sim.advance(1.3)
    actor = on_turn(thread, people)
    sim.inject_error("PATCH", f"/channels/{thread.id}/messages/*", 400, 50083)
    since = len(sim.sent)
    await actor.click(pressable(thread, "Tax"))
    await sim.advance(3)
    assert [sent.path for sent in sim.sent[since:] if sent.method == "PATCH"] == [
        f"/channels/{thread.id}/messages/{newest(thread).id}",
        f"/channels/{thread.id}",
        f"/channels/{thread.id}/messages/{newest(thread).id}",
    ]
    assert "Allow" in newest(thread).labels
    assert (await table_of(sim, bot, thread)).paused is None


@pytest.mark.parametrize(("status", "code"), [(400, 160005), (403, 50013)])
async def test_a_thread_that_is_locked_pauses_the_game(sim: SimulatedDiscord, bot: Bot, status: int, code: int) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await people[0].command("coup new", thread=True, speed="daily")
    await sim.advance(1.3)
    (thread,) = sim.channel.threads
    await people[1].click(thread.last, label="Join")
    await people[0].click(thread.last, label="Start")
    await sim.advance(1.3)
    actor = on_turn(thread, people)
    sim.inject_error("PATCH", f"/channels/{thread.id}/messages/*", 400, 50083, times=None)
    sim.inject_error("PATCH", f"/channels/{thread.id}", status, code, times=None)
    since = len(sim.sent)
    await actor.click(pressable(thread, "Tax"))
    await sim.advance(300)
    assert len([sent for sent in sim.sent[since:] if sent.method == "PATCH"]) == 2, "tried once"
    assert (await table_of(sim, bot, thread)).paused is Pause.NO_ACCESS


async def test_rights_that_are_really_taken_away(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    sim.channel.forbid("view_channel", "send_messages")
    since = len(sim.sent)
    await tax(sim, people)
    await sim.advance(600)
    assert len(sim.channel_writes(since=since)) == 1
    told = await people[0].command("coup table")
    await sim.advance(5)
    assert "Send Messages" in told.text
    assert len(sim.channel_writes(since=since)) == 1, "it is known beforehand that it would be refused"
    sim.channel.forbid()
    await people[0].command("coup table")
    await sim.advance(2)
    seen = current(sim)
    assert seen is not None
    assert "Allow" in seen.labels


@pytest.mark.parametrize("how", ["resume", "unblock", "answer"])
async def test_when_it_is_resumed_the_channel_is_written_again(sim: SimulatedDiscord, bot: Bot, how: str) -> None:
    people = await seated(sim, 2)
    close(sim)
    _, (other,) = await tax(sim, people)
    await sim.advance(60)
    sim.heal()
    table = await here(sim, bot)
    if how == "resume":
        await sim.as_client(bot.app.tables.submit(Resume(request="r", table_id=table.id, user_id=people[0].id)))
    elif how == "unblock":
        await sim.as_client(bot.app.tables.submit(Unblock(request="u", table_id=table.id, why=Pause.NO_ACCESS)))
    else:
        (allow,) = await other.autocomplete("coup play", "move", "Allow")
        await other.command("coup play", move=allow.value)
    await sim.advance(3)
    seen = current(sim)
    assert seen is not None
    assert ("Turn 2" if how == "answer" else "Allow") in seen.text + " ".join(seen.labels)
    assert (await here(sim, bot)).paused is None


async def test_resuming_in_vain_costs_one_refusal_each_time(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    close(sim)
    since = len(sim.sent)
    await tax(sim, people)
    for tries in (2, 3):
        await sim.advance(60)
        await people[0].command("coup table")
        await sim.advance(60)
        assert len(sim.channel_writes(since=since)) == tries
    assert (await here(sim, bot)).paused is Pause.NO_ACCESS


async def test_a_lobby_waits_for_a_change_or_for_somebody_who_looks(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await lobby_of_two(sim)
    close(sim)
    since = len(sim.sent)
    await sim.person("Cid").command("coup join")
    await sim.advance(300)
    assert len(sim.channel_writes(since=since)) == 1
    await sim.person("Dora").command("coup join")
    await sim.advance(300)
    assert len(sim.channel_writes(since=since)) == 2
    sim.heal()
    await people[0].command("coup table")
    await sim.advance(3)
    assert "Dora" in sim.channel.last.text


async def test_a_lobby_is_shown_again_when_its_channel_opens(sim: SimulatedDiscord, bot: Bot) -> None:
    await lobby_of_two(sim)
    sim.channel.forbid("view_channel")
    since = len(sim.sent)
    await sim.person("Cid").command("coup join")
    await sim.advance(60)
    await sim.edit_roles()
    await sim.advance(60)
    assert len(sim.channel_writes(since=since)) == 1, "it is still closed, and that is known"
    sim.channel.forbid()
    await sim.advance(3)
    assert "Cid" in sim.channel.last.text


async def test_a_game_paused_for_silence_is_shown_again_when_its_channel_opens(sim: SimulatedDiscord, bot: Bot) -> None:
    await seated(sim, 2, speed="blitz")
    await sim.advance(60)
    sim.channel.forbid("view_channel")
    await sim.advance(60)
    assert (await here(sim, bot)).paused is Pause.IDLE
    sim.channel.forbid()
    await sim.advance(3)
    assert "Resume" in sim.channel.last.labels


@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_damaged_game_is_shown_again_when_its_channel_opens(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await tax(sim, people)
    await bot.damage("UPDATE moves SET line = 'p1: coup p2'")
    sim.channel.forbid("view_channel")
    await bot.restart(abrupt=True, away=3)
    await sim.advance(60)
    sim.channel.forbid()
    await sim.advance(3)
    assert "its record is damaged" in sim.channel.last.text


async def test_rights_that_come_back_by_the_server_s_roles(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await sim.edit_roles(send_messages=False)
    close(sim)
    await tax(sim, people)
    await sim.advance(60)
    sim.heal()
    await sim.edit_roles()
    await sim.advance(3)
    assert (await here(sim, bot)).paused is Pause.NO_ACCESS
    await sim.edit_roles(send_messages=True)
    await sim.advance(3)
    assert (await here(sim, bot)).paused is None


async def test_rights_that_come_back_with_a_role_for_the_bot(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await sim.edit_roles(send_messages=False)
    close(sim)
    await tax(sim, people)
    await sim.advance(60)
    assert (await here(sim, bot)).paused is Pause.NO_ACCESS
    sim.heal()
    await sim.give_role(send_messages=True)
    await sim.advance(3)
    assert (await here(sim, bot)).paused is None


async def test_edits_elsewhere_cost_a_closed_game_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.channel.forbid("view_channel")
    since = len(sim.sent)
    await tax(sim, people)
    await sim.advance(60)
    given_up_at = (await here(sim, bot)).deadline_at
    await sim.edit_roles()
    await sim.advance(60)
    assert len(sim.channel_writes(since=since)) == 1
    assert (await here(sim, bot)).deadline_at == given_up_at
    sim.channel.forbid()
    await sim.advance(3)
    assert (await here(sim, bot)).paused is None


async def test_edits_of_roles_cost_an_open_channel_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    await seated(sim, 2)
    since = len(sim.sent)
    await sim.edit_roles()
    await sim.advance(10)
    assert not sim.channel_writes(since=since)


async def test_a_thread_that_was_archived_and_is_opened_again(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("coup new", thread=True)
    await sim.advance(1.3)
    (thread,) = sim.channel.threads
    lobby = thread.last
    close(sim, 400, 50083)
    thread.archive()
    await bob.click(lobby, label="Join")
    await sim.advance(60)
    assert "Bob" not in thread.last.text
    sim.heal()
    thread.archive(archived=False)
    await sim.advance(3)
    assert "Bob" in thread.last.text


async def test_a_table_that_is_over_is_given_up_after_one_refusal(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await people[0].command("coup leave")
    close(sim)
    since = len(sim.sent)
    await people[0].click(label="Leave for good")
    await sim.advance(600)
    assert len(sim.channel_writes(since=since)) == 1
    assert not await bot.store.needing_attention(sim.clock.now())


async def test_a_paused_game_in_a_closed_channel_costs_one_refusal(sim: SimulatedDiscord, bot: Bot) -> None:
    await seated(sim, 2, speed="blitz")
    await sim.advance(20)
    since = len(sim.sent)
    close(sim)
    await sim.advance(600)
    assert len(sim.channel_writes(since=since)) == 1


async def test_a_game_that_ends_because_its_channel_was_closed_says_so(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    sim.inject_error("PATCH", "/channels/*/messages/*", 403, 50013, times=1)
    await tax(sim, people)
    assert (await here(sim, bot)).paused is Pause.NO_ACCESS
    # A day in which the bot is there; one in which it is away does not count.
    await bot.damage("UPDATE tables SET deadline_at = '2026-01-01 00:00:00.000000'")
    await bot.restart(abrupt=True)
    await sim.advance(60)
    assert "I had no access to this channel" in sim.channel.last.content
    assert sim.channel.last.labels == ("Rematch",)


@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_damaged_game_in_a_closed_channel_costs_one_refusal(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await tax(sim, people)
    await bot.damage("UPDATE moves SET line = 'p1: coup p2'")
    close(sim)
    since = len(sim.sent)
    await bot.restart(abrupt=True, away=3)
    await sim.advance(600)
    assert len(sim.channel_writes(since=since)) == 1
    sim.heal()
    await people[0].command("coup end")
    await sim.advance(5)
    assert "was ended" in sim.channel.last.text
