"""No hidden card reaches anybody it is not for, on the way from the engine to the wire.

At every moment of whole games the cards that a viewer cannot know are dealt anew inside the running bot. What it then
sends to that viewer (public messages; their own panel; their own DM) must be the same bytes: text, embeds, labels,
custom_ids and the order of buttons. The tables speak each language, and their players read others.
"""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from bot.i18n import languages, translator
from bot.tables import state
from coup_core.game import Game
from coup_core.moves import Seat
from coup_core.view import SeatView, TableView, seat_view, table_view
from tests.core.test_secrecy import Viewer, redistributed
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Audience, Seen
from tests.support.table import Bot, Players, gathered, seated

MOMENTS = int(os.environ.get("SECRECY_MOMENTS", "204"))
"""In all; 10,000 take most of an hour on one core."""
AT_A_TABLE = 68
"""For each simulated Discord, which gets slower as its history grows."""
READERS = ("en-US", "es-ES", "pt-BR", "es-419")


class Watch:
    """Compares what is sent before and after hidden cards changed places."""

    def __init__(
        self, sim: SimulatedDiscord, bot: Bot, people: list[Person], language: str, rng: random.Random
    ) -> None:
        self._sim, self._bot, self._people, self._rng = sim, bot, people, rng
        self._hand = translator(language)("My hand")
        self.moments = 0
        self.found: Counter[str] = Counter()
        """What differed, by whom it was for."""
        self.first: tuple[list[bytes], list[bytes]] | None = None

    async def moment(self, seen: Seen) -> None:
        table = await self._bot.app.tables.in_channel(self._sim.channel.id)
        person = self._rng.choice(self._people)
        seat = next(seat for seat, player in enumerate(table.players) if player.user_id == person.id)
        # who is out has had their last DM
        gone = table.view is not None and table.view.seats[seat].out
        everyone = await self._public(table.id)
        panel, dm = await self._panel(person, seen), await self._dm(table.id, person)
        with self._dealt_anew(table.id, None):
            self._compare("public", everyone, await self._public(table.id))
        with self._dealt_anew(table.id, seat):
            self._compare("panel", panel, await self._panel(person, seen))
            self._compare("dm", dm, await self._dm(table.id, person), silent=gone)
        self.moments += 1

    @contextmanager
    def _dealt_anew(self, table_id: str, viewer: Viewer) -> Iterator[None]:
        entry = self._bot.app.tables.watch.memory.entries[table_id]
        true = entry.state
        assert true is not None
        assert true.game is not None
        entry.state = replace(true, game=redistributed(true.game, viewer, self._rng))
        yield
        entry.state = true

    def _compare(self, what: str, before: list[bytes], after: list[bytes], *, silent: bool = False) -> None:
        assert bool(before) is not silent, f"{what}: {len(before)} requests to compare"
        if before != after:
            self.found[what] += 1
            self.first = self.first or (before, after)

    async def _public(self, table_id: str) -> list[bytes]:
        """The table's messages, rendered and sent again."""

        async def again() -> None:
            self._bot.app.announcer.repair(table_id)

        return await self._sent("public", again())

    async def _panel(self, person: Person, seen: Seen) -> list[bytes]:
        since = len(self._sim.sent)
        await person.forge(seen.button(self._hand))
        return self._sim.wire(person, since=since)

    async def _dm(self, table_id: str, person: Person) -> list[bytes]:
        """Their hand by DM, edited whether or not it shows anything new."""

        async def again() -> None:
            self._bot.app.hands._shown.clear()
            self._bot.app.hands.changed(table_id)

        return await self._sent(person, again())

    async def _sent(self, to: Audience | Person, work: Coroutine[Any, Any, None]) -> list[bytes]:
        """What that makes the bot send to somebody: at once, or after the pause that edits keep from each other."""
        since = len(self._sim.sent)
        await self._sim.as_client(work)
        if not self._sim.wire(to, since=since):
            await self._sim.advance(1.3)
        return self._sim.wire(to, since=since)


async def watched(sim: SimulatedDiscord, bot: Bot, moments: int, language: str, seed: str) -> Watch:
    people = await seated(sim, 4, speed="relaxed", language=language, locales=READERS)
    watch = Watch(sim, bot, people, language, random.Random(f"hidden {seed}"))
    number = 0
    while watch.moments < moments:
        if number:
            await gathered(sim, people, speed="relaxed", language=language)
        await Players(sim, people, f"secrets {seed} {number}", language=language).play(before_each=watch.moment)
        number += 1
    return watch


@pytest.mark.parametrize("table", range(math.ceil(MOMENTS / AT_A_TABLE)))
async def test_nothing_that_is_sent_depends_on_hidden_cards(sim: SimulatedDiscord, bot: Bot, table: int) -> None:
    language = languages()[table % len(languages())]
    watch = await watched(sim, bot, AT_A_TABLE, language, f"{table}")
    assert watch.moments >= AT_A_TABLE
    assert not watch.found, (watch.found, watch.first)


async def test_a_leak_planted_in_a_public_message_is_found(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The smallest of leaks: one number in the footer that depends on one hidden card."""

    def leaking(game: Game) -> TableView:
        view = table_view(game)
        hand = game.hands[game.living[0]]
        return replace(view, court=view.court + (hand[0] == "duke"))

    monkeypatch.setattr(state, "table_view", leaking)
    watch = await watched(sim, bot, 15, "es", "public leak")
    assert watch.found["public"]


async def test_a_leak_planted_in_somebody_elses_dm_is_found(
    sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of one's own cards tells of one card that is another player's."""

    def leaking(game: Game, seat: Seat) -> SeatView:
        view = seat_view(game, seat)
        told = any(game.hands[other][0] == "duke" for other in game.living if other != seat)
        return replace(view, hand=tuple(sorted(view.hand, reverse=told)))

    monkeypatch.setattr(state, "seat_view", leaking)
    watch = await watched(sim, bot, 15, "pt-BR", "leak by DM")
    assert watch.found["dm"]
    assert not watch.found["public"]
