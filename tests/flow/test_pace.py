"""How fast the bot writes when everything has to be written at once, and that it slows nobody down otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import count

import discord
import pytest

from bot.app import App
from bot.tables.requests import AnyRequest, Join, OpenLobby, Play, Start
from bot.tables.service import Tables
from bot.tables.table import Post, PostKind, PublicTable
from bot.ui.pace import Pace
from tests.support.fakes import Listener, MemoryPeople, MemoryStore
from tests.support.harness import SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Sent
from tests.support.table import Bot, Players, seated

Asking = Callable[[PublicTable, str], AnyRequest]
"""What is asked of a table, by its request's number."""


class Crowded:
    """The bot with many tables. They are in memory: what is measured is what reaches Discord."""

    def __init__(self, sim: SimulatedDiscord) -> None:
        self._sim = sim
        self._store, self._people = MemoryStore(), MemoryPeople()
        self._numbers = count(1)
        self.app: App

    def _client(self) -> discord.Client:
        self.app = App(self._store, self._sim.clock, self._people)
        return self.app.client

    async def start(self) -> list[Sent]:
        """Everything that is written within half a minute of a start."""
        await self._sim.stop(abrupt=True)
        since = len(self._sim.sent)
        await self._sim.start(self._client, sync=False)
        await self._sim.advance(30)
        return [
            sent for sent in self._sim.sent[since:] if sent.method != "GET" and sent.kind not in ("callback", "webhook")
        ]

    async def tables(self, number: int, host: Person, *askings: Asking) -> None:
        """So many, each in a channel of its own and with all of this asked of it; Discord has heard of none."""
        tables = Tables(self._store, self._sim.clock)
        tables.serve(Listener())
        for at in range(number):
            opening = OpenLobby(
                request=f"open{at}",
                guild_id=self._sim.server_id,
                channel_id=self._sim.add_channel(f"channel{at}").id,
                user_id=host.id,
                name=host.name,
                click=next(self._numbers),
                language="en",
                speed="normal",
            )
            table = await tables.open_lobby(opening)
            if askings:
                # Cards are dealt only where the lobby was to be seen.
                await tables.save_post(table.id, Post(PostKind.LOBBY, 0, 1, 1, settled=True))
            for asking in askings:
                table = await tables.submit(asking(table, f"r{next(self._numbers)}"))
        await tables.close()


@pytest.fixture
async def crowded(sim: SimulatedDiscord) -> AsyncIterator[Crowded]:
    running = Crowded(sim)
    sim.patience = 30
    yield running
    await sim.stop(closing=running.app.close)


def joined(person: Person) -> Asking:
    return lambda table, request: Join(
        request=request, table_id=table.id, user_id=person.id, name=person.name, click=person.id
    )


def started(host: Person) -> Asking:
    return lambda table, request: Start(request=request, table_id=table.id, user_id=host.id)


def played(choice: str, *, after: int) -> Asking:
    """By whoever sits so many seats after the one whose turn it is."""

    def asking(table: PublicTable, request: str) -> Play:
        assert table.view is not None
        assert table.view.turn is not None
        player = table.players[(table.view.turn + after) % len(table.players)]
        return Play(request=request, table_id=table.id, user_id=player.user_id, window=table.window, choice=choice)

    return asking


def busiest_second(sent: list[Sent]) -> int:
    """How many begin within one second, whenever that begins."""
    # A request is instantaneous here, so it begins where it ends.
    moments = [one.ended.timestamp() for one in sent]
    return max(sum(begun <= other < begun + 0.9999 for other in moments) for begun in moments)


def seconds(sent: list[Sent]) -> float:
    """From the first to the last."""
    return (sent[-1].ended - sent[0].ended).total_seconds()


async def test_a_hundred_lobbies_after_a_start(sim: SimulatedDiscord, crowded: Crowded) -> None:
    await crowded.tables(100, sim.person("Ana"))
    posted = await crowded.start()
    edited = await crowded.start()
    for kind, sent in (("post", posted), ("patch", edited)):
        assert sum(one.kind == kind for one in sent) == 100
        assert busiest_second(sent) <= 40
        assert seconds(sent) < 4, "and not slower than need be"


async def test_games_that_were_stored_and_not_shown(sim: SimulatedDiscord, crowded: Crowded) -> None:
    """Each wants a turn, a call to whoever must show a card, and four hands by DM."""
    ana, *others = (sim.person(name) for name in ("Ana", "Bob", "Cid", "Dora"))
    await crowded.tables(
        12,
        ana,
        *(joined(person) for person in others),
        started(ana),
        played("tax", after=0),
        played("challenge", after=1),
    )
    sent = await crowded.start()
    assert [sum(one.in_dm is in_dm for one in sent if one.kind == "post") for in_dm in (False, True)] == [24, 48]
    assert busiest_second(sent) <= 40
    assert seconds(sent) < 4


async def test_nothing_waits_in_a_whole_game(sim: SimulatedDiscord, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    turn = Pace.turn

    async def measured(self: Pace) -> None:
        begun = asyncio.get_running_loop().time()
        await turn(self)
        waited.append(asyncio.get_running_loop().time() - begun)

    monkeypatch.setattr(Pace, "turn", measured)
    people = await seated(sim, 6)
    await Players(sim, people, "unhurried").play()
    await sim.advance(5)
    assert len(waited) > 50
    assert max(waited) == 0
