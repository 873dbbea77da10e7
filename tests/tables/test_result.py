"""The end of a game, and what stays hidden until then."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from bot.tables.requests import End, Start
from bot.tables.state import TableState
from bot.tables.table import Ending, Phase, PublicTable
from coup_core import record, replay
from coup_core.cards import Character
from coup_core.game import Game
from tests.tables.room import CHANNEL, HOST, Room


async def finished(room: Room, rng: random.Random, players: int, channel: int = CHANNEL) -> PublicTable:
    table = await room.game(players, channel=channel)
    while table.phase is Phase.PLAYING:
        table = await room.random_move(table, rng, resign=0.01)
    return table


@pytest.mark.parametrize("players", range(2, 11))
async def test_the_record_of_a_finished_game_holds_and_follows_from_its_seed(room: Room, players: int) -> None:
    table = await finished(room, random.Random(players), players)
    result = table.result
    assert result is not None
    assert table.ending is Ending.WON
    text = record.parse(result.record)
    final = replay.verify(text)
    assert final.outcome is not None
    assert (final.outcome.winner, tuple(map(tuple, final.hands))) == (result.winner, result.hands)
    assert replay.check(text).outcome == final.outcome
    assert text.seed is not None
    assert text.seed.hex() == result.seed
    assert (text.mix, text.commit, text.start) == (result.mix, table.commit, table.start)
    assert text.display == {seat: player.name for seat, player in enumerate(table.players)}
    row = room.assert_sound(table.id).row
    assert result.winner is not None
    assert (row.winner_id, row.deadline_at) == (table.players[result.winner].user_id, None)
    assert row.ended_at is not None
    assert all(claim.turn > 0 for claim in result.claims)


async def test_a_game_broken_off_can_be_checked_too(room: Room) -> None:
    rng = random.Random(2)
    for cut in range(1, 40, 3):
        table = await room.game(4, channel=CHANNEL + cut)
        for _ in range(cut):
            if table.phase is Phase.PLAYING:
                table = await room.random_move(table, rng)
        if table.phase is Phase.OVER:
            continue
        over = await room.tables.submit(
            End(request=room.request(), table_id=table.id, user_id=1, name="Mo", moderator=True)
        )
        assert over.result is not None
        assert (over.ending, over.result.winner, over.ended_by) == (Ending.ENDED, None, "Mo")
        replay.verify(record.parse(over.result.record))
        assert room.assert_sound(table.id).row.winner_id is None


@pytest.mark.parametrize(
    "name", ["", "   ", "#1", "a # b", "two\nlines", "name: x", "тест", "\u00a0", "\u2028x", "\tx\r"]
)
async def test_any_display_name_can_be_recorded(room: Room, name: str) -> None:
    table = await room.game(2)
    state = room.tables.watch.memory.entries[table.id].state
    assert state is not None
    players = (replace(state.players[0], name=name), state.players[1])
    room.tables.watch.memory.entries[table.id].state = replace(state, players=players)
    over = await room.tables.submit(End(request="e", table_id=table.id, user_id=1, name="Mo", moderator=True))
    assert over.result is not None
    replay.verify(record.parse(over.result.record))


async def test_who_won_begins_the_next_game_of_the_channel_if_seated(room: Room) -> None:
    first = await finished(room, random.Random(1), 3)
    assert first.result is not None
    assert first.result.winner is not None
    winner = first.players[first.result.winner].user_id
    await room.time.advance(60)

    elsewhere = await room.game(3, channel=CHANNEL + 1)
    assert elsewhere.start == "random"

    # The host sits down first, so the winner's seat may be another one now.
    host = 12 if winner != 12 else 11
    lobby = await room.lobby(host=host)
    for user in (10, 11, 12):
        if user != host:
            await room.join(lobby.id, user)
    await room.post_lobby(lobby.id)
    second = await room.tables.submit(Start(request="s", table_id=lobby.id, user_id=host))
    assert second.start == "winner"
    assert second.view is not None
    assert second.view.turn is not None
    assert second.players[second.view.turn].user_id == winner
    room.show(second)
    while second.phase is Phase.PLAYING:
        second = await room.random_move(second, random.Random(3))
    assert second.result is not None
    assert replay.verify(record.parse(second.result.record)).outcome is not None

    third = await room.game(2, host=900)
    assert third.start == "random", "the winner has gone home"


# ---------------------------------------------------------------------------------------------------- secrecy


def redealt(game: Game, viewer: int | None, rng: random.Random) -> Game:
    """The same position with every card that `viewer` (None: everyone at once) cannot know dealt differently."""
    twin = game.copy()
    hidden = [seat for seat in range(len(game.names)) if seat != viewer]
    pool = [card for seat in hidden for card in game.hands[seat]] + list(game.court)
    rng.shuffle(pool)
    for seat in hidden:
        count = len(game.hands[seat])
        twin.hands[seat], pool = tuple(pool[:count]), pool[count:]
    twin.court = pool
    return twin


def every_moment(room: Room, table: PublicTable) -> TableState:
    state = room.tables.watch.memory.entries[table.id].state
    assert state is not None
    return state


async def test_a_public_table_is_the_same_whatever_is_hidden(room: Room) -> None:
    rng = random.Random(13)
    changed = 0
    for players in (2, 3, 5, 8):
        table = await room.game(players, channel=CHANNEL + players)
        while table.phase is Phase.PLAYING:
            state = every_moment(room, table)
            game = state.game
            assert game is not None
            for viewer in (None, rng.randrange(players)):
                twin = redealt(game, viewer, rng)
                changed += twin.hands != game.hands
                other = replace(state, game=twin, row=replace(state.row, seed=state.row.seed))
                public = state.public()
                assert msgspec.json.encode(other.public()) == msgspec.json.encode(public)
                if viewer is not None:
                    user = table.players[viewer].user_id
                    twins, own = other.private(user, public), state.private(user, public)
                    assert msgspec.json.encode(twins) == msgspec.json.encode(own)
            table = await room.random_move(table, rng, resign=0.01)
    assert changed > 200


async def test_neither_the_seed_nor_the_hands_are_public_before_the_end(room: Room) -> None:
    table = await room.game(4)
    state = every_moment(room, table)
    assert state.row.seed not in repr(table)
    assert state.row.seed.encode() not in msgspec.json.encode(table)
    assert table.result is None
    private = await room.private(table, 0)
    assert not any(character in repr(private.view) for character in Character)


async def test_a_planted_leak_is_seen(room: Room) -> None:
    """The test above can fail: a table whose public part names a hand differs at once."""
    table = await room.game(4)
    state = every_moment(room, table)
    assert state.game is not None
    twin = redealt(state.game, None, random.Random(1))
    leaks = [
        msgspec.json.encode(replace(state.public(), language=",".join(game.hands[0]))) for game in (state.game, twin)
    ]
    assert leaks[0] != leaks[1]
    assert HOST in {player.user_id for player in table.players}
