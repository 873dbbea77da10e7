"""Hands by DM: at the deal, as they change, in the reader's language; and for whom they cannot or must not come."""

from __future__ import annotations

import pytest

from bot.i18n import Translator
from bot.tables.table import PrivateSeat
from bot.ui import dm_hands
from bot.ui.hand import dm_screen
from bot.ui.screen import Screen
from tests.flow.games import dealt
from tests.flow.test_people import tax, turn_of
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Seen
from tests.support.table import Bot, Players, seated

DM_SENDS = "/channels/*/messages"


def hand(person: Person) -> Seen:
    (message,) = person.dms
    return message


async def test_everyone_gets_one_message_and_plays_on(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    since = len(sim.sent)
    before = {person.id: hand(person).content for person in people}
    assert all("Your cards" in text and f"<#{sim.channel.id}>" in text for text in before.values())
    await Players(sim, people, "by dm").play()
    await sim.advance(5)
    for person in people:
        assert not hand(person).buttons, "a game that is over has nothing to press"
        assert "over" in hand(person).content or "out" in hand(person).content
        written = [sent for sent in sim.sent_to(person, since=since) if sent.kind in ("post", "patch")]
        assert len(written) < 30, "edited as the hand changes, not with every move"


async def test_who_is_out_is_told_so_once(sim: SimulatedDiscord, bot: Bot) -> None:
    """The message has got its last form: every further edit would be a request that shows nobody anything."""
    people = await seated(sim, 3)
    await people[2].command("coup leave")
    await people[2].click(label="Leave for good")
    await sim.advance(3)
    assert "You are out" in hand(people[2]).content
    since = len(sim.sent)
    await Players(sim, people[:2], "one is out").play()
    await sim.advance(5)
    assert not [sent for sent in sim.sent_to(people[2], since=since) if sent.in_dm]
    assert "You are out" in hand(people[2]).content


async def test_a_choice_is_made_in_the_dm(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    player, (other,) = await tax(sim, people)
    await other.click(label="Challenge the Duke")
    await sim.advance(1.3)
    message = hand(player)
    concede = next(button for button in message.buttons if button.label == "Concede")
    await player.click(message, label=concede.label)
    await sim.advance(3)
    lose = next(button for button in hand(player).buttons if button.label.startswith("Lose"))
    await player.click(hand(player), label=lose.label)
    await sim.advance(3)
    assert "Lost" in hand(player).content
    assert hand(player).labels == ON
    assert await turn_of(sim, people) is other


ON = ("Refresh", "Leave game", "No hands by DM")
"""The buttons of a hand that nothing is asked of."""


async def test_refreshed_in_the_dm_it_stays_the_hand_of_the_dm(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    for person in people:
        before = hand(person)
        answer = await person.click(hand(person), label="Refresh")
        assert (answer.kind, answer.text) == ("edit", before.text)
        assert hand(person).labels == ON
    for _ in range(3):
        await (await turn_of(sim, people)).click(label="Income +1")
        await sim.advance(1.3)
    assert all("As of turn" not in hand(person).content for person in people), "it would grow old without an edit"


async def test_the_dm_is_the_hand_again_after_a_question_that_nobody_answers(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    ana = people[0]
    before = hand(ana)
    await ana.click(hand(ana), label="Leave game")
    assert hand(ana).labels == ("Stay", "Leave for good")
    await ana.click(hand(ana), label="Stay")
    assert (hand(ana).text, hand(ana).labels) == (before.text, ON)
    await ana.click(hand(ana), label="Leave game")
    await (await turn_of(sim, people)).click(label="Income +1")
    await sim.advance(3)
    assert (hand(ana).text, hand(ana).labels) == (before.text, ON), "the next change brings it back"


async def test_who_leaves_by_the_dm_has_a_dm_that_says_so(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    await people[0].click(hand(people[0]), label="Leave game")
    await people[0].click(hand(people[0]), label="Leave for good")
    await sim.advance(3)
    assert "You are out" in hand(people[0]).content
    assert not hand(people[0]).buttons


@pytest.mark.parametrize("button", ["auto:on", "target:coup", "help", "choose", "hand", "tour:2"])
async def test_whatever_a_click_makes_of_the_dm_the_next_change_makes_it_the_hand(
    sim: SimulatedDiscord, bot: Bot, button: str
) -> None:
    """Of a message from before an update, or forged."""
    people = await seated(sim, 2)
    player = await turn_of(sim, people)
    before = hand(player)
    table = await bot.app.tables.in_channel(sim.channel.id)
    await player.forge(f"c1:{table.id}:{table.window}:{button}", on=hand(player))
    await player.click(label="Income +1")
    await sim.advance(3)
    assert (hand(player).text, hand(player).labels) == (before.text, ON)


async def test_the_panel_opened_in_a_dm_stays_the_panel(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, _ = await seated(sim, 2)
    await ana.command("coup hand", dm=True)
    answer = await ana.click(ana.panel, label="Refresh")
    assert "As of turn 1" in answer.text
    assert "Allow for me" in answer.labels
    assert hand(ana).labels == ON


@pytest.mark.parametrize(("status", "code"), [(403, 50007), (403, 50278), (400, 40003), (400, 50035)])
async def test_closed_dms_delay_nothing_and_are_told_once(
    sim: SimulatedDiscord, bot: Bot, status: int, code: int
) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("coup new")
    await bob.click(label="Join")
    await sim.advance(1.3)
    sim.inject_error("POST", "/users/@me/channels", status, code, times=None)
    since = len(sim.sent)
    await ana.click(label="Start")
    await sim.advance(1.3)
    assert await turn_of(sim, [ana, bob]) in (ana, bob), "the game has begun all the same"
    assert not ana.dms
    assert "Your cards" not in str(sim.wire("public", since=since))
    first = await ana.click(label="My hand")
    again = await ana.click(label="My hand")
    assert "could not send you your hand" in first.text
    assert "could not send" not in again.text
    await sim.advance(120)
    tried = [sent for sent in sim.sent if sent.path == "/users/@me/channels"]
    assert len(tried) == 2, "once for each of the two"


@pytest.mark.expects_errors("delivering hands failed")
async def test_a_mistake_of_ours_does_not_hide_behind_somebody_s_trouble(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def but_not_for_the_second(private: PrivateSeat, t: Translator, *, hints: bool) -> Screen:
        if private.seat == 1:
            raise ValueError("no such screen")
        return dm_screen(private, t, hints=hints)

    monkeypatch.setattr(dm_hands, "dm_screen", but_not_for_the_second)
    sim.inject_error("POST", "/users/@me/channels", 500, times=None)
    people = await seated(sim, 2)
    await sim.advance(60)
    assert not any(person.dms for person in people), "and there is no end to the trouble"


async def test_off_with_one_click_and_never_again(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = await seated(sim, 2)
    await ana.click(hand(ana), label="No hands by DM")
    await sim.advance(3)
    assert "not sent by DM any more" in hand(ana).content
    assert not hand(ana).buttons
    assert "Your cards" in hand(bob).content
    await Players(sim, [ana, bob], "off").play()
    await ana.command("coup new")
    await bob.click(label="Join")
    await sim.advance(1.3)
    await ana.click(label="Start")
    await sim.advance(3)
    assert len(ana.dms) == 1
    assert len(bob.dms) == 2


async def test_a_hand_that_could_not_be_taken_away_at_the_end_goes_after_the_next_start(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await dealt(sim, bot, [ana, bob])
    path = f"/channels/{sim.dm_channel_id(ana.id)}/messages/*"
    sim.inject_error("PATCH", path, 500, 0, times=None)
    await bob.command("coup leave")
    await bob.click(label="Leave for good")
    await sim.advance(3)
    assert "My hand" not in sim.channel.last.labels, "everything else is told"
    assert ana.dms[-1].labels
    await bot.restart(abrupt=False, away=5)
    sim.heal(path)
    await sim.advance(20)
    assert not ana.dms[-1].labels
    assert not await bot.store.open_tables()


async def test_the_switch_in_the_preferences_reaches_the_open_tables_at_once(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, other = sim.person("Ana"), sim.person("Bob"), sim.add_channel("other")
    await dealt(sim, bot, [ana, bob])
    await dealt(sim, bot, [ana, bob], channel=other)
    since = len(sim.sent)
    await ana.command("coup preferences", dm=True)
    await ana.click(label="Send no hand")
    await sim.advance(1.3)
    assert len(ana.dms) == 2
    assert all("not sent by DM any more" in message.content and not message.buttons for message in ana.dms)
    await ana.click(label="Send me my hand")
    await sim.advance(1.3)
    assert len(ana.dms) == 2
    assert all("Your cards" in message.content and message.buttons for message in ana.dms)
    assert not sim.sent_to(bob, since=since)


async def test_turned_on_in_the_middle_of_a_game_the_hand_is_sent(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = sim.person("Ana"), sim.person("Bob"), sim.person("Cid")
    for person in (ana, cid):
        await person.command("coup preferences")
        await person.click(label="Send no hand")
    await dealt(sim, bot, [ana, bob, cid])
    await cid.command("coup leave")
    await cid.click(label="Leave for good")
    await sim.advance(3)
    assert not ana.dms
    for person in (ana, cid):
        await person.command("coup preferences")
        await person.click(label="Send me my hand")
    await sim.advance(1.3)
    assert "Your cards" in hand(ana).content
    assert not cid.dms, "who is out has no hand"


async def test_turned_on_again_the_hand_is_tried_again(sim: SimulatedDiscord, bot: Bot) -> None:
    """Whoever has opened their DMs meanwhile need not wait for the next game."""
    ana, bob = sim.person("Ana"), sim.person("Bob")
    sim.inject_error("POST", "/users/@me/channels", 403, 50007, times=None)
    await dealt(sim, bot, [ana, bob])
    assert not ana.dms
    sim.heal()
    await ana.command("coup preferences")
    await ana.click(label="Send no hand")
    await ana.click(label="Send me my hand")
    await sim.advance(3)
    assert "Your cards" in hand(ana).content
    assert not bob.dms


async def test_a_hand_comes_in_its_readers_language(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = sim.person("Ana", locale="pt-BR"), sim.person("Bob"), sim.person("Cid", locale="es-ES")
    await ana.command("coup new")
    for person in (bob, cid):
        await person.click(label="Join")
        await sim.advance(1.3)
    await ana.click(label="Start")
    await sim.advance(3)
    assert "Suas cartas" in hand(ana).content
    assert "Your cards" in hand(bob).content
    assert "Tus cartas" in hand(cid).content


async def test_a_restart_sends_no_second_message(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await bot.restart(abrupt=True, away=30)
    await sim.advance(5)
    assert all("Your cards" in hand(person).content for person in people)
    await Players(sim, people, "restarted").play()
    assert all(len(person.dms) == 1 for person in people)
