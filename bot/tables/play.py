"""The running game of a table: answers, and what is played when time runs out.

Owns: the ladder of checks between a person's answer and the engine (whose seat, alive, which window, asked at all).
Contains no rule of Coup. Functions from a table and a request to the table after it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from msgspec.structs import replace

from bot.tables.choices import decode
from bot.tables.errors import Mistake, Refusal
from bot.tables.requests import Play, TimeUp
from bot.tables.state import TableState, asked_anew
from bot.tables.table import Phase
from coup_core.defaults import default_move
from coup_core.errors import IllegalMove, Reason
from coup_core.invariants import violations
from coup_core.moves import RESIGN, Move, Seat
from coup_core.view import seat_view, table_view

AWAY = timedelta(seconds=30)
"""The least that people get after the bot was away: they have to notice that it is back."""


class UnsoundGame(Exception):
    """A move led to a position that breaks an invariant; it is not stored."""


def answered(state: TableState, request: Play, now: datetime) -> TableState:
    """The table after a player's answer. Raises Refusal."""
    seat, move = _checked(state, request)
    try:
        return _after(state, state.played([(seat, move)], request.request), now)
    except IllegalMove as error:
        if error.reason is Reason.NOT_AWAITED:
            raise Refusal(_not_awaited(state, seat)) from error
        raise Refusal(Mistake.ILLEGAL, reason=error.reason, **error.facts) from error


def _checked(state: TableState, request: Play) -> tuple[Seat, Move]:
    """Whose answer it is, and which move."""
    seat = state.seat_of(request.user_id)
    game = state.must_play()
    if seat not in game.living:
        raise Refusal(Mistake.OUT_OF_GAME)
    if request.choice == RESIGN.verb:
        return seat, RESIGN
    if request.window != state.row.window:
        raise _late(state, seat, request.window, request.choice)
    if seat not in game.awaited():
        raise Refusal(_not_awaited(state, seat))
    return seat, decode(request.choice, seat_view(game, seat))


def _late(state: TableState, seat: Seat, window: int, choice: str) -> Refusal:
    """`window` has closed: by this very answer, by a challenge (R23: the first one counts), or else."""
    assert state.game is not None
    made = f"{state.game.names[seat]}: {choice.partition(':')[0]}"
    if any(line.line.startswith(made) for line in state.lines[window : state.row.window]):
        return Refusal(Mistake.ALREADY_ANSWERED)
    question = table_view(state.game).question
    if question is not None and question.challenger is not None:
        return Refusal(Mistake.CHALLENGED_FIRST, target=question.challenger)
    return Refusal(Mistake.LATE)


def _not_awaited(state: TableState, seat: Seat) -> Mistake:
    """Told apart: who has answered this window already, and who was never asked."""
    name = f"p{seat + 1}: "
    since = state.lines[state.row.window :]
    return Mistake.ALREADY_ANSWERED if any(line.line.startswith(name) for line in since) else Mistake.NOT_ASKED


def timed_out(state: TableState, request: TimeUp, rng: Random, now: datetime) -> TableState:
    """The table after its clock has answered for everyone who is still awaited (R41)."""
    if state.game is None or state.phase is not Phase.PLAYING or state.row.window != request.window:
        return state
    question = state.game.question_number
    new = state
    while new.game is not None and new.game.question_number == question and (awaited := new.game.awaited()):
        move = default_move(new.game, awaited[0], rng)
        new = new.played([(awaited[0], move)], request.request, clock=True)
    return _after(state, new, now)


def woken(state: TableState, now: datetime) -> TableState:
    """The open window has its full length before it, and time enough to come back to it (the bot was away)."""
    if state.game is None or state.phase is not Phase.PLAYING:
        return state
    deadline = now + max(state.window_length(), AWAY)
    if state.row.deadline_at is not None and state.row.deadline_at >= deadline:
        return state
    return replace(state, row=replace(state.row, deadline_at=deadline))


def _after(old: TableState, new: TableState, now: datetime) -> TableState:
    assert new.game is not None
    broken = violations(new.game)
    if broken:
        raise UnsoundGame("; ".join(broken))
    return asked_anew(old, new, now)
