"""People who have left the server: what they hold is not lost, and they hold nobody."""

from __future__ import annotations

from tests.flow.games import dealt, table_of
from tests.flow.test_hosting import lobby_of_three
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, seated


async def test_who_stays_can_start_though_the_host_is_gone(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = await lobby_of_three(sim)
    assert "Only the host, **Ana**" in (await bob.click(label="Start")).text
    ana.leave_server()
    stranger = sim.person("Stranger")
    assert "Only the host" in (await stranger.command("coup start")).text
    assert (await bob.click(label="Start")).kind == "acknowledged"
    await sim.advance(1.3)
    table = await table_of(sim, bot)
    assert table.view is not None
    assert (table.host_id, [player.user_id for player in table.players]) == (bob.id, [bob.id, cid.id])


async def test_who_stays_can_close_the_lobby_and_open_another(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = await lobby_of_three(sim)
    ana.leave_server()
    assert "is closed" in (await cid.command("coup cancel")).text
    await sim.advance(1.3)
    assert "closed by Cid" in sim.channel.last.text
    assert "You have a seat" in (await bob.command("coup new")).text


async def test_too_few_who_stay_have_another_host_all_the_same(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, cid = await lobby_of_three(sim)
    await cid.click(label="Leave")
    ana.leave_server()
    assert "It takes 2 players" in (await bob.click(label="Start")).text
    await sim.advance(1.3)
    assert "**Bob** (host)" in sim.channel.last.text
    assert "Ana" not in sim.channel.last.text


async def test_a_game_gets_another_host_too(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    people[0].leave_server()
    assert "more time" in (await people[1].command("coup extend")).text
    table = await table_of(sim, bot)
    assert (table.host_id, len(table.players)) == (people[1].id, 3)
    assert "Only the host" in (await people[2].command("coup extend")).text


async def test_nobody_hands_the_table_to_somebody_who_has_gone(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, _ = await lobby_of_three(sim)
    bob.leave_server()
    refused = await ana.command("coup transfer", player=str(bob.id))
    assert "**Bob** is not in this server any more" in refused.text
    assert (await table_of(sim, bot)).host_id == ana.id


async def test_a_host_leaves_the_lobby_by_dm_and_can_be_forgotten(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, _ = await lobby_of_three(sim)
    ana.leave_server()
    assert "has not begun" in (await ana.command("coup hand", dm=True)).text
    await ana.command("coup preferences", dm=True)
    await ana.click(label="Delete my data")
    assert "`/coup leave`" in (await ana.click(label="Delete for good")).text
    assert "have left the lobby" in (await ana.command("coup leave", dm=True)).text
    await sim.advance(1.3)
    assert "**Bob** (host)" in sim.channel.last.text
    await ana.command("coup preferences", dm=True)
    await ana.click(label="Delete my data")
    assert "is deleted" in (await ana.click(label="Delete for good")).text
    assert (await bob.click(label="Start")).kind == "acknowledged"


async def test_a_player_leaves_the_game_by_dm(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    people[1].leave_server()
    asked = await people[1].command("coup leave", dm=True)
    assert "Leave this game?" in asked.text
    assert asked.private
    await people[1].click(label="Leave for good")
    await sim.advance(1.3)
    assert "left the game" in " ".join(seen.text for seen in sim.channel.messages)


async def test_who_sits_at_several_tables_is_asked_which_to_leave(sim: SimulatedDiscord, bot: Bot) -> None:
    other = sim.add_channel("other")
    ana, bob = sim.person("Ana"), sim.person("Bob")
    await dealt(sim, bot, [ana, bob])
    await ana.command("coup new", channel=other)
    assert "several tables" in (await ana.command("coup cancel", dm=True)).text
    asked = await ana.command("coup leave", dm=True)
    assert "Which one do you want to leave?" in asked.text
    assert asked.labels == ("Table 1", "Table 2")
    left = await ana.click(asked.message, label="Table 2")
    assert "have left the lobby" in left.text
    assert not left.labels
    assert "Leave this game?" in (await ana.command("coup leave", dm=True)).text, "only one is left"


async def test_in_a_dm_the_one_table_is_meant(sim: SimulatedDiscord, bot: Bot) -> None:
    ana, bob, _ = await lobby_of_three(sim)
    assert f"/{sim.channel.id}/" in (await bob.command("coup table", dm=True)).text
    assert "Only the host" in (await bob.command("coup start", dm=True)).text
    assert "are dealt" in (await ana.command("coup start", dm=True)).text
    await sim.advance(1.3)
    assert (await table_of(sim, bot)).view is not None
    assert "not paused" in (await bob.command("coup resume", dm=True)).text


async def test_in_a_dm_who_sits_nowhere_is_told_what_helps_there(sim: SimulatedDiscord, bot: Bot) -> None:
    ana = sim.person("Ana")
    for name in ("join", "leave", "start", "cancel", "hand", "table", "resume", "extend", "end"):
        told = await ana.command(f"coup {name}", dm=True)
        assert "You sit at no open table. In a channel of a server `/coup new` opens one" in told.text, name
    for name in ("kick", "transfer"):
        assert "You sit at no open table." in (await ana.command(f"coup {name}", dm=True, player="Bob")).text
        assert await ana.autocomplete(f"coup {name}", "player", dm=True) == []
