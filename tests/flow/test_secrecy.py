"""No hidden card reaches anybody it is not for, on the way from the engine to the wire.

At every moment of whole games the cards that a viewer cannot know are dealt anew inside the running bot. What it then
sends to that viewer (public messages; their own panel) must be the same bytes: text, embeds, labels, custom_ids and
the order of buttons.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from bot.tables import state
from coup_core.game import Game
from coup_core.view import TableView, table_view
from tests.core.test_secrecy import Viewer, redistributed
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Seen
from tests.support.table import Bot, Players, seated

MOMENTS = 200


class Watch:
    """Compares what is sent before and after hidden cards changed places."""

    def __init__(self, sim: SimulatedDiscord, bot: Bot, people: list[Person], rng: random.Random) -> None:
        self._sim, self._bot, self._people, self._rng = sim, bot, people, rng
        self.moments = 0
        self.differences: list[tuple[list[bytes], list[bytes]]] = []

    async def moment(self, _seen: Seen) -> None:
        table = await self._bot.app.tables.in_channel(self._sim.channel.id)
        person = self._rng.choice(self._people)
        seat = next(seat for seat, player in enumerate(table.players) if player.user_id == person.id)
        await self._compare(table.id, None, lambda: self._public(table.id))
        await self._compare(table.id, seat, lambda: self._panel(person))
        self.moments += 1

    async def _compare(self, table_id: str, viewer: Viewer, show: Callable[[], Awaitable[list[bytes]]]) -> None:
        entry = self._bot.app.tables._entries[table_id]
        true = entry.state
        assert true is not None
        assert true.game is not None
        before = await show()
        entry.state = replace(true, game=redistributed(true.game, viewer, self._rng))
        after = await show()
        entry.state = true
        assert before, "nothing was sent that could be compared"
        if before != after:
            self.differences.append((before, after))

    async def _public(self, table_id: str) -> list[bytes]:
        """The table's messages, rendered and sent again."""

        async def again() -> None:
            self._bot.app.announcer.repair(table_id)

        since = len(self._sim.sent)
        await self._sim.as_client(again())
        await self._sim.advance(1.3)
        return self._sim.wire("public", since=since)

    async def _panel(self, person: Person) -> list[bytes]:
        since = len(self._sim.sent)
        await person.click(label="My hand", where=lambda seen: not seen.private)
        return self._sim.wire(person, since=since)


async def watched(sim: SimulatedDiscord, bot: Bot, moments: int) -> Watch:
    people = await seated(sim, 4, speed="relaxed")
    watch = Watch(sim, bot, people, random.Random("hidden"))
    number = 0
    while watch.moments < moments:
        if number:
            await people[0].command("coup new", speed="relaxed")
            for person in people[1:]:
                await person.click(label="Join")
                await sim.advance(1.3)
            await people[0].click(label="Start")
            await sim.advance(1.3)
        await Players(sim, people, f"secrets {number}").play(before_each=watch.moment)
        number += 1
    return watch


async def test_messages_and_panels_do_not_depend_on_hidden_cards(sim: SimulatedDiscord, bot: Bot) -> None:
    watch = await watched(sim, bot, MOMENTS)
    assert watch.moments >= MOMENTS
    assert not watch.differences, watch.differences[0]


async def test_a_planted_leak_is_found(sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest of leaks: one number in the footer that depends on one hidden card."""

    def leaking(game: Game) -> TableView:
        view = table_view(game)
        hand = game.hands[game.living[0]]
        return replace(view, court=view.court + (hand[0] == "duke"))

    monkeypatch.setattr(state, "table_view", leaking)
    watch = await watched(sim, bot, 20)
    assert watch.differences
