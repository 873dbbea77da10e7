"""The benchmarks run, count what they say they count, and print their tables. The figures are for people."""

import re
import sys
from collections import Counter
from random import Random

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from benchmarks import cost, evening, ledger, policy
from benchmarks.engine import BATCH, ENGINES, Tally, main, table
from bot.storage.engine import make_engine
from coup_core.dealer import RandomDealer
from coup_core.game import Game
from coup_core.moves import Move
from coup_core.view import seat_view

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


# ------------------------------------------------------------------------------------------------ what a game costs


def test_a_whole_game_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert cost.main(["--games", "1", "--players", "3", "--markdown"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("1 of 1 games, ")
    assert captured.out.startswith("1 games of 3 players, 1 at a time, seed 1, 0.25 s a write, Python 3.")
    table = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in captured.out.splitlines()
        if line.startswith("|")
    ]
    assert {len(row) for row in table} == {7}
    whole = {label: number(mean) for label, mean, *_ in table[2:]}
    kinds = [
        figure for label, figure in whole.items() if label.startswith(("- POST", "- PATCH", "- DELETE", "- lobby"))
    ]
    assert len(kinds) == 7
    assert whole["channel writes"] == pytest.approx(sum(kinds))
    assert whole["- POST a turn's message"] == whole["- PATCH a turn that is over"] == whole["turns"] > 3
    assert whole["- POST a call to one player"] == whole["- DELETE a call"]
    assert whole["database commits"] == whole["- for moves and the lobby"] + whole["- for messages"]
    assert 0 < whole["moves"] < whole["interaction callbacks"]
    assert "Callbacks to a click or command: 1 at least, 1 at most." in captured.out
    assert "Writes in flight in one channel: at most 1." in captured.out


async def test_every_click_is_answered_once_and_every_transaction_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = []

    def counted_engine(url: str) -> AsyncEngine:
        engines.append(make_engine(url))
        event.listen(engines[0].sync_engine, "commit", lambda _: commits.append(None))
        return engines[0]

    commits: list[None] = []
    monkeypatch.setattr(evening, "make_engine", counted_engine)
    games: list[None] = []
    (game, other) = (await evening.play(2, 2, Random(4), 0.1, lambda: games.append(None))).games
    assert len(games) == 2
    entered = 0
    for account in (game, other):
        totals = Counter[str]()
        for (what, _), found in account.counts.items():
            totals[what] += found
        assert sum(totals[kind] for kind in ledger.WRITES) == len(account.writes) > 0
        assert totals[ledger.CLICKS] == totals[ledger.CALLBACKS] == len(account.callbacks) > 0
        assert set(account.callbacks.values()) == {1}
        assert account.over
        assert not account.unseen
        entered += totals[ledger.FOR_MOVES] + totals[ledger.FOR_MESSAGES]
    # Besides: bringing up the schema, the hash of the commands, and a sign of life every 15 seconds.
    assert entered < len(commits) < entered + 20 + (max(game.minutes, other.minutes) + 2) * 4


async def test_people_play_as_the_policy_says() -> None:
    rng = Random(1)
    game = Game.new(["ana", "bob", "cid"], RandomDealer(rng))
    actor = game.awaited()[0]
    turns = [policy.clicks(seat_view(game, actor), rng) for _ in range(2_000)]
    assert all(2 <= made[-1].after <= 12 for made in turns)
    assert all([click.after for click in made] == sorted(click.after for click in made) for made in turns)
    looks = sum(made[0].choice == "hand" for made in turns)
    assert looks / len(turns) == pytest.approx(policy.LOOKS, abs=0.05)
    game.play(actor, Move("foreign-aid"))
    view = seat_view(game, game.awaited()[0])
    answers = Counter(policy.clicks(view, rng)[-1].choice for _ in range(2_000))
    assert answers["block:0"] / 2_000 == pytest.approx(policy.BLOCKS, abs=0.05)
    assert answers["block:0"] + answers["pass"] == 2_000


def test_figures_are_mean_p95_and_maximum() -> None:
    assert cost.figures([float(value) for value in range(1, 101)]) == ("50.5", "95", "100")
    assert cost.p95([3.0]) == 3.0


def test_without_the_simulated_discord_it_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cost, "find_spec", lambda name: None)
    assert cost.main([]) == 2
    error = capsys.readouterr().err
    assert error.startswith("simcord is not installed; install the dev extra: ")
    assert error.count("\n") == 1
