"""Why a move is refused: the one reason that helps most, with the facts.

Owns: the diagnosis of a move that is already known to be illegal. It decides nothing: legality is `Game.legal_moves`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coup_core.cards import Character
from coup_core.errors import IllegalMove, Reason
from coup_core.moves import FORMS, Move, Seat
from coup_core.ruleset import MUST_COUP_AT
from coup_core.view import Asked

if TYPE_CHECKING:
    from coup_core.game import Game

_ANSWERS = {
    Asked.REACTION: ("pass", "challenge", "block"),
    Asked.SECOND_CHANCE: ("pass", "challenge", "block"),
    Asked.BLOCK: ("pass", "challenge", "block"),
    Asked.PROOF: ("show", "concede"),
    Asked.LOSS: ("lose",),
    Asked.EXCHANGE: ("keep",),
}
"""The verbs that are answers to a question, if perhaps wrong ones. On a turn the verbs are the actions."""


def explain(game: Game, seat: Seat, move: Move) -> IllegalMove:
    """The reason why `game` does not accept `move` from `seat`."""
    if game.outcome is not None:
        return IllegalMove(Reason.GAME_OVER, "the game is over", winner=game.outcome.winner)
    if not 0 <= seat < len(game.names):
        return IllegalMove(Reason.NO_SUCH_SEAT, f"there is no seat {seat}", seat=seat)
    name = game.names[seat]
    if seat not in game.living:
        return IllegalMove(Reason.OUT_OF_GAME, f"{name} is out of the game", seat=seat)
    if game.draw_due is not None:
        drawer = game.draw_due[0]
        return IllegalMove(Reason.DRAW_DUE, f"{game.names[drawer]} has yet to draw", seat=drawer)
    asked = game.agenda[-1].asked
    assert asked is not None
    if seat not in game.awaited():
        waiting = ", ".join(game.names[other] for other in game.awaited())
        sentence = f"{name} is not awaited: the question ({asked}) is for {waiting}"
        return IllegalMove(Reason.NOT_AWAITED, sentence, seat=seat, asked=asked)
    if asked is Asked.TURN:
        return _wrong_action(game, seat, move)
    if move.verb not in _ANSWERS[asked]:
        sentence = f"{name} may not {move.verb}: the question is {asked}"
        return IllegalMove(Reason.WRONG_QUESTION, sentence, seat=seat, asked=asked, verb=move.verb)
    return _wrong_answer(game, seat, move, asked)


def _wrong_action(game: Game, seat: Seat, move: Move) -> IllegalMove:
    name = game.names[seat]
    row = game.ruleset.actions.get(move.verb)
    if row is None:
        sentence = f"{name} may not {move.verb}: it is {name}'s turn to take an action"
        return IllegalMove(Reason.WRONG_QUESTION, sentence, seat=seat, asked=Asked.TURN, verb=move.verb)
    coins = game.coins[seat]
    if coins >= MUST_COUP_AT and move.verb != "coup":
        sentence = f"{name} has {coins} coins and must coup"
        return IllegalMove(Reason.MUST_COUP, sentence, seat=seat, coins=coins)
    if coins < row.cost:
        sentence = f"{name} has {coins} coins and {move.verb} costs {row.cost}"
        return IllegalMove(Reason.TOO_FEW_COINS, sentence, seat=seat, coins=coins, cost=row.cost, verb=move.verb)
    if row.targeted and move.target is None:
        return IllegalMove(Reason.NO_TARGET, f"{move.verb} needs a target", seat=seat, verb=move.verb)
    if not row.targeted and move.target is not None:
        return IllegalMove(Reason.TARGETS_NOBODY, f"{move.verb} takes no target", seat=seat, verb=move.verb)
    if move.cards:
        return _wrong_words(game, seat, move, Asked.TURN)
    assert move.target is not None
    if move.target == seat:
        return IllegalMove(Reason.TARGET_SELF, f"{name} cannot be their own target", seat=seat, verb=move.verb)
    if not 0 <= move.target < len(game.names):
        return IllegalMove(Reason.NO_SUCH_SEAT, f"there is no seat {move.target}", seat=move.target)
    sentence = f"{game.names[move.target]} is out of the game and cannot be a target"
    return IllegalMove(Reason.TARGET_OUT, sentence, seat=seat, target=move.target, verb=move.verb)


def _wrong_answer(game: Game, seat: Seat, move: Move, asked: Asked) -> IllegalMove:
    name = game.names[seat]
    assert game.pending is not None
    action = game.pending.action
    count = len(game.hands[seat])
    if move.verb == "keep" and len(move.cards) != count:
        sentence = f"{name} must keep {count} cards, not {len(move.cards)}"
        return IllegalMove(Reason.WRONG_COUNT, sentence, seat=seat, count=count)
    if move.target is not None or len(move.cards) not in FORMS[move.verb].cards:
        return _wrong_words(game, seat, move, asked)
    match move.verb:
        case "challenge":
            sentence = f"{name} may not challenge: there is no open claim"
            return IllegalMove(Reason.NOT_CHALLENGEABLE, sentence, seat=seat, verb=action.verb)
        case "block":
            return _wrong_block(game, seat, move, asked)
        case "show" if move.cards != (_claimed(game),):
            sentence = f"{name} can only show the card that was claimed"
            return IllegalMove(Reason.WRONG_CARD_SHOWN, sentence, seat=seat)
    # The card is the player's own word: naming it to them alone gives nothing away.
    sentence = f"{name} does not hold {' '.join(move.cards)}"
    return IllegalMove(Reason.CARD_NOT_HELD, sentence, seat=seat)


def _claimed(game: Game) -> Character:
    """The character that is to be proved."""
    claim = game.agenda[-1].question(game).claim
    assert claim is not None
    return claim.character


def _wrong_words(game: Game, seat: Seat, move: Move, asked: Asked) -> IllegalMove:
    sentence = f"{game.names[seat]} may not {move.verb} like that: its target or its cards cannot follow the verb"
    return IllegalMove(Reason.WRONG_QUESTION, sentence, seat=seat, asked=asked, verb=move.verb)


def _wrong_block(game: Game, seat: Seat, move: Move, asked: Asked) -> IllegalMove:
    name = game.names[seat]
    assert game.pending is not None
    action = game.pending.action
    if not action.blocked_by or asked is Asked.BLOCK:
        sentence = (
            f"{name} may not block: {action.verb} cannot be blocked"
            if not action.blocked_by
            else (f"{name} may not block: a block is already declared")
        )
        return IllegalMove(Reason.NOT_BLOCKABLE, sentence, seat=seat, verb=action.verb)
    if seat not in game.menus.entitled(game.pending):
        sentence = f"{name} may not block: only the target may"
        return IllegalMove(Reason.ONLY_TARGET_BLOCKS, sentence, seat=seat, verb=action.verb, target=game.pending.target)
    unknown = [character for character in move.cards if character not in game.ruleset.characters]
    if unknown:
        sentence = f"{name} may not claim {unknown[0]}: it is not in play"
        return IllegalMove(Reason.NOT_IN_PLAY, sentence, seat=seat, character=unknown[0])
    sentence = f"{name} may not block {action.verb} as {' '.join(move.cards)}"
    return IllegalMove(Reason.WRONG_BLOCKER, sentence, seat=seat, verb=action.verb, blocked_by=action.blocked_by)
