"""Random games: all invariants after every move, and records that tell the whole game."""

import random

import pytest

from coup_core import simulate as simulation
from coup_core.cards import Character
from coup_core.events import Challenged, Conceded, Debt, Declared, InfluenceLost, Resigned, Shown, TurnStarted
from coup_core.game import Game
from coup_core.lines import Check
from coup_core.record import format, parse, read  # noqa: A004 - the record's own verb
from coup_core.replay import check, verify
from coup_core.ruleset import CLASSIC
from coup_core.simulate import BrokenInvariantError, Debts, simulate

DUKE = Character.DUKE


@pytest.mark.parametrize("resign", [0.0, 0.02, 0.2, 1.0])
@pytest.mark.parametrize("players", range(2, 11))
def test_random_games_are_told_whole(players: int, resign: float) -> None:
    for number in range(15):
        simulated = simulate(CLASSIC, players, random.Random(f"{players} {resign} {number}"), resign)
        text = format(simulated.record)
        record, places = read(text)
        assert record == simulated.record
        assert format(record) == text
        again = check(record, places)
        assert again.outcome == simulated.game.outcome is not None
        verify(record, places)


def test_a_record_ends_in_checks_of_everything() -> None:
    simulated = simulate(CLASSIC, 3, random.Random(3))
    topics = [line.topic for line in simulated.record.body if isinstance(line, Check)]
    assert topics == ["coins", *["hand"] * 3, *["lost"] * 3, "court", "court", "treasury", "minted", "winner"]


def test_the_same_generator_plays_the_same_game() -> None:
    one, two, other = (simulate(CLASSIC, 5, random.Random(seed), 0.01).record for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_a_broken_invariant_stops_the_game_and_keeps_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong_from_turn_five(game: Game) -> list[str]:
        return ["I2: planted"] if game.number >= 5 else []

    monkeypatch.setattr(simulation, "violations", wrong_from_turn_five)
    with pytest.raises(BrokenInvariantError, match="I2: planted") as caught:
        simulate(CLASSIC, 4, random.Random(1))
    assert check(parse(format(caught.value.record))).number == 5


CONCEDED, DISPROVED, ACTION = Debt
TAX, COUP = Declared(0, "tax", None, DUKE, 0), Declared(0, "coup", 1, None, 7)
DOUBT, SHOWN, CONCEDES = Challenged(1, 0, DUKE, False), Shown(0, DUKE), Conceded(0, DUKE)


def lost(seat: int, debt: Debt) -> InfluenceLost:
    return InfluenceLost(seat, DUKE, debt, False)


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        ([TAX, DOUBT, SHOWN, TurnStarted(1, 2)], "owed"),
        ([TAX, lost(1, ACTION)], "for nothing"),
        ([DOUBT, CONCEDES, lost(1, CONCEDED)], "for nothing"),
        ([DOUBT, SHOWN, *[lost(1, DISPROVED)] * 2], "for nothing"),
        ([COUP, *[lost(1, ACTION)] * 2], "for nothing"),
        ([COUP, lost(1, DISPROVED)], "for nothing"),
        ([DOUBT, SHOWN, lost(1, ACTION)], "for nothing"),
        ([DOUBT, Resigned(1, ()), SHOWN, TurnStarted(0, 2)], None),
        ([DOUBT, SHOWN, Resigned(1, ()), TurnStarted(0, 2)], None),
        ([DOUBT, CONCEDES, lost(0, CONCEDED), TurnStarted(0, 2)], None),
    ],
)
def test_the_watch_over_debts_sees(events: list[object], wrong: str | None) -> None:
    found = Debts().wrong(events)  # type: ignore[arg-type]
    assert found is None if wrong is None else wrong in str(found)
