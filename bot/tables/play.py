"""The running game of a table: answers, and what is played when time runs out.

Owns: the ladder of checks between a person's answer and the engine (whose seat, alive, which window, asked at all).
Contains no rule of Coup. Functions from a table and a request to the table after it.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from bot.tables import lobby, windows
from bot.tables.asking import asking
from bot.tables.choices import decode
from bot.tables.course import Answer
from bot.tables.errors import Mistake, Refusal
from bot.tables.moment import Moment
from bot.tables.requests import AllowForThem, AutoAllow, Play, Resume, TimeUp
from bot.tables.state import TableState
from bot.tables.table import Cause, Ending, Pause, Phase
from coup_core.defaults import default_move
from coup_core.errors import IllegalMove
from coup_core.invariants import violations
from coup_core.moves import CHALLENGE, PASS, RESIGN, Move, Seat
from coup_core.view import Asked, seat_view

SILENT_TURNS = 2
"""With so many silent turns in a row a player is out."""
_WINDOWS = (Asked.REACTION, Asked.SECOND_CHANCE, Asked.BLOCK)


class UnsoundGame(Exception):
    """A move led to a position that breaks an invariant; it is not stored."""


def answered(state: TableState, request: Play, moment: Moment) -> TableState:
    """The table after a player's answer, which also wakes a paused game unless they leave it. Raises Refusal."""
    seat, move = _checked(state, request)
    try:
        new = _after(state, state.played(Answer(seat, move), request.request), moment.now)
    except IllegalMove as error:
        raise Refusal(Mistake.ILLEGAL, reason=error.reason, **error.facts) from error
    return windows.paused_still(state, new) if move == RESIGN else new


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
    put = asking(state, window)
    if put is None:
        return Refusal(Mistake.LATE if alive else Mistake.OUT_OF_GAME)
    given = put.answer_of(seat)
    by_clock = given is not None and given.clock
    # A choice names places in the hand of then.
    again = given is not None and choice is not None and given.move == decode(choice, seat_view(put.game, seat))
    if again and not by_clock:
        return Refusal(Mistake.ALREADY_ANSWERED)
    if not alive:
        return Refusal(Mistake.OUT_OF_GAME)
    if window == state.row.window:
        return Refusal(Mistake.NOT_ASKED) if given is None else Refusal(Mistake.ANSWER_STANDS, verb=given.move.verb)
    if by_clock:
        return Refusal(Mistake.CLOCK_ANSWERED)
    # R23: the first one counts, and it closes the window.
    first = next((answer.seat for answer in put.answers if answer.move == CHALLENGE), seat)
    if first != seat and seat in put.game.awaited():
        return Refusal(Mistake.CHALLENGED_FIRST, target=first)
    return Refusal(Mistake.LATE)


def resumed(state: TableState, request: Resume, moment: Moment) -> TableState:
    """A player who plays on wakes the game."""
    must_live(state, request.user_id)
    if state.row.paused is None:
        raise Refusal(Mistake.NOT_PAUSED)
    return windows.resumed(state, moment.now)


def auto_allowed(state: TableState, request: AutoAllow, moment: Moment) -> TableState:
    """The switch of one player."""
    del moment
    seat = must_live(state, request.user_id)
    player = replace(state.players[seat], auto_allow=request.on)
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def allowed_for_them(state: TableState, request: AllowForThem, moment: Moment) -> TableState:
    """Pass for those who allow without being asked."""
    if not moment.stood or not state.window_open() or state.row.window != request.window:
        return state
    new = state
    for seat in unasked(state):
        if new.row.window == request.window and new.game is not None and seat in new.game.awaited():
            answer = Answer(seat, PASS, cause=Cause.AUTO)
            new = _after(new, new.played(answer, request.request), moment.now)
    return new


def unasked(state: TableState) -> tuple[Seat, ...]:
    """Who allows without being asked in the open window, which is neither aimed at them nor about their action."""
    game = state.game
    if game is None or not state.window_open() or game.pending is None or game.asked not in _WINDOWS:
        return ()
    concerned = (game.pending.seat, game.pending.target)
    return tuple(seat for seat in game.awaited() if state.players[seat].auto_allow and seat not in concerned)


def timed_out(state: TableState, request: TimeUp, moment: Moment) -> TableState:
    """The table after its deadline."""
    if not moment.overdue or state.row.window != request.window:
        return state
    if state.phase is Phase.LOBBY:
        return lobby.waited(state, moment.now)
    if state.row.paused is not None:
        ending = Ending.NO_ACCESS if state.paused is Pause.NO_ACCESS else Ending.ABANDONED
        return windows.closed(state, ending, moment.now)
    return _clock_answered(state, request, moment)


def _clock_answered(state: TableState, request: TimeUp, moment: Moment) -> TableState:
    """The clock answers for everyone who is still awaited (R41); who is gone, or silent too often, is resigned."""
    assert state.game is not None
    question = state.game.question_number
    new = state
    while new.game is not None and new.game.question_number == question and (awaited := new.game.awaited()):
        new = new.played(_for_the_silent(new, awaited[0], request, moment), request.request)
    deserted = new.course.deserted
    new = _after(state, new, moment.now)
    return windows.paused(new, Pause.IDLE, moment.now) if deserted else new


def _for_the_silent(state: TableState, seat: Seat, request: TimeUp, moment: Moment) -> Answer:
    assert state.game is not None
    if state.players[seat].user_id in request.gone:
        return Answer(seat, RESIGN, clock=True, cause=Cause.GONE)
    if state.game.asked is Asked.TURN and state.course.silences[seat] + 1 >= SILENT_TURNS:
        return Answer(seat, RESIGN, clock=True, cause=Cause.SILENT)
    return Answer(seat, default_move(state.game, seat, moment.rng), clock=True)


def resigned(state: TableState, seat: Seat, cause: Cause, request: str, moment: Moment) -> TableState:
    """The table after somebody else has taken `seat` out of the game."""
    new = _after(state, state.played(Answer(seat, RESIGN, cause=cause), request), moment.now)
    return windows.paused_still(state, new)


def _after(old: TableState, new: TableState, now: datetime) -> TableState:
    assert new.game is not None
    broken = violations(new.game)
    if broken:
        raise UnsoundGame("; ".join(broken))
    return windows.asked_anew(old, new, now)
