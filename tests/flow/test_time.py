"""What silence does, as people see it, and what it does not do."""

from __future__ import annotations

from coup_core.view import Asked
from tests.flow.games import acts, dealt, newest, on_turn, pressable, question_of, seat_of, view_of
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.table import Bot

ANSWER, TURN, GRACE = 15, 30, 2


def pair(sim: SimulatedDiscord) -> list[Person]:
    return [sim.person("Ana"), sim.person("Bob")]


def told(sim: SimulatedDiscord) -> str:
    return "\n".join(seen.text for seen in sim.channel.messages)


async def test_a_window_closes_when_all_have_allowed_and_its_timer_is_gone(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [*pair(sim), sim.person("Cid")]
    await dealt(sim, bot, people, speed="blitz")
    _, others = await acts(sim, people, "Tax")
    for other in others:
        await other.click(pressable(sim.channel, "Allow"))
    await sim.advance(1.3)
    assert (await view_of(sim, bot)).number == 2
    await sim.advance(ANSWER + GRACE + 1)
    assert (await view_of(sim, bot)).number == 2, "the closed window's timer answers nothing"
    assert "time ran out" not in told(sim)


async def test_a_window_that_nobody_answers_closes_after_the_grace_and_the_action_is_told(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = pair(sim)
    await dealt(sim, bot, people, speed="blitz")
    actor, _ = await acts(sim, people, "Tax")
    await sim.advance(ANSWER + GRACE - 1.4)
    assert (await view_of(sim, bot)).number == 1, "not before its end"
    await sim.advance(2.5)
    view = await view_of(sim, bot)
    assert view.number == 2
    assert "challenged" not in told(sim)
    (line,) = [seen.content for seen in sim.channel.messages if seen.content.startswith("**1.**")]
    assert actor.name in line
    assert "Duke" in line


async def test_who_is_away_loses_a_card_by_the_clock_and_it_is_told(sim: SimulatedDiscord, bot: Bot) -> None:
    people = pair(sim)
    await dealt(sim, bot, people, speed="blitz")
    _, (other,) = await acts(sim, people, "Tax")
    await other.click(pressable(sim.channel, "Challenge"))
    await sim.advance(1.3)
    await sim.advance(ANSWER + GRACE + 1.3)
    question = await question_of(sim, bot)
    assert question.asked is Asked.LOSS
    loser = question.awaited[0]
    await sim.advance(ANSWER + GRACE + 1.3)
    view = await view_of(sim, bot)
    assert view.seats[loser].influence == 1
    assert len(view.seats[loser].lost) == 1
    assert "time ran out" in told(sim)


async def test_who_is_away_in_an_exchange_keeps_the_cards_they_had(sim: SimulatedDiscord, bot: Bot) -> None:
    people = pair(sim)
    await dealt(sim, bot, people, speed="blitz")
    court = (await view_of(sim, bot)).court
    actor, (other,) = await acts(sim, people, "Exchange")
    held = (await seat_of(sim, bot, actor)).hand
    await other.click(pressable(sim.channel, "Allow"))
    await sim.advance(1.3)
    assert (await question_of(sim, bot)).asked is Asked.EXCHANGE
    await sim.advance(ANSWER + GRACE + 1.3)
    assert on_turn(sim.channel, people) is other
    assert sorted((await seat_of(sim, bot, actor)).hand) == sorted(held)
    assert (await view_of(sim, bot)).court == court


async def test_a_silent_turn_is_income_and_that_it_was_silent_is_told(sim: SimulatedDiscord, bot: Bot) -> None:
    people = pair(sim)
    await dealt(sim, bot, people, speed="blitz")
    silent = on_turn(sim.channel, people)
    await sim.advance(TURN + GRACE + 1.3)
    assert on_turn(sim.channel, people) is not silent
    (line,) = [seen.content for seen in sim.channel.messages if seen.content.startswith("**1.**")]
    assert f"{silent.name}'s time ran out" in line
    assert "income" in line.casefold()


async def test_a_silent_turn_with_ten_coins_is_a_coup_and_is_told(sim: SimulatedDiscord, bot: Bot) -> None:
    people = pair(sim)
    await dealt(sim, bot, people, speed="blitz")
    while (await view_of(sim, bot)).seats[(await view_of(sim, bot)).turn or 0].coins < 10:
        await acts(sim, people, "Income")
    rich = on_turn(sim.channel, people)
    (other,) = [person for person in people if person is not rich]
    number = (await view_of(sim, bot)).number
    await sim.advance(TURN + GRACE + 1.3)
    question = await question_of(sim, bot)
    assert question.asked is Asked.LOSS
    assert f"**{other.name}** chooses an influence to lose" in newest(sim.channel).content
    await sim.advance(ANSWER + GRACE + 1.3)
    line = next(seen.content for seen in sim.channel.messages if seen.content.startswith(f"**{number}.**"))
    assert f"{rich.name}'s time ran out" in line
    assert "coup" in line.casefold()


async def test_being_ready_again_and_again_starts_nothing_twice(sim: SimulatedDiscord, bot: Bot) -> None:
    people = pair(sim)
    await dealt(sim, bot, people, speed="blitz")
    since = len(sim.sent)
    for _ in range(3):
        await sim._dispatch("ready")
    await sim.advance(2)
    assert len(sim.sent) == since, "neither a message nor a command is sent again"
    await sim.advance(TURN)
    assert (await view_of(sim, bot)).number == 2, "one timer, one silent turn"
