"""A question of a game, as it was put, and how it was answered: also one that is long past.

Owns: the look back into a table's record, for whoever presses an old button. Knows nothing of who may answer.
"""

from __future__ import annotations

from msgspec import Struct

from bot.tables.course import Answer
from bot.tables.restoring import replayed
from bot.tables.state import TableState, dealt
from coup_core.game import Game
from coup_core.moves import Seat


class Asking(Struct, frozen=True):
    """A question as it was put, and the answers that it got, the first one first."""

    game: Game
    answers: tuple[Answer, ...]

    def answer_of(self, seat: Seat) -> Answer | None:
        """What `seat` answered."""
        return next((answer for answer in self.answers if answer.seat == seat), None)


def asking(state: TableState, window: int) -> Asking | None:
    """The question of `state` that opened `window`; None for a number that no window has."""
    game = dealt(state.row, len(state.players))
    put = game.copy() if window == 0 else None
    answers: list[Answer] = []
    for answer, _, _, after in replayed(game, state.lines):
        if put is not None:
            answers.append(answer)
            if game.question_number != put.question_number:
                break
        elif after == window:
            put = game.copy()
    return None if put is None else Asking(put, tuple(answers))
