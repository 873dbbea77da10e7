"""Single messages that Discord refuses, loses or lets grow old: others do not wait, and no button is left behind."""

from __future__ import annotations

from types import SimpleNamespace

import discord
import pytest

from tests.flow.test_people import on_table, tax, turn_of
from tests.flow.test_trouble import EDITS, SENDS, labels, lobby_of_two, lost
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Seen
from tests.support.table import Bot, Players, current, seated

FINAL = [(400, 30046), (400, 50035), (404, 0)]
"""Refusals that stay, however often one asks."""


@pytest.mark.parametrize(("status", "code"), FINAL)
async def test_a_message_that_is_over_and_cannot_be_edited_holds_nothing_up(
    sim: SimulatedDiscord, bot: Bot, status: int, code: int
) -> None:
    people = await lobby_of_two(sim)
    refuse_edits(sim, sim.channel.last, status, code)
    await people[0].click(label="Start")
    for turn in (1, 2, 3):
        await sim.advance(3)
        assert f"Turn {turn} " in turn_message(sim).text
        refuse_edits(sim, turn_message(sim), status, code)
        await (await turn_of(sim, people)).click(label="Income +1")
    await sim.advance(3)
    assert len([seen for seen in sim.channel.messages if seen.labels]) == 1, "what cannot be disarmed is deleted"
    since = len(sim.sent)
    await sim.advance(300)
    assert not any(sent.error for sent in sim.channel_writes(since=since)), "they are given up"


async def test_a_message_that_fails_for_a_while_is_tried_later_and_holds_nothing_up(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = await lobby_of_two(sim)
    lobby = sim.channel.last
    sim.inject_error("PATCH", path_of(lobby), 500, 0, times=2)
    await people[0].click(label="Start")
    for turn in (1, 2, 3):
        await sim.advance(1.3)
        assert f"Turn {turn} " in turn_message(sim).text
        await (await turn_of(sim, people)).click(label="Income +1")
    await sim.advance(30)
    assert not as_it_is(sim, lobby).labels


async def test_a_missed_turn_that_cannot_be_told_does_not_hold_up_the_next(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    actor = await turn_of(sim, people)
    sim.inject_error("POST", SENDS, 500, 0)
    await actor.click(label="Income +1")
    await sim.advance(1)
    sim.inject_error("POST", SENDS, 400, 50035)
    other = next(person for person in people if person is not actor)
    (income,) = await other.autocomplete("coup play", "move", "Income")
    await other.command("coup play", move=income.value)
    await sim.advance(6)
    assert "Turn 3 " in turn_message(sim).text


@pytest.mark.parametrize(("status", "code"), FINAL)
async def test_a_turn_that_cannot_be_edited_is_posted_anew(
    sim: SimulatedDiscord, bot: Bot, status: int, code: int
) -> None:
    people = await seated(sim, 2)
    before = turn_message(sim)
    refuse_edits(sim, before, status, code)
    _, (other,) = await tax(sim, people)
    assert turn_message(sim).id != before.id
    assert "Allow" in labels(sim)
    assert [seen.id for seen in sim.channel.messages if "My hand" in seen.labels] == [turn_message(sim).id]
    assert (await other.click(label="Allow")).kind == "acknowledged"
    await Players(sim, people, f"refused {code}").play()


async def test_a_lobby_that_cannot_be_edited_is_posted_anew(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await lobby_of_two(sim)
    refuse_edits(sim, sim.channel.last, 400, 30046)
    await sim.person("Cid").click(label="Join")
    await sim.advance(3)
    (lobby,) = sim.channel.messages
    assert "Cid" in lobby.text
    await people[0].click(label="Start")
    await sim.advance(3)
    assert "your turn" in turn_message(sim).content
    numbers = next(seen.text for seen in sim.channel.messages if "The shuffle was mixed with" in seen.text)
    assert str(lobby.id) in numbers


async def test_a_message_of_an_hour_ago_is_replaced_by_a_fresh_one(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="daily")
    before = turn_message(sim)
    await sim.advance(51 * 60)
    since = len(sim.sent)
    _, (other,) = await tax(sim, people)
    assert [sent.kind for sent in sim.channel_writes(since=since)] == ["delete", "post"]
    assert turn_message(sim).id != before.id
    assert [seen.id for seen in sim.channel.messages if "My hand" in seen.labels] == [turn_message(sim).id]
    assert (await other.click(on_table(sim, "Allow"))).kind == "acknowledged"


async def test_after_a_start_old_messages_are_not_all_posted_again(sim: SimulatedDiscord, bot: Bot) -> None:
    await seated(sim, 2, speed="daily")
    before = turn_message(sim)
    await sim.advance(2 * 3600)
    await bot.restart(abrupt=False, away=60)
    await sim.advance(20)
    assert turn_message(sim).id == before.id


async def test_a_call_whose_id_was_lost_goes_when_the_called_has_answered(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    called = await stolen_from(sim, people, answer_lost=True)
    await called.click(label="Challenge the Captain")
    await sim.advance(120)
    assert not calls(sim, called, "stealing")


async def test_a_choice_whose_call_was_lost_leaves_no_button(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    actor, (other, _) = await tax(sim, people)
    sim.break_off("POST", SENDS, lost(), delivered=True)
    await other.click(label="Challenge the Duke")
    await sim.advance(1)
    await actor.click(label="Choose", where=lambda seen: not seen.private)
    await actor.click(label="Concede")
    await sim.advance(120)
    assert not calls(sim, actor, "challenges your")


async def test_a_call_that_never_arrived_leaves_nothing_behind(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    called = await stolen_from(sim, people, answer_lost=False)
    await called.click(label="Challenge the Captain")
    await sim.advance(120)
    assert not calls(sim, called, "stealing")
    assert all(len(seen.content) > 1 for seen in sim.channel.messages)


async def test_a_call_that_fails_does_not_delay_the_turn(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    actor, (other,) = await tax(sim, people)
    sim.inject_error("POST", SENDS, 500, 0, times=None)
    await other.click(label="Challenge the Duke")
    await sim.advance(1.3)
    assert "Choose" in labels(sim)
    assert (await actor.click(label="Choose")).private
    await actor.click(label="Concede")
    await sim.advance(1.3)
    assert "chooses an influence" in turn_message(sim).content


@pytest.mark.parametrize(("status", "code"), [(403, 160002), (400, 50035)])
async def test_a_refused_reply_is_sent_as_a_message(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch, status: int, code: int
) -> None:
    send = discord.PartialMessageable.send
    kind = discord.Forbidden if status == 403 else discord.HTTPException

    async def refusing(self: discord.PartialMessageable, *words: object, **form: object) -> object:
        if "reference" in form:
            raise kind(SimpleNamespace(status=status, reason=""), {"code": code, "message": ""})
        return await send(self, *words, **form)  # type: ignore[call-overload]

    monkeypatch.setattr(discord.PartialMessageable, "send", refusing)
    people = await seated(sim, 3)
    called = await stolen_from(sim, people)
    assert calls(sim, called, "stealing")
    assert "Allow" in labels(sim)
    await called.click(label="Allow")
    await sim.advance(3)
    assert not calls(sim, called, "stealing")


async def test_a_message_deleted_while_it_is_edited_is_posted_again(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    with sim.slow("PATCH", EDITS, 1, delivered=True):
        await (await turn_of(sim, people)).click(label="Tax +3 (Duke)")
        await sim.advance(0.3)
        sim.channel.delete(turn_message(sim))
        await people[0].command("coup table")
        await sim.advance(5)
    assert "Allow" in labels(sim)


@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_damaged_game_leaves_its_commitment_readable(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await lobby_of_two(sim)
    lobby = sim.channel.last
    sim.inject_error("PATCH", path_of(lobby), 500, 0, times=None)
    await people[0].click(label="Start")
    await sim.advance(2)
    await bot.damage("UPDATE tables SET speed = 'unheard-of'")
    sim.heal()
    await bot.restart(abrupt=True, away=3)
    await sim.advance(3)
    after = as_it_is(sim, lobby)
    assert not after.labels
    assert after.text == lobby.text
    assert "cannot go on" in sim.channel.last.text


@pytest.mark.expects_errors("table cannot be replayed")
async def test_a_damaged_game_finds_the_message_of_its_turn(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await lobby_of_two(sim)
    sim.break_off("POST", SENDS, lost(), delivered=True)
    await people[0].click(label="Start")
    await sim.advance(0.5)
    await bot.damage("UPDATE tables SET speed = 'unheard-of'")
    await bot.restart(abrupt=True, away=3)
    await sim.advance(60)
    assert len([seen for seen in sim.channel.messages if "cannot go on" in seen.text]) == 1
    assert [seen.labels for seen in sim.channel.messages if seen.labels] == [("End the table",)]


def path_of(seen: Seen) -> str:
    return f"/channels/*/messages/{seen.id}"


def refuse_edits(sim: SimulatedDiscord, seen: Seen, status: int, code: int) -> None:
    """From now on nobody can edit that message."""
    sim.inject_error("PATCH", path_of(seen), status, code, times=None)


def turn_message(sim: SimulatedDiscord) -> Seen:
    seen = current(sim)
    assert seen is not None
    return seen


def as_it_is(sim: SimulatedDiscord, message: Seen) -> Seen:
    """The message as it stands now."""
    return next(seen for seen in sim.channel.messages if seen.id == message.id)


def calls(sim: SimulatedDiscord, person: Person, words: str) -> list[Seen]:
    """The calls to that person that are in the channel."""
    return [seen for seen in sim.channel.messages if seen.content.startswith(person.mention) and words in seen.content]


async def stolen_from(sim: SimulatedDiscord, people: list[Person], *, answer_lost: bool | None = None) -> Person:
    """Somebody steals; returns from whom. `answer_lost`: the call arrives and its id does not; False: neither does."""
    actor = await turn_of(sim, people)
    target = next(person for person in people if person is not actor)
    asked = await actor.click(label="Steal 2 (Captain)")
    assert asked.message is not None
    if answer_lost is not None:
        sim.break_off("POST", SENDS, lost(), delivered=answer_lost)
    await actor.click(next(button for button in asked.message.buttons if button.label.startswith(target.name)))
    await sim.advance(2)
    return target
