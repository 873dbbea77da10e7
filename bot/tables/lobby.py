"""The lobby of a table: who sits down, who leaves, and how it becomes a game.

Owns: the rules of the lobby, as functions from a table and a request to the table after it. Knows no storage and no
clock but the time it is given.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from bot.tables.errors import Mistake, Refusal
from bot.tables.ports import TableRow
from bot.tables.requests import Cancel, End, Join, Leave, OpenLobby, Start
from bot.tables.state import TableState, asked_anew, dealt, told
from bot.tables.table import Ending, Phase, Player
from coup_core.cards import MAX_PLAYERS, MIN_PLAYERS


def opened(table_id: str, request: OpenLobby, seed: bytes, now: datetime) -> TableState:
    """A new table with its host seated."""
    row = TableRow(
        id=table_id,
        version=1,
        request=request.request,
        phase=Phase.LOBBY,
        guild_id=request.guild_id,
        channel_id=request.channel_id,
        host_id=request.user_id,
        language=request.language,
        edition=request.edition,
        speed=request.speed,
        seed=seed.hex(),
        start=None,
        first=None,
        mix=None,
        window=0,
        deadline_at=None,
        announced_version=0,
        ending=None,
        ended_by=None,
        winner_id=None,
        created_at=now,
        ended_at=None,
    )
    return TableState(row, (Player(request.user_id, request.name, request.click),))


def joined(state: TableState, request: Join) -> TableState:
    """One more player, in the last seat."""
    _must_be_lobby(state)
    if any(player.user_id == request.user_id for player in state.players):
        raise Refusal(Mistake.ALREADY_SEATED)
    if len(state.players) >= MAX_PLAYERS:
        raise Refusal(Mistake.TABLE_FULL, players=MAX_PLAYERS)
    return replace(state, players=(*state.players, Player(request.user_id, request.name, request.click)))


def left(state: TableState, request: Leave, now: datetime) -> TableState:
    """The host's place passes on; the last one to leave closes the lobby."""
    _must_be_lobby(state)
    gone = state.seat_of(request.user_id)
    players = tuple(player for seat, player in enumerate(state.players) if seat != gone)
    if not players:
        return _closed(replace(state, players=players), Ending.CANCELLED, None, now)
    host = state.row.host_id if state.row.host_id != request.user_id else players[0].user_id
    return replace(state, row=replace(state.row, host_id=host), players=players)


def cancelled(state: TableState, request: Cancel, now: datetime) -> TableState:
    """The host gives the lobby up."""
    _must_be_lobby(state)
    _must_be_host(state, request.user_id)
    return _closed(state, Ending.CANCELLED, None, now)


def started(
    state: TableState, request: Start, lobby_message: int | None, last_winner: int | None, now: datetime
) -> TableState:
    """Deal. Who won the channel's last game starts, if seated, else the dealer draws who does (R6)."""
    if state.phase is Phase.PLAYING and state.row.host_id == request.user_id:
        # Pressed twice: what they want has happened.
        raise Refusal(Mistake.ALREADY_ANSWERED)
    _must_be_lobby(state)
    _must_be_host(state, request.user_id)
    if len(state.players) < MIN_PLAYERS:
        raise Refusal(Mistake.TOO_FEW_PLAYERS, players=MIN_PLAYERS)
    if lobby_message is None:
        # The commitment is not yet in the channel, so the shuffle has nothing to be mixed with.
        raise Refusal(Mistake.LOBBY_NOT_SHOWN)
    first = next((seat for seat, player in enumerate(state.players) if player.user_id == last_winner), None)
    row = replace(
        state.row,
        phase=Phase.PLAYING,
        start="random" if first is None else "winner",
        first=first,
        mix=",".join(map(str, (lobby_message, *(player.click for player in state.players)))),
    )
    game = dealt(row, len(state.players))
    playing = replace(state, row=row, game=game, story=told((), game.opening))
    return asked_anew(state, playing, now)


def ended(state: TableState, request: End, now: datetime) -> TableState:
    """A moderator ends any table; the host one that is still a lobby, or where nobody else plays on."""
    if not request.moderator and not _host_alone(state, request.user_id):
        raise Refusal(Mistake.NOT_ALLOWED)
    ending = Ending.CANCELLED if state.phase is Phase.LOBBY else Ending.ENDED
    return _closed(state, ending, request.name, now)


def _host_alone(state: TableState, user_id: int) -> bool:
    if state.row.host_id != user_id:
        return False
    playing = () if state.game is None else state.game.living
    return all(state.players[seat].user_id == user_id for seat in playing)


def _closed(state: TableState, ending: Ending, by: str | None, now: datetime) -> TableState:
    row = replace(state.row, phase=Phase.OVER, ending=ending, ended_by=by, deadline_at=None, ended_at=now)
    return replace(state, row=row)


def _must_be_lobby(state: TableState) -> None:
    if state.phase is not Phase.LOBBY:
        raise Refusal(Mistake.GAME_RUNNING)


def _must_be_host(state: TableState, user_id: int) -> None:
    if state.row.host_id != user_id:
        raise Refusal(Mistake.ONLY_HOST, host=state.row.host_id)
