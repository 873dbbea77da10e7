"""What is played for a player whose time ran out (R41).

Owns: the answer to every question that nobody answered. Its random choices come from the caller's generator, which has
nothing to do with the deal. Knows no clock.
"""

from random import Random

from coup_core.game import Game
from coup_core.moves import CONCEDE, PASS, Move, Seat
from coup_core.view import Asked


def default_move(game: Game, seat: Seat, rng: Random) -> Move:
    """The legal move that silence means for `seat`. Raises ValueError for whoever is not awaited."""
    moves = game.legal_moves(seat)
    if not moves:
        raise ValueError(f"{game.names[seat]} is not awaited: silence means nothing")
    match game.agenda[-1].asked:
        case Asked.TURN:
            return _turn(game, seat, moves)
        case Asked.PROOF:
            return next((move for move in moves if move.verb == "show"), CONCEDE)
        case Asked.LOSS:
            card = rng.choice(game.hands[seat])
            return next(move for move in moves if move.cards == (card,))
        case Asked.EXCHANGE:
            # The first choice listed is the hand as it was, in its order.
            return moves[0]
        case _:
            return PASS


def _turn(game: Game, seat: Seat, moves: tuple[Move, ...]) -> Move:
    """Income; with ten coins the Coup on the target with most influence, then most coins, then next clockwise."""
    if moves[0].target is None:
        return moves[0]
    order = game.others(seat)

    def strength(move: Move) -> tuple[int, int, int]:
        assert move.target is not None
        return len(game.hands[move.target]), game.coins[move.target], -order.index(move.target)

    return max(moves, key=strength)
