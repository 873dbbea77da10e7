"""The bot is restarted in the middle of every kind of question; the game goes on by the buttons that are there."""

from __future__ import annotations

import pytest

from coup_core.view import Asked
from tests.support.harness import SimulatedDiscord
from tests.support.seen import Seen
from tests.support.table import Bot, Players, current, seated


@pytest.mark.parametrize("abrupt", [False, True], ids=["closed", "killed"])
async def test_a_restart_in_each_kind_of_window(sim: SimulatedDiscord, bot: Bot, abrupt: bool) -> None:
    met: set[Asked] = set()
    people = await seated(sim, 4)

    async def restart_once_each(seen: Seen) -> None:
        table = await bot.app.tables.in_channel(sim.channel.id)
        assert table.view is not None
        assert table.view.question is not None
        asked = table.view.question.asked
        if asked in met:
            return
        met.add(asked)
        hands = [(await bot.app.tables.private(table.id, person.id)).view for person in people]
        await bot.restart(abrupt=abrupt, away=7)
        await sim.advance(1.3)
        again = await bot.app.tables.in_channel(sim.channel.id)
        assert again.window == table.window
        assert [(await bot.app.tables.private(table.id, person.id)).view for person in people] == hands
        now = current(sim)
        assert now is not None
        assert [button.custom_id for button in now.buttons] == [button.custom_id for button in seen.buttons]

    for number in range(6):
        await Players(sim, people, f"restarts {number}").play(before_each=restart_once_each)
        assert "wins" in sim.channel.messages[-1].text
        if met == set(Asked):
            break
        await people[0].command("coup new")
        for person in people[1:]:
            await person.click(label="Join")
            await sim.advance(1.3)
        await people[0].click(label="Start")
        await sim.advance(1.3)
    assert met == set(Asked)
