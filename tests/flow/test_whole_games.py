"""Whole games, played by labels and private panels alone."""

from __future__ import annotations

import pytest

from bot.tables.table import Phase
from coup_core.record import parse
from coup_core.replay import check, verify
from tests.support.harness import SimulatedDiscord
from tests.support.table import Bot, Players, seated


@pytest.mark.parametrize("count", [2, 4, 6, 10])
async def test_a_whole_game(sim: SimulatedDiscord, bot: Bot, count: int) -> None:
    people = await seated(sim, count)
    players = Players(sim, people, f"game of {count}")
    await players.play()
    last = sim.channel.messages[-1]
    assert "wins" in last.text
    (record,) = last.files.values()
    game = check(parse(record.decode()))
    assert game.outcome is not None
    verify(parse(record.decode()))
    assert people[game.outcome.winner].name in last.text
    left = [button.label for seen in sim.channel.messages for button in seen.buttons]
    assert left == ["Rematch"], "nothing else can be pressed after a game"
    for answer in players.answers:
        assert len(answer.callbacks) == 1
        assert answer.kind in ("acknowledged", "message", "edit")
        assert not answer.followups
    assert not await bot.store.open_tables()


async def test_every_turn_has_one_message_that_ends_as_its_story(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 3)
    await Players(sim, people, "turns").play()
    turns = [seen.content for seen in sim.channel.messages if seen.content[:1].isdigit() or seen.content[:2] == "**"]
    numbers = [int(text.strip("*").split(".")[0]) for text in turns if text.strip("*").split(".")[0].isdigit()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 3


async def test_the_record_tells_the_same_game_as_the_store(sim: SimulatedDiscord, bot: Bot) -> None:
    people = await seated(sim, 2)
    table = await bot.app.tables.in_channel(sim.channel.id)
    await Players(sim, people, "record").play()
    stored = await bot.store.load(table.id)
    assert stored is not None
    assert stored.row.phase == Phase.OVER
    (record,) = sim.channel.messages[-1].files.values()
    lines = [
        line for line in record.decode().splitlines() if line and ": " in line and line[0] == "p" and line[1] in "12"
    ]
    assert lines == [line.line for line in stored.lines if not line.line.startswith("draw")]
