"""What a host does by command, and what others are told who try."""

from __future__ import annotations

from bot.tables.requests import End, Kick
from tests.flow.test_people import tax, turn_of
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.table import Bot, current, seated


async def lobby_of(sim: SimulatedDiscord, *people: Person) -> None:
    await people[0].command("coup new")
    for person in people[1:]:
        await person.command("coup join")
    await sim.advance(1.3)


async def lobby_of_three(sim: SimulatedDiscord) -> list[Person]:
    people = [sim.person(name) for name in ("Ana", "Bob", "Cid")]
    await lobby_of(sim, *people)
    return people


async def test_players_are_offered_by_name(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = await lobby_of_three(sim)
    offered = await ana.autocomplete("coup kick", "player")
    assert [(option.label, option.value) for option in offered] == [("Bob", str(bob.id)), ("Cid", str(cid.id))]
    assert [option.label for option in await ana.autocomplete("coup transfer", "player", "c")] == ["Cid"]
    other = sim.add_channel("empty")
    assert await ana.autocomplete("coup kick", "player", channel=other) == []


async def test_the_host_removes_somebody_from_the_lobby(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = await lobby_of_three(sim)
    assert "Only the host" in (await bob.command("coup kick", player=str(cid.id))).text
    cid.leave_server()
    answer = await ana.command("coup kick", player=str(cid.id))
    assert answer.private
    assert "**Cid** is not at the table" in answer.text
    await sim.advance(1.3)
    assert "Cid" not in sim.channel.last.text
    assert "/coup leave" in (await ana.command("coup kick", player=str(ana.id))).text


async def test_a_player_may_be_named_by_hand(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, _, cid = await lobby_of_three(sim)
    assert "no seat" in (await ana.command("coup kick", player="Dora")).text
    assert "no seat" in (await ana.command("coup kick", player="99999999")).text
    assert "not at the table" in (await ana.command("coup kick", player="bob")).text
    assert "not at the table" in (await ana.command("coup kick", player=cid.mention)).text


async def test_nobody_is_meant_in_anothers_place_by_calling_themselves_by_their_id(
    sim: SimulatedDiscord, bot: Bot
) -> None:
    """The impostor sits before their victim, so they would be found first."""
    ana, victim = sim.person("Ana"), sim.person("Victim")
    impostor = sim.person(str(victim.id))
    await lobby_of(sim, ana, impostor, victim)
    offered = {option.label: option.value for option in await ana.autocomplete("coup transfer", "player")}
    assert offered == {str(victim.id): str(impostor.id), "Victim": str(victim.id)}
    for named in (offered["Victim"], victim.mention):
        assert "**Victim** is the host now" in (await ana.command("coup transfer", player=named)).text
        await victim.command("coup transfer", player=str(ana.id))
    assert "**Victim** is not at the table" in (await ana.command("coup kick", player=offered["Victim"])).text
    for named in (offered["Victim"], victim.mention):
        answer = await ana.command("coup transfer", player=named)
        assert "no seat" in answer.text, "who was meant has gone, and nobody inherits it"


async def test_two_who_are_called_alike_are_told_apart(sim: SimulatedDiscord, bot: Bot) -> None:
    host, first, second = (sim.person(name) for name in ("Ana", "Bob", "Bob"))
    await lobby_of(sim, host, first, second)
    offered = {option.label: option.value for option in await host.autocomplete("coup kick", "player")}
    assert offered == {"Bob": str(first.id), "Bob 2": str(second.id)}
    assert "More than one player" in (await host.command("coup kick", player="bob")).text
    assert "**Bob 2** is not at the table" in (await host.command("coup kick", player="BOB 2")).text
    assert "**Bob** is not at the table" in (await host.command("coup kick", player="bob")).text


async def test_the_host_hands_the_table_over(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, _ = await lobby_of_three(sim)
    assert "**Bob** is the host now" in (await ana.command("coup transfer", player=str(bob.id))).text
    await sim.advance(1.3)
    assert "**Bob** (host)" in sim.channel.last.text
    assert "Only the host" in (await ana.command("coup transfer", player=str(ana.id))).text


async def test_more_time_for_the_open_question(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    host = people[0]
    player = await turn_of(sim, people)
    await sim.advance(20)
    assert "<t:" in (await host.command("coup extend")).text
    await sim.advance(25)
    assert await turn_of(sim, people) is player
    await sim.advance(20)
    assert await turn_of(sim, people) is not player


async def test_more_time_is_told_as_it_is_and_outlives_a_restart(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="daily")
    for _ in range(2):
        assert "<t:" in (await people[0].command("coup extend")).text
    await sim.advance(2)
    assert "your turn. 72 hours, closes <t:" in (current(sim) or sim.channel.last).content
    left = await time_left(sim, bot)
    await bot.restart(abrupt=False, away=5)
    await sim.advance(2)
    assert await time_left(sim, bot) > left - 10
    assert "your turn. 72 hours, closes <t:" in (current(sim) or sim.channel.last).content


async def time_left(sim: SimulatedDiscord, bot: Bot) -> float:
    deadline = (await bot.app.tables.in_channel(sim.channel.id)).deadline_at
    assert deadline is not None
    return (deadline - sim.clock.now()).total_seconds()


async def test_only_a_silent_player_is_removed_from_a_game(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3, speed="blitz")
    host = people[0]
    silent = await turn_of(sim, people)
    other = next(person for person in people if person not in (silent, host))
    assert "is playing" in (await host.command("coup kick", player=str(other.id))).text
    await sim.advance(35)
    if silent is host:
        host = other
        await silent.command("coup transfer", player=str(other.id))
    assert "not at the table" in (await host.command("coup kick", player=str(silent.id))).text
    await sim.advance(1.3)
    assert any("removed" in seen.text for seen in sim.channel.messages)
    offered = [option.value for option in await host.autocomplete("coup kick", "player")]
    assert str(silent.id) not in offered, "who is out is not offered"


async def test_who_ended_it_is_told(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    table = await bot.app.tables.in_channel(sim.channel.id)
    asked = End(request="e", table_id=table.id, user_id=1, moderator=True, name="Mo")
    await sim.as_client(bot.app.tables.submit(asked))
    await sim.advance(1.3)
    turn, result = sim.channel.messages[-2:]
    assert "ended by Mo" in result.content
    assert turn.content in {f"**1.** It was {person.name}'s turn when the game was ended." for person in people}


async def test_who_emptied_a_lobby_is_told(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await lobby_of_three(sim)
    table = await bot.app.tables.in_channel(sim.channel.id)
    for person in people:
        asked = Kick(request=str(person.id), table_id=table.id, user_id=1, moderator=True, player=person.id, name="Mo")
        await sim.as_client(bot.app.tables.submit(asked))
    await sim.advance(2)
    assert "closed by Mo" in sim.channel.last.text


async def test_a_paused_game_is_woken(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2, speed="blitz")
    assert "not paused" in (await people[0].command("coup resume")).text
    await sim.advance(120)
    assert (await bot.app.tables.in_channel(sim.channel.id)).paused is not None
    outsider = sim.person("Stranger")
    assert "no seat" in (await outsider.command("coup resume")).text
    assert "goes on" in (await people[0].command("coup resume")).text
    await sim.advance(1.3)
    assert current(sim) is not None
    await tax(sim, people)
