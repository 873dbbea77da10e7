"""The engine benchmark runs and prints its table. Its figures are for people: how fast is not a test's business."""

import re
import sys

import pytest

from benchmarks.engine import BATCH, ENGINES, Tally, main, table

QUICK = ["--seconds-per-round", "0.02", "--rounds", "2", "--engines", "coup_core"]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_the_table_has_a_line_for_the_engine_with_positive_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(QUICK) == 0
    setting, heading, row, costs = capsys.readouterr().out.splitlines()
    assert setting.startswith("4 players, 2 rounds of 0.02 s of CPU time an engine, seed 1, Python 3.")
    assert heading.split() == ["engine", "games/s", "(min-max)", "decisions/s", "crashes", "coup_core/engine"]
    cells = re.fullmatch(r"coup_core +([\d,]+) +\(([\d,]+)-([\d,]+)\) +([\d,]+) +0 \(0\.0%\) +1\.00", row)
    assert cells, row
    games, slowest, fastest, decisions = map(number, cells.groups())
    assert 0 < slowest <= games <= fastest
    assert decisions > games
    measured = re.fullmatch(
        r"coup_core: copy\(\) ([\d.]+) us fresh, ([\d.]+) us on the way; a fresh game ([\d,]+) bytes", costs
    )
    assert measured, costs
    assert all(number(figure) > 0 for figure in measured.groups())


def test_ten_players_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, "--players", "10"]) == 0
    assert capsys.readouterr().out.startswith("10 players, ")


def test_an_engine_that_cannot_seat_so_many_is_named_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--players", "7", "--engines", "pycoup", "coup_core"]) == 2
    assert capsys.readouterr().err == "pycoup cannot seat 7: add --engines coup_core\n"


@pytest.mark.parametrize("engine", ["pycoup", "coupml"])
def test_an_engine_that_is_missing_is_named_in_one_line(
    engine: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # None in sys.modules is how Python itself says that a package cannot be had.
    monkeypatch.setitem(sys.modules, engine, None)
    assert main(["--engines", engine]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"{engine} is not installed; install the bench extra: ")
    assert error.count("\n") == 1


def test_games_that_crash_are_counted_apart() -> None:
    played = 0

    def every_other_crashes() -> int:
        nonlocal played
        played += 1
        if played % 2:
            raise IndexError
        return 10

    tally = Tally()
    tally.run(ENGINES["pycoup"], every_other_crashes, seconds=0.001)
    assert tally.crashed == tally.completed == played / 2
    assert played % BATCH == 0
    assert tally.decisions_per_second[0] == pytest.approx(10 * tally.games_per_second[0])
    row = list(table({"pycoup": tally}))[1].split()
    assert row[0] == "pycoup"
    assert row[-2:] == ["(50.0%)", "-"]
