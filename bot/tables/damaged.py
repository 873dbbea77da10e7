"""A table whose game cannot be replayed: how it comes to an end.

Owns: what may be asked of it. Nobody can play on there, so whoever sits at it may end it, and leaving it is that; where
nobody does, it ends by itself. Functions from a table, a request and the moment to the table after it.
"""

from __future__ import annotations

from bot.tables import hosting, windows
from bot.tables.moment import Moment
from bot.tables.requests import End, Leave, TimeUp, Woken
from bot.tables.state import TableState
from bot.tables.table import Ending, Pause


def left(state: TableState, request: Leave, moment: Moment) -> TableState:
    """Nothing is taken from the others. Raises Refusal NOT_SEATED."""
    name = state.players[state.seat_of(request.user_id)].name
    return windows.closed_by(state, Ending.ENDED, request.user_id, name, moment.now)


def ended(state: TableState, request: End, moment: Moment) -> TableState:
    """Moderators, and whoever sits there. Raises Refusal NOT_ALLOWED."""
    if state.find_seat(request.user_id) is not None:
        return windows.closed_by(state, Ending.ENDED, request.user_id, request.name, moment.now)
    return hosting.ended(state, request, moment)


def woken(state: TableState, request: Woken, moment: Moment) -> TableState:
    """From the start at which it was found out it has its day, and no start takes that back."""
    if state.paused is Pause.DAMAGED:
        return windows.woken(state, request.owed, moment.now)
    return _waiting(state, moment)


def timed_out(state: TableState, request: TimeUp, moment: Moment) -> TableState:
    """The day is over; or the deadline was still that of the game, and the day begins."""
    if not moment.overdue or state.row.window != request.window:
        return state
    if state.paused is Pause.DAMAGED:
        return windows.closed(state, Ending.ABANDONED, moment.now)
    return _waiting(state, moment)


def _waiting(state: TableState, moment: Moment) -> TableState:
    return state.with_row(paused=Pause.DAMAGED, deadline_at=moment.now + windows.GIVEN_UP_AFTER)
