"""A real process that plays on a real file is killed again and again: no acknowledged click is lost, none doubled."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from bot.storage.engine import make_engine
from bot.storage.store import SqlStore
from bot.tables.restoring import rebuilt
from bot.tables.table import Phase
from coup_core import replay

KILLS = 110
CLICKS = 7
"""A process is killed after this many acknowledged clicks at the latest."""
ROOT = Path(__file__).parents[2]

Lines = dict[str, list[tuple[str, str]]]
"""By table: each line with the request that wrote it."""


def stored(file: Path) -> Lines:
    found: Lines = {}
    # Read only, so that what the killed process left behind stays for the next one to repair.
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        query = "SELECT table_id, line, request FROM moves ORDER BY table_id, number"
        for table, line, request in connection.execute(query):
            found.setdefault(table, []).append((line, request))
    return found


class Victim:
    """The driver, and what its children said."""

    def __init__(self, url: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.storage.driver", url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip

    def read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the driver has ended"
        return line.strip()

    def life(self, first: int, rng: random.Random, *, migrate: bool) -> list[str]:
        """A child lives until it is killed at a random moment; returns what it said."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{first} {rng.getrandbits(32)} {migrate:d}\n")
        self.process.stdin.flush()
        said: list[str] = []
        pid = 0
        # One in six dies while it starts, restores, or makes the schema; the others while they play.
        early, clicks = rng.random() < 1 / 6, rng.randint(0, CLICKS)
        killer: threading.Timer | None = None
        while True:
            line = self.read()
            if line.startswith("pid "):
                pid = int(line[4:])
            elif line == "ended":
                break
            else:
                said.append(line)
            if killer is None and pid and (early or len(said) > clicks):
                killer = threading.Timer(rng.uniform(0, 0.06 if early else 0.02), os.kill, (pid, signal.SIGKILL))
                killer.start()
        assert killer is not None, "it ended by itself, not by the signal"
        killer.join()
        return said

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def assert_kept(before: Lines, now: Lines, acknowledged: dict[str, str]) -> None:
    """What was there is there, in its place; every acknowledged click wrote its one move; no click wrote two."""
    for table, lines in before.items():
        assert now[table][: len(lines)] == lines
    written = {table: Counter(request for line, request in lines if is_move(line)) for table, lines in now.items()}
    for request, table in acknowledged.items():
        assert written[table][request], f"{request} was acknowledged and is lost"
    for table, lines in now.items():
        runs = [request for at, (_, request) in enumerate(lines) if at == 0 or lines[at - 1][1] != request]
        assert len(runs) == len(set(runs)), f"a click was played twice at {table}"


def is_move(line: str) -> bool:
    return not line.startswith("draw ")


def test_a_process_killed_at_random_moments_loses_and_doubles_nothing(tmp_path: Path) -> None:
    file = tmp_path / "coup.db"
    url = f"sqlite+aiosqlite:///{file}"
    rng = random.Random()
    victim = Victim(url)
    acknowledged: dict[str, str] = {}
    before: Lines = {}
    playing = 0
    try:
        for kill in range(KILLS):
            said = victim.life(1_000_000 * (kill + 1), rng, migrate=not playing)
            playing += "ready" in said
            clicks = [line.split() for line in said if line != "ready"]
            assert all(len(click) == 3 for click in clicks), said
            acknowledged.update((request, table) for table, _, request in clicks)
            if acknowledged:
                now = stored(file)
                assert_kept(before, now, acknowledged)
                assert all(len(now[table]) >= int(window) for table, window, _ in clicks)
                before = now
    finally:
        victim.end()
    games, over, moves = asyncio.run(_all_load(url, before))
    print(  # noqa: T201 - the figures, for whoever runs this with -s
        f"{KILLS} kills, {playing} while playing; {len(acknowledged)} clicks acknowledged, {moves} lines stored, "
        f"{games} games, {over} of them over"
    )
    assert playing >= KILLS // 2
    assert len(acknowledged) > KILLS
    assert over > 0
    assert moves >= len(acknowledged)


async def _all_load(url: str, lines: Lines) -> tuple[int, int, int]:
    """Every table loads by replay, and its record follows from its seed."""
    engine = make_engine(url)
    store = SqlStore(engine)
    over = 0
    try:
        for table_id, its in lines.items():
            found = await store.load(table_id)
            assert found is not None
            assert [line.line for line in found.lines] == [line for line, _ in its]
            state = rebuilt(found)
            assert state.game is not None
            game = replay.verify(state.whole_record())
            assert game.hands == state.game.hands
            assert game.awaited() == state.game.awaited()
            assert (game.outcome is not None) == (state.phase is Phase.OVER)
            over += state.phase is Phase.OVER
    finally:
        await engine.dispose()
    return len(lines), over, sum(len(its) for its in lines.values())


def test_the_check_sees_a_lost_and_a_doubled_click() -> None:
    good: Lines = {"t": [("p1: tax", "r1"), ("p2: pass", "r2"), ("draw p1 duke", "r2")]}
    assert_kept({}, good, {"r1": "t", "r2": "t"})
    with pytest.raises(AssertionError, match="lost"):
        assert_kept({}, good, {"r3": "t"})
    with pytest.raises(AssertionError, match="twice"):
        assert_kept({}, {"t": [*good["t"], ("p1: tax", "r1")]}, {})
    with pytest.raises(AssertionError):
        assert_kept(good, {"t": good["t"][1:]}, {})
