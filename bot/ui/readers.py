"""In which language somebody reads, and what else they have chosen.

Owns: the translator for a person: the language they chose, else that of their Discord. Notes the latter whenever it
changes, because whatever is sent to somebody without a click of theirs comes without it. What is known of people is
kept in memory, so that a click costs no look at the database.
"""

from __future__ import annotations

import asyncio
from typing import Any

import discord
from msgspec.structs import replace

from bot.i18n import Translator, translator
from bot.tables.people import People, Person
from bot.telemetry import logger

log = logger(__name__)

REMEMBERED = 10_000
"""People kept in memory; beyond them the one who was looked up first is looked up again."""


class Readers:
    """What is known of the people who click, command and are written to."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._known: dict[int, Person] = {}
        self._counted: dict[int, str] = {}
        """Newcomers, with the table for which their finished games were last counted."""
        self._noting: dict[int, asyncio.Task[None]] = {}
        """Whose language is being noted."""

    async def words(self, interaction: discord.Interaction[Any]) -> Translator:
        """The translator for whoever clicked or typed. Raises nothing: in doubt it is their Discord's language."""
        locale = str(interaction.locale)
        try:
            person = await self._person(interaction.user.id)
        except Exception as error:  # noqa: BLE001 - whoever cannot be looked up must be answered all the same
            log.warning("person not looked up", error=type(error).__name__)
            return translator(locale)
        if person.locale != locale:
            person = self._know(replace(person, locale=locale))
            if person.user_id not in self._noting:
                # Nobody waits for it: the answer has three seconds, and the next change is noted again.
                self._noting[person.user_id] = asyncio.get_running_loop().create_task(self._note(person.user_id))
        return translator(person.language or locale)

    async def words_for(self, user_id: int) -> Translator:
        """The translator for somebody who has not just clicked; English for a stranger."""
        person = await self._person(user_id)
        return translator(person.language or person.locale or "")

    async def person(self, user_id: int) -> Person:
        """What is known of somebody; the number of their games may be old."""
        return await self._person(user_id)

    async def dm_hand(self, user_id: int) -> bool:
        """Whether their hand may be sent to them."""
        return (await self._person(user_id)).dm_hand

    async def hints(self, user_id: int, table_id: str) -> bool:
        """Whether they are shown hints at this table: in their first game, if they want them.

        Their games are counted anew for every table, until they have finished one. Raises nothing: without an answer
        there are no hints.
        """
        try:
            person = await self._person(user_id)
            if person.games or not person.hints:
                return False
            if self._counted.get(user_id) == table_id:
                return True
            games = (await self._people.person(user_id)).games
        except Exception as error:  # noqa: BLE001 - a hand is shown all the same
            log.warning("person not looked up", error=type(error).__name__)
            return False
        # No more than that: what they have chosen meanwhile may not be stored yet.
        person = self._know(replace(self._known.get(user_id, person), games=games))
        self._counted[user_id] = table_id
        return person.hints and not games

    async def choose(self, user_id: int, **choices: Any) -> Person:
        """Remember what somebody chose: `language`, `dm_hand` or `hints`."""
        stored = await self._people.choose(user_id, **choices)
        # No more than that: the language of their Discord may be newer than the stored one.
        return self._know(replace(self._known.get(user_id, stored), **choices))

    async def forget(self, user_id: int) -> bool:
        """Delete what is known of somebody; False, and nothing is, while they have a seat at an open table."""
        if user_id in self._noting:
            await asyncio.wait([self._noting[user_id]])  # it must not come afterwards
        if not await self._people.forget(user_id):
            return False
        self._known.pop(user_id, None)
        self._counted.pop(user_id, None)
        return True

    async def close(self) -> None:
        """Finish what is being noted."""
        while self._noting:
            await asyncio.wait(self._noting.values())

    async def _person(self, user_id: int) -> Person:
        if user_id in self._known:
            return self._known[user_id]
        found = await self._people.person(user_id)
        # Whatever has become known meanwhile is newer.
        return self._know(self._known.get(user_id, found))

    def _know(self, person: Person) -> Person:
        self._known[person.user_id] = person
        if len(self._known) > REMEMBERED:
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._counted.pop(oldest, None)
        return person

    async def _note(self, user_id: int) -> None:
        """Store the language of their Discord until it is the last that was heard."""
        noted = None
        try:
            while (person := self._known.get(user_id)) is not None and person.locale not in (None, noted):
                noted = person.locale
                await self._people.heard(user_id, noted)
        except Exception as error:  # noqa: BLE001 - it will be noted another time
            log.warning("language not noted", error=type(error).__name__)
            self._known.pop(user_id, None)
        finally:
            del self._noting[user_id]
