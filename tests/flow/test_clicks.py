"""Clicks that cross each other, come late, come from the wrong person, or whose answer Discord does not take."""

from __future__ import annotations

from types import SimpleNamespace

import discord
import pytest

from coup_core.view import Asked
from tests.flow.games import acts, dealt, newest, on_turn, pressable, question_of, seat_of, table_of, view_of
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, Players

CALLBACK = "/interactions/*/callback"


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 40060)])
async def test_a_move_stands_whose_answer_discord_does_not_take(
    sim: SimulatedDiscord, bot: Bot, status: int, code: int
) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    sim.inject_error("POST", CALLBACK, status, code)
    answer = await on_turn(sim.channel, people).click(pressable(sim.channel, "Tax"))
    await sim.advance(20)
    assert len(answer.callbacks) == 1, "no second try"
    assert not answer.followups
    assert "Allow" in newest(sim.channel).labels


async def test_an_answer_that_failed_and_then_counts_as_given_is_a_success(sim: SimulatedDiscord, bot: Bot) -> None:
    """Discord took the first try and said that it failed; the library's second one is refused."""
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    refusal = discord.HTTPException(
        SimpleNamespace(status=400, reason="Bad Request"),
        {"code": 40060, "message": "Interaction has already been acknowledged."},
    )
    sim.break_off("POST", CALLBACK, refusal, delivered=True)
    answer = await on_turn(sim.channel, people).click(pressable(sim.channel, "Income"))
    await sim.advance(1.3)
    assert answer.kind == "acknowledged"
    assert (await view_of(sim, bot)).number == 2
    assert not any("went wrong" in seen.text for person in people for seen in person.sees)


async def test_old_clicks_that_all_arrive_late_after_an_outage_change_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob"), sim.person("Cid")]
    await dealt(sim, bot, people)
    old = [newest(sim.channel).button("Income +1"), pressable(sim.channel, "Tax")]
    _, others = await acts(sim, people, "Tax")
    old += [pressable(sim.channel, "Allow"), pressable(sim.channel, "Challenge")]
    for other in others:
        await other.click(pressable(sim.channel, "Allow"))
    await sim.advance(1.3)
    await acts(sim, people, "Income")
    before, commits = await table_of(sim, bot), bot.store.commits
    await sim.lose_connection(20)
    answers = await sim.at_once(*(people[at % 3].forge(button) for at, button in enumerate([*old, *old])))
    await sim.advance(1.3)
    assert [len(answer.callbacks) for answer in answers] == [1] * 8
    assert all(answer.private for answer in answers)
    after = await table_of(sim, bot)
    assert (after.window, after.view) == (before.window, before.view)
    assert bot.store.commits == commits


async def test_who_only_watches_does_not_count_towards_the_early_end_of_a_window(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = [sim.person(name) for name in ("Ana", "Bob", "Cid", "Dan")]
    outsider = sim.person("Stranger")
    await dealt(sim, bot, people)
    _, (second, third, dead) = await acts(sim, people, "Tax")
    await dead.click(label="My hand")
    await dead.click(label="Leave game")
    await dead.click(label="Leave for good")
    await sim.advance(1.3)
    window = (await table_of(sim, bot)).window
    await second.click(pressable(sim.channel, "Allow"))
    for watching in (dead, outsider):
        refused = await watching.click(pressable(sim.channel, "Allow"))
        assert refused.private
        assert refused.text
    await sim.advance(1.3)
    table = await table_of(sim, bot)
    assert table.window == window
    awaited = (await question_of(sim, bot)).awaited
    assert [table.players[seat].user_id for seat in awaited] == [third.id]


async def test_twenty_clicks_on_two_tables_in_one_instant_stay_at_their_tables(sim: SimulatedDiscord, bot: Bot) -> None:
    other_channel = sim.add_channel("other")
    groups = [[sim.person(f"{place}{number}") for number in range(3)] for place in ("One", "Two")]
    channels = [sim.channel, other_channel]
    for people, channel in zip(groups, channels, strict=True):
        await dealt(sim, bot, people, channel=channel)
        await on_turn(channel, people).click(pressable(channel, "Tax"))
    await sim.advance(1.3)
    everybody = [*groups[0], *groups[1]]
    clicks = []
    for at in range(20):
        # Everybody presses at both tables, also where they have no seat.
        label = "Allow" if at < 12 else "Challenge"
        clicks.append(everybody[at % 6].forge(pressable(channels[at // 6 % 2], label)))
    sim.patience = 60
    answers = await sim.at_once(*clicks)
    await sim.advance(1.3)
    assert [len(answer.callbacks) for answer in answers] == [1] * 20
    who = {str(answer.interaction_id): answer.who.id for answer in answers}
    applied = 0
    for people, channel in zip(groups, channels, strict=True):
        stored = await bot.store.load((await table_of(sim, bot, channel)).id)
        assert stored is not None
        by = [who[line.request] for line in stored.lines[1:] if line.request in who]
        assert set(by) <= {person.id for person in people}
        assert len(by) == len(set(by)) == 2, "each of the two others once"
        applied += len(by)
    assert applied == 4
    assert len([answer for answer in answers if answer.private and answer.text]) <= 3 * 6, "words are rationed"


async def test_an_action_pressed_twice_is_taken_once(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    commits = bot.store.commits
    answers = await on_turn(sim.channel, people).double_click(pressable(sim.channel, "Tax"))
    assert [answer.kind for answer in answers] == ["acknowledged", "acknowledged"]
    assert bot.store.commits == commits + 1


@pytest.mark.parametrize("first", ["block", "challenge"])
async def test_a_challenge_goes_before_a_block_and_the_block_stays_possible_when_it_fails(
    sim: SimulatedDiscord, bot: Bot, first: str
) -> None:
    people = [sim.person(f"Player{number}") for number in range(1, 7)]
    await dealt(sim, bot, people)
    while "captain" not in (await seat_of(sim, bot, on_turn(sim.channel, people))).hand:
        await acts(sim, people, "Income")
    actor = on_turn(sim.channel, people)
    target, challenger = [person for person in people if person is not actor][:2]
    targets = (await actor.click(pressable(sim.channel, "Steal"))).message
    assert targets is not None
    await actor.click(next(button for button in targets.buttons if button.label.startswith(target.name)))
    await sim.advance(1.3)
    clicks = [target.forge(pressable(sim.channel, "Block")), challenger.forge(pressable(sim.channel, "Challenge"))]
    await sim.at_once(*(clicks if first == "block" else reversed(clicks)))
    await sim.advance(1.3)
    assert (await question_of(sim, bot)).asked is Asked.PROOF, "the challenge first"
    await actor.click(label="My hand", where=lambda seen: not seen.private)
    await actor.click(label="Show the Captain")
    await sim.advance(1.3)
    assert (await question_of(sim, bot)).asked is Asked.LOSS
    await challenger.click(label="My hand", where=lambda seen: not seen.private)
    loses = next(button for button in challenger.panel.buttons if button.label.startswith("Lose the"))
    await challenger.click(loses)
    await sim.advance(1.3)
    question = await question_of(sim, bot)
    if first == "block":
        assert question.asked is Asked.BLOCK, "the block was declared, and stands now"
    else:
        assert question.asked is Asked.SECOND_CHANCE
        assert (await target.click(pressable(sim.channel, "Block"))).kind == "acknowledged"
        await sim.advance(1.3)
        assert (await question_of(sim, bot)).asked is Asked.BLOCK


async def test_a_click_while_the_bot_goes_down_is_told_so_and_not_half_applied(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    actor = on_turn(sim.channel, people)
    button = pressable(sim.channel, "Income")
    commits = bot.store.commits
    await sim.as_client(bot.app.tables.close())
    answer = await actor.click(button)
    assert answer.private
    assert "restarting" in answer.text
    assert bot.store.commits == commits
    await bot.restart(abrupt=False, away=3)
    await sim.advance(1.3)
    assert (await actor.click(pressable(sim.channel, "Income"))).kind == "acknowledged"
    await sim.advance(1.3)
    assert on_turn(sim.channel, people) is not actor


async def test_commands_that_discord_knows_and_we_do_not_are_answered_in_words(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    bot.app.client.tree.remove_command("coup")
    answer = await ana.command("coup help")
    assert answer.private
    assert "commands were updated" in answer.text
    assert len(answer.callbacks) == 1


async def test_nobody_is_written_to_again_who_keeps_clicking(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    stranger = sim.person("Stranger")
    await dealt(sim, bot, people)
    writes = len(sim.channel_writes())
    answers = [await stranger.click(pressable(sim.channel, "Tax")) for _ in range(20)]
    assert [answer.kind for answer in answers] == ["message"] * 3 + ["acknowledged"] * 17
    assert not any(answer.followups for answer in answers)
    assert len(sim.channel_writes()) == writes


async def test_clicks_are_answered_while_the_channel_may_not_be_edited(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    sim.break_off("PATCH", "/channels/*/messages/*", discord.RateLimited(60.0))
    await acts(sim, people, "Tax")
    for _ in range(3):
        assert "Your cards:" in (await people[0].click(pressable(sim.channel, "My hand"))).text
    await sim.advance(65)
    assert "Allow" in newest(sim.channel).labels
    await Players(sim, people, "after the wait").play()
