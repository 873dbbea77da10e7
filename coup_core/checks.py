"""Whether a check line of a record holds in a game (docs/RECORD.md).

Owns: what each check compares, and the words for what is instead. Reads the whole `Game`, hidden cards too: it is for
records, tests and puzzles, never for a running table.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from coup_core.errors import IllegalMove
from coup_core.game import Game
from coup_core.lines import AnyMove, Check, Refused, format_line, parse_any_move
from coup_core.moves import Move, Seat


def position(game: Game) -> tuple[Any, ...]:
    """Everything that a refused move must leave as it was."""
    seats = range(len(game.names))
    return (
        tuple((game.hands[seat], game.lost[seat], game.coins[seat], game.drawn(seat)) for seat in seats),
        tuple(game.court),
        game.treasury,
        game.minted,
        game.outcome,
        game.turn,
        game.number,
        game.question_number,
        game.draw_due,
        tuple((seat, game.legal_moves(seat)) for seat in game.awaited()),
    )


def legal(game: Game, seat: Seat, move: AnyMove) -> bool:
    """Whether `seat` may play `move` now; nothing is played."""
    return isinstance(move, Move) and game.accepts(seat, move)


def refusal_fails(line: Refused, game: Game) -> str | None:
    """What is wrong with a line `! NAME: WORDS`: it was accepted, or its refusal changed something."""
    words = line.words[:-1] if line.words[-1] == "!" else line.words
    try:
        move = parse_any_move(words, game.names)
    except ValueError:
        return None
    if not isinstance(move, Move):
        return None
    before = position(game)
    trial = game.copy()
    try:
        trial.play(line.seat, move)
    except IllegalMove:
        changed = position(trial) != before
        return "expected that a refused move changes nothing, but it did" if changed else None
    return f"expected a refusal of {format_line(line, game.names)[2:]!r}, but it is legal"


def check_fails(check: Check, game: Game) -> str | None:
    """None if `check` holds in `game`; else one line that tells what was expected and what is."""
    actual = _ACTUAL[check.topic](check, game)
    expected = format_line(check, game.names).removeprefix("= ")
    return None if actual is None else f"expected {expected}, but {actual}"


# Each answers None if the check holds, else what is, as the end of a sentence.


def _coins(check: Check, game: Game) -> str | None:
    wrong = [
        f"{game.names[seat]} has {game.coins[seat]}"
        for seat, count in zip(check.seats, check.counts, strict=True)
        if game.coins[seat] != count
    ]
    return ", ".join(wrong) or None


def _hand(check: Check, game: Game) -> str | None:
    return _same_cards(check, game.hands[check.seats[0]])


def _lost(check: Check, game: Game) -> str | None:
    return _same_cards(check, game.lost[check.seats[0]])


def _same_cards(check: Check, actual: tuple[str, ...]) -> str | None:
    same = sorted(actual) == sorted(check.cards)
    return None if same else f"these are {' '.join(actual) or 'none'}"


def _court(check: Check, game: Game) -> str | None:
    if not check.cards:
        return _number(check, len(game.court))
    court = Counter(game.court)
    wrong = [
        f"there are {court[card]} {card}"
        for card, count in zip(check.cards, check.counts, strict=True)
        if court[card] != count
    ]
    return ", ".join(wrong) or None


def _number(check: Check, actual: int) -> str | None:
    return None if check.counts == (actual,) else f"it is {actual}"


def _treasury(check: Check, game: Game) -> str | None:
    return _number(check, game.treasury)


def _minted(check: Check, game: Game) -> str | None:
    return _number(check, game.minted)


def _reserve(check: Check, _game: Game) -> str | None:
    # Without Reformation no coin ever goes there.
    return _number(check, 0)


def _side(_check: Check, _game: Game) -> str:
    return "there are no sides in these rules"


def _turn(check: Check, game: Game) -> str | None:
    if game.outcome is not None:
        return "the game is over"
    return None if check.seats == (game.turn,) else f"it is the turn of {game.names[game.turn]}"


def _awaiting(check: Check, game: Game) -> str | None:
    awaited = game.awaited()
    if set(awaited) == set(check.seats):
        return None
    return f"awaited: {' '.join(game.names[seat] for seat in awaited) or 'nobody'}"


def _may(check: Check, game: Game) -> str | None:
    assert check.move is not None
    return None if legal(game, check.seats[0], check.move) else "that is illegal"


def _may_not(check: Check, game: Game) -> str | None:
    assert check.move is not None
    return "that is legal" if legal(game, check.seats[0], check.move) else None


def _draws_seen(check: Check, game: Game) -> str | None:
    seat = check.seats[0]
    drawn = len(game.drawn(seat))
    return _number(check, drawn + len(game.hands[seat]) if drawn else 0)


def _winner(check: Check, game: Game) -> str | None:
    if game.outcome is None:
        return "the game is not over"
    winner = game.outcome.winner
    return None if check.seats == (winner,) else f"{game.names[winner]} has won"


def _going(_check: Check, game: Game) -> str | None:
    return None if game.outcome is None else f"{game.names[game.outcome.winner]} has won"


_ACTUAL: Final[dict[str, Callable[[Check, Game], str | None]]] = {
    "coins": _coins,
    "hand": _hand,
    "lost": _lost,
    "court": _court,
    "treasury": _treasury,
    "reserve": _reserve,
    "minted": _minted,
    "side": _side,
    "turn": _turn,
    "awaiting": _awaiting,
    "may": _may,
    "may-not": _may_not,
    "draws-seen": _draws_seen,
    "winner": _winner,
    "going": _going,
}


def closing_checks(game: Game) -> list[Check]:
    """Check lines for all that a finished game left: purses, cards, the Court copy by copy, the bank, the winner."""
    seats = tuple(range(len(game.names)))
    court = Counter(game.court)
    characters = tuple(game.ruleset.characters)
    checks = [
        Check("coins", seats=seats, counts=tuple(game.coins[seat] for seat in seats)),
        *(Check("hand", seats=(seat,), cards=game.hands[seat]) for seat in seats),
        *(Check("lost", seats=(seat,), cards=game.lost[seat]) for seat in seats),
        Check("court", counts=(len(game.court),)),
        Check("court", cards=characters, counts=tuple(court[character] for character in characters)),
        Check("treasury", counts=(game.treasury,)),
        Check("minted", counts=(game.minted,)),
    ]
    if game.outcome is not None:
        checks.append(Check("winner", seats=(game.outcome.winner,)))
    return checks
