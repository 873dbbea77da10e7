"""The command line: exit codes, one line an error, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coup_core.__main__ import main

ROOT = Path(__file__).parents[2]
HEAD = "rules: classic\nplayers: a b c\nhands: a=duke,captain b=contessa,duke c=assassin,assassin\n"
GOOD = HEAD + "name.a: Ana María\n\na: tax\nb: pass !\nc: challenge\na: show duke\ndraw a captain\nc: lose assassin\n"


class Shell:
    """Runs commands in a folder of their own and keeps what was printed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.out = ""
        self.errors: list[str] = []

    def file(self, name: str, text: str | bytes) -> str:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def run(self, *arguments: str) -> int:
        try:
            code = main(arguments)
        except SystemExit as leaving:  # argparse's own way out
            code = int(str(leaving.code))
        captured = self.capsys.readouterr()
        self.out, self.errors = captured.out, captured.err.splitlines()
        return code


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


def test_check_accepts(shell: Shell) -> None:
    good = shell.file("good.coup", GOOD)
    assert shell.run("check", good, good) == 0
    assert shell.errors == []


def test_check_tells_the_first_error_of_each_file_and_the_worst_code(shell: Shell) -> None:
    good = shell.file("good.coup", GOOD)
    broken = shell.file("broken.coup", HEAD + "= turn b\n= turn c\n")
    bad = shell.file("bad.coup", HEAD + "= turn b\na: king\nb: queen\n")
    assert shell.run("check", broken, good) == 1
    assert shell.run("check", broken, bad, good, broken) == 2
    assert shell.errors == [
        f"{broken}:4: expected turn b, but it is the turn of a",
        f"{bad}:5: unknown move 'king'",
        f"{broken}:4: expected turn b, but it is the turn of a",
    ]


@pytest.mark.parametrize("command", ["check", "replay", "verify"])
def test_what_is_no_record(shell: Shell, command: str) -> None:
    missing = str(shell.folder / "missing.coup")
    cases = {
        missing: f"{missing}: cannot be read: ",
        str(shell.folder): f"{shell.folder}: cannot be read: ",
        (latin := shell.file("latin.coup", GOOD.encode("latin-1"))): f"{latin}:4: this is not UTF-8",
        (empty := shell.file("empty.coup", "")): f"{empty}:1: a record begins with 'rules:'",
        (zeros := shell.file("zeros.coup", bytes(100))): f"{zeros}:1: ",
        "": "'': cannot be read: the name of a file is empty",
        "nul\0": "nul\\x00: cannot be read: ",
    }
    for file, error in cases.items():
        assert shell.run(command, file) == 2
        assert len(shell.errors) == 1
        assert shell.errors[0].startswith(error)


def test_a_byte_order_mark(shell: Shell) -> None:
    assert shell.run("check", shell.file("bom.coup", b"\xef\xbb\xbf" + GOOD.encode())) == 0
    latin = shell.file("latin.coup", b"\xef\xbb\xbf" + GOOD.encode("latin-1"))
    assert shell.run("check", latin) == 2
    assert shell.errors == [f"{latin}:4: this is not UTF-8"]


def test_windows_line_ends(shell: Shell) -> None:
    assert shell.run("check", shell.file("crlf.coup", GOOD.replace("\n", "\r\n"))) == 0


def test_replay_tells_the_game(shell: Shell) -> None:
    assert shell.run("replay", shell.file("good.coup", GOOD)) == 0
    assert shell.out.splitlines() == [
        "Turn 1: Ana María.",
        "  Ana María declares tax, claiming the duke.",
        "  b passes.",
        "  c challenges: does Ana María hold the duke?",
        "  Ana María shows the duke, which goes back to the Court.",
        "  Ana María draws 1 from the Court.",
        "  c loses an influence: the assassin.",
        "  Ana María takes 3 from the Treasury.",
        "Turn 2: b.",
        "The record stops here: the game is not over.",
    ]


def test_replay_of_a_game_that_is_over_ends_with_the_winner(shell: Shell) -> None:
    assert shell.run("replay", shell.file("over.coup", HEAD + "b: resign\nc: resign\n")) == 0
    assert shell.out.splitlines()[-1] == "a wins."


def test_check_tells_what_is_not_supported_yet_from_what_does_not_hold(shell: Shell) -> None:
    good = shell.file("good.coup", GOOD)
    broken = shell.file("broken.coup", HEAD + "= turn b\n")
    duel = shell.file("duel.coup", HEAD.replace("classic", "classic duel"))
    assert shell.run("check", good, duel, broken) == 2
    assert shell.out == "1 of 3 records holds, 1 is of an edition not supported yet\n"
    assert shell.run("check", duel, good, duel) == 2
    assert shell.out == "1 of 3 records holds, 2 are of editions not supported yet\n"
    assert shell.run("check", good, broken) == 1
    assert shell.out == "1 of 2 records holds\n"


def test_check_counts_only_records_as_records(shell: Shell) -> None:
    good = shell.file("good.coup", GOOD)
    broken = shell.file("broken.coup", HEAD + "= turn b\n")
    duel = shell.file("duel.coup", HEAD.replace("classic", "classic duel"))
    letter = shell.file("letter.txt", "Dear Ana,\n")
    missing = str(shell.folder / "missing.coup")
    not_yet = "1 is of an edition not supported yet"
    for files, code, summary in (
        ([good], 0, "1 of 1 record holds"),
        ([good, good], 0, "2 of 2 records hold"),
        ([broken], 1, "0 of 1 record holds"),
        ([broken, broken], 1, "0 of 2 records hold"),
        ([missing], 2, "1 file cannot be read"),
        ([letter, missing], 2, "2 files cannot be read"),
        ([good, letter], 2, "1 of 1 record holds, 1 file cannot be read"),
        ([good, duel, missing], 2, f"1 of 2 records holds, {not_yet}, 1 file cannot be read"),
    ):
        assert shell.run("check", *files) == code
        assert shell.out == f"{summary}\n"


def test_verify_says_what_to_compare(shell: Shell) -> None:
    vector = Path(__file__).parent / "scenarios" / "fair-dealing.coup"
    assert shell.run("verify", str(vector)) == 0
    assert shell.out.splitlines()[1:] == [
        "commit: 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        "mix: 11,22,33",
        "This proves nothing unless these are the commitment shown in the lobby and the numbers listed at the deal.",
    ]


def test_without_a_command_the_commands_are_named(shell: Shell) -> None:
    assert shell.run() == 2
    assert len(shell.errors) == 1
    for said in ("check", "simulate", "replay", "verify", "--help"):
        assert said in shell.errors[0]


def test_help_names_the_rule_sets(shell: Shell) -> None:
    assert shell.run("simulate", "--help") == 0
    assert "one of: classic" in shell.out


def test_replay_tells_a_broken_game_as_far_as_it_holds(shell: Shell) -> None:
    assert shell.run("replay", shell.file("broken.coup", HEAD + "a: income\na: income\n")) == 1
    assert shell.out.startswith("Turn 1: a.\n")
    assert len(shell.errors) == 1


def test_simulated_records_are_accepted(shell: Shell) -> None:
    folder = shell.folder / "deep" / "records"
    said = ["simulate", "--players", "3", "--games", "5", "--seed", "7", "--resign", "0.05", "--records", str(folder)]
    assert shell.run(*said) == 0
    assert shell.out.startswith("5 games of 3 players: ")
    assert "games/s" in shell.out
    assert "decisions/s" in shell.out
    files = sorted(map(str, folder.iterdir()))
    assert len(files) == 5
    assert shell.run("check", *files) == 0
    assert all(shell.run("verify", file) == 0 for file in files)
    before = [Path(file).read_bytes() for file in files]
    shell.run(*said)
    assert [Path(file).read_bytes() for file in files] == before


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["play"],
        ["check"],
        ["verify"],
        ["simulate", "--players", "1"],
        ["simulate", "--players", "11"],
        ["simulate", "--players", "many"],
        ["simulate", "--games", "0"],
        ["simulate", "--resign", "1.5"],
        ["simulate", "--resign", "nan"],
        ["simulate", "--resign", "often"],
        ["simulate", "--rules", "classic duel"],
        ["simulate", "--rules", "poker"],
        ["simulate", "--rules", ""],
        ["simulate", "--rules", "classic\x0b"],
        ["simulate", "--seed", "x"],
    ],
)
def test_a_wrong_command_line_is_one_line(shell: Shell, arguments: list[str]) -> None:
    assert shell.run(*arguments) == 2
    assert len(shell.errors) == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["check", "--fast"], "coup_core check: unrecognized arguments: --fast"),
        (["check", "--fast", "a.coup"], "coup_core check: unrecognized arguments: --fast"),
        (["check", "a.coup", "--fast"], "coup_core check: unrecognized arguments: --fast"),
        (["replay", "a.coup", "b.coup"], "coup_core replay: unrecognized arguments: b.coup"),
        (["verify"], "coup_core verify: the following arguments are required: FILE"),
        (["--fast", "check", "a.coup"], "coup_core: unrecognized arguments: --fast"),
        (["simulate", "--seed", "abc"], "coup_core simulate: argument --seed: a whole number, not 'abc'"),
        (["simulate", "--players", "x"], "coup_core simulate: argument --players: a whole number, 2 to 10, not 'x'"),
        (["simulate", "--games", "0"], "coup_core simulate: argument --games: a whole number, at least 1, not '0'"),
        (["simulate", "--resign", "often"], "coup_core simulate: argument --resign: a chance is 0 to 1, not 'often'"),
    ],
)
def test_a_wrong_command_line_is_told_by_its_command(shell: Shell, arguments: list[str], error: str) -> None:
    """What is unknown goes before what is missing: whoever mistypes an option is not looking for a FILE."""
    assert shell.run(*arguments) == 2
    assert shell.errors == [error]


def test_rules_may_have_blanks_around_them(shell: Shell) -> None:
    assert shell.run("simulate", "--games", "1", "--rules", " classic\t") == 0


def test_what_a_file_says_does_not_command_the_terminal(shell: Shell) -> None:
    """ESC, a line separator, a right-to-left override: told with escapes, in errors and in tales."""
    wicked = "x\x1b[2J\u2028\u202e"
    told = r"x\x1b[2J\u2028\u202e"
    twice = shell.file("twice.coup", HEAD + f"name.{wicked}: a\nname.{wicked}: b\n")
    assert shell.run("check", twice) == 2
    assert shell.errors == [f"{twice}:5: a second header 'name.{told}:'"]
    assert shell.run("replay", shell.file("named.coup", HEAD + f"name.a: {wicked}\n")) == 0
    assert shell.out.splitlines()[0] == f"Turn 1: {told}."
    strange = shell.file(f"{wicked}.coup", HEAD + "a: king\n")
    assert shell.run("check", strange) == 2
    assert shell.errors == [f"{shell.folder}/{told}.coup:4: unknown move 'king'"]
    assert shell.run("check", twice, "--" + wicked) == 2
    assert told in shell.errors[0]


def test_records_that_cannot_be_written(shell: Shell) -> None:
    file = shell.file("a-file", "")
    for place in (file, f"{file}/below"):
        assert shell.run("simulate", "--games", "1", "--records", place) == 2
        assert shell.errors == [f"coup_core simulate: argument --records: {file} is not a directory"]


def run_module(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "coup_core", *arguments]
    environment = {**os.environ, **more}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("more", [{}, {"PYTHONUNBUFFERED": "1"}])
@pytest.mark.parametrize(
    ("redirect", "good", "bad", "errors"),
    [
        (">&-", 0, 2, 1),
        ("2>&-", 0, 2, 0),
        (">&- 2>&- <&-", 0, 2, 0),
        ("2>/dev/full", 0, 2, 0),
        (">/dev/full", 2, 2, 1),
        (">/dev/full 2>&1", 2, 2, 0),
    ],
)
def test_streams_that_are_closed_or_full(
    tmp_path: Path, redirect: str, good: int, bad: int, errors: int, more: dict[str, str]
) -> None:
    """The exit code tells all the same, and nothing that was meant for standard error comes out elsewhere."""
    file = tmp_path / "good.coup"
    file.write_text(GOOD, "utf-8")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"} | more

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", "-c", f'exec "$@" {redirect}', "sh", sys.executable, "-m", "coup_core", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
        )

    for arguments in (("check", str(file)), ("check", "--help")):
        ran = run(*arguments)
        assert (ran.returncode, ran.stderr.count("\n")) == (good, errors if good else 0)
    broken = tmp_path / "broken.coup"
    broken.write_text(HEAD + "a: income\na: income\n", "utf-8")
    assert run("replay", str(broken)).returncode == max(good, 1)
    ran = run("replay", str(tmp_path))
    assert (ran.returncode, ran.stderr.count("\n"), ran.stdout) == (bad, 1 if errors else 0, "")


def test_as_a_module(tmp_path: Path) -> None:
    good = tmp_path / "good.coup"
    good.write_text(GOOD, "utf-8")
    assert run_module("check", str(good)).returncode == 0
    broken = run_module("check", str(tmp_path))
    assert (broken.returncode, broken.stderr.count("\n")) == (2, 1)


def test_a_terminal_that_cannot_show_a_name(tmp_path: Path) -> None:
    good = tmp_path / "good.coup"
    good.write_text(GOOD, "utf-8")
    told = run_module("replay", str(good), PYTHONIOENCODING="ascii")
    assert told.returncode == 0
    assert r"Ana Mar\xeda" in told.stdout


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    """`replay FILE | head -1` ends quietly."""
    long = tmp_path / "long.coup"
    long.write_text(
        HEAD + "a: tax\nall: pass\nb: income\nc: income\n" + "a: income\nb: income\nc: income\n" * 2, "utf-8"
    )
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "coup_core", "replay", str(long)]
    with subprocess.Popen(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True) as process:
        os.close(writing)
        _, errors = process.communicate(timeout=60)
    assert errors == ""
    assert process.returncode == 1
