"""The scenarios: every file with classic rules holds; every file of another edition is refused in one line."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from coup_core.__main__ import main
from coup_core.errors import RecordError
from coup_core.lines import Check, DrawLine, Line
from coup_core.record import Places, Record, format, parse, read  # noqa: A004 - the record's own verb
from coup_core.replay import check, verify

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.coup"))


def rules(file: Path) -> str:
    lines = (" ".join(line.partition("#")[0].split()) for line in file.read_text("utf-8").splitlines())
    return next((line for line in lines if line.startswith("rules:")), "none")


CLASSIC = [file for file in FILES if rules(file) == "rules: classic"]
NOT_YET = [file for file in FILES if file not in CLASSIC]

named = pytest.mark.parametrize("file", CLASSIC, ids=lambda file: file.stem)


def held(file: Path) -> tuple[Record, Places]:
    """The scenario in `file`, played and checked. Whoever writes one is shown its line, not how it was tested."""
    try:
        record, places = read(file.read_text("utf-8"), str(file))
        check(record, places)
    except RecordError as error:
        told = str(error)
    else:
        return record, places
    pytest.fail(told, pytrace=False)  # out here, where no exception is handled that would be told as well


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
    held(file)


def test_a_scenario_that_does_not_hold_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.coup"
    for text, told in (("= coins a 3", "expected coins a 3"), ("a: king", "unknown move 'king'")):
        file.write_text(f"rules: classic\nplayers: a b\nhands: a=duke,duke b=duke,captain\n{text}\n", "utf-8")
        with pytest.raises(pytest.fail.Exception) as failed:
            held(file)
        assert str(failed.value).startswith(f"{file}:4: {told}")
        assert not failed.value.pytrace


@named
def test_a_classic_scenario_survives_rewriting(file: Path) -> None:
    record, _ = held(file)
    again = parse(format(record))
    assert again == record
    check(again)


@named
def test_no_check_of_a_scenario_passes_by_itself(file: Path) -> None:
    """Each number that a scenario expects, made one more, fails at its line; each draw that is left out is missed."""
    record, places = held(file)
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
