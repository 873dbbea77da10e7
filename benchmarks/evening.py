"""Games of the cost benchmark: people who play through the real bot in a simulated Discord, several tables at a time.

Owns: the bot on an SQLite file of its own, and the order in time of everything that people do. They press only what
stands in front of them. What they want is `policy`'s business, what it costs `ledger`'s.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random

from benchmarks.ledger import CLICKS, LATE, Account, Ledger, WatchedStore, window
from benchmarks.policy import Click, clicks
from bot.app import App
from bot.storage.engine import make_engine
from bot.storage.migrate import upgrade_database
from bot.storage.people import SqlPeople
from bot.tables.service import Tables
from bot.tables.table import Phase, PublicTable
from bot.ui.ids import parse
from tests.support.harness import Answer, Button, Channel, Person, Seen, Select, SimulatedDiscord

OPENED_WITHIN = 30.0
"""Seconds within which the tables of an evening are opened."""
BETWEEN_JOINS = (1.0, 4.0)
LOOK_EVERY = 0.2
"""How often people look at the channel while the next question does not stand there yet."""
AT_MOST = 4 * 3600.0
"""Seconds after which an evening counts as stuck."""

Do = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Evening:
    """What came of it."""

    games: tuple[Account, ...]
    longest_queue: int


class Agenda:
    """What is going to happen, in its order in time."""

    def __init__(self, sim: SimulatedDiscord) -> None:
        self._sim = sim
        self._began = sim.clock.now()
        self._number = count()
        self._entries: list[tuple[float, int, Do]] = []

    @property
    def now(self) -> float:
        """Seconds since the evening began."""
        return (self._sim.clock.now() - self._began).total_seconds()

    @property
    def next(self) -> float:
        """When something is to happen."""
        return self._entries[0][0] if self._entries else self.now + 1

    def after(self, seconds: float, do: Do) -> None:
        heappush(self._entries, (self.now + seconds, next(self._number), do))

    async def do_what_is_due(self) -> None:
        # The simulated clock counts microseconds.
        while self._entries and self._entries[0][0] <= self.now + 1e-5:
            await heappop(self._entries)[2]()


class Game:
    """One table and its people, from the lobby to the result."""

    def __init__(
        self, account: Account, tables: Tables, agenda: Agenda, channel: Channel, people: list[Person], rng: Random
    ) -> None:
        self.account = account
        self._tables = tables
        self._agenda = agenda
        self._channel = channel
        self._people = people
        self._rng = rng
        self._table: PublicTable | None = None
        self._planned = -1
        """The newest window that people have seen."""
        self._panels: dict[int, Seen] = {}

    def open(self) -> None:
        """Somebody types the command, the others join, and the host starts."""
        host, *others = self._people
        at = self._rng.uniform(0, OPENED_WITHIN)
        self._agenda.after(at, self._new)
        for person in others:
            at += self._rng.uniform(*BETWEEN_JOINS)
            self._click(person, Click(at, "join"), None)
        self._click(host, Click(at + self._rng.uniform(*BETWEEN_JOINS), "start"), None)

    @property
    def looking(self) -> bool:
        """Whether people wait for a question that does not stand in the channel yet."""
        if self.account.ended is not None:
            return not self.account.over
        return self._table is not None and self._table.phase is Phase.PLAYING and self._planned < self._table.window

    async def look(self) -> None:
        """Whoever is awaited in a question that has come to stand in the channel makes up their mind."""
        table = self._table
        if table is None or table.view is None or table.view.question is None or not self.looking:
            return
        if not any(window(seen) == table.window for seen in self.account.shown.values()):
            return
        self._planned = table.window
        for seat in table.view.question.awaited:
            person = next(each for each in self._people if each.id == table.players[seat].user_id)
            view = (await self._tables.private(table.id, person.id)).view
            for click in clicks(view, self._rng):
                self._click(person, click, table.window)

    def _click(self, person: Person, click: Click, in_window: int | None) -> None:
        self._agenda.after(click.after, lambda: self._press(person, click, in_window))

    async def _new(self) -> None:
        self._entered(await self._people[0].command("coup new", channel=self._channel, speed="normal"))
        self._table = await self._tables.in_channel(self._channel.id)

    async def _press(self, person: Person, click: Click, in_window: int | None) -> None:
        """Press it if it is there. Another's answer may have closed the window, and the channel may not show it yet."""
        panel = [self._panels[person.id]] if person.id in self._panels else []
        found = _find(panel if click.panel else [*self.account.shown.values()], click, in_window)
        if found is None:
            if in_window is None or self._table is None or self._table.window == in_window:
                raise AssertionError(f"{person.name} finds no {click.choice} to press in window {in_window}")
            return
        if self._table is not None and in_window not in (None, self._table.window):
            self.account.add(LATE)
        self._entered(await person.forge(found, values=click.values))
        await self._follow(person)

    def _entered(self, answer: Answer) -> None:
        self.account.add(CLICKS)
        self.account.callbacks[answer.interaction_id] += 0
        if answer.private and answer.message is not None:
            self._panels[answer.who.id] = answer.message

    async def _follow(self, person: Person) -> None:
        assert self._table is not None
        self._table = await self._tables.table(self._table.id)
        if self._table.view is not None and self._table.phase is Phase.PLAYING:
            self.account.turn = self._table.view.number


def _find(messages: list[Seen], click: Click, in_window: int | None) -> Button | Select | None:
    """What can be pressed for `click`, on the newest message that has it."""
    for seen in reversed(messages):
        parts: tuple[Button | Select, ...] = seen.buttons if click.values is None else seen.selects
        for part in parts:
            named = parse(part.custom_id)
            if named is None or named.choice != click.choice or part.disabled:
                continue
            if in_window in (None, named.window):
                return part
    return None


async def play(games: int, players: int, rng: Random, latency: float, told: Callable[[], None]) -> Evening:
    """Play `games` at a time to their ends. Writes to channels take `latency` seconds; `told()` after each game."""
    with tempfile.TemporaryDirectory() as folder:
        engine = make_engine(f"sqlite+aiosqlite:///{Path(folder) / 'coup.db'}")
        try:
            await upgrade_database(engine)
            async with SimulatedDiscord() as sim:
                ledger = Ledger(sim.clock)
                store = WatchedStore(engine, ledger)
                app = App(store, sim.clock, SqlPeople(store), entropy=rng.randbytes)
                await sim.start(lambda: app.client, sync=False)
                with sim.slow("*", "/channels/*/messages*", latency):
                    evening = await _played(sim, app.tables, ledger, (games, players), rng, told)
                await sim.stop(closing=app.close)
                return evening
        finally:
            await engine.dispose()


async def _played(
    sim: SimulatedDiscord, tables: Tables, ledger: Ledger, size: tuple[int, int], rng: Random, told: Callable[[], None]
) -> Evening:
    agenda = Agenda(sim)
    running = []
    for number in range(size[0]):
        channel = sim.add_channel(f"table-{number + 1}")
        people = [sim.person(f"Player{number + 1}{chr(ord('a') + seat)}") for seat in range(size[1])]
        account = ledger.account(channel.id)
        running.append(Game(account, tables, agenda, channel, people, Random(rng.random())))
        running[-1].open()
    accounts = tuple(game.account for game in running)
    while running:
        if agenda.now > AT_MOST:
            raise AssertionError(f"{len(running)} games do not end")
        until = agenda.next
        if any(game.looking for game in running):
            until = min(until, agenda.now + LOOK_EVERY)
        await sim.advance(max(0.0, until - agenda.now))
        ledger.read(sim.sent)
        await agenda.do_what_is_due()
        for game in running[:]:
            await game.look()
            if game.account.over:
                running.remove(game)
                told()
    return Evening(accounts, ledger.longest_queue)
