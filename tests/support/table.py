"""Our bot in the simulated Discord, and people who play by what they see: labels, words and their own panels.

Owns: putting the real `App` on a real SQLite file under the harness, and random players who never look at the engine.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import discord
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import App
from bot.storage.engine import make_engine
from bot.storage.migrate import upgrade_database
from bot.storage.people import SqlPeople
from bot.storage.store import SqlStore
from bot.tables.ports import Change, StoredTable, TableRow
from bot.tables.table import Player
from tests.support.harness import SimulatedDiscord
from tests.support.people import Answer, Person
from tests.support.seen import Button, Seen

NOT_ANSWERS = {"Refresh", "Leave game", "My hand", "Help", "Choose", "Allow for me", "Ask me again"}
"""Buttons of a panel that are not answers to a question."""


class CountingStore(SqlStore):
    """The real store, counting the commits that moves make."""

    commits = 0
    slow = 0.0
    """Virtual seconds that every reading and every change of a table takes."""

    async def create(self, row: TableRow, players: tuple[Player, ...]) -> None:
        await asyncio.sleep(self.slow)
        await super().create(row, players)

    async def load(self, table_id: str) -> StoredTable | None:
        await asyncio.sleep(self.slow)
        return await super().load(table_id)

    async def commit(self, change: Change) -> None:
        self.commits += 1
        await asyncio.sleep(self.slow)
        await super().commit(change)


class Bot:
    """The bot under test. `app` is the running one; a restart makes another on the same database."""

    def __init__(self, sim: SimulatedDiscord, folder: Path) -> None:
        self._sim = sim
        self._engine: AsyncEngine = make_engine(f"sqlite+aiosqlite:///{folder / 'coup.db'}")
        self.store = CountingStore(self._engine)
        self.people = SqlPeople(self.store)
        self.app: App
        self._seeds = random.Random(str(folder.name))

    def _client(self) -> discord.Client:
        self.app = App(self.store, self._sim.clock, self.people, entropy=self._seeds.randbytes)
        return self.app.client

    async def start(self) -> None:
        await upgrade_database(self._engine)
        await self._sim.start(self._client, sync=False)

    async def restart(self, *, abrupt: bool, away: float = 0) -> None:
        await self._sim.restart(self._client, abrupt=abrupt, away=away, closing=self.app.close)

    async def damage(self, statement: str) -> None:
        """Change what is stored behind the bot's back."""
        async with self._engine.begin() as connection:
            await connection.execute(text(statement))

    async def dispose(self) -> None:
        await self._engine.dispose()


async def seated(sim: SimulatedDiscord, count: int, *, speed: str = "normal") -> list[Person]:
    """A lobby with `count` people, started."""
    people = [sim.person(f"Player{number}") for number in range(1, count + 1)]
    await people[0].command("coup new", speed=speed)
    for person in people[1:]:
        await person.click(label="Join")
        await sim.advance(1.3)
    await people[0].click(label="Start")
    await sim.advance(1.3)
    return people


def current(sim: SimulatedDiscord) -> Seen | None:
    """The message of the turn, if a game is on."""
    return next((seen for seen in reversed(sim.channel.messages) if "My hand" in seen.labels), None)


def asked_in_words(seen: Seen, person: Person) -> bool:
    """Whether the turn's message says that this person is awaited."""
    return f"{person.mention}, your turn" in seen.content or any(
        f"**{person.name}**" in line for line in seen.content.splitlines() if line.startswith("Waiting for")
    )


class Players:
    """People who press buttons at random, as somebody would who reads only the screen."""

    def __init__(self, sim: SimulatedDiscord, people: Sequence[Person], seed: str) -> None:
        self._sim = sim
        self._people = list(people)
        self._rng = random.Random(seed)
        self.answers: list[Answer] = []

    async def play(self, *, before_each: Callable[[Seen], object] | None = None, at_most: int = 2000) -> int:
        """Until the game is over; returns how many answers were given."""
        for given in range(at_most):
            seen = current(self._sim)
            if seen is None:
                return given
            waiting = [person for person in self._people if asked_in_words(seen, person)]
            assert waiting, f"nobody is told that they are awaited: {seen.content}"
            if before_each is not None:
                done = before_each(seen)
                if hasattr(done, "__await__"):
                    await done
            await self.answer(self._rng.choice(waiting), seen)
            await self._sim.advance(1.3)
        raise AssertionError("the game does not end")

    async def answer(self, person: Person, seen: Seen) -> None:
        """One person answers, by the public buttons or by their panel."""
        if "Choose" in self._labels_for(person) or self._rng.random() < 0.4:
            label = "Choose" if "Choose" in self._labels_for(person) else "My hand"
            await self._click(person, label=label, where=lambda message: not message.private)
            await self._from_panel(person)
        else:
            buttons = [b for b in seen.buttons if not b.disabled and b.label not in NOT_ANSWERS]
            legal = [b for b in buttons if not b.label.startswith("Block") or self._may_block(person, seen)]
            await self._press(person, self._rng.choice(legal))

    def _labels_for(self, person: Person) -> set[str]:
        """The labels on public messages that call this person."""
        return {label for seen in self._sim.channel.messages if person.mention in seen.content for label in seen.labels}

    def _may_block(self, person: Person, seen: Seen) -> bool:
        """As the message says it in words."""
        lines = [line for line in seen.content.splitlines() if "may" in line and "block as" in line]
        return any(person.name in line or line.startswith("Any other player") for line in lines)

    async def _from_panel(self, person: Person) -> None:
        panel = person.panel
        if panel.selects:
            select = panel.selects[0]
            kept = self._rng.sample([str(option.value) for option in select.options], select.fewest)
            self.answers.append(await person.choose(*kept, on=panel))
            return
        buttons = [b for b in panel.buttons if not b.disabled and b.label not in NOT_ANSWERS]
        assert buttons, f"{person.name} is awaited, and the panel offers nothing: {panel.text}"
        await self._press(person, self._rng.choice(buttons))

    async def _press(self, person: Person, button: Button) -> None:
        answer = await person.click(button)
        self.answers.append(answer)
        targets = [b for b in answer.message.buttons if b.label != "My hand"] if answer.message else []
        if answer.private and answer.message and "Refresh" not in answer.labels and targets:
            self.answers.append(await person.click(self._rng.choice(targets)))

    async def _click(self, person: Person, *, label: str, where: Callable[[Seen], bool]) -> None:
        self.answers.append(await person.click(label=label, where=where))
