"""Fair dealing: the test vector of docs/RECORD.md, and that no card can be changed without being caught."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from coup_core.cards import Character
from coup_core.dealer import commitment
from coup_core.errors import RecordError
from coup_core.headers import Start
from coup_core.lines import DrawLine
from coup_core.record import Record, parse
from coup_core.replay import check, verify
from coup_core.ruleset import CLASSIC
from coup_core.simulate import simulate

VECTOR_TEXT = (Path(__file__).parent / "scenarios" / "fair-dealing.coup").read_text("utf-8")
VECTOR = parse(VECTOR_TEXT)


def caught(record: Record) -> str:
    with pytest.raises(RecordError) as error:
        verify(record)
    assert not error.value.malformed
    return error.value.reason


def test_the_test_vector() -> None:
    assert VECTOR.seed == bytes(range(32))
    assert VECTOR.mix == "11,22,33"
    game = verify(VECTOR)
    assert game.number == 2
    assert game.hands[2] == (Character.ASSASSIN, Character.CAPTAIN)


def test_the_game_that_verify_returns_goes_on_dealing_fairly() -> None:
    """It is what a stored table is restored from: its dealer stands where the seed's stream is by now."""
    simulated = simulate(CLASSIC, 4, random.Random("restored"))
    game = verify(simulated.record)
    assert game.court == simulated.game.court


@pytest.mark.parametrize(
    "change",
    [
        {"seed": bytes(32)},
        {"seed": bytes(32), "commit": commitment(bytes(32))},
        {"commit": "0" * 64},
        {"mix": "11,22,34"},
        {"mix": "11,22"},
        {"first": 0},
        {"first": None},
        {"hands": (VECTOR.hands[0][::-1], *VECTOR.hands[1:])},
        {"hands": (VECTOR.hands[0], (Character.DUKE, Character.DUKE), VECTOR.hands[2])},
    ],
)
def test_a_changed_header_is_caught(change: dict[str, object]) -> None:
    caught(replace(VECTOR, body=(), **change))


def test_a_changed_draw_is_caught() -> None:
    index = next(index for index, line in enumerate(VECTOR.body) if isinstance(line, DrawLine))
    for cards in [(Character.CONTESSA, Character.CAPTAIN), (Character.CAPTAIN, Character.CAPTAIN)]:
        body = (*VECTOR.body[:index], DrawLine(2, cards))
        check(replace(VECTOR, body=body))
        assert "as the seed says" in caught(replace(VECTOR, body=body))


def test_the_winner_of_the_last_game_starts_without_a_draw() -> None:
    """R6: the seed then decides the deal only, which is another one: the starting player is not drawn first."""
    assert "as the seed says" in caught(replace(VECTOR, start=Start.WINNER, body=()))


@pytest.mark.parametrize("missing", ["seed", "mix", "commit"])
def test_nothing_to_verify(missing: str) -> None:
    assert missing in caught(replace(VECTOR, **{missing: None}))


def test_a_position_cannot_be_verified() -> None:
    assert "position" in caught(replace(VECTOR, coins={0: 2}, body=()))
    hands = ((Character.ASSASSIN,), *VECTOR.hands[1:])
    assert "position" in caught(replace(VECTOR, lost={0: (Character.DUKE,)}, hands=hands, body=()))


def test_verify_also_plays_the_moves() -> None:
    caught(parse("\n".join(line for line in VECTOR_TEXT.splitlines() if line != "all: pass")))


def draws_of(record: Record) -> list[tuple[int, DrawLine]]:
    return [(index, line) for index, line in enumerate(record.body) if isinstance(line, DrawLine)]


@pytest.mark.parametrize("players", range(2, 11))
def test_any_changed_draw_of_a_whole_game_is_caught(players: int) -> None:
    """Of the game with most draws among some, each draw made another card in its turn."""
    games = (simulate(CLASSIC, players, random.Random(f"tampered {players} {number}"), 0.01) for number in range(5))
    record = max((game.record for game in games), key=lambda record: len(draws_of(record)))
    verify(record)
    draws = draws_of(record)
    assert draws
    for index, line in draws:
        other = next(card for card in CLASSIC.characters if card != line.cards[0])
        changed = DrawLine(line.seat, (other, *line.cards[1:]))
        caught(replace(record, body=(*record.body[:index], changed)))
