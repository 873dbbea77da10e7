"""The scenarios: every file with classic rules holds; every file of another edition is refused in one line."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from coup_core.__main__ import main
from coup_core.errors import RecordError
from coup_core.lines import Check, DrawLine, Line
from coup_core.record import format, parse, read  # noqa: A004 - the record's own verb
from coup_core.replay import check, verify

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.coup"))


def rules(file: Path) -> str:
    lines = (" ".join(line.partition("#")[0].split()) for line in file.read_text("utf-8").splitlines())
    return next((line for line in lines if line.startswith("rules:")), "none")


CLASSIC = [file for file in FILES if rules(file) == "rules: classic"]
NOT_YET = [file for file in FILES if file not in CLASSIC]

named = pytest.mark.parametrize("file", CLASSIC, ids=lambda file: file.stem)


def test_no_scenario_is_lost() -> None:
    """More may come; these were there once."""
    assert len(CLASSIC) >= 66
    assert len(NOT_YET) >= 23


def test_all_scenarios_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *map(str, FILES)]) == 2
    summary = f"{len(CLASSIC)} of {len(FILES)} records hold, {len(NOT_YET)} are of editions not supported yet\n"
    assert capsys.readouterr().out == summary


@named
def test_a_classic_scenario_holds(file: Path) -> None:
    check(*read(file.read_text("utf-8"), str(file)))


@named
def test_a_classic_scenario_survives_rewriting(file: Path) -> None:
    record = parse(file.read_text("utf-8"))
    again = parse(format(record))
    assert again == record
    check(again)


@named
def test_no_check_of_a_scenario_passes_by_itself(file: Path) -> None:
    """Each number that a scenario expects, made one more, fails at its line; each draw that is left out is missed."""
    record, places = read(file.read_text("utf-8"), str(file))
    for index, line in enumerate(record.body):
        match line:
            case Check(counts=(*some, last)):
                wrong: tuple[Line, ...] = (replace(line, counts=(*some, last + 1)),)
            case DrawLine():
                wrong = ()
            case _:
                continue
        body = record.body[:index] + wrong + record.body[index + 1 :]
        lines = places.body[:index] + places.body[index : index + len(wrong)] + places.body[index + 1 :]
        with pytest.raises(RecordError) as caught:
            check(replace(record, body=body), replace(places, body=lines))
        assert not caught.value.malformed
        if wrong:
            assert caught.value.line == places.body[index]


@pytest.mark.parametrize("file", NOT_YET, ids=lambda file: file.stem)
def test_another_edition_is_refused_in_one_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(file)]) == 2
    refusal = capsys.readouterr().err
    assert refusal.count("\n") == 1
    assert refusal.startswith(f"{file}:")
    assert "not supported yet" in refusal


def test_the_fair_dealing_scenario_verifies() -> None:
    verify(*read((FOLDER / "fair-dealing.coup").read_text("utf-8")))
