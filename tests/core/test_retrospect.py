"""Looking back: every claim, true or not, doubted or not."""

import random

import pytest

from coup_core.cards import Character
from coup_core.lines import MoveLine
from coup_core.moves import Move
from coup_core.record import parse
from coup_core.retrospect import ClaimTruth, claims
from coup_core.ruleset import CLASSIC
from coup_core.simulate import simulate

DUKE, CAPTAIN, ASSASSIN, AMBASSADOR, CONTESSA = (
    Character.DUKE,
    Character.CAPTAIN,
    Character.ASSASSIN,
    Character.AMBASSADOR,
    Character.CONTESSA,
)
HEAD = "rules: classic\nplayers: a b c\ncoins: a=3\nhands: a=duke,captain b=contessa,duke c=assassin,assassin\n"


def truth(
    turn: int,
    seat: int,
    character: Character,
    action: str,
    *,
    held: bool,
    challenged: bool = False,
    block: bool = False,
) -> ClaimTruth:
    return ClaimTruth(turn, seat, character, held, challenged, action, block)


def test_actions_and_blocks() -> None:
    record = parse(
        HEAD + "a: income\nb: foreign-aid\nc: block duke\nall: pass\nc: steal a\na: block captain\nb: pass\n"
        "c: challenge\na: show captain\ndraw a ambassador\nc: lose assassin\n"
        "a: assassinate b\nb: block contessa\nall: pass\nall: pass\nb: tax\n"
    )
    assert claims(record) == (
        truth(2, 2, DUKE, "foreign-aid", held=False, block=True),
        truth(3, 2, CAPTAIN, "steal", held=False),
        truth(3, 0, CAPTAIN, "steal", held=True, challenged=True, block=True),
        truth(4, 0, ASSASSIN, "assassinate", held=False),
        truth(4, 1, CONTESSA, "assassinate", held=True, block=True),
        truth(5, 1, DUKE, "tax", held=True),
    )


def test_truth_is_that_of_the_moment() -> None:
    """A claim that was proved is no longer held, and one that comes true later was a bluff all the same."""
    record = parse(
        HEAD + "a: tax\nb: challenge\na: show duke\ndraw a assassin\nb: lose duke\nb: tax\nall: pass\n"
        "c: exchange\nall: pass\ndraw c ambassador duke\nc: keep ambassador duke\na: tax\nc: challenge\na: concede\n"
    )
    assert claims(record) == (
        truth(1, 0, DUKE, "tax", held=True, challenged=True),
        truth(2, 1, DUKE, "tax", held=False),
        truth(3, 2, AMBASSADOR, "exchange", held=False),
        truth(4, 0, DUKE, "tax", held=False, challenged=True),
    )


def test_a_holder_who_concedes_held_it() -> None:
    record = parse(HEAD + "a: tax\nb: challenge\na: concede\na: lose duke\n")
    assert claims(record) == (truth(1, 0, DUKE, "tax", held=True, challenged=True),)


def test_a_second_block_of_one_turn_is_a_claim_of_its_own() -> None:
    record = parse(
        HEAD + "a: foreign-aid\nc: block duke\na: challenge\nc: concede\nc: lose assassin\nb: block duke\nall: pass\n"
    )
    assert claims(record) == (
        truth(1, 2, DUKE, "foreign-aid", held=False, challenged=True, block=True),
        truth(1, 1, DUKE, "foreign-aid", held=True, block=True),
    )


def test_no_claims() -> None:
    assert claims(parse(HEAD)) == ()
    assert claims(parse(HEAD + "a: income\n")) == ()


@pytest.mark.parametrize("players", range(2, 11))
def test_whole_games(players: int) -> None:
    """As many doubted claims as challenges; one that was shown was held."""
    record = simulate(CLASSIC, players, random.Random(f"claims {players}"), 0.02).record
    found = claims(record)
    moves = [line.move for line in record.body if isinstance(line, MoveLine) and isinstance(line.move, Move)]
    assert sum(claim.challenged for claim in found) == sum(move.verb == "challenge" for move in moves)
    assert sum(claim.of_block for claim in found) == sum(move.verb == "block" for move in moves)
    assert sum(claim.held and claim.challenged for claim in found) >= sum(move.verb == "show" for move in moves)
