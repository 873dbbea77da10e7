"""Clicks that cannot do what they ask for: each is answered once, in words, and changes nothing."""

from __future__ import annotations

from bot.tables.table import Pause
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Button
from tests.support.table import Bot, Players, current, seated


async def turn_of(sim: SimulatedDiscord, people: list[Person]) -> Person:
    """Whose turn the newest message says it is."""
    seen = current(sim)
    assert seen is not None
    return next(person for person in people if f"{person.mention}, your turn" in seen.content)


def on_table(sim: SimulatedDiscord, label: str) -> Button:
    """A button of the turn's message."""
    seen = current(sim)
    assert seen is not None
    return next(button for button in seen.buttons if button.label.startswith(label))


async def tax(sim: SimulatedDiscord, people: list[Person]) -> tuple[Person, list[Person]]:
    """The player whose turn it is taxes; returns them and the others."""
    actor = await turn_of(sim, people)
    label = next(label for label in (current(sim) or sim.channel.last).labels if label.startswith("Tax"))
    await actor.click(label=label)
    await sim.advance(1.3)
    return actor, [person for person in people if person is not actor]


async def test_an_outsider_is_told_so(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    await tax(sim, people)
    outsider = sim.person("Stranger")
    for label in ("Allow", "Challenge", "My hand"):
        commits, writes = bot.store.commits, len(sim.channel_writes())
        answer = await outsider.click(on_table(sim, label))
        assert answer.private
        assert answer.text
        assert len(answer.callbacks) == 1
        assert bot.store.commits == commits
        assert len(sim.channel_writes()) == writes


async def test_a_late_click_is_told_so_and_changes_nothing(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    _, (other,) = await tax(sim, people)
    allow, challenge = on_table(sim, "Allow"), on_table(sim, "Challenge")
    await other.click(allow)
    await sim.advance(1.3)
    commits = bot.store.commits
    answer = await other.forge(challenge)
    assert answer.private
    assert "closed" in answer.text or "late" in answer.text
    assert bot.store.commits == commits


async def test_a_double_click_counts_once(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    _, (second, _) = await tax(sim, people)
    commits = bot.store.commits
    first, again = await second.double_click(on_table(sim, "Allow"))
    assert [first.kind, again.kind] == ["acknowledged", "acknowledged"]
    assert bot.store.commits == commits + 1


async def test_a_double_click_that_closes_the_window_counts_once(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    _, (other,) = await tax(sim, people)
    first, again = await other.double_click(on_table(sim, "Challenge"))
    assert [first.kind, again.kind] == ["acknowledged", "acknowledged"]


async def test_two_challenges_in_one_instant(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    _, (second, third) = await tax(sim, people)
    button = on_table(sim, "Challenge")
    first, late = await sim.at_once(second.forge(button), third.forge(button))
    assert first.kind == "acknowledged"
    assert late.private
    assert f"**{second.name}** challenged first" in late.text
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert table.view is not None
    assert table.view.question is not None
    assert table.view.question.challenger == next(
        seat for seat, player in enumerate(table.players) if player.user_id == second.id
    )


async def test_the_dead_and_those_who_are_not_asked(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    actor, (second, third) = await tax(sim, people)
    refused = await actor.click(label="Allow")
    assert refused.private
    assert refused.text
    await third.click(label="My hand")
    await third.click(label="Leave game")
    await third.click(label="Leave for good")
    await sim.advance(1.3)
    dead = await third.click(on_table(sim, "Challenge"))
    assert dead.private
    assert "out" in dead.text
    panel = await third.click(label="My hand", where=lambda seen: not seen.private)
    assert panel.private
    assert "out of this game" in panel.text
    assert (await second.click(label="Allow")).kind == "acknowledged"


async def test_buttons_that_are_not_ours(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    for custom_id in ("x", "c0:old:1:pass", "c1:nosuch99:1:pass", "c1::::", "c1:a:1:keep:9,9,9", "c1:a:99999999:tax"):
        answer = await people[0].forge(custom_id)
        assert answer.private
        assert answer.text
        await sim.advance(11)


async def test_somebody_who_keeps_clicking_gets_words_only_three_times(sim: SimulatedDiscord, bot: Bot) -> None:
    await seated(sim, 2)
    outsider = sim.person("Stranger")
    answers = [await outsider.click(label="My hand") for _ in range(20)]
    assert [answer.kind for answer in answers].count("message") == 3
    assert [answer.kind for answer in answers].count("acknowledged") == 17
    await sim.advance(11)
    assert (await outsider.click(label="My hand")).kind == "message"


async def test_one_commit_and_one_callback_a_click(sim: SimulatedDiscord, bot: Bot) -> None:
    """Every click of a whole game that changed the table made one commit, and each was answered once."""
    people = await seated(sim, 4)
    table = await bot.app.tables.in_channel(sim.channel.id)
    players = Players(sim, people, "counted")
    started = bot.store.commits
    await players.play()
    stored = await bot.store.load(table.id)
    assert stored is not None
    moving = {line.request for line in stored.lines}
    assert bot.store.commits - started == len(moving)
    assert moving <= {str(answer.interaction_id) for answer in players.answers}
    assert all(len(answer.callbacks) == 1 for answer in players.answers)


async def test_the_lobby_by_commands(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await ana.command("coup new", speed="blitz")
    assert "already" in (await bob.command("coup new")).text
    assert (await bob.command("coup start")).private
    assert "seat" in (await bob.command("coup join")).text
    assert "already" in (await bob.command("coup join")).text
    assert (await bob.command("coup leave")).text
    assert (await ana.command("coup start")).private, "one person is too few"
    await bob.command("coup join")
    await ana.command("coup start")
    await sim.advance(1.3)
    assert current(sim) is not None
    assert "channels/" in (await bob.command("coup table")).text
    assert (await bob.command("coup end")).text
    assert current(sim) is not None, "who is no moderator cannot end a running game"


async def test_a_move_by_command(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    actor = await turn_of(sim, people)
    offered = await actor.autocomplete("coup play", "move")
    assert len(offered) >= 4
    income = next(option for option in offered if option.label.startswith("Income"))
    answer = await actor.command("coup play", move=income.value)
    assert answer.private
    await sim.advance(1.3)
    assert await turn_of(sim, people) is not actor
    late = await actor.command("coup play", move=income.value)
    assert late.private
    assert len(late.callbacks) == 1


async def test_the_hand_in_a_dm(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    answer = await people[0].command("coup hand", dm=True)
    assert "Your cards" in answer.text
    assert (await people[1].command("coup hand")).private
    stranger = sim.person("Stranger")
    assert "no" in (await stranger.command("coup hand", dm=True)).text.lower()


async def test_missing_rights_are_named_before_a_lobby_opens(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    sim.channel.forbid("embed_links", "send_messages")
    answer = await ana.command("coup new")
    assert answer.private
    assert "Embed Links" in answer.text
    assert "Send Messages" in answer.text
    assert not await bot.store.open_tables()


async def test_silence_is_answered_by_the_clock(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    before = await turn_of(sim, people)
    await sim.advance(20)
    assert await turn_of(sim, people) is before, "never early"
    await sim.advance(15)
    assert await turn_of(sim, people) is not before
    await sim.advance(40)
    paused = (await bot.app.tables.in_channel(sim.channel.id)).paused
    assert paused is Pause.IDLE, "nobody answered for a whole round"


async def test_a_database_that_is_slow_for_a_while_loses_no_answer(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    player = await turn_of(sim, people)
    other = next(person for person in people if person is not player)
    bot.store.slow = 5.0
    answer = await player.click(label="Income +1")
    await sim.advance(6)
    bot.store.slow = 0.0
    assert len(answer.callbacks) == 1
    assert answer.kind == "acknowledged", "Discord was told in time that the answer comes"
    assert await turn_of(sim, people) is other


async def test_a_slow_command_is_answered_in_words_all_the_same(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    bot.store.slow = 5.0
    await ana.command("coup new")
    await sim.advance(20)
    bot.store.slow = 0.0
    assert any("You have a seat" in panel.text for panel in ana.panels)


async def test_a_hand_that_comes_late_is_as_private_as_ever(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = await seated(sim, 2)
    seen = current(sim)
    assert seen is not None
    await bot.restart(abrupt=True)
    await sim.advance(1.3)
    bot.app.tables.watch.memory.entries.clear()
    bot.store.slow = 2.2
    since = len(sim.sent)
    answer = await ana.click(seen, label="My hand")
    await sim.advance(3)
    bot.store.slow = 0.0
    assert answer.kind == "acknowledged"
    assert ana.panel is not None
    assert "Your cards" in ana.panel.text
    assert all("Your cards" not in panel.text for panel in bob.panels)
    assert b"Your cards" not in b"".join(sim.wire("public", since=since))


async def test_a_command_that_is_answered_at_once_is_not_put_off_afterwards(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    await ana.command("coup help")
    answer = await ana.command("coup help")
    await sim.advance(5)
    assert len(answer.callbacks) == 1
    assert not sim.crashes
