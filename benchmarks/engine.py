"""Complete random games a second: coup_core beside the two Python engines of the package index, pycoup and coupml.

Owns: how each engine is driven, and that all are driven alike. Engines take turns within every round, each for the same
CPU time, so that whatever slows the machine down slows all of them; the figures are medians of the rounds. Every
decision is a uniform choice among the legal answers. Knows nothing of how any of them works inside.

    python -m benchmarks.engine [--seconds-per-round 4] [--rounds 5] [--seed 1] [--players 4] [--engines NAME ...]
"""

import argparse
import gc
import importlib
import platform
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import combinations
from random import Random
from statistics import median
from time import process_time
from types import ModuleType
from typing import Any

from coup_core.dealer import RandomDealer
from coup_core.game import Game

PlayGame = Callable[[], int]
"""Plays one game to its end and returns how many decisions it took."""

BATCH = 20
"""Games between two looks at the clock, which costs about a microsecond."""
WARM_UP = 100
"""Games before the first round: caches fill, the interpreter specialises."""
NAMES = tuple("abcdefghij")


class ExtraMissing(Exception):
    """An engine to compare with is not installed."""

    def __init__(self, engine: str) -> None:
        super().__init__(f'{engine} is not installed; install the bench extra: python -m pip install -e ".[bench]"')


def coup_core_games(players: int, seed: int) -> PlayGame:
    """Games of coup_core, the first awaited seat answering first; its random dealer shares the choices' generator."""
    rng = Random(seed)
    random = rng.random
    names = NAMES[:players]

    def play() -> int:
        game = Game.new(names, RandomDealer(rng))
        decisions = 0
        while seats := game.offers.seats:
            seat = seats[0]
            moves = game.offers.menus[seat]
            game.play(seat, moves[int(random() * len(moves))])
            decisions += 1
        return decisions

    return play


class Chance:
    """What coupml asks of numpy.random, from the standard library, which is quicker at single numbers."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self.shuffle = rng.shuffle
        self.choice = rng.randrange
        """coupml chooses among the numbers below a count, never among things."""


def coupml_games(players: int, seed: int) -> PlayGame:
    """Games of coupml through its public class; it asks one player after the other."""
    if find_spec("coupml") is None:
        raise ExtraMissing("coupml")
    table = importlib.import_module("coupml").Coup(players, Chance(seed))
    random = Random(seed).random

    def play() -> int:
        table.init_game()
        decisions = 0
        while not table.is_game_over():
            actions = table.get_legal_actions()
            table.play_action(actions[int(random() * len(actions))])
            decisions += 1
        return decisions

    return play


def pycoup_core(module: str) -> ModuleType:
    """A module of pycoup, which calls its own package by the top-level name `core` and expects it on the path."""
    spec = find_spec("pycoup")
    if spec is None or not spec.submodule_search_locations:
        raise ExtraMissing("pycoup")
    home = spec.submodule_search_locations[0]
    sys.path.insert(0, home)
    try:
        return importlib.import_module(f"core.{module}")
    finally:
        sys.path.remove(home)


def pycoup_player(random: Callable[[], float]) -> type:
    """A player of pycoup who answers at random: it asks through methods that a front end overrides."""
    state = pycoup_core("game").GameState
    base = pycoup_core("player").Player
    answers_to = {
        action: (None, *state.getBlockingActions(action)) for action in state.CommonActions + state.CardsAvailable
    }

    class Player(base):  # type: ignore[valid-type, misc] # pycoup has no types
        decisions = 0

        def confirmCall(self, activePlayer: object, action: object) -> bool:  # noqa: N802, N803
            self.decisions += 1
            return random() < 0.5

        def confirmBlock(self, activePlayer: object, opponentAction: object) -> object:  # noqa: N802, N803
            self.decisions += 1
            answers = answers_to[opponentAction]
            return answers[int(random() * len(answers))]

        def selectInfluenceToDie(self) -> object:  # noqa: N802
            self.decisions += 1
            return self.influence[int(random() * len(self.influence))]

        def selectAmbassadorInfluence(self, choices: list[object], influenceRemaining: int) -> list[object]:  # noqa: N802, N803
            self.decisions += 1
            kept = list(combinations(choices, influenceRemaining))
            return list(kept[int(random() * len(kept))])

    return Player


def pycoup_games(players: int, seed: int) -> PlayGame:
    """Games of pycoup, whose turns are the caller's business.

    It lists no legal moves, so this driver does. The game is one global object and deals from the global generator.
    """
    actions = pycoup_core("action")
    state = pycoup_core("game").GameState
    state.reset()
    importlib.import_module("random").seed(seed)
    random = Random(seed).random
    player_type: Any = pycoup_player(random)
    untargeted = [(action, None) for action in (actions.Income, actions.ForeignAid, actions.Duke, actions.Ambassador)]

    def play() -> int:
        state.reset()
        seats = [player_type() for _ in range(players)]
        turn = int(random() * players)
        living = players
        while living > 1:
            player = seats[turn]
            if player.alive:
                targets = [seat for seat in seats if seat.alive and seat is not player]
                if player.coins >= 10:
                    moves = [(actions.Coup, target) for target in targets]
                else:
                    moves = untargeted + [(actions.Captain, target) for target in targets]
                    if player.coins >= 3:
                        moves += [(actions.Assassin, target) for target in targets]
                    if player.coins >= 7:
                        moves += [(actions.Coup, target) for target in targets]
                player.decisions += 1
                action, target = moves[int(random() * len(moves))]
                player.play(action, target)
                living = sum([seat.alive for seat in seats])
            turn = (turn + 1) % players
        return sum([seat.decisions for seat in seats])

    return play


@dataclass(frozen=True)
class Engine:
    """One engine, how it is driven, and which errors of its own end a game without ending the measurement."""

    name: str
    games: Callable[[int, int], PlayGame]
    crashes: tuple[type[Exception], ...] = ()
    max_players: int = 6


ENGINES = {
    engine.name: engine
    for engine in (
        Engine("coup_core", coup_core_games, max_players=10),
        # pycoup asks a player whom the challenge or the block put out for one more influence.
        Engine("pycoup", pycoup_games, crashes=(IndexError,)),
        Engine("coupml", coupml_games),
    )
}


@dataclass
class Tally:
    """What one engine did in its turns: completed games and decisions a second of each round, and games in all."""

    games_per_second: list[float] = field(default_factory=list)
    decisions_per_second: list[float] = field(default_factory=list)
    completed: int = 0
    crashed: int = 0

    def run(self, engine: Engine, play: PlayGame, seconds: float) -> None:
        """Play for `seconds` of CPU time. Crashed games cost their time and count for nothing."""
        games = decisions = crashed = 0
        # The collector stays on, since cycles are a cost of the engine that makes them; what others left behind is not.
        gc.collect()
        gc.freeze()
        start = process_time()
        while (spent := process_time() - start) < seconds:
            for _ in range(BATCH):
                try:
                    decisions += play()
                except engine.crashes:
                    crashed += 1
                else:
                    games += 1
        gc.unfreeze()
        self.games_per_second.append(games / spent)
        self.decisions_per_second.append(decisions / spent)
        self.completed += games
        self.crashed += crashed


def measure(engines: Sequence[Engine], players: int, rounds: int, seconds: float, seed: int) -> dict[str, Tally]:
    """Let `engines` take turns for `seconds` of CPU time each, `rounds` times over; another one begins each round."""
    runs = [(engine, engine.games(players, seed), Tally()) for engine in engines]
    for engine, play, _ in runs:
        for _ in range(WARM_UP):
            try:
                play()
            except engine.crashes:
                continue
    for number in range(rounds):
        first = number % len(runs)
        for engine, play, tally in runs[first:] + runs[:first]:
            tally.run(engine, play, seconds)
    return {engine.name: tally for engine, _, tally in runs}


def table(tallies: dict[str, Tally]) -> Iterator[str]:
    """The lines of the result, one engine a line."""
    row = "{:<10} {:>9} {:>17} {:>12} {:>15} {:>17}"
    yield row.format("engine", "games/s", "(min-max)", "decisions/s", "crashes", "coup_core/engine")
    own = tallies.get("coup_core")
    for name, tally in tallies.items():
        rates = tally.games_per_second
        yield row.format(
            name,
            f"{median(rates):,.0f}",
            f"({min(rates):,.0f}-{max(rates):,.0f})",
            f"{median(tally.decisions_per_second):,.0f}",
            f"{tally.crashed:,} ({tally.crashed / (tally.crashed + tally.completed):.1%})",
            "-" if own is None else f"{median(own.games_per_second) / median(rates):.2f}",
        )


def copy_microseconds(games: Sequence[Game]) -> float:
    """CPU microseconds of one `copy()`, the mean over `games`, best of five: the least disturbed one."""
    best = float("inf")
    repeats = 1 + 5_000 // len(games)
    for _ in range(5):
        start = process_time()
        for _ in range(repeats):
            for game in games:
                game.copy()
        best = min(best, process_time() - start)
    return best / repeats / len(games) * 1e6


def fresh_games(number: int, players: int, seed: int) -> list[Game]:
    """Games just dealt, which share one generator."""
    rng = Random(seed)
    return [Game.new(NAMES[:players], RandomDealer(rng)) for _ in range(number)]


def positions(number: int, players: int, seed: int) -> Iterator[Game]:
    """Every position of `number` random games while somebody is awaited."""
    random = Random(seed).random
    for game in fresh_games(number, players, seed):
        while awaited := game.awaited():
            yield game.copy()
            moves = game.legal_moves(awaited[0])
            game.play(awaited[0], moves[int(random() * len(moves))])


def fresh_bytes(players: int, seed: int, number: int = 500) -> float:
    """Memory of one fresh game, the generator of its dealer left out, since games may share one."""
    fresh_games(1, players, seed)
    tracemalloc.start()
    try:
        games = fresh_games(number, players, seed)
        with_games, _ = tracemalloc.get_traced_memory()
        del games[:]
        without, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (with_games - without) / number


def position_costs(players: int, seed: int) -> str:
    """What it costs to keep and to copy a position of coup_core, in one line."""
    fresh = copy_microseconds(fresh_games(100, players, seed))
    running = copy_microseconds(list(positions(20, players, seed)))
    size = fresh_bytes(players, seed)
    return f"coup_core: copy() {fresh:.2f} us fresh, {running:.2f} us on the way; a fresh game {size:,.0f} bytes"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.engine", description="Random games a second, side by side."
    )
    options.add_argument(
        "--seconds-per-round", type=float, default=4.0, help="CPU seconds of each engine in each round"
    )
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--players", type=int, default=4, choices=range(2, 11), metavar="2-10")
    options.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES), metavar="ENGINE")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print. Returns the exit code: 2, after one line, if an engine is missing or seats too few."""
    options = parser().parse_args(arguments)
    engines = [ENGINES[name] for name in options.engines]
    small = [engine.name for engine in engines if engine.max_players < options.players]
    if small:
        print(f"{' and '.join(small)} cannot seat {options.players}: add --engines coup_core", file=sys.stderr)
        return 2
    try:
        tallies = measure(engines, options.players, options.rounds, options.seconds_per_round, options.seed)
    except ExtraMissing as missing:
        print(missing, file=sys.stderr)
        return 2
    print(
        f"{options.players} players, {options.rounds} rounds of {options.seconds_per_round:g} s of CPU time an engine, "
        f"seed {options.seed}, Python {platform.python_version()}"
    )
    for line in table(tallies):
        print(line)
    if "coup_core" in tallies:
        print(position_costs(options.players, options.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
