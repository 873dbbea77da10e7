"""What is remembered of people, on each kind of database."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage.people import SqlPeople
from bot.storage.store import SqlStore
from bot.tables.people import Person
from bot.tables.ports import Change
from bot.tables.table import Ending, Phase, Player
from tests.storage.test_store import BIG, NOW, ONE, TWO, later, row


async def over(
    store: SqlStore, name: str, *players: Player, ending: Ending = Ending.WON, by: Player | None = None
) -> None:
    """A table that has been played to its end."""
    opened = row(name, channel_id=int(name, 16), host_id=players[0].user_id)
    await store.create(opened, players)
    won = players[0].user_id if ending is Ending.WON else None
    by = by or players[0]
    ended = later(
        opened,
        phase=Phase.OVER, ending=ending, winner_id=won, ended_at=NOW, ended_by=by.name, ended_by_id=by.user_id,
    )  # fmt: skip
    await store.commit(Change(ended, None, ()))


async def test_a_stranger_has_the_defaults(store: SqlStore) -> None:
    assert await SqlPeople(store).person(BIG) == Person(user_id=BIG, dm_hand=True, hints=True, games=0)


async def test_what_is_chosen_is_there_and_everything_else_stays(store: SqlStore) -> None:
    people = SqlPeople(store)
    chosen = Person(user_id=BIG, language="pt_BR", dm_hand=False, hints=False)
    assert await people.choose(BIG, language="pt_BR", dm_hand=False, hints=False) == chosen
    assert await people.person(BIG) == chosen
    await people.heard(BIG, "es-419")
    await over(store, "aaaa", Player(BIG, "Big", 5), TWO)
    changed = replace(chosen, language=None, locale="es-419", games=1)
    assert await people.choose(BIG, language=None) == changed
    assert await people.person(BIG) == changed


async def test_what_is_written_at_once_is_written_beside_each_other(store: SqlStore) -> None:
    """Also where it is the first that is written of somebody."""
    people = SqlPeople(store)
    for user_id in range(1, 11):
        await asyncio.gather(
            people.choose(user_id, language="es"),
            people.heard(user_id, "pt-BR"),
            people.choose(user_id, hints=False),
        )
        assert await people.person(user_id) == Person(user_id=user_id, language="es", locale="pt-BR", hints=False)


async def test_games_that_were_won_are_counted_once_for_everybody(store: SqlStore) -> None:
    people = SqlPeople(store)
    await over(store, "aaaa", ONE, TWO)
    await over(store, "bbbb", TWO, ONE)
    await over(store, "cccc", ONE, TWO, ending=Ending.ENDED)
    assert [(await people.person(player.user_id)).games for player in (ONE, TWO)] == [2, 2]


async def test_who_sits_at_an_open_table_is_not_forgotten(store: SqlStore) -> None:
    people = SqlPeople(store)
    await people.choose(1, language="es")
    await store.create(row("aaaa"), (ONE, TWO))
    assert not await people.forget(1)
    assert (await people.person(1)).language == "es"


async def test_a_stranger_takes_the_place_of_the_forgotten(store: SqlStore) -> None:
    people = SqlPeople(store)
    await over(store, "aaaa", ONE, TWO)
    await over(store, "bbbb", TWO, ONE)
    assert await people.forget(1)
    assert await people.person(1) == Person(user_id=1)
    first, second = await store.load("aaaa"), await store.load("bbbb")
    assert first is not None
    assert second is not None
    assert first.players == (Player(-1, "?", ONE.click), TWO)
    assert second.players == (TWO, Player(-2, "?", ONE.click))
    assert (first.row.host_id, first.row.winner_id, first.row.ended_by) == (-1, -1, "?")
    assert (second.row.host_id, second.row.winner_id, second.row.ended_by) == (2, 2, "Zwei 🂡")
    assert await people.forget(1), "there is nothing left to do"


async def test_whoever_has_the_same_name_keeps_it(store: SqlStore) -> None:
    await over(store, "aaaa", ONE, TWO, ending=Ending.ENDED, by=Player(7, ONE.name, 0))
    await SqlPeople(store).forget(1)
    stored = await store.load("aaaa")
    assert stored is not None
    assert (stored.row.ended_by, stored.row.ended_by_id) == (ONE.name, 7)


async def test_nobody_inherits_a_forgotten_victory(store: SqlStore) -> None:
    opened = row("aaaa")
    await store.create(opened, (TWO,))
    await store.commit(Change(later(opened, phase=Phase.OVER, ending=Ending.WON, winner_id=2, ended_at=NOW), None, ()))
    opened = row("bbbb")
    await store.create(opened, (ONE, TWO))
    ended = later(opened, phase=Phase.OVER, ending=Ending.WON, winner_id=1, ended_at=NOW + timedelta(hours=1))
    await store.commit(Change(ended, None, ()))
    await SqlPeople(store).forget(1)
    assert await store.last_winner(opened.parent_id) not in {1, 2}


async def test_nothing_of_the_forgotten_is_left(store: SqlStore, engine: AsyncEngine) -> None:
    people = SqlPeople(store)
    someone = Player(123456789, "Somebody", 77)
    await people.heard(someone.user_id, "es-ES")
    await over(store, "aaaa", someone, TWO)
    await over(store, "bbbb", ONE, TWO, ending=Ending.ENDED, by=someone)
    await people.forget(someone.user_id)
    async with engine.connect() as connection:
        for table in ("tables", "seats", "people", "moves", "posts", "facts"):
            for found in await connection.execute(text(f"SELECT * FROM {table}")):
                assert someone.user_id not in tuple(found)
                assert someone.name not in tuple(found)
