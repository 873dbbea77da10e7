"""What can go wrong: a move that the rules refuse, and a record that cannot be read or does not hold.

Owns: one reason code per kind of illegal move, and the facts to explain it. Knows no language but the plain English of
developers; front ends word the reasons for their readers.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any


class Reason(StrEnum):
    """Why a move is refused. One code per kind of mistake."""

    GAME_OVER = "game-over"
    NO_SUCH_SEAT = "no-such-seat"
    OUT_OF_GAME = "out-of-game"  # R16: who is out does nothing
    DRAW_DUE = "draw-due"  # docs/RECORD.md: nothing happens between a move and its draw
    NOT_AWAITED = "not-awaited"  # no question is open to this seat: already answered, or never asked
    WRONG_QUESTION = "wrong-question"  # awaited, but for something else; or words that cannot follow the verb
    MUST_COUP = "must-coup"  # R10
    TOO_FEW_COINS = "too-few-coins"  # R9
    NO_TARGET = "no-target"  # R11: the action needs one
    TARGETS_NOBODY = "targets-nobody"  # the action takes no target
    TARGET_SELF = "target-self"  # R11
    TARGET_OUT = "target-out"  # R16
    NOT_CHALLENGEABLE = "not-challengeable"  # the action claims nothing, or its claim was proved already (R23)
    NOT_BLOCKABLE = "not-blockable"
    ONLY_TARGET_BLOCKS = "only-target-blocks"
    WRONG_BLOCKER = "wrong-blocker"  # that character does not block this action
    NOT_IN_PLAY = "not-in-play"  # R1, R30: a character or action of another edition
    CARD_NOT_HELD = "card-not-held"
    WRONG_CARD_SHOWN = "wrong-card-shown"  # R18: only the claimed character proves the claim
    WRONG_COUNT = "wrong-count"  # R13: too many or too few cards kept


class IllegalMove(Exception):
    """A refused move. Nothing has happened to the game.

    `reason` is the code, `facts` what explains it (seats as numbers, cards, coins), and `str()` one English sentence
    that names the offender and the state.
    """

    def __init__(self, reason: Reason, sentence: str, **facts: Any) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.facts = facts


class UnsupportedRules(ValueError):
    """Rules that exist, but that this engine cannot play yet. `modules` are the words that name what is missing."""

    def __init__(self, modules: Sequence[str]) -> None:
        named = " and ".join(repr(module) for module in modules)
        super().__init__(f"{named} {'is' if len(modules) == 1 else 'are'} not supported yet")
        self.modules = tuple(modules)


class RecordError(Exception):
    """A record that cannot be used. `malformed` tells bad text from a bad game (docs/RECORD.md).

    `line` counts from 1, None for a file that cannot be opened. `unsupported`: it may be a good record, but its edition
    cannot be played yet.
    """

    def __init__(
        self, line: int | None, reason: str, *, malformed: bool, file: str = "record", unsupported: bool = False
    ) -> None:
        super().__init__(f"{file}: {reason}" if line is None else f"{file}:{line}: {reason}")
        self.file = file
        self.line = line
        self.reason = reason
        self.malformed = malformed
        self.unsupported = unsupported
