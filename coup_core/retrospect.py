"""Looking back at a game that is over: which claims were true, and which were doubted.

Owns: the truth of every claim. It tells hidden cards, so it is for games that are finished or broken off, never for one
that goes on.
"""

from msgspec import Struct
from msgspec.structs import replace

from coup_core.cards import Character
from coup_core.events import BlockDeclared, Challenged, Declared, Event
from coup_core.moves import Seat
from coup_core.record import Record
from coup_core.replay import Replay


class ClaimTruth(Struct, frozen=True):
    """A claim, made by an action or a block, and what it was worth."""

    turn: int
    """The number of the turn in which it was made, counted from 1."""
    seat: Seat
    character: Character
    held: bool
    """Whether `seat` held the character when claiming it."""
    challenged: bool
    action: str
    """The action that claimed it, or that the block was to stop."""
    of_block: bool


def claims(record: Record) -> tuple[ClaimTruth, ...]:
    """Every claim of the game in order. Raises RecordError if the record does not hold."""
    replay = Replay(record)
    found: list[ClaimTruth] = []
    action = ""
    turn = replay.game.number
    for step in replay:
        for event in step.events:
            if isinstance(event, Declared):
                action = event.action
            if isinstance(event, Challenged):
                _mark_challenged(found, event)
            elif (claim := _claim(event)) is not None:
                held = claim in step.hands[event.seat]
                of_block = isinstance(event, BlockDeclared)
                found.append(ClaimTruth(turn, event.seat, claim, held, False, action, of_block))
        turn = replay.game.number
    return tuple(found)


def _claim(event: Event) -> Character | None:
    match event:
        case Declared():
            return event.claim
        case BlockDeclared():
            return event.character
    return None


def _mark_challenged(found: list[ClaimTruth], event: Challenged) -> None:
    """A challenge questions the newest claim of its kind by that player."""
    for index in reversed(range(len(found))):
        claim = found[index]
        if (claim.seat, claim.character, claim.of_block) == (event.claimant, event.character, event.of_block):
            found[index] = replace(claim, challenged=True)
            return
