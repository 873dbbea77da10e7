"""Our bot in the simulated Discord, and people who play by what they see: labels, words and their own panels.

Owns: putting the real `App` on a real SQLite file under the harness, and random players who never look at the engine.
They read what is public in the table's language, and what is for them alone in their own.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import discord
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import App
from bot.i18n import Translator, language_of, translator
from bot.storage.engine import make_engine
from bot.storage.migrate import upgrade_database
from bot.storage.people import SqlPeople
from bot.storage.store import SqlStore
from bot.tables.ports import Change, StoredTable, TableRow
from bot.tables.table import Player
from tests.support.harness import SimulatedDiscord
from tests.support.languages import GAP, heard
from tests.support.people import Answer, Person
from tests.support.seen import Button, Seen

NOT_ANSWERS = ("Refresh", "Leave game", "My hand", "Help", "Choose", "Allow for me", "Ask me again")
"""Buttons that are not answers to a question, as the catalogs know them."""


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


async def seated(
    sim: SimulatedDiscord,
    count: int,
    *,
    speed: str = "normal",
    language: str = "en",
    locales: Sequence[str] = ("en-US",),
) -> list[Person]:
    """A lobby with `count` people, started. `locales` are theirs, in turn; the table speaks `language`."""
    people = [
        sim.person(f"Player{number + 1}", locale=locale)
        for number, locale in zip(range(count), itertools.cycle(locales), strict=False)
    ]
    await gathered(sim, people, speed=speed, language=language)
    return people


async def gathered(
    sim: SimulatedDiscord, people: Sequence[Person], *, speed: str = "normal", language: str = "en"
) -> None:
    """A lobby of these people, started."""
    t = translator(language)
    await people[0].command("coup new", speed=speed, language=language_of(language))
    for person in people[1:]:
        await person.click(label=t("Join"))
        await sim.advance(1.3)
    await people[0].click(label=t("Start"))
    await sim.advance(1.3)


def current(sim: SimulatedDiscord, language: str = "en") -> Seen | None:
    """The message of the turn, if a game is on."""
    hand = translator(language)("My hand")
    return next((seen for seen in reversed(sim.channel.messages) if hand in seen.labels), None)


def asked_in_words(seen: Seen, person: Person, language: str = "en") -> bool:
    """Whether the turn's message says that this person is awaited."""
    t = translator(language)
    turn = t("{mention}, your turn.", mention=person.mention).removesuffix(".")
    waiting = t("Waiting for {names}.", names=GAP).partition(GAP)[0]
    return turn in seen.content or any(
        f"**{person.name}**" in line for line in seen.content.splitlines() if line.startswith(waiting)
    )


class Players:
    """People who press buttons at random, as somebody would who reads only the screen."""

    def __init__(self, sim: SimulatedDiscord, people: Sequence[Person], seed: str, *, language: str = "en") -> None:
        self._sim = sim
        self._people = list(people)
        self._rng = random.Random(seed)
        self._language = language
        self._t = translator(language)
        self.answers: list[Answer] = []

    async def play(self, *, before_each: Callable[[Seen], object] | None = None, at_most: int = 2000) -> int:
        """Until the game is over; returns how many answers were given.

        Whoever has answered knows it, though the message may still name them for a while.
        """
        given, read, answered = 0, "", set[str]()
        for _ in range(at_most):
            seen = current(self._sim, self._language)
            if seen is None:
                return given
            if seen.content != read:
                read, answered = seen.content, set()
            waiting = [person for person in self._people if asked_in_words(seen, person, self._language)]
            assert waiting, f"nobody is told that they are awaited: {seen.content}"
            left = [person for person in waiting if person.name not in answered]
            if left and before_each is not None:
                done = before_each(seen)
                if hasattr(done, "__await__"):
                    await done
                    if (now := current(self._sim, self._language)) is None or now.content != seen.content:
                        continue
            if left:
                person = self._rng.choice(left)
                await self.answer(person, seen)
                answered.add(person.name)
                given += 1
            await self._sim.advance(1.3)
        raise AssertionError("the game does not end")

    async def answer(self, person: Person, seen: Seen) -> None:
        """One person answers, by the public buttons or by their panel."""
        t = self._t
        choosing = t("Choose") in {*seen.labels, *self._labels_for(person)}
        if choosing or self._rng.random() < 0.4:
            label = t("Choose") if choosing else t("My hand")
            await self._click(person, label=label, where=lambda message: not message.private)
            await self._from_panel(person)
        else:
            block = t("Block as {character}", character=GAP)
            buttons = _answers(seen, t)
            legal = [b for b in buttons if heard(block, b.label) is None or self._may_block(person, seen)]
            await self._press(person, self._rng.choice(legal))

    def _labels_for(self, person: Person) -> set[str]:
        """The labels on public messages that call this person."""
        return {label for seen in self._sim.channel.messages if person.mention in seen.content for label in seen.labels}

    def _may_block(self, person: Person, seen: Seen) -> bool:
        """As the message says it in words."""
        t = self._t
        gaps = {"name": GAP, "names": GAP, "characters": GAP}
        still = "{names} may still block as {characters}."
        if heard(t("Any other player may block as {characters}.", **gaps), seen.content):
            return True
        named = (
            t("{name} may block as {characters}.", **gaps),
            *(t.n(still, still, count, **gaps) for count in (1, 2)),
        )
        told = (heard(sentence, seen.content) for sentence in named)
        return any(person.name in words for found in told if found is not None for words in found)

    async def _from_panel(self, person: Person) -> None:
        panel = person.panel
        if panel.selects:
            select = panel.selects[0]
            kept = self._rng.sample([str(option.value) for option in select.options], select.fewest)
            self.answers.append(await person.choose(*kept, on=panel))
            return
        buttons = _answers(panel, translator(person.locale))
        assert buttons, f"{person.name} is awaited, and the panel offers nothing: {panel.text}"
        await self._press(person, self._rng.choice(buttons))

    async def _press(self, person: Person, button: Button) -> None:
        t = translator(person.locale)
        answer = await person.click(button)
        self.answers.append(answer)
        targets = [b for b in answer.message.buttons if b.label != t("My hand")] if answer.message else []
        if answer.private and answer.message and t("Refresh") not in answer.labels and targets:
            self.answers.append(await person.click(self._rng.choice(targets)))

    async def _click(self, person: Person, *, label: str, where: Callable[[Seen], bool]) -> None:
        self.answers.append(await person.click(label=label, where=where))


def _answers(seen: Seen, t: Translator) -> list[Button]:
    """The buttons that answer a question, of a message worded by `t`."""
    others = {t(label) for label in NOT_ANSWERS}
    return [button for button in seen.buttons if not button.disabled and button.label not in others]
