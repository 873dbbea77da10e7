"""Whose language it is."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from bot.tables.people import Person
from bot.ui.readers import Readers
from tests.support.fakes import MemoryPeople


def clicking(user_id: int, locale: str) -> Any:
    """As much of an interaction as is looked at."""
    return SimpleNamespace(user=SimpleNamespace(id=user_id), locale=locale)


async def test_a_stranger_is_answered_in_the_language_of_their_discord() -> None:
    readers = Readers(MemoryPeople())
    assert str((await readers.words(clicking(1, "pt-BR"))).locale) == "pt_BR"
    assert str((await readers.words(clicking(2, "es-419"))).locale) == "es"
    assert str((await readers.words(clicking(3, "de"))).locale) == "en"


async def test_a_choice_goes_before_their_discord() -> None:
    readers = Readers(MemoryPeople())
    await readers.choose(1, language="es")
    assert str((await readers.words(clicking(1, "en-US"))).locale) == "es"
    await readers.choose(1, language=None)
    assert str((await readers.words(clicking(1, "en-US"))).locale) == "en"


async def test_the_language_of_their_discord_is_noted_when_it_changes() -> None:
    people = MemoryPeople()
    readers = Readers(people)
    for _ in range(5):
        await readers.words(clicking(1, "pt-BR"))
    await readers.close()
    assert people.saves == 1
    await readers.words(clicking(1, "es-ES"))
    await readers.close()
    assert people.people[1] == Person(user_id=1, locale="es-ES")
    assert str((await Readers(people).words_for(1)).locale) == "es"
    assert str((await Readers(people).words_for(2)).locale) == "en"


async def test_a_database_that_fails_keeps_nobody_from_their_answer() -> None:
    people = MemoryPeople()
    people.broken = True
    assert str((await Readers(people).words(clicking(1, "es-ES"))).locale) == "es"
    people.broken = False
    readers = Readers(people)
    await readers.person(1)
    people.broken = True
    assert str((await readers.words(clicking(1, "es-ES"))).locale) == "es"
    await readers.close()
    people.broken = False
    await readers.words(clicking(1, "es-ES"))
    await readers.close()
    assert people.people[1].locale == "es-ES"


async def test_who_sits_at_a_table_is_not_forgotten() -> None:
    people = MemoryPeople()
    readers = Readers(people)
    await readers.choose(1, dm_hand=False)
    people.seated.add(1)
    assert not await readers.forget(1)
    assert not await readers.dm_hand(1)
    people.seated.clear()
    assert await readers.forget(1)
    assert await readers.dm_hand(1)
    assert not people.people


async def test_hints_are_for_a_first_game_and_games_are_counted_anew_for_every_table() -> None:
    people = MemoryPeople()
    readers = Readers(people)
    assert await readers.hints(1, "first")
    people.people[1] = Person(user_id=1, games=1)
    assert await readers.hints(1, "first"), "the game that they are in goes on as it began"
    assert not await readers.hints(1, "second")
    assert (await readers.person(1)).games == 1


async def test_no_hints_for_whoever_does_not_want_them_or_cannot_be_looked_up() -> None:
    people = MemoryPeople()
    readers = Readers(people)
    await readers.choose(1, hints=False)
    assert not await readers.hints(1, "first")
    await readers.choose(1, hints=True)
    assert await readers.hints(1, "first")
    people.broken = True
    assert not await readers.hints(1, "second")
    assert not await readers.hints(2, "first")


async def test_counting_games_takes_back_no_choice() -> None:
    people = MemoryPeople()
    readers = Readers(people)
    await readers.words(clicking(1, "es-ES"))
    assert await readers.hints(1, "first")
    assert (await readers.person(1)).locale == "es-ES"
    await readers.close()
    assert people.people[1].locale == "es-ES"


class SlowPeople(MemoryPeople):
    """People in a database that takes its time: every change waits until it is let `through`."""

    def __init__(self) -> None:
        super().__init__()
        self.through = asyncio.Event()
        self.through.set()

    async def heard(self, user_id: int, locale: str) -> None:
        await self.through.wait()
        await super().heard(user_id, locale)

    async def choose(self, user_id: int, **choices: Any) -> Person:
        await self.through.wait()
        return await super().choose(user_id, **choices)


async def test_a_click_from_another_device_takes_back_no_choice() -> None:
    people = SlowPeople()
    readers = Readers(people)
    await readers.words(clicking(1, "en-US"))
    await readers.close()
    people.through.clear()
    choosing = asyncio.ensure_future(readers.choose(1, language="es"))
    await asyncio.sleep(0)
    await readers.words(clicking(1, "pt-BR"))
    people.through.set()
    assert (await choosing).language == "es"
    await readers.close()
    wanted = Person(user_id=1, language="es", locale="pt-BR")
    assert people.people[1] == wanted
    assert await readers.person(1) == wanted


async def test_the_last_language_heard_is_the_one_that_stays() -> None:
    people = SlowPeople()
    readers = Readers(people)
    people.through.clear()
    for locale in ("en-US", "pt-BR", "es-ES"):
        await readers.words(clicking(1, locale))
    people.through.set()
    await readers.close()
    assert people.people[1].locale == "es-ES"
    assert people.saves <= 2, "what was overtaken is not stored"


async def test_nobody_waits_for_what_is_noted_of_others() -> None:
    people = SlowPeople()
    readers = Readers(people)
    people.through.clear()
    await readers.words(clicking(2, "es-ES"))
    choosing = asyncio.ensure_future(readers.choose(1, language="es"))
    forgetting = asyncio.ensure_future(readers.forget(3))
    for _ in range(20):
        await asyncio.sleep(0)
    assert forgetting.done()
    people.through.set()
    await choosing
    await readers.close()


async def test_what_is_being_noted_does_not_outlive_being_forgotten() -> None:
    people = SlowPeople()
    readers = Readers(people)
    people.through.clear()
    await readers.words(clicking(1, "es-ES"))
    forgetting = asyncio.ensure_future(readers.forget(1))
    await asyncio.sleep(0)
    people.through.set()
    assert await forgetting
    await readers.close()
    assert not people.people
