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
from coup_core.errors import IllegalMove
from coup_core.invariants import violations
from coup_core.moves import CHALLENGE, RESIGN, Move, Seat
from coup_core.view import seat_view

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
        raise Refusal(Mistake.ILLEGAL, reason=error.reason, **error.facts) from error


def must_live(state: TableState, user_id: int) -> Seat:
    """The seat of somebody who plays on. Raises Refusal NOT_SEATED, NOT_STARTED, UNPLAYABLE or OUT_OF_GAME."""
    seat = state.seat_of(user_id)
    if seat not in state.must_play().living:
        raise Refusal(Mistake.OUT_OF_GAME)
    return seat


def must_be_asked(state: TableState, user_id: int, window: int, choice: str | None = None) -> Seat:
    """The seat of somebody who owes an answer to `window`, which is open.

    Raises Refusal as `must_live`, or with what has become of the window: ANSWER_STANDS, NOT_ASKED, LATE or
    CHALLENGED_FIRST; ALREADY_ANSWERED where `choice` is what they have answered.
    """
    seat = state.seat_of(user_id)
    if window == state.row.window and seat in state.must_play().awaited():
        return seat
    raise _not_open(state, seat, window, choice)


def _checked(state: TableState, request: Play) -> tuple[Seat, Move]:
    """Whose answer it is, and which move."""
    if request.choice == RESIGN.verb:
        # Leaving needs no open window and no turn.
        return must_live(state, request.user_id), RESIGN
    seat = must_be_asked(state, request.user_id, request.window, request.choice)
    return seat, decode(request.choice, seat_view(state.must_play(), seat))


def _not_open(state: TableState, seat: Seat, window: int, choice: str | None) -> Refusal:
    """Why `seat` may not answer `window` now: they have, they never were asked, or it has closed."""
    alive = seat in state.must_play().living
    asking = state.asking(window)
    if asking is None:
        return Refusal(Mistake.LATE if alive else Mistake.OUT_OF_GAME)
    given = asking.answer_of(seat)
    by_clock = given is not None and given.clock
    # A choice names places in the hand of then.
    again = given is not None and choice is not None and given.move == decode(choice, seat_view(asking.game, seat))
    if again and not by_clock:
        return Refusal(Mistake.ALREADY_ANSWERED)
    if not alive:
        return Refusal(Mistake.OUT_OF_GAME)
    if window == state.row.window:
        return Refusal(Mistake.NOT_ASKED) if given is None else Refusal(Mistake.ANSWER_STANDS, verb=given.move.verb)
    if by_clock:
        return Refusal(Mistake.LATE, by_clock=True)
    # R23: the first one counts, and it closes the window.
    first = next((answer.seat for answer in asking.answers if answer.move == CHALLENGE), seat)
    if first != seat and seat in asking.game.awaited():
        return Refusal(Mistake.CHALLENGED_FIRST, target=first)
    return Refusal(Mistake.LATE)


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
