"""What those who run a table may do: the host, and the server's moderators.

Owns: who may do it and to whom. Functions from a table, a request and the moment to the table after it.
"""

from __future__ import annotations

from bot.tables import lobby, windows
from bot.tables.errors import Mistake, Refusal
from bot.tables.moment import Moment
from bot.tables.play import resigned
from bot.tables.requests import Abandon, End, Extend, HostGone, HostRequest, Kick, Transfer
from bot.tables.state import TableState
from bot.tables.table import Cause, Ending, Pause, Phase
from coup_core.moves import Seat


def kicked(state: TableState, request: Kick, moment: Moment) -> TableState:
    """Out of the lobby; out of the game only if their last turn was a silent one, as in a deserted game all were."""
    _must_run(state, request)
    if request.player == request.user_id:
        raise Refusal(Mistake.NOT_YOURSELF)
    seat = _seat_of(state, request.player)
    if state.phase is Phase.LOBBY:
        return lobby.without(state, seat, moment.now, request)
    if seat not in state.must_play().living:
        raise Refusal(Mistake.PLAYER_OUT, target=seat)
    if not state.course.silences[seat] and state.paused is not Pause.IDLE:
        raise Refusal(Mistake.NOT_IDLE, target=seat)
    return resigned(state, seat, Cause.KICKED, request.request, moment)


def transferred(state: TableState, request: Transfer, moment: Moment) -> TableState:
    """Another player becomes the host."""
    del moment
    _must_run(state, request)
    seat = _seat_of(state, request.player)
    if state.players[seat].held:
        raise Refusal(Mistake.NOT_HERE, target=seat)
    return state.with_row(host_id=request.player)


def taken_over(state: TableState, request: HostGone, moment: Moment) -> TableState:
    """Whoever sits there and asks is the host in place of the one who has left the server, whose lobby seat is free."""
    if state.row.host_id != request.host or not _takes_part(state, request.user_id):
        return state
    new = state.with_row(host_id=request.user_id)
    if state.phase is not Phase.LOBBY:
        return new
    return lobby.without(new, _seat_of(state, request.host), moment.now)


def extended(state: TableState, request: Extend, moment: Moment) -> TableState:
    """More time for the open question."""
    _must_run(state, request)
    return windows.extended(state, moment.ends, moment.now)


def ended(state: TableState, request: End, moment: Moment) -> TableState:
    """A moderator ends any table; the host one that is still a lobby, or where nobody else plays on."""
    if not request.moderator and not _host_alone(state, request.user_id):
        raise Refusal(Mistake.NOT_ALLOWED)
    ending = Ending.CANCELLED if state.phase is Phase.LOBBY else Ending.ENDED
    return windows.closed_by(state, ending, request.user_id, request.name, moment.now)


def abandoned(state: TableState, request: Abandon, moment: Moment) -> TableState:
    """Nobody can see it any more."""
    del request
    return windows.closed(state, Ending.NO_ACCESS, moment.now)


def _must_run(state: TableState, request: HostRequest) -> None:
    if not request.moderator:
        lobby.must_be_host(state, request.user_id)


def _takes_part(state: TableState, user_id: int) -> bool:
    """Whether they have come to the lobby, or play on."""
    for seat, player in enumerate(state.players):
        if player.user_id == user_id:
            return not player.held if state.game is None else seat in state.game.living
    return False


def _seat_of(state: TableState, user_id: int) -> Seat:
    seat = state.find_seat(user_id)
    if seat is None:
        raise Refusal(Mistake.NO_SUCH_PLAYER)
    return seat


def _host_alone(state: TableState, user_id: int) -> bool:
    if state.row.host_id != user_id:
        return False
    playing = () if state.game is None else state.game.living
    return all(state.players[seat].user_id == user_id for seat in playing)
