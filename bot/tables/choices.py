"""A player's answer as a short text, the way buttons and commands carry it.

Owns: `verb[:arg]` both ways. Cards are named by their place in the player's own hand, never by what they are, so that
a choice gives nothing away. Knows nothing of whether a move is legal.

`tax`, `steal:2` (the target's seat), `block:0` (place among the characters that block the action), `show`, `concede`,
`lose:1` (place in the hand), `keep:0,2` (places in the hand followed by the drawn cards), `pass`, `challenge`,
`resign`.
"""

from collections.abc import Sequence

from bot.tables.errors import Mistake, Refusal
from coup_core.cards import Cards, Character
from coup_core.moves import FORMS, Move
from coup_core.view import Asked, SeatView


def encode(move: Move, view: SeatView) -> str:
    """The choice that makes `move`, for the player of `view`."""
    match move.verb:
        case "block":
            return f"block:{_blockers(view).index(move.cards[0])}"
        case "lose":
            return f"lose:{view.hand.index(move.cards[0])}"
        case "keep":
            return f"keep:{','.join(map(str, _places(move.cards, view.hand + view.drawn)))}"
        case _:
            return move.verb if move.target is None else f"{move.verb}:{move.target}"


def decode(choice: str, view: SeatView) -> Move:
    """The move that `choice` makes. Raises Refusal MALFORMED for a text that `encode` never makes."""
    verb, colon, arg = choice.partition(":")
    if verb not in FORMS or (colon and not arg):
        raise Refusal(Mistake.MALFORMED)
    try:
        match verb:
            case "block":
                return Move(verb, cards=(_blockers(view)[_place(arg)],))
            case "lose":
                return Move(verb, cards=(view.hand[_place(arg)],))
            case "keep":
                return Move(verb, cards=_pick(arg, view.hand + view.drawn))
            case "show":
                question = view.table.question
                claim = question.claim if question is not None and question.asked is Asked.PROOF else None
                # Without an open proof the rules refuse it, and say why.
                return Move(verb, cards=() if claim is None else (claim.character,))
            case _:
                return Move(verb, _place(arg) if arg else None)
    except (ValueError, IndexError):
        raise Refusal(Mistake.MALFORMED) from None


def _blockers(view: SeatView) -> Cards:
    return view.table.pending.blocked_by if view.table.pending is not None else ()


def _place(arg: str) -> int:
    if not arg.isascii() or not arg.isdigit():
        raise ValueError
    return int(arg)


def _pick(arg: str, pool: Cards) -> Cards:
    """The cards at the named places; no place twice."""
    places = [_place(part) for part in arg.split(",")]
    if len(set(places)) != len(places):
        raise ValueError
    return tuple(pool[place] for place in places)


def _places(cards: Cards, pool: Sequence[Character]) -> list[int]:
    """Distinct places in `pool` that hold `cards`."""
    taken: list[int] = []
    for card in cards:
        taken.append(next(place for place, held in enumerate(pool) if held == card and place not in taken))
    return taken
