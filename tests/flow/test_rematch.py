"""One more game for the same people."""

from __future__ import annotations

from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.table import Bot, Players, current, seated


async def finished(sim: SimulatedDiscord, count: int) -> list[Person]:
    """A game that has been played to its end."""
    people = await seated(sim, count, speed="blitz")
    await Players(sim, people, "first").play()
    await sim.advance(1.3)
    return people


async def test_a_rematch_keeps_everybody_s_seat_for_a_minute(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = await finished(sim, 3)
    answer = await bob.click(label="Rematch")
    assert answer.private
    assert "number" in answer.text
    await sim.advance(1.3)
    lobby = sim.channel.last
    assert "Seats kept for **Player1** and **Player3** go free <t:" in lobby.content
    assert "Player1: the seat is kept" in lobby.text
    assert "Player2** (host)" in lobby.text
    assert "blitz" in lobby.text
    assert "kept" in (await bob.click(label="Start")).text
    await ana.click(label="Join")
    await sim.advance(65)
    lobby = sim.channel.last
    assert "Kept" not in lobby.content
    assert "Player3" not in lobby.text
    stranger = sim.person("Stranger")
    await stranger.click(label="Join")
    await sim.advance(1.3)
    await bob.click(label="Start")
    await sim.advance(1.3)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert [player.user_id for player in table.players] == [ana.id, bob.id, stranger.id]
    assert cid.id not in [player.user_id for player in table.players]


async def test_the_winner_of_the_last_game_starts(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await finished(sim, 2)
    old = await bot.app.tables.last_game(sim.channel.id)
    assert old.result is not None
    assert old.result.winner is not None
    await people[0].command("coup rematch")
    await sim.advance(1.3)
    await people[1].click(label="Join")
    await sim.advance(1.3)
    await people[0].click(label="Start")
    await sim.advance(1.3)
    seen = current(sim)
    assert seen is not None
    assert f"{people[old.result.winner].mention}, your turn" in seen.content


async def test_who_presses_second_takes_the_seat_that_is_kept(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob = await finished(sim, 2)
    first, second = await sim.at_once(ana.click(label="Rematch"), bob.click(label="Rematch"))
    assert "You have a seat" in first.text
    assert "You have a seat" in second.text
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert [player.held for player in table.players] == [False, False]
    third = await bob.click(label="Rematch")
    assert "already" in third.text


async def test_who_did_not_play_cannot_ask_for_it(sim: SimulatedDiscord, bot: Bot) -> None:
    await finished(sim, 2)
    stranger = sim.person("Stranger")
    for answer in (await stranger.click(label="Rematch"), await stranger.command("coup rematch")):
        assert answer.private
        assert "no seat" in answer.text
    assert not await bot.store.open_tables()


async def test_without_a_game_there_is_nothing_to_repeat(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    assert "No game was played here" in (await ana.command("coup rematch")).text
    assert "server" in (await ana.command("coup rematch", dm=True)).text
    await ana.command("coup new")
    await ana.command("coup cancel")
    assert "No game was played here" in (await ana.command("coup rematch")).text


async def test_a_game_that_goes_on_cannot_be_repeated(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, _ = await seated(sim, 2)
    table = await bot.app.tables.in_channel(sim.channel.id)
    assert "not over" in (await ana.forge(f"c1:{table.id}:0:rematch", on=current(sim))).text


async def test_rights_that_are_gone_are_named(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, _ = await finished(sim, 2)
    sim.channel.forbid("embed_links")
    assert "Embed Links" in (await ana.click(label="Rematch")).text
    assert not await bot.store.open_tables()
