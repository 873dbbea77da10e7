"""The list in README.md is whole, and what it names is there and runs."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| *(?P<number>\d+) *\| *(?P<failure>[^|]+?) *\| *(?P<covered>[^|]+?) *\|$", re.MULTILINE)
NAMED = re.compile(r"`(?P<path>tests/[\w/]+\.py)(?:::(?P<name>\w+))?`")
SKIPS = re.compile(r"\b(skip|skipif|xfail|importorskip)\b")
INSTEAD = ("needs a real socket", "not built: ")

ROWS = list(ROW.finditer(Path(__file__).with_name("README.md").read_text(encoding="utf-8")))


@cache
def found_in(path: str) -> dict[str, str]:
    """The tests of a file, each with what is written above it and in it."""
    text = (ROOT / path).read_text(encoding="utf-8")
    tree = ast.parse(text)
    everywhere = "".join(
        ast.unparse(node) for node in tree.body if isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node)
    )
    return {
        node.name: everywhere + ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def test_every_failure_is_listed_once_and_in_order() -> None:
    assert [int(row["number"]) for row in ROWS] == list(range(1, 71))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["number"])
def test_what_a_row_names_is_there_and_is_not_skipped(row: re.Match[str]) -> None:
    named = list(NAMED.finditer(row["covered"]))
    rest = NAMED.sub("", row["covered"]).strip(" ,;")
    assert not rest or rest.startswith(INSTEAD), f"neither a test nor a reason: {rest}"
    assert named or rest
    for test in named:
        assert test["name"] is not None, f"{test[0]} names no test"
        assert (ROOT / test["path"]).is_file(), test["path"]
        assert test["name"] in found_in(test["path"]), test[0]
        assert not SKIPS.search(found_in(test["path"])[test["name"]]), f"{test[0]} is skipped"


def test_a_test_that_skips_is_seen() -> None:
    assert SKIPS.search("@pytest.mark.skipif(True, reason='')")
    assert SKIPS.search("pytest.skip('not here')")
    assert not SKIPS.search("def test_it_skips_the_dead(): ...")
