"""The command line: `python -m coup_core check | simulate | replay | verify` (docs/RECORD.md).

Owns: files, exit codes, and one line on standard error for whatever is wrong: `FILE:LINE: reason`. 0 is well, 1 a
record that does not hold, 2 one that cannot be read or a wrong command line. Decides nothing about the game.
"""

import argparse
import contextlib
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO

from coup_core.cards import MAX_PLAYERS, MIN_PLAYERS
from coup_core.errors import RecordError
from coup_core.headers import ruleset
from coup_core.record import Places, Record, format, read  # noqa: A004 - the record's own verb
from coup_core.replay import Replay, check, verify
from coup_core.ruleset import RULESETS, Ruleset
from coup_core.simulate import BrokenInvariantError, simulate
from coup_core.tell import people, tell

COMMANDS: Final = ("check", "simulate", "replay", "verify")
HOLDS, FAILS, UNUSABLE = 0, 1, 2
PROGRESS_SECONDS: Final = 2.0


def load(file: str) -> tuple[Record, Places]:
    """The record in `file`. Raises RecordError, malformed, for anything that is not one."""
    if not file:
        raise RecordError(None, "cannot be read: the name of a file is empty", malformed=True, file="''")
    try:
        raw = Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordError(None, f"cannot be read: {reason}", malformed=True, file=file) from None
    try:
        # -sig: some editors put a byte order mark before the first word.
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise RecordError(line, "this is not UTF-8", malformed=True, file=file) from None
    return read(text, file)


def printable(text: str) -> str:
    """`text` on one line, with an escape for every sign that is none to read.

    Names and words out of a file, and file names themselves, could otherwise command the terminal.
    """
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def say(line: str) -> None:
    """A line on standard output. Raises OSError if it cannot be written."""
    print(printable(line))


def complain(line: str) -> None:
    """A line on standard error. If nobody can be told, the exit code has to do."""
    try:
        print(printable(line), file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)


def give_up(stream: TextIO) -> None:
    """Nothing more is written to `stream`; otherwise Python would try, and complain, once more when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Progress:
    """Says on standard error how far long work has come, now and then."""

    def __init__(self, of: int, what: str) -> None:
        self.of, self.what = of, what
        self.told = time.perf_counter()

    def __call__(self, done: int) -> None:
        """Tell that `done` are done, unless something was told a moment ago."""
        if time.perf_counter() - self.told >= PROGRESS_SECONDS:
            self.told = time.perf_counter()
            complain(f"{done} of {self.of} {self.what}")


def run_check(arguments: argparse.Namespace) -> int:
    """Every file is read; the first error of each is told; the worst of them is the answer."""
    files: list[str] = arguments.files
    progress, worst = Progress(len(files), "files"), HOLDS
    good = unsupported = unreadable = 0
    for done, file in enumerate(files):
        progress(done)
        try:
            check(*load(file))
        except RecordError as error:
            worst = max(worst, _tell_error(error))
            unsupported += error.unsupported
            unreadable += error.malformed and not error.unsupported
        else:
            good += 1
    say(", ".join(_summary(good, len(files) - unreadable, unsupported, unreadable)))
    return worst


def _summary(good: int, records: int, unsupported: int, unreadable: int) -> Iterator[str]:
    if records:
        yield f"{good} of {records} {_counted(records, 'record')} {'holds' if 1 in {good, records} else 'hold'}"
    if unsupported:
        yield f"{unsupported} {'is of an edition' if unsupported == 1 else 'are of editions'} not supported yet"
    if unreadable:
        yield f"{unreadable} {_counted(unreadable, 'file')} cannot be read"


def _counted(count: int, thing: str) -> str:
    return thing if count == 1 else f"{thing}s"


def run_verify(arguments: argparse.Namespace) -> int:
    """Everything in a record that a dealer decided follows from its seed, and the seed from its commitment."""
    record, places = load(arguments.file)
    verify(record, places)
    say(f"{arguments.file}: seed, commitment, start, deal and draws agree")
    say(f"commit: {record.commit}")
    say(f"mix: {record.mix}")
    # Whoever writes the file can write another seed with its own commitment into it.
    say("This proves nothing unless these are the commitment shown in the lobby and the numbers listed at the deal.")
    return HOLDS


def run_replay(arguments: argparse.Namespace) -> int:
    """Tell the game; if the record does not hold, as far as it does."""
    record, places = load(arguments.file)
    replay, names = Replay(record, places), people(record)
    for line in tell(replay.game.opening, names):
        say(line)
    for step in replay:
        for line in tell(step.events, names):
            say(line)
    if replay.game.outcome is None:
        say("The record stops here: the game is not over.")
    return HOLDS


def run_simulate(arguments: argparse.Namespace) -> int:
    """Play the games. Game number k depends on the seed, the players and k only."""
    games, players, directory = arguments.games, arguments.players, arguments.records
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
    progress = Progress(games, "games")
    playing, decisions = 0.0, 0
    for number in range(1, games + 1):
        progress(number - 1)
        file = None if directory is None else directory / f"{players}p-{arguments.seed}-{number:06}.coup"
        began = time.process_time()
        try:
            simulated = simulate(
                arguments.rules, players, random.Random(f"{arguments.seed}/{players}/{number}"), arguments.resign
            )
        except BrokenInvariantError as error:
            _write(file, error.record)
            complain(f"coup_core simulate: game {number}: {error}")
            return FAILS
        playing += time.process_time() - began
        decisions += simulated.decisions
        _write(file, simulated.record)
    seconds = max(playing, 1e-9)
    speed = f"{games / seconds:.0f} games/s, {decisions / seconds:.0f} decisions/s"
    say(f"{games} {_counted(games, 'game')} of {players} players: {speed}")
    return HOLDS


def _write(file: Path | None, record: Record) -> None:
    if file is not None:
        file.write_bytes(format(record).encode("utf-8"))


def _tell_error(error: RecordError) -> int:
    complain(str(error))
    return UNUSABLE if error.malformed else FAILS


class _Parser(argparse.ArgumentParser):
    """One line an error, and it begins with the command that was said."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is not known here: the parser above cannot say whose it was.

        And before what is missing: whoever mistypes --help is not looking for a FILE.
        """
        needed = [action for action in self._actions if action.required]
        for action in needed:
            action.required = False
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        missing = [str(action.metavar) for action in needed if getattr(found, action.dest) is None]
        if missing:
            self.error(f"the following arguments are required: {', '.join(missing)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """One line instead of the usage and a line."""
        complain(f"{self.prog}: {message}")
        sys.exit(UNUSABLE)

    def print_help(self, file: Any = None) -> None:
        """Raises OSError if it cannot be written, which argparse would pass over."""
        print(self.format_help(), end="", file=file)
        sys.stdout.flush()


def _number(lowest: int | None = None, highest: int | None = None) -> Callable[[str], int]:
    limits = "" if lowest is None else f", at least {lowest}" if highest is None else f", {lowest} to {highest}"

    def number(text: str) -> int:
        with contextlib.suppress(ValueError):
            value = int(text)
            if (lowest is None or value >= lowest) and (highest is None or value <= highest):
                return value
        raise argparse.ArgumentTypeError(f"a whole number{limits}, not {text!r}")

    return number


def _chance(text: str) -> float:
    with contextlib.suppress(ValueError):
        value = float(text)
        if 0 <= value <= 1:
            return value
    raise argparse.ArgumentTypeError(f"a chance is 0 to 1, not {text!r}")


def _directory(text: str) -> Path:
    """One that can be made will do."""
    path = Path(text)
    for place in (path, *path.parents):
        if place.exists() and not place.is_dir():
            raise argparse.ArgumentTypeError(f"{place} is not a directory")
    return path


def _ruleset(text: str) -> Ruleset:
    try:
        return ruleset(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _arguments() -> argparse.ArgumentParser:
    parser = _Parser(prog="coup_core", description="Coup: check, simulate, replay and verify game records.")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)

    checking = commands.add_parser("check", help="play each record and test every check line in it")
    checking.add_argument("files", nargs="+", metavar="FILE")
    checking.set_defaults(run=run_check)

    simulating = commands.add_parser("simulate", help="play random games and assert the invariants after every move")
    simulating.add_argument(
        "--rules", type=_ruleset, default="classic", help=f"one of: {', '.join(RULESETS)} (default: classic)"
    )
    simulating.add_argument(
        "--players",
        type=_number(MIN_PLAYERS, MAX_PLAYERS),
        default=4,
        metavar="N",
        help=f"{MIN_PLAYERS} to {MAX_PLAYERS} (default: 4)",
    )
    simulating.add_argument("--games", type=_number(1), default=1000, metavar="N", help="how many (default: 1000)")
    simulating.add_argument(
        "--seed", type=_number(), default=1, metavar="N", help="the same seed plays the same games (default: 1)"
    )
    simulating.add_argument(
        "--resign", type=_chance, default=0.0, metavar="P", help="chance, a decision, that someone leaves"
    )
    simulating.add_argument("--records", type=_directory, metavar="DIR", help="write each game there as a .coup file")
    simulating.set_defaults(run=run_simulate)

    replaying = commands.add_parser("replay", help="tell a game in words")
    replaying.add_argument("file", metavar="FILE")
    replaying.set_defaults(run=run_replay)

    verifying = commands.add_parser(
        "verify", help="test the seed against the commitment, and the cards against the seed"
    )
    verifying.add_argument("file", metavar="FILE")
    verifying.set_defaults(run=run_verify)
    return parser


def _prepare_streams() -> None:
    # A stream that was closed before we started is None. What is said there is lost, as whoever closed it wished.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    if hasattr(sys.stdout, "reconfigure"):
        # A display name that the terminal cannot show must not stop the telling.
        sys.stdout.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _run(argv: Sequence[str] | None) -> int:
    parser = _arguments()
    arguments = parser.parse_args(argv)
    if arguments.run is None:
        parser.error(f"say a command: {', '.join(COMMANDS)}; `python -m coup_core --help` tells what they do")
    try:
        code: int = arguments.run(arguments)
    except RecordError as error:
        return _tell_error(error)
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _prepare_streams()
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads our output has had enough.
        give_up(sys.stdout)
        return FAILS
    except OSError as error:
        if error.filename is None:
            give_up(sys.stdout)
        complain(f"coup_core: {error.filename or 'output'}: {error.strerror}")
        return UNUSABLE
    except KeyboardInterrupt:
        complain("coup_core: interrupted")
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
