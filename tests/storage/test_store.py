"""Every method of the store, on each kind of database."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage.models import Base, MoveModel, PostModel, SeatModel, TableModel
from bot.storage.store import SqlStore
from bot.tables.ports import Change, ChannelTaken, StoredLine, StoredTable, TableRow, VersionConflict
from bot.tables.requests import Join, OpenLobby, Play, Start
from bot.tables.restoring import rebuilt
from bot.tables.service import Tables
from bot.tables.table import Phase, Player, Post, PostKind
from coup_core import record, replay
from tests.support.fakes import Listener, Time

NOW = datetime(2030, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
BIG = 2**63 - 1
"""As large as an id of Discord can become."""


def row(name: str = "aaaa", **changes: Any) -> TableRow:
    made = TableRow(
        id=name, version=1, request=f"open-{name}", phase=Phase.LOBBY, guild_id=BIG, channel_id=BIG - 1,
        parent_id=BIG - 1, host_id=BIG - 2, language="en", edition="classic", speed="normal", seed="ab" * 32,
        created_at=NOW,
    )  # fmt: skip
    return replace(made, **changes)


ONE, TWO, THREE = Player(1, "One", BIG), Player(2, "Zwei 🂡", 2), Player(3, "Drei", 3)


def later(base: TableRow, **changes: Any) -> TableRow:
    return replace(base, version=base.version + 1, **changes)


async def test_what_is_created_is_loaded(store: SqlStore) -> None:
    first = row(
        deadline_at=NOW,
        ended_at=NOW,
        start="winner",
        first=0,
        winner_id=BIG,
        mix="1," * 500,
        ended_by="Ä" * 100,
        ended_by_id=BIG,
    )
    await store.create(first, (ONE, TWO))
    assert await store.load("aaaa") == StoredTable(first, (ONE, TWO), (), ())
    assert await store.load("bbbb") is None


async def test_one_open_table_a_channel(store: SqlStore) -> None:
    await store.create(row("aaaa"), (ONE,))
    with pytest.raises(ChannelTaken):
        await store.create(row("bbbb"), (TWO,))
    assert await store.load("bbbb") is None
    assert await store.open_in_channel(BIG - 1) == "aaaa"
    assert await store.open_in_channel(5) is None
    await store.commit(Change(later(row("aaaa"), phase=Phase.OVER), None, ()))
    assert await store.open_in_channel(BIG - 1) is None
    await store.create(row("bbbb"), (TWO,))
    assert await store.open_in_channel(BIG - 1) == "bbbb"


async def test_two_openings_at_once(store: SqlStore) -> None:
    results = await asyncio.gather(
        *(store.create(row(name), (ONE,)) for name in ("aaaa", "bbbb", "cccc")), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["ChannelTaken", "ChannelTaken", "NoneType"]


async def test_the_same_id_in_another_channel_is_no_taken_channel(store: SqlStore) -> None:
    await store.create(row("aaaa"), (ONE,))
    with pytest.raises(IntegrityError):
        await store.create(row("aaaa", channel_id=7), (ONE,))


async def test_a_commit_changes_row_seats_and_lines_together(store: SqlStore) -> None:
    first = row()
    await store.create(first, (ONE, TWO))
    lines = (StoredLine(1, "p1: tax", "r1"), StoredLine(2, "p2: pass !", "r2"))
    second = later(first, phase=Phase.PLAYING, window=2, deadline_at=NOW + timedelta(seconds=30), request="r2")
    await store.commit(Change(second, None, lines))
    assert await store.load("aaaa") == StoredTable(second, (ONE, TWO), lines, ())
    third = later(second, request="r3", host_id=5)
    await store.commit(Change(third, (TWO, THREE, ONE), (StoredLine(3, "p1: draw", "r3"),)))
    assert await store.load("aaaa") == StoredTable(
        third, (TWO, THREE, ONE), (*lines, StoredLine(3, "p1: draw", "r3")), ()
    )
    await store.commit(Change(later(third), (), ()))
    stored = await store.load("aaaa")
    assert stored is not None
    assert stored.players == ()


@pytest.mark.parametrize("version", [1, 3, 99])
async def test_a_change_made_from_another_version_is_refused_whole(store: SqlStore, version: int) -> None:
    await store.create(row(), (ONE,))
    change = Change(row(version=version, window=9), (TWO,), (StoredLine(1, "p1: tax", "r1"),))
    with pytest.raises(VersionConflict):
        await store.commit(change)
    assert await store.load("aaaa") == StoredTable(row(), (ONE,), (), ())


async def test_a_table_that_is_not_there_is_a_conflict(store: SqlStore) -> None:
    with pytest.raises(VersionConflict):
        await store.commit(Change(later(row("nope")), None, ()))


async def test_of_many_commits_from_one_version_one_wins(store: SqlStore) -> None:
    await store.create(row(), (ONE,))
    results = await asyncio.gather(
        *(
            store.commit(Change(later(row(), request=f"r{at}"), None, (StoredLine(1, "p1: tax", f"r{at}"),)))
            for at in range(8)
        ),
        return_exceptions=True,
    )
    winners = [at for at, result in enumerate(results) if result is None]
    assert len(winners) == 1
    assert all(isinstance(result, VersionConflict) for result in results if result is not None)
    stored = await store.load("aaaa")
    assert stored is not None
    assert [line.request for line in stored.lines] == [f"r{winners[0]}"] == [stored.row.request]


async def test_a_line_that_is_there_already_stops_the_whole_commit(store: SqlStore) -> None:
    await store.create(row(), (ONE,))
    second = later(row())
    await store.commit(Change(second, None, (StoredLine(1, "p1: tax", "r1"),)))
    with pytest.raises(IntegrityError):
        await store.commit(Change(later(second), None, (StoredLine(1, "p1: income", "r2"),)))
    stored = await store.load("aaaa")
    assert stored is not None
    assert (stored.row, [line.line for line in stored.lines]) == (second, ["p1: tax"])


async def test_a_commit_cancelled_at_any_moment_is_whole_or_absent(store: SqlStore) -> None:
    """And the connections are fit for use afterwards."""
    await store.create(row(), (ONE,))
    current = row()
    for ticks in range(40):
        change = later(current, request=f"r{ticks}")
        lines = (StoredLine(2 * change.version, "p1: tax", "r"), StoredLine(2 * change.version + 1, "p2: pass", "r"))
        work = asyncio.ensure_future(store.commit(Change(change, None, lines)))
        for _ in range(ticks):
            await asyncio.sleep(0)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        stored = await store.load("aaaa")
        assert stored is not None
        assert stored.row in {current, change}
        mine = [line for line in stored.lines if line.number >= 2 * change.version]
        assert len(mine) == (2 if stored.row == change else 0)
        current = stored.row
    await store.commit(Change(later(current), None, ()))


async def test_commit_leaves_what_was_announced_alone(store: SqlStore) -> None:
    await store.create(row(), (ONE,))
    await store.announced("aaaa", 1)
    await store.commit(Change(later(row()), None, ()))
    stored = await store.load("aaaa")
    assert stored is not None
    assert (stored.row.version, stored.row.announced_version) == (2, 1)
    await store.announced("aaaa", 2)
    await store.announced("aaaa", 1)
    stored = await store.load("aaaa")
    assert stored is not None
    assert stored.row.announced_version == 2, "never back"
    await store.announced("nope", 2)


async def test_posts_are_inserted_and_replaced(store: SqlStore) -> None:
    await store.create(row(), (ONE,))
    lobby = Post(PostKind.LOBBY, 0, 1, 5, False)
    for post in (Post(PostKind.TURN, 2, 1, None, False), Post(PostKind.TURN, 2, 2, BIG, True), lobby):
        await store.save_post("aaaa", post)
    stored = await store.load("aaaa")
    assert stored is not None
    assert stored.posts == (Post(PostKind.LOBBY, 0, 1, 5, False), Post(PostKind.TURN, 2, 2, BIG, True))
    assert stored.row == row(), "the version is untouched"
    with pytest.raises(IntegrityError):
        await store.save_post("nope", Post(PostKind.TURN, 1, 1, None, False))


async def test_which_tables_are_open(store: SqlStore) -> None:
    for at, (name, phase, announced) in enumerate(
        [("lob", Phase.LOBBY, 1), ("play", Phase.PLAYING, 1), ("told", Phase.OVER, 1), ("untold", Phase.OVER, 0)]
    ):
        created = NOW + timedelta(seconds=10 - at)
        await store.create(
            row(name, phase=phase, announced_version=announced, channel_id=at, created_at=created), (ONE,)
        )
    assert await store.open_tables() == ["untold", "play", "lob"], "oldest first"


async def test_a_table_whose_phase_nobody_knows_is_open(store: SqlStore) -> None:
    """It is damaged, and has to be found so that it can be ended."""
    await store.create(row(phase="unheard-of", announced_version=1, deadline_at=NOW - timedelta(days=1)), (ONE,))
    assert await store.open_tables() == ["aaaa"]
    assert await store.open_in_guild(BIG) == ["aaaa"]
    assert await store.open_of_player(1) == ["aaaa"]
    assert await store.needing_attention(NOW) == ["aaaa"]


async def test_the_open_tables_of_a_player(store: SqlStore) -> None:
    await store.create(row("aaaa", channel_id=1), (ONE, TWO))
    await store.create(row("bbbb", channel_id=2, created_at=NOW - timedelta(days=1)), (TWO,))
    await store.create(row("cccc", channel_id=3, phase=Phase.OVER), (TWO,))
    assert await store.open_of_player(2) == ["bbbb", "aaaa"]
    assert await store.open_of_player(1) == ["aaaa"]
    assert await store.open_of_player(9) == []


async def test_the_last_winner_of_a_channel(store: SqlStore) -> None:
    assert await store.last_winner(1) is None
    ends = [("aaaa", 11, 5), ("bbbb", 12, 9), ("cccc", None, 20), ("dddd", 14, 7)]
    for name, winner, minute in ends:
        ended = NOW + timedelta(minutes=minute)
        await store.create(
            row(name, channel_id=ord(name[0]), parent_id=1, phase=Phase.OVER, winner_id=winner, ended_at=ended), (ONE,)
        )
    await store.create(
        row("eeee", channel_id=1, parent_id=2, phase=Phase.OVER, winner_id=99, ended_at=NOW + timedelta(days=1)), ()
    )
    assert await store.last_winner(1) == 12


async def test_which_tables_need_attention(store: SqlStore) -> None:
    def playing(name: str, channel: int, deadline: datetime | None, announced: int = 1) -> TableRow:
        return row(name, phase=Phase.PLAYING, channel_id=channel, deadline_at=deadline, announced_version=announced)

    await store.create(playing("late", 1, NOW - timedelta(microseconds=1)), (ONE,))
    await store.create(playing("soon", 2, NOW + timedelta(microseconds=1)), (ONE,))
    await store.create(playing("untold", 3, NOW + timedelta(hours=1), announced=0), (ONE,))
    await store.create(row("quiet", channel_id=4, announced_version=1), (ONE,))
    await store.create(row("over", channel_id=5, phase=Phase.OVER, announced_version=0), (ONE,))
    assert set(await store.needing_attention(NOW)) == {"late", "untold", "over"}
    elsewhere = NOW.astimezone(timezone(timedelta(hours=-7)))
    assert set(await store.needing_attention(elsewhere)) == {"late", "untold", "over"}


async def test_facts(store: SqlStore) -> None:
    assert await store.remembered("commands") is None
    await store.remember("commands", "a" * 5000)
    await store.remember("commands", "b")
    await store.remember("other", "")
    assert (await store.remembered("commands"), await store.remembered("other")) == ("b", "")


async def test_times_come_back_aware_and_in_utc(store: SqlStore) -> None:
    elsewhere = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    await store.create(row(deadline_at=elsewhere), (ONE,))
    stored = await store.load("aaaa")
    assert stored is not None
    assert stored.row.deadline_at == NOW
    assert stored.row.deadline_at.tzinfo is UTC
    with pytest.raises(StatementError, match="without its zone"):
        await store.create(row("bbbb", channel_id=1, deadline_at=NOW.replace(tzinfo=None)), (ONE,))


async def test_a_table_takes_all_that_is_its_own_along(store: SqlStore, engine: AsyncEngine) -> None:
    for name, channel in (("aaaa", 1), ("bbbb", 2)):
        await store.create(row(name, channel_id=channel), (ONE, TWO))
        await store.commit(Change(later(row(name, channel_id=channel)), None, (StoredLine(1, "p1: tax", "r"),)))
        await store.save_post(name, Post(PostKind.TURN, 1, 1, 1, False))
    async with engine.begin() as connection:
        await connection.execute(delete(TableModel).where(TableModel.id == "aaaa"))
        for model, left in ((SeatModel, 2), (MoveModel, 1), (PostModel, 1)):
            assert await connection.scalar(select(func.count()).select_from(model)) == left
    assert "tables" in Base.metadata.tables


async def test_many_tables_at_once(store: SqlStore) -> None:
    """Twenty tables written at the same time, each several times, with posts beside: nobody is turned away."""

    async def life(at: int) -> None:
        current = row(f"t{at}", channel_id=at)
        await store.create(current, (ONE, TWO))
        for number in range(1, 6):
            current = later(current)
            line = StoredLine(number, "p1: tax", f"r{number}")
            await asyncio.gather(
                store.commit(Change(current, None, (line,))),
                store.save_post(current.id, Post(PostKind.TURN, number, 1, 1, False)),
            )
            await store.announced(current.id, current.version)

    await asyncio.gather(*(life(at) for at in range(20)))
    for at in range(20):
        stored = await store.load(f"t{at}")
        assert stored is not None
        assert (stored.row.version, len(stored.lines), len(stored.posts)) == (6, 5, 5)


async def test_whole_games_through_the_one_door(store: SqlStore) -> None:
    """Tables on the real store: after every move another process would find the same game."""
    from bot.tables.choices import encode

    rng = random.Random(17)
    tables = Tables(store, Time(), entropy=rng.randbytes, rng=rng)
    tables.serve(Listener())
    opened = await tables.open_lobby(
        OpenLobby(
            request="o", guild_id=1, channel_id=2, user_id=0, name="Null", click=BIG, language="en", speed="blitz"
        )
    )
    for user in range(1, 4):
        await tables.submit(Join(request=f"j{user}", table_id=opened.id, user_id=user, name=f"#{user}", click=user))
    await tables.save_post(opened.id, Post(PostKind.LOBBY, 0, 1, BIG, False))
    table = await tables.submit(Start(request="s", table_id=opened.id, user_id=0))
    step = 0
    while table.phase is Phase.PLAYING:
        assert table.view is not None
        assert table.view.question is not None
        seat = rng.choice(table.view.question.awaited)
        view = (await tables.private(opened.id, seat)).view
        choice = encode(rng.choice(view.moves), view)
        step += 1
        table = await tables.submit(
            Play(request=f"p{step}", table_id=opened.id, user_id=seat, window=table.window, choice=choice)
        )
        stored = await store.load(opened.id)
        assert stored is not None
        assert rebuilt(stored).public(stored.posts) == table
    assert table.result is not None
    replay.verify(record.parse(table.result.record))
    await tables.close()


async def test_the_last_game_of_a_channel(store: SqlStore) -> None:
    assert await store.last_game(1) is None
    for name, minute, mix in (("aaaa", 5, "1,2"), ("bbbb", 9, "1,2"), ("cccc", 20, None)):
        ended = NOW + timedelta(minutes=minute)
        await store.create(row(name, channel_id=1, phase=Phase.OVER, mix=mix, ended_at=ended), (ONE,))
    await store.create(row("dddd", channel_id=1, mix="1,2"), (ONE,))
    await store.create(row("eeee", channel_id=2, phase=Phase.OVER, mix="1", ended_at=NOW + timedelta(days=1)), (ONE,))
    assert await store.last_game(1) == "bbbb"
