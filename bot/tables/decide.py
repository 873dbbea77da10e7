"""Which function decides on which request, and what must hold before any of them is asked.

Owns: the tables of deciders. Each makes another table of a table, a request and the moment, or raises Refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.tables import damaged, hosting, lobby, play, windows
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
    HostGone,
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

Decider = Callable[[TableState, Any, Moment], TableState]

_DECIDERS: dict[type[Request], Decider] = {
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
    HostGone: hosting.taken_over,
    TimeUp: play.timed_out,
    AllowForThem: play.allowed_for_them,
    Woken: lambda state, request, moment: windows.woken(state, request.owed, moment.now),
    PauseTable: lambda state, request, moment: windows.paused(state, request.why, moment.now),
    Unblock: lambda state, request, moment: (
        windows.resumed(state, moment.now) if state.row.paused == request.why else state
    ),
    Abandon: hosting.abandoned,
}
_OF_DAMAGED: dict[type[Request], Decider] = {
    Leave: damaged.left,
    End: damaged.ended,
    TimeUp: damaged.timed_out,
    Woken: damaged.woken,
    Abandon: hosting.abandoned,
}
"""What may be asked of a table whose game cannot be replayed."""


def decide(state: TableState, request: AnyRequest, moment: Moment) -> TableState:
    """The table after `request`; the same object where nothing changes. Raises Refusal."""
    if state.holds(request.request):
        return state
    decider = (_OF_DAMAGED if state.damaged else _DECIDERS).get(type(request))
    if not request.by_person and (state.phase is Phase.OVER or decider is None):
        return state
    if state.phase is Phase.OVER:
        raise Refusal(Mistake.TABLE_GONE)
    if decider is None:
        raise Refusal(Mistake.UNPLAYABLE)
    return decider(state, request, moment)
