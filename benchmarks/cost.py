"""What a game costs: the calls to Discord and the transactions of whole games that people play through the real bot.

Owns: the command line and the form of the table. `docs/performance.md` says what is measured, and under which policy.
Needs the packages of the dev extra, since the tests' simulated Discord is what the games are played in.

    python -m benchmarks.cost [--seed 1] [--games 20] [--players 6] [--tables 5] [--latency 0.25] [--markdown]
"""

from __future__ import annotations

import argparse
import asyncio
import math
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from random import Random
from statistics import mean
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.evening import Evening
    from benchmarks.ledger import Account

Cells = tuple[str, ...]

HEADINGS = ("", "a game", "p95", "max", "a turn", "p95", "max")
AIM = 5.0
"""Writes to the channel a turn, in the mean, that the bot should stay within."""


def p95(values: Sequence[float]) -> float:
    """The smallest of `values` that 95 % of them do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def figures(values: Sequence[float], digits: int = 0) -> Cells:
    """Mean, p95 and maximum."""
    return (f"{mean(values):,.{max(1, digits)}f}", f"{p95(values):,.{digits}f}", f"{max(values):,.{digits}f}")


def counted(games: Sequence[Account], label: str, kinds: Sequence[str], *, turns: bool = True) -> Cells:
    """The row of `kinds`, together, for each game and for each turn."""
    whole = [sum(number for (what, _), number in game.counts.items() if what in kinds) for game in games]
    each = [sum(game.counts[what, turn] for what in kinds) for game in games for turn in range(1, game.turn + 1)]
    return (label, *figures(whole), *(figures(each) if turns else ("", "", "")))


def rows(games: Sequence[Account]) -> Iterator[Cells]:
    """The table, a row a tuple, without its headings."""
    from benchmarks.ledger import AROUND_KIND, CALLBACKS, FOR_MESSAGES, FOR_MOVES, LATE, MOVES, WRITES

    yield counted(games, "channel writes", [*WRITES])
    for kind, label in WRITES.items():
        yield counted(games, f"- {label}", [kind], turns=kind != AROUND_KIND)
    yield counted(games, "interaction callbacks", [CALLBACKS])
    yield counted(games, "- to clicks that came too late", [LATE])
    yield counted(games, "database commits", [FOR_MOVES, FOR_MESSAGES])
    yield counted(games, "- for moves and the lobby", [FOR_MOVES])
    yield counted(games, "- for messages", [FOR_MESSAGES])
    yield counted(games, "moves", [MOVES])
    yield ("turns", *figures([game.turn for game in games]), "", "", "")
    yield ("minutes", *figures([game.minutes for game in games], 1), "", "", "")


def queue(evenings: Sequence[Evening], tables: int) -> Iterator[str]:
    """Whether the announcer keeps up, in sentences."""
    games = [game for evening in evenings for game in evening.games]
    delays = [delay for game in games for delay in game.delays]
    early = mean(delay for game in games for delay in game.delays[: len(game.delays) // 2])
    late = mean(delay for game in games for delay in game.delays[len(game.delays) // 2 :])
    longest = max(evening.longest_queue for evening in evenings)
    unseen = max(game.most_unseen for game in games)
    grows = "it grows" if late > 1.5 * early else "it does not grow"
    yield f"Longest queue: {longest} of {tables} tables waited to be written, one of them with {unseen} changes."
    yield (
        f"Seconds from a change to the end of the round that shows it: mean {mean(delays):.2f}, p95 {p95(delays):.2f}, "
        f"max {max(delays):.2f}; {early:.2f} in the first half of a game, {late:.2f} in the second: {grows}."
    )
    yield f"Writes in flight in one channel: at most {max(game.in_flight for game in games)}."
    yield f"Writes of all kinds to one channel within five seconds: at most {max(game.busiest for game in games)}."
    answers = [number for game in games for number in game.callbacks.values()]
    yield f"Callbacks to a click or command: {min(answers)} at least, {max(answers)} at most."
    writes = _writes_a_turn(games)
    yield f"Aim: at most {AIM:g} writes a turn; {writes:.1f} {'keeps it' if writes <= AIM else 'misses it'}."


def _writes_a_turn(games: Sequence[Account]) -> float:
    """The mean over all turns; lobby and result belong to none."""
    from benchmarks.ledger import AROUND_KIND, WRITES

    kinds = set(WRITES) - {AROUND_KIND}
    written = sum(number for game in games for (what, _), number in game.counts.items() if what in kinds)
    return written / sum(game.turn for game in games)


def aligned(table: Sequence[Cells]) -> Iterator[str]:
    """`table` in columns, as text."""
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADINGS))]
    for label, *cells in table:
        parts = [label.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))]
        yield "  ".join(parts).rstrip()


def markdown(table: Sequence[Cells]) -> Iterator[str]:
    """`table` as Markdown, its columns aligned in the source, too."""
    widths = [max(3, *(len(row[column]) for row in table)) for column in range(len(HEADINGS))]
    rule = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
    for number, row in enumerate(table):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"| {' | '.join(rule)} |"


async def measure(options: argparse.Namespace, told: Callable[[], None]) -> list[Evening]:
    """Evening after evening, until there are games enough. Each has a bot and a Discord of its own."""
    from benchmarks.evening import play

    evenings = []
    for first in range(0, options.games, options.tables):
        count = min(options.tables, options.games - first)
        rng = Random(f"{options.seed} {first}")
        evenings.append(await play(count, options.players, rng, options.latency, told))
    return evenings


class Progress:
    """How far it is, on stderr: a measurement takes minutes."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._done = 0
        self._began = monotonic()

    def __call__(self) -> None:
        """One more game is over."""
        self._done += 1
        print(f"{self._done} of {self._games} games, {monotonic() - self._began:.0f} s", file=sys.stderr, flush=True)


def positive(text: str) -> int:
    """An option that counts something."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def parser() -> argparse.ArgumentParser:
    """The command line."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.cost", description="What whole games cost.")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--games", type=positive, default=20)
    options.add_argument("--players", type=int, default=6, choices=range(2, 11), metavar="2-10")
    options.add_argument("--tables", type=positive, default=5, help="games that one bot hosts at a time")
    options.add_argument("--latency", type=float, default=0.25, help="seconds that a write to a channel takes")
    options.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print. Returns the exit code: 2, after one line, if simcord is missing; 1 if the bot logs errors."""
    options = parser().parse_args(arguments)
    if find_spec("simcord") is None:
        print('simcord is not installed; install the dev extra: python -m pip install -e ".[dev]"', file=sys.stderr)
        return 2
    from tests.support import logs

    with logs.watched() as caught:
        evenings = asyncio.run(measure(options, Progress(options.games)))
    wrong = logs.verdict(caught, [])
    if wrong is not None:
        print(wrong, file=sys.stderr)
        return 1
    tables = min(options.tables, options.games)
    table = [HEADINGS, *rows([game for evening in evenings for game in evening.games])]
    print(
        f"{options.games} games of {options.players} players, {tables} at a time, seed {options.seed}, "
        f"{options.latency:g} s a write, Python {platform.python_version()}\n"
    )
    print(*(markdown(table) if options.markdown else aligned(table)), sep="\n", end="\n\n")
    print(*(f"- {line}" if options.markdown else line for line in queue(evenings, tables)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
