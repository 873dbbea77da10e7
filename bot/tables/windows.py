"""How long a question may wait: where every deadline that is stored comes from.

Owns: the lengths of time, and what opening, extending, pausing and waking do to a table's window. `window_time` knows
how much of a stored deadline is left; nothing here looks at a clock by itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.tables.errors import Mistake, Refusal
from bot.tables.state import TableState
from bot.tables.table import Ending, Pause, Phase

AWAY = timedelta(seconds=30)
"""The least that people get after the bot was away: they have to notice that it is back."""
GIVEN_UP_AFTER = timedelta(days=1)
"""How long a paused game waits for somebody to resume it."""
STALE_AFTER = timedelta(minutes=30)
"""How long a lobby waits for somebody to come or go."""
HELD_FOR = timedelta(seconds=60)
"""How long the seats of a rematch are kept for those who sat there."""


def asked_anew(old: TableState, new: TableState, now: datetime) -> TableState:
    """`new` with the window and the deadline of the question that is open in it; won, if none is left."""
    assert new.game is not None
    if new.game.outcome is not None:
        return _won(new, now)
    if old.game is not None and old.game.question_number == new.game.question_number:
        return resumed(new, now)
    new = new.with_row(window=len(new.lines), paused=None, granted=None)
    return new.with_row(deadline_at=now + new.window_length())


def extended(state: TableState, ends: datetime | None, now: datetime) -> TableState:
    """The open window, whose time is up at `ends`, gets its usual length once more.

    Raises Refusal NOTHING_TO_EXTEND.
    """
    if not state.window_open() or ends is None:
        raise Refusal(Mistake.NOTHING_TO_EXTEND)
    more = timedelta(seconds=state.usual_length)
    return _with_length(state, state.window_length() + more).with_row(deadline_at=max(ends, now) + more)


def paused(state: TableState, why: Pause, now: datetime) -> TableState:
    """No clock runs on the game any more but that of giving it up."""
    if not state.window_open():
        return state
    return state.with_row(paused=why, deadline_at=now + GIVEN_UP_AFTER)


def resumed(state: TableState, now: datetime) -> TableState:
    """The open window begins again, with all that it was given and time enough to come back to it."""
    if state.row.paused is None:
        return state
    state = state.with_row(paused=None)
    state = _with_length(state, max(state.window_length(), AWAY))
    return state.with_row(deadline_at=now + state.window_length())


def paused_still(old: TableState, new: TableState) -> TableState:
    """`new`, in which somebody has left `old`: if that stood still so does this, for nobody has come back."""
    if old.row.paused is None or new.phase is not Phase.PLAYING:
        return new
    return new.with_row(paused=old.row.paused, deadline_at=old.row.deadline_at)


def woken(state: TableState, owed: float | None, now: datetime) -> TableState:
    """Whatever waits gets back the seconds that it is owed, and time enough to come back to it: its whole length at
    most, and all of that if nobody knows what it is owed.

    `owed` is less than nothing where the wall clock was set back meanwhile.
    """
    if state.row.deadline_at is None:
        return state
    if state.paused is Pause.DAMAGED and not state.damaged:
        # Somebody has mended it, and it goes on.
        mended = state.with_row(paused=None)
        return mended.with_row(deadline_at=now + max(_whole(mended), AWAY))
    deadline = whole = now + max(_whole(state), AWAY)
    if owed is not None:
        deadline = min(max(state.row.deadline_at + timedelta(seconds=owed), now + AWAY), whole)
    if deadline == state.row.deadline_at:
        return state
    if state.window_open() and deadline - now > state.window_length():
        state = _with_length(state, AWAY)
    return state.with_row(deadline_at=deadline)


def closed(state: TableState, ending: Ending, now: datetime) -> TableState:
    """The table is over without a winner."""
    return state.with_row(phase=Phase.OVER, ending=ending, deadline_at=None, paused=None, ended_at=now)


def closed_by(state: TableState, ending: Ending, user_id: int, name: str, now: datetime) -> TableState:
    """The same, at somebody's word."""
    return closed(state, ending, now).with_row(ended_by=name, ended_by_id=user_id)


def _with_length(state: TableState, length: timedelta) -> TableState:
    """With `length` for the open window in all: what people are told, and have again after the bot was away."""
    seconds = int(length.total_seconds())
    return state.with_row(granted=None if seconds == state.usual_length else seconds)


def _whole(state: TableState) -> timedelta:
    """The longest that the table waits for what it waits for now."""
    if state.row.paused is not None:
        return GIVEN_UP_AFTER
    if state.phase is Phase.LOBBY:
        return HELD_FOR if any(player.held for player in state.players) else STALE_AFTER
    return state.window_length()


def _won(state: TableState, now: datetime) -> TableState:
    assert state.game is not None
    assert state.game.outcome is not None
    winner = state.players[state.game.outcome.winner].user_id
    over = closed(state, Ending.WON, now)
    return over.with_row(window=len(state.lines), winner_id=winner)
