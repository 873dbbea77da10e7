"""Which function decides on which request, and what must hold before any of them is asked.

Owns: the table of deciders. Each makes another table of a table, a request and the moment, or raises Refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.tables import hosting, lobby, play, windows
from bot.tables.errors import Mistake, Refusal
from bot.tables.moment import Moment
from bot.tables.requests import (
    Abandon,
    AllowForThem,
    AnyRequest,
    AutoAllow,
    Cancel,
    End,
    Extend,
    Join,
    Kick,
    Leave,
    PauseTable,
    Play,
    Request,
    Resume,
    Start,
    TimeUp,
    Transfer,
    Unblock,
    Woken,
)
from bot.tables.state import TableState
from bot.tables.table import Phase

_DECIDERS: dict[type[Request], Callable[[TableState, Any, Moment], TableState]] = {
    Join: lobby.joined,
    Leave: lobby.left,
    Start: lobby.started,
    Cancel: lobby.cancelled,
    Play: play.answered,
    AutoAllow: play.auto_allowed,
    Resume: play.resumed,
    Kick: hosting.kicked,
    Transfer: hosting.transferred,
    Extend: hosting.extended,
    End: hosting.ended,
    TimeUp: play.timed_out,
    AllowForThem: play.allowed_for_them,
    Woken: lambda state, request, moment: windows.woken(state, request.owed, moment.now),
    PauseTable: lambda state, request, moment: windows.paused(state, request.why, moment.now),
    Unblock: lambda state, request, moment: (
        windows.resumed(state, moment.now) if state.row.paused == request.why else state
    ),
    Abandon: hosting.abandoned,
}


def decide(state: TableState, request: AnyRequest, moment: Moment) -> TableState:
    """The table after `request`; the same object where nothing changes. Raises Refusal."""
    if state.holds(request.request):
        return state
    if not request.by_person and (state.phase is Phase.OVER or (state.damaged and not request.of_damaged)):
        return state
    if state.phase is Phase.OVER:
        raise Refusal(Mistake.TABLE_GONE)
    if not request.of_damaged:
        state.must_be_whole()
    return _DECIDERS[type(request)](state, request, moment)
