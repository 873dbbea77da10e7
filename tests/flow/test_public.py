"""What everybody can read, request by request over whole games; and what of a hand stays with its player."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.tables.table import PrivateSeat
from coup_core.view import Asked
from tests.flow.games import acts, dealt, newest, on_turn, pressable, question_of, seat_of, table_of
from tests.support import logs
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Sent
from tests.support.table import Bot, Players

HOSTILE = ["@everyone <@&1>", "@here **x** <@1>", "[x](http://e.vil) <#1>", "</coup new:1> <t:0:R> ||a||"]
PUBLIC_ID = re.compile(r"c1:[A-Za-z0-9_-]+:\d+:[a-z-]+(:(\d+|steal|assassinate|coup))?")


def hostile(sim: SimulatedDiscord) -> list[Person]:
    return [sim.person(name) for name in HOSTILE]


def said(sent: Sent) -> dict[str, Any]:
    """The message in a request."""
    body: dict[str, Any] = sent.body["data"] if sent.kind == "callback" else sent.body
    return body


def messages(sim: SimulatedDiscord) -> list[Sent]:
    """Every request that made or changed a message, public or private."""
    return [
        sent
        for sent in sim.sent
        if sent.kind in ("post", "patch", "webhook") or (sent.kind == "callback" and sent.body["type"] in (4, 7))
    ]


def ids(components: Any) -> Iterator[str]:
    for part in components or ():
        if "custom_id" in part:
            yield part["custom_id"]
        yield from ids(part.get("components"))


async def test_mentions_are_spelled_out_in_every_message_and_edit_of_a_whole_game(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = hostile(sim)
    await dealt(sim, bot, people)
    await Players(sim, people, "hostile").play()
    seated = {str(person.id) for person in people}
    sent = messages(sim)
    assert {one.kind for one in sent} >= {"post", "patch", "callback"}
    for one in sent:
        mentions = said(one)["allowed_mentions"]
        assert mentions["parse"] == [], "nothing that a nickname spells is a mention"
        assert not mentions.get("roles")
        pinged = {str(user) for user in mentions.get("users", ())}
        assert pinged <= seated
        assert all(f"<@{user}>" in said(one)["content"] for user in pinged)
        text = json.dumps([said(one).get(part) for part in ("content", "embeds")], ensure_ascii=False)
        for spelled in ("@everyone", "@here", "<@&", "<#1>", "<@1>", "<t:0", "</coup new:1>", "](http"):
            assert spelled not in text


@pytest.mark.expects_errors("table cannot be replayed")
async def test_mentions_are_spelled_out_where_only_the_buttons_are_taken_off(sim: SimulatedDiscord, bot: Bot) -> None:
    """Such an edit has no text, and the library adds nothing to it: all mentions of the old text would count."""
    people = hostile(sim)[:2]
    sim.inject_error("PATCH", "/channels/*/messages/*", 500, times=None)
    await dealt(sim, bot, people)
    await bot.damage("UPDATE tables SET mix = 'no numbers'")
    sim.heal()
    await bot.restart(abrupt=True, away=3)
    await sim.advance(60)
    bare = [sent for sent in sim.channel_writes() if sent.kind == "patch" and "content" not in sent.body]
    assert bare
    assert all(sent.body["allowed_mentions"]["parse"] == [] for sent in bare)


async def test_what_everybody_reads_is_written_by_the_announcer_alone_and_its_buttons_name_no_card(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    people = hostile(sim)[:3]
    await dealt(sim, bot, people)
    await Players(sim, people, "read by all").play()
    public = sim.sent_to("public")
    assert {sent.kind for sent in public} <= {"post", "patch", "delete"}, "no answer to a click is public"
    written = [sent for sent in public if sent.kind != "delete"]
    found = [custom_id for sent in written for custom_id in ids(sent.body.get("components"))]
    assert len(found) > 50
    for custom_id in found:
        assert PUBLIC_ID.fullmatch(custom_id), custom_id
    with_files = [sent for sent in written if sent.files]
    assert len(with_files) == 1
    assert "wins" in with_files[0].body["content"], "the record, once all is told"
    assert not any(button.emoji for sent in written if sent.message for button in sent.message.buttons)


async def test_no_view_is_kept_after_a_whole_game(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person(f"Player{number}") for number in range(1, 5)]
    await dealt(sim, bot, people)
    await Players(sim, people, "views").play()
    with_buttons = [sent for sent in messages(sim) if said(sent).get("components")]
    assert len(with_buttons) > 30
    store = bot.app.client._connection._view_store
    assert not store._views
    assert not store._synced_message_views
    assert not store._modals


async def test_my_hand_is_one_private_message_and_no_other_request(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    since = len(sim.sent)
    answer = await people[1].click(pressable(sim.channel, "My hand"))
    await sim.advance(5)
    (only,) = sim.sent[since:]
    assert only.interaction_id == answer.interaction_id
    assert (only.callback, only.body["data"]["flags"] & 64) == (4, 64)


async def test_an_exchange_is_chosen_in_the_panel_and_told_without_a_card(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    actor, (other,) = await acts(sim, people, "Exchange")
    await other.click(pressable(sim.channel, "Allow"))
    await sim.advance(1.3)
    assert (await question_of(sim, bot)).asked is Asked.EXCHANGE
    await actor.click(pressable(sim.channel, "My hand"))
    (select,) = actor.panel.selects
    since = len(sim.sent)
    answer = await actor.choose(*(str(option.value) for option in select.options[1:3]))
    await sim.advance(3)
    assert answer.kind == "edit"
    assert answer.private
    assert not any(sent.kind == "webhook" for sent in sim.sent[since:])
    folded = next(seen for seen in sim.channel.messages if seen.content.startswith("**1.**"))
    assert "exchanged cards with the Court" in folded.content
    hand = (await seat_of(sim, bot, actor)).hand
    told = folded.content.casefold().replace("ambassador", "")
    assert not any(card in told for card in hand), "only the claim is named"


async def test_the_ids_of_a_panel_open_nothing_for_anybody_else(sim: SimulatedDiscord, bot: Bot) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    stranger = sim.person("Stranger")
    await dealt(sim, bot, people, speed="relaxed")
    actor, (other,) = await acts(sim, people, "Tax")
    await other.click(pressable(sim.channel, "Challenge"))
    await sim.advance(1.3)
    await actor.click(pressable(sim.channel, "My hand"))
    theirs = actor.panel
    commits, since = bot.store.commits, len(sim.sent)
    for thief in (other, stranger):
        own = (await thief.click(pressable(sim.channel, "My hand"))).text
        # "Allow for me" would switch their own, which is their right.
        for button in (button for button in theirs.buttons if button.label != "Allow for me"):
            answer = await thief.forge(button, on=newest(sim.channel))
            assert answer.kind in ("message", "acknowledged"), "a public message is not edited into a panel"
            assert answer.private
            assert "Your cards:" not in answer.text or answer.text == own
            await sim.advance(4)
    assert bot.store.commits == commits
    assert b"Your cards:" not in b"".join(sim.wire("public", since=since))


@pytest.mark.expects_errors("interaction failed")
async def test_a_failure_with_the_cards_in_hand_tells_an_id_and_no_card(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [sim.person("Ana"), sim.person("Bob")]
    await dealt(sim, bot, people)
    actor = on_turn(sim.channel, people)
    hand = (await seat_of(sim, bot, actor)).hand

    def broken(seat: PrivateSeat, *_: object, **__: object) -> None:
        raise RuntimeError(f"no panel for {seat}")

    monkeypatch.setattr("bot.ui.deeds.hand_screen", broken)
    with logs.watched() as caught:
        answer = await actor.click(pressable(sim.channel, "My hand"))
    (record,) = caught
    logged = logs._told(record)
    (shown,) = re.findall(r"\(error (\S+)\)", answer.text)
    assert shown in logged
    assert (await table_of(sim, bot)).id in logged, "whoever reads the log can find the table"
    assert answer.private
    assert len(answer.callbacks) == 1
    assert not answer.followups
    for text in (answer.text, logged):
        assert repr(hand) not in text
        assert "hand=" not in text
    assert "RuntimeError" not in answer.text
