"""The lobby of a table: who sits down, who leaves, and how it becomes a game.

Owns: the rules of the lobby, as functions from a table, a request and the moment to the table after it. Knows no
storage and no clock but the time it is given.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from bot.tables.course import begun
from bot.tables.errors import Mistake, Refusal
from bot.tables.moment import Moment
from bot.tables.ports import TableRow
from bot.tables.requests import Cancel, Join, Kick, Leave, OpenLobby, Start
from bot.tables.state import TableState, dealt
from bot.tables.table import Ending, Phase, Player
from bot.tables.windows import HELD_FOR, STALE_AFTER, asked_anew, closed, closed_by
from coup_core.cards import MAX_PLAYERS, MIN_PLAYERS


def opened(table_id: str, request: OpenLobby, seed: bytes, now: datetime) -> TableState:
    """A new table with its host seated; in a rematch at the place they had, the others' seats held."""
    host = Player(request.user_id, request.name, request.click)
    held = tuple(host if player.user_id == host.user_id else _held(player) for player in request.held)
    row = TableRow(
        id=table_id,
        version=1,
        request=request.request,
        phase=Phase.LOBBY,
        guild_id=request.guild_id,
        channel_id=request.channel_id,
        parent_id=request.parent_id or request.channel_id,
        host_id=request.user_id,
        language=request.language,
        edition=request.edition,
        speed=request.speed,
        seed=seed.hex(),
        created_at=now,
    )
    return _waiting(TableState(row, held if host in held else (host, *held)), now)


def joined(state: TableState, request: Join, moment: Moment) -> TableState:
    """One more player: in the seat that is held for them, else in the last one."""
    must_be_lobby(state)
    player = Player(request.user_id, request.name, request.click)
    seat = state.find_seat(request.user_id)
    if seat is not None:
        if not state.players[seat].held:
            raise Refusal(Mistake.ALREADY_SEATED)
        players = (*state.players[:seat], player, *state.players[seat + 1 :])
        return _waiting(replace(state, players=players), moment.now)
    if len(state.players) >= MAX_PLAYERS:
        raise Refusal(Mistake.TABLE_FULL, most=MAX_PLAYERS)
    return _waiting(replace(state, players=(*state.players, player)), moment.now)


def left(state: TableState, request: Leave, moment: Moment) -> TableState:
    """The host's place passes on; the last one to leave closes the lobby."""
    must_be_lobby(state)
    return without(state, state.seat_of(request.user_id), moment.now)


def without(state: TableState, seat: int, now: datetime, by: Kick | None = None) -> TableState:
    """The lobby after whoever has `seat` is gone, if not by themselves then `by` whose request."""
    user_id = state.players[seat].user_id
    players = state.players[:seat] + state.players[seat + 1 :]
    present = [player for player in players if not player.held]
    if not present:
        over = replace(state, players=players)
        if by is None:
            return closed(over, Ending.CANCELLED, now)
        return closed_by(over, Ending.CANCELLED, by.user_id, by.name, now)
    host = state.row.host_id if state.row.host_id != user_id else present[0].user_id
    return _waiting(replace(state, players=players).with_row(host_id=host), now)


def cancelled(state: TableState, request: Cancel, moment: Moment) -> TableState:
    """The host gives the lobby up."""
    must_be_lobby(state)
    must_be_host(state, request.user_id)
    host = state.players[state.seat_of(request.user_id)]
    return closed_by(state, Ending.CANCELLED, host.user_id, host.name, moment.now)


def started(state: TableState, request: Start, moment: Moment) -> TableState:
    """Deal. Who won the channel's last game starts, if seated, else the dealer draws who does (R6)."""
    if state.phase is Phase.PLAYING and state.row.host_id == request.user_id:
        # Pressed twice: what they want has happened.
        raise Refusal(Mistake.ALREADY_ANSWERED)
    must_be_lobby(state)
    must_be_host(state, request.user_id)
    if any(player.held for player in state.players):
        raise Refusal(Mistake.SEATS_HELD)
    if len(state.players) < MIN_PLAYERS:
        raise Refusal(Mistake.TOO_FEW_PLAYERS, least=MIN_PLAYERS)
    if moment.lobby_message is None:
        # The commitment is not yet in the channel, so the shuffle has nothing to be mixed with.
        raise Refusal(Mistake.LOBBY_NOT_SHOWN)
    first = None if moment.last_winner is None else state.find_seat(moment.last_winner)
    row = replace(
        state.row,
        phase=Phase.PLAYING,
        start="random" if first is None else "winner",
        first=first,
        mix=",".join(map(str, (moment.lobby_message, *(player.click for player in state.players)))),
    )
    game = dealt(row, len(state.players))
    return asked_anew(state, replace(state, row=row, game=game, course=begun(game)), moment.now)


def waited(state: TableState, now: datetime) -> TableState:
    """The lobby's time is up: held seats are free for others now; a lobby where nothing happens is closed."""
    came = tuple(player for player in state.players if not player.held)
    if len(came) == len(state.players):
        return closed(state, Ending.ABANDONED, now)
    return _waiting(replace(state, players=came), now)


def must_be_lobby(state: TableState) -> None:
    """Raises Refusal GAME_RUNNING."""
    if state.phase is not Phase.LOBBY:
        raise Refusal(Mistake.GAME_RUNNING)


def must_be_host(state: TableState, user_id: int) -> None:
    """Raises Refusal ONLY_HOST."""
    if state.row.host_id != user_id:
        raise Refusal(Mistake.ONLY_HOST)


def _waiting(state: TableState, now: datetime) -> TableState:
    """With the deadline of a lobby in which something happened just now; held seats have theirs from the opening."""
    if any(player.held for player in state.players):
        return state.with_row(deadline_at=state.row.deadline_at or state.row.created_at + HELD_FOR)
    return state.with_row(deadline_at=now + STALE_AFTER)


def _held(player: Player) -> Player:
    return Player(player.user_id, player.name, click=0)
