"""Who may import whom, where a list of forbidden modules (pyproject.toml, import-linter) cannot say it."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHIPPED = ("bot", "coup_core", "migrations")


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(source: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file names in an import, with the line."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.lineno


def told(source: Path, line: int, module: str) -> str:
    return f"{source.relative_to(ROOT)}:{line} imports {module}"


def test_the_engine_imports_nothing_but_the_standard_library_and_msgspec() -> None:
    allowed = sys.stdlib_module_names | {"coup_core", "msgspec"}
    assert [
        told(source, line, module)
        for source in sources("coup_core")
        for module, line in imported(source)
        if module.partition(".")[0] not in allowed
    ] == []


@pytest.mark.parametrize("package", ["bot/ui", "bot/commands", "coup_core/players"])
def test_who_speaks_to_people_names_what_it_takes_from_the_engine(package: str) -> None:
    """`import coup_core.view` also hands out `coup_core.game`; only `from coup_core.view import ...` does not."""
    assert [
        told(source, node.lineno, "coup_core as a whole")
        for source in sources(package)
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if (isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == "coup_core" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "coup_core")
    ] == []


def test_nothing_that_is_shipped_imports_the_tests_or_the_simulated_discord() -> None:
    assert [
        told(source, line, module)
        for package in SHIPPED
        for source in sources(package)
        for module, line in imported(source)
        if module.partition(".")[0] in {"benchmarks", "hypothesis", "pytest", "simcord", "tests"}
    ] == []


def test_every_module_opens_with_what_it_owns() -> None:
    assert [
        str(source.relative_to(ROOT))
        for package in ("bot", "coup_core")
        for source in sources(package)
        if not ast.get_docstring(ast.parse(source.read_text("utf-8")))
    ] == []
