"""The simulated Discord itself, tried with a client that has one of everything our bot does, and no game."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Callable
from typing import Any

import discord
import pytest
from discord import app_commands

from tests.support import logs
from tests.support.harness import SimulatedClock, SimulatedDiscord

NOBODY = discord.AllowedMentions.none()
log = logging.getLogger("tests.parlour")


def view_of(*buttons: tuple[str, str], disabled: bool = False) -> discord.ui.View:
    view = discord.ui.View()
    for label, custom_id in buttons:
        view.add_item(discord.ui.Button(label=label, custom_id=custom_id, disabled=disabled))
    view.stop()
    return view


def said(interaction: discord.Interaction) -> dict[str, Any]:
    return dict(interaction.data or {})


class Parlour(discord.AutoShardedClient):
    """A throw-away client: one group of commands, one handler for every click, one timer, one public message."""

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=NOBODY, max_messages=None)
        self.clock = clock
        self.tree = app_commands.CommandTree(self)
        self.pressed: list[str] = []
        self.closed_properly = False
        self.lock = asyncio.Lock()
        group = app_commands.Group(name="parlour", description="A parlour")
        opens: app_commands.Command[Any, ..., Any] = app_commands.Command(
            name="open", description="Open it", callback=self.opens
        )
        opens.autocomplete("speed")(self.speeds)
        group.add_command(opens)
        self.tree.add_command(group)

    async def setup_hook(self) -> None:
        asyncio.get_running_loop().call_later(20, self.ring)

    async def close(self) -> None:
        self.closed_properly = True
        await super().close()

    def ring(self) -> None:
        self.pressed.append(f"bell at {self.clock.now():%H:%M:%S}")

    async def opens(self, interaction: discord.Interaction, speed: str) -> None:
        locale, server = interaction.locale, interaction.guild_locale
        await interaction.response.send_message(f"{speed} in {locale} on {server}", ephemeral=True)
        assert interaction.channel_id is not None
        await self.get_partial_messageable(interaction.channel_id).send(
            "Come in", view=view_of(("Join", "c1:t:0:join"), ("Hand", "c1:t:0:hand")), nonce=f"open:{speed}"
        )

    async def speeds(self, _: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=s.title(), value=s) for s in ("blitz", "relaxed") if s.startswith(typed)]

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        custom_id = said(interaction)["custom_id"]
        self.pressed.append(custom_id)
        verb = custom_id.split(":")[3]
        await getattr(self, f"do_{verb}")(interaction)

    async def do_join(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        message = self.the_message(interaction)
        await message.edit(content=f"Joined: {interaction.user.display_name}", allowed_mentions=NOBODY)

    async def do_hand(self, interaction: discord.Interaction) -> None:
        view = view_of(("Refresh", "c1:t:0:refresh"))
        view.add_item(
            discord.ui.Select(
                custom_id="c1:t:0:keep",
                placeholder="Keep",
                options=[discord.SelectOption(label=name, value=str(i)) for i, name in enumerate(["Duke", "Contessa"])],
            )
        )
        await interaction.response.send_message("Your hand", view=view, ephemeral=True)

    async def do_refresh(self, interaction: discord.Interaction) -> None:
        assert interaction.message is not None
        assert interaction.message.flags.ephemeral or interaction.guild is None
        await interaction.response.edit_message(content="Fresh hand")

    async def do_keep(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content=f"Kept {said(interaction)['values']}", view=None)

    async def do_close(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await self.the_message(interaction).edit(content="Closed", view=None, allowed_mentions=NOBODY)

    async def do_late(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Too late", ephemeral=True)

    async def do_slowly(self, interaction: discord.Interaction) -> None:
        async with self.lock:
            await asyncio.sleep(0.5)
        await interaction.response.defer()

    async def do_hang(self, _: discord.Interaction) -> None:
        await asyncio.Event().wait()

    async def do_break(self, _: discord.Interaction) -> None:
        raise RuntimeError("a handler broke")

    async def do_crash(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()

        async def crashing() -> None:
            raise RuntimeError("a task crashed")

        self.task = asyncio.create_task(crashing())

    def the_message(self, interaction: discord.Interaction) -> discord.PartialMessage:
        assert interaction.channel_id is not None
        assert interaction.message is not None
        return self.get_partial_messageable(interaction.channel_id).get_partial_message(interaction.message.id)


@pytest.fixture
def factory(sim: SimulatedDiscord) -> Callable[[], Parlour]:
    return lambda: Parlour(sim.clock)


@pytest.fixture
async def parlour(sim: SimulatedDiscord, factory: Callable[[], Parlour]) -> Parlour:
    await sim.start(factory)
    client = sim.client
    assert isinstance(client, Parlour)
    return client


async def test_a_command_is_typed_in_the_language_of_the_person(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana = sim.person("Ana", locale="pt-BR")
    assert [o.label for o in await ana.autocomplete("parlour open", "speed", "b")] == ["Blitz"]
    answer = await ana.command("parlour open", speed="blitz")
    assert (answer.kind, answer.private, answer.text) == ("message", True, "blitz in pt-BR on en-US")
    assert len(answer.callbacks) == 1
    assert answer.followups == []
    assert sim.channel.last.labels == ("Join", "Hand")
    assert sim.channel.last.audience == "public"
    in_dm = await ana.command("parlour open", dm=True, speed="relaxed")
    assert in_dm.private
    assert [seen.labels for seen in ana.dms] == [("Join", "Hand")]


async def test_buttons_are_found_by_label_among_what_one_sees(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("parlour open", speed="blitz")
    joined = await bob.click(label="Join")
    assert (joined.kind, joined.text, len(joined.callbacks)) == ("acknowledged", "", 1)
    assert sim.channel.last.content == "Joined: Bob"
    assert sim.channel.last.edited
    hand = await ana.click(label="Hand")
    assert (hand.private, hand.text, hand.labels) == (True, "Your hand", ("Refresh",))
    with pytest.raises(AssertionError, match="Bob finds nothing like that"):
        await bob.click(label="Refresh")
    refreshed = await ana.click(label="Refresh")
    assert (refreshed.kind, refreshed.private, refreshed.text) == ("edit", True, "Fresh hand")
    kept = await ana.choose("Contessa")
    assert kept.text == "Kept ['1']"
    assert ana.panel.labels == ()
    assert hand.text == "Your hand", "an answer stays what it was"
    ana.reload()
    assert ana.panels == ()
    assert len(parlour._connection._view_store._views) == 0


async def test_every_request_is_kept_with_its_audience(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    start = len(sim.sent)
    await ana.command("parlour open", speed="blitz")
    await ana.click(label="Join")
    await ana.click(label="Hand")
    kinds = [(sent.kind, sent.audience, sent.callback) for sent in sim.sent[start:]]
    assert kinds == [
        ("callback", ana.id, 4),
        ("post", "public", None),
        ("callback", ana.id, 6),
        ("patch", "public", None),
        ("callback", ana.id, 4),
    ]
    assert [sent.kind for sent in sim.channel_writes(since=start)] == ["post", "patch"]
    assert any(b"Your hand" in wire for wire in sim.wire(ana))
    assert not any(b"Your hand" in wire for wire in sim.wire("public"))
    assert sim.sent_to(bob) == []


async def test_two_runs_of_the_same_story_are_the_same_bytes() -> None:
    runs = []
    for _ in range(2):
        async with SimulatedDiscord() as sim:
            ana = sim.person("Ana")
            await sim.start(lambda: Parlour(sim.clock))
            await ana.command("parlour open", speed="blitz")
            await ana.click(label="Join")
            runs.append((sim.wire("public"), sim.wire(ana)))
    assert runs[0] == runs[1]
    assert all(runs[0])


async def test_clicks_in_one_instant(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("parlour open", speed="blitz")
    seen_before = sim.channel.last
    answers = await sim.at_once(ana.forge("c1:t:0:close", on=seen_before), bob.click(label="Join"))
    assert [answer.kind for answer in answers] == ["acknowledged", "acknowledged"]
    assert parlour.pressed == ["c1:t:0:close", "c1:t:0:join"]
    assert sim.channel.last.labels == ()
    with pytest.raises(AssertionError, match="finds nothing"):
        await bob.click(seen_before, label="Join")
    late = await bob.forge(seen_before.button("Join"))
    assert late.kind == "acknowledged"
    sim.channel.delete(seen_before)
    assert (await bob.forge("c1:t:0:late", on=seen_before)).text == "Too late"
    await ana.command("parlour open", speed="slow")
    first, second = await ana.double_click(label="Hand")
    assert (first.text, second.text) == ("Your hand", "Your hand")
    assert first.interaction_id != second.interaction_id


async def test_time_passes_only_when_told(sim: SimulatedDiscord, parlour: Parlour) -> None:
    before = sim.clock.now()
    await sim.advance(19.999)
    await sim.settle()
    assert parlour.pressed == []
    await sim.advance(0.001)
    assert parlour.pressed == ["bell at 00:00:20"]
    assert (sim.clock.now() - before).total_seconds() == 20
    asked = sim.clock.now()

    async def ask_at_once() -> None:
        asyncio.get_running_loop().call_later(0, parlour.pressed.append, "at once")

    await sim.as_client(ask_at_once())
    assert parlour.pressed[-1] == "at once"
    assert (sim.clock.now() - asked).total_seconds() < 0.001


async def test_a_queue_at_a_lock_is_at_rest_while_its_holder_sleeps(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("parlour open", speed="blitz")
    answers = [await who.forge("c1:t:0:slowly", on=sim.channel.last) for who in (ana, bob)]
    assert [answer.kind for answer in answers] == ["nothing", "nothing"]
    await sim.advance(0.5)
    assert [answer.kind for answer in answers] == ["acknowledged", "nothing"]
    await sim.advance(0.5)
    assert [answer.kind for answer in answers] == ["acknowledged", "acknowledged"]


@pytest.mark.parametrize("abrupt", [False, True])
async def test_old_buttons_work_after_a_restart(
    sim: SimulatedDiscord, parlour: Parlour, factory: Callable[[], Parlour], abrupt: bool
) -> None:
    ana = sim.person("Ana")
    await ana.command("parlour open", speed="blitz")
    before = sim.clock.now()
    await sim.restart(factory, abrupt=abrupt, away=30)
    assert parlour.closed_properly is not abrupt
    assert (sim.clock.now() - before).total_seconds() == 30
    assert (await ana.click(label="Join")).kind == "acknowledged"
    assert parlour.pressed == [], "the old client hears nothing, and its timers are gone"
    assert sim.client is not parlour
    assert sim.channel.last.content == "Joined: Ana"


async def test_the_end_can_be_somebody_elses(
    sim: SimulatedDiscord, parlour: Parlour, factory: Callable[[], Parlour]
) -> None:
    ended: list[str] = []

    async def drain() -> None:
        await asyncio.to_thread(ended.append, "drained")
        await parlour.close()

    await sim.restart(factory, closing=drain)
    assert ended == ["drained"]
    assert parlour.closed_properly


async def test_a_client_that_waits_for_ever_is_told_so_and_ended_abruptly(
    sim: SimulatedDiscord, parlour: Parlour, factory: Callable[[], Parlour]
) -> None:
    ana = sim.person("Ana")
    await ana.command("parlour open", speed="blitz")
    sim.patience = 0.05
    with pytest.raises(TimeoutError, match="bot did not settle"):
        await ana.forge("c1:t:0:hang")
    await sim.stop()
    assert not parlour.closed_properly


async def test_nobody_answers_while_no_client_runs(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana = sim.person("Ana")
    await ana.command("parlour open", speed="blitz")
    await sim.stop()
    assert (await ana.click(label="Join")).kind == "nothing"


@pytest.mark.expects_errors("404 Not Found .error code: 10062", "403 Forbidden .error code: 50013")
async def test_requests_are_refused_or_late_on_demand(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana = sim.person("Ana")
    await ana.command("parlour open", speed="blitz")
    with sim.slow("POST", "/interactions/*/callback", 4):
        answer = await ana.click(label="Join")
        assert answer.kind == "nothing"
        await sim.advance(4)
    assert [sent.error for sent in answer.callbacks] == [(404, 10062)]
    sim.inject_error("PATCH", "/channels/*/messages/*", 403, 50013)
    assert (await ana.click(label="Join")).kind == "acknowledged"
    assert [sent.error for sent in sim.channel_writes()] == [None, (403, 50013)]
    await ana.click(label="Join")
    assert sim.channel.last.content == "Joined: Ana"


async def test_an_answer_lost_on_the_way(
    sim: SimulatedDiscord, parlour: Parlour, factory: Callable[[], Parlour]
) -> None:
    place = parlour.get_partial_messageable(sim.channel.id)

    async def post() -> int:
        return (await place.send("turn 1", nonce="table:1:1")).id

    with sim.slow("POST", "/channels/*/messages", 3600, delivered=True):
        with pytest.raises(AssertionError, match="still waits"):
            await sim.as_client(post())
        assert sim.channel.last.content == "turn 1"
        await sim.stop(abrupt=True)
    await sim.start(factory)
    place = sim.client.get_partial_messageable(sim.channel.id)
    assert await sim.as_client(post()) == sim.channel.last.id
    assert len(sim.channel.messages) == 1
    assert [sent.repeated for sent in sim.channel_writes()] == [False, True]
    await sim.advance(301)
    assert await sim.as_client(post()) != sim.channel.messages[0].id


async def test_permissions_dms_and_files(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana = sim.person("Ana")

    async def write(what: str, **more: Any) -> None:
        await parlour.get_partial_messageable(sim.channel.id).send(what, **more)

    async def whisper() -> None:
        await (await parlour.create_dm(discord.Object(ana.id))).send(
            "psst", view=view_of(("Refresh", "c1:t:0:refresh"))
        )

    sim.channel.forbid("send_messages")
    with pytest.raises(discord.Forbidden):
        await sim.as_client(write("hello"))
    assert [sent.error for sent in sim.channel_writes()] == [(403, 50013)]
    sim.channel.forbid()
    await sim.as_client(write("hello", file=discord.File(io.BytesIO(b"moves"), "game.coup")))
    assert dict(sim.channel.last.files) == {"game.coup": b"moves"}
    assert sim.channel_writes()[-1].files == (("game.coup", b"moves"),)
    ana.close_dms()
    with pytest.raises(discord.Forbidden):
        await sim.as_client(whisper())
    ana.open_dms()
    await sim.as_client(whisper())
    assert sim.sent[-1].in_dm
    assert sim.sent[-1].audience == ana.id
    assert (await ana.click(label="Refresh")).private
    assert ana.dms[-1].content == "Fresh hand"
    ana.leave_server()
    assert ana.dms == (ana.sees[-1],)


@pytest.mark.expects_errors("a handler broke")
async def test_a_broken_handler_is_an_error_in_the_log(sim: SimulatedDiscord, parlour: Parlour) -> None:
    ana = sim.person("Ana")
    await ana.command("parlour open", speed="blitz")
    assert (await ana.forge("c1:t:0:break")).kind == "nothing"
    assert sim.crashes == []


async def crashing(known: bool) -> None:
    async with SimulatedDiscord() as sim:
        ana = sim.person("Ana")
        await sim.start(lambda: Parlour(sim.clock))
        await ana.command("parlour open", speed="blitz")
        await ana.forge("c1:t:0:crash")
        if known:
            assert [str(crash) for crash in sim.crashes] == ["a task crashed"]


async def test_a_crashed_task_is_raised_at_the_end_unless_the_test_knows_of_it() -> None:
    with pytest.raises(ExceptionGroup, match="bot raised 1 error"):
        await crashing(known=False)
    await crashing(known=True)


@pytest.mark.expects_errors("the parlour is on fire")
def test_the_watch_over_the_log() -> None:
    with logs.watched() as caught:
        log.error("the %s is on fire", "parlour")
        log.warning("smoke")
    assert logs.verdict(caught, ["is on fire"]) is None
    assert str(logs.verdict(caught, [])).startswith(logs.FAILURE)
    assert "never logged: ['flood']" in str(logs.verdict(caught, ["fire", "flood"]))
    assert logs.verdict([], []) is None


async def test_a_log_of_errors_can_be_expected_while_running(expected_errors: list[str]) -> None:
    expected_errors.append("on fire")
    log.error("on fire")
