"""One line of advice under a question, for somebody's first game.

Owns: the hint for each kind of question. It says what the buttons do and what they can cost; it follows from the
question, from what its reader may answer, and from nothing that is hidden from them.
"""

from __future__ import annotations

from bot.i18n import N_, Translator
from bot.tables.table import PrivateSeat
from bot.ui.buttons import may_be_challenged
from bot.ui.move_words import ACTIONS
from coup_core.events import TurnStarted
from coup_core.view import Asked, Question

_TURN = N_("You may press any action, whether or not you hold the character in brackets; others may challenge you.")
_FIRST = N_("These hints end with your first game; `/coup preferences` turns them off.")
_CHALLENGE = N_("If you challenge and the character is shown, you lose an influence; if it is not, the claimant does.")
_CHALLENGE_OR_BLOCK = N_(
    "You may challenge the claim, or block whether or not you hold the character. Whoever is caught bluffing, or"
    " challenges the truth, loses an influence."
)
_BLOCK_ONLY = N_("You may block whether or not you hold the character; a bluff that is challenged costs an influence.")
_STILL = N_("You may still block, whether or not you hold the character; your block may be challenged.")
_BLOCKED = N_(
    "If you challenge and the character is shown, you lose an influence; if it is not, the block falls and costs its"
    " player one."
)
_SHOW = N_("Showing costs you no influence: the challenger loses one, and you get another card for yours.")
_CAUGHT = N_("A bluff that is caught costs one influence. Nobody sees more than the card that is turned up.")
_LOSE = N_("The card stays face up for all to see. Keep the one that you want to claim honestly.")
_KEEP = N_("Nobody else sees what you keep or put back. Keep what you want to claim honestly.")


def hint_text(seat: PrivateSeat, question: Question, t: Translator) -> str:
    """The hint for what this player is asked; empty where there is nothing to advise."""
    hint = " ".join(t(sentence) for sentence in _sentences(seat, question))
    return t("Hint: {hint}", hint=hint) if hint else ""


def _sentences(seat: PrivateSeat, question: Question) -> tuple[str, ...]:
    legal = {move.verb for move in seat.view.moves}
    match question.asked:
        case Asked.TURN if alone := _alone(legal):
            return (alone,)
        case Asked.TURN:
            return (_TURN, _FIRST) if _turns(seat) == 1 else (_TURN,)
        case Asked.PROOF:
            return (_SHOW,) if "show" in legal else (_CAUGHT,)
        case Asked.LOSS:
            return (_LOSE,)
        case Asked.EXCHANGE:
            return (_KEEP,)
        case Asked.BLOCK:
            return (_BLOCKED,)
        case Asked.SECOND_CHANCE:
            return (_STILL,)
        case Asked.REACTION if "block" in legal:
            return (_CHALLENGE_OR_BLOCK,) if may_be_challenged(question) else (_BLOCK_ONLY,)
        case Asked.REACTION:
            return (_CHALLENGE,)
    return ()


def _alone(actions: set[str]) -> str:
    """The hint for whoever has no other action than this one."""
    return ACTIONS[next(iter(actions))].alone if len(actions) == 1 else ""


def _turns(seat: PrivateSeat) -> int:
    """How many turns of theirs have started."""
    events = (event for turn in seat.table.story for event in turn.events)
    return sum(isinstance(event, TurnStarted) and event.seat == seat.seat for event in events)
