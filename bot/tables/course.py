"""The course of a game: what its answers, one after the other, add up to.

Owns: the story by turns and who has fallen silent, both folded from the same answers whether they are played or
replayed. Knows nothing of how answers are stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.tables.table import Cause, Removed, TimeRanOut, TurnStory
from coup_core.events import Event, TurnStarted, visible
from coup_core.game import Game
from coup_core.moves import Move, Seat
from coup_core.view import Asked

_WORTH_A_WORD = (Asked.TURN, Asked.PROOF, Asked.LOSS, Asked.EXCHANGE)
"""Where silence does more than allow."""


class Answer(Struct, frozen=True):
    """One move of one player."""

    seat: Seat
    move: Move
    clock: bool = False
    """Their time had run out (R41)."""
    cause: Cause | None = None
    """Why it was made, if neither they nor the clock made it."""

    @property
    def own(self) -> bool:
        """Whether the player was there and made it."""
        return not self.clock and self.cause is None


class Course(Struct, frozen=True):
    """What has happened so far."""

    story: tuple[TurnStory, ...] = ()
    """By turn, oldest first."""
    silences: tuple[int, ...] = ()
    """By seat: their silent turns since they last answered anything."""
    silent_round: tuple[Seat, ...] = ()
    """Who has let their turn pass in silence since anybody answered anything."""
    there: Seat | None = None
    """Who gave the last answer, if they were there and gave it themselves."""
    deserted: bool = False
    """Whether the last answer completed a round in which nobody answered. The game stops there; for whoever comes back
    it begins anew, so what was silent before is not counted any more."""

    def then(self, answer: Answer, asked: Asked | None, events: Iterable[Event], living: Collection[Seat]) -> Course:
        """This course after `answer` to a question of the kind `asked`; `living`: who plays on after it."""
        silences, silent_round = list(self.silences), self.silent_round
        deserted = False
        if answer.own:
            silences[answer.seat], silent_round = 0, ()
        elif answer.clock and asked is Asked.TURN:
            silences[answer.seat] += 1
            silent_round = (*silent_round, answer.seat)
            deserted = set(living) <= set(silent_round)
        if deserted:
            silences, silent_round = [0] * len(silences), ()
        told = [*_notes(answer, asked), *events]
        there = answer.seat if answer.own else None
        return Course(_with(self.story, told), tuple(silences), silent_round, there, deserted)


def begun(game: Game) -> Course:
    """The course of a game that was dealt just now."""
    return Course(_with((), game.opening), (0,) * len(game.names))


def _notes(answer: Answer, asked: Asked | None) -> Iterable[Event]:
    """What is to be said about how the answer came about."""
    if answer.cause in {Cause.SILENT, Cause.KICKED, Cause.GONE}:
        yield Removed(answer.seat, answer.cause)
    elif answer.clock and asked in _WORTH_A_WORD:
        yield TimeRanOut(answer.seat)


def _with(story: tuple[TurnStory, ...], events: Iterable[Event]) -> tuple[TurnStory, ...]:
    """`story` with the public ones of `events` added, a new entry for every turn that starts."""
    turns = list(story)
    for event in visible(events):
        if isinstance(event, TurnStarted):
            turns.append(TurnStory(event.number, (event,)))
        elif turns:
            turns[-1] = replace(turns[-1], events=(*turns[-1].events, event))
        else:
            turns.append(TurnStory(0, (event,)))
    return tuple(turns)
