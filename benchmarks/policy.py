"""What the people of the cost benchmark do: the clicks with which somebody answers a question, and when.

Owns: the policy that `docs/performance.md` describes. Somebody knows what their own panel tells them and no more. Knows
nothing of Discord, of the bot's messages, or of what is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bot.tables.choices import encode
from coup_core.moves import CHALLENGE, PASS, Move
from coup_core.view import Asked, SeatView

ANSWER_AFTER = (2.0, 12.0)
"""Seconds from the moment in which a question stands in the channel until somebody has answered it."""
CHALLENGES, BLOCKS, COUPS, LOOKS = 0.08, 0.30, 0.60, 0.30
"""How likely somebody challenges, blocks, coups with seven coins, looks at their hand in their turn."""
COUP_FROM = 7
_IN_PRIVATE = (Asked.PROOF, Asked.LOSS, Asked.EXCHANGE)


@dataclass(frozen=True)
class Click:
    """One press of a button, or one choice from a select."""

    after: float
    """Seconds after the question came to stand in the channel."""
    choice: str
    """Verb and argument of the button, as its id spells them."""
    panel: bool = False
    """On the private panel that the click before has opened; else on a public message."""
    values: tuple[str, ...] | None = None
    """What is picked, where it is a select."""


def clicks(view: SeatView, rng: Random) -> list[Click]:
    """Everything that the player of `view`, who is awaited, will press, in order; the last click answers."""
    question = view.table.question
    assert question is not None
    wait = rng.uniform(*ANSWER_AFTER)
    first = wait / 2
    if question.asked is Asked.TURN:
        look = [Click(wait / 4, "hand")] if rng.random() < LOOKS else []
        return look + _action(_turn(view, rng), first, wait)
    if question.asked in _IN_PRIVATE:
        choice = encode(rng.choice(view.moves), view)
        return [Click(first, "choose"), _from_panel(choice, wait)]
    return [Click(wait, encode(_reaction(view, rng), view))]


def _turn(view: SeatView, rng: Random) -> Move:
    """An action by its kind, then its target."""
    verbs = list(dict.fromkeys(move.verb for move in view.moves))
    verb = verbs[0]
    if len(verbs) > 1:
        may_coup = "coup" in verbs and view.table.seats[view.seat].coins >= COUP_FROM
        others = [verb for verb in verbs if verb != "coup"]
        verb = "coup" if may_coup and rng.random() < COUPS else rng.choice(others)
    return rng.choice([move for move in view.moves if move.verb == verb])


def _reaction(view: SeatView, rng: Random) -> Move:
    blocks = [move for move in view.moves if move.verb == "block"]
    if CHALLENGE in view.moves and rng.random() < CHALLENGES:
        return CHALLENGE
    return rng.choice(blocks) if blocks and rng.random() < BLOCKS else PASS


def _action(move: Move, first: float, wait: float) -> list[Click]:
    if move.target is None:
        return [Click(wait, move.verb)]
    return [Click(first, f"target:{move.verb}"), Click(wait, f"{move.verb}:{move.target}", panel=True)]


def _from_panel(choice: str, wait: float) -> Click:
    verb, _, places = choice.partition(":")
    if verb == "keep":
        return Click(wait, verb, panel=True, values=tuple(places.split(",")))
    return Click(wait, choice, panel=True)
