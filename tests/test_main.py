"""How a command ends: what the terminal shows, and the exit code. The commands' work is replaced by stand-ins."""

import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner, Result

import bot
from bot.__main__ import main
from bot.settings import Settings, StartupError


@pytest.fixture(autouse=True)
def loggers_as_before() -> Iterator[None]:
    """Leave the process's loggers as they were found."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("bot", "coup_core", "aiosqlite", "alembic", "discord", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.NOTSET)


Play = Callable[..., Result]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Run `python -m bot <name>` with `work` in the place of what the command would do."""
    monkeypatch.chdir(tmp_path)
    for variable in ("DATABASE_URL", "LOG_LEVEL", "LOG_FORMAT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")

    def run(name: str, work: Callable[..., object]) -> Result:
        app, migrate = ModuleType("bot.app"), ModuleType("bot.storage.migrate")
        vars(app).update(run=work, sync=work)
        vars(migrate).update(upgrade=work)
        monkeypatch.setitem(sys.modules, "bot.app", app)
        monkeypatch.setattr(bot, "app", app, raising=False)
        monkeypatch.setitem(sys.modules, "bot.storage.migrate", migrate)
        return CliRunner().invoke(main, [name])

    return run


@pytest.mark.parametrize("name", ["run", "sync"])
def test_the_exit_code_is_that_of_the_work(command: Play, name: str) -> None:
    tokens = []

    def work(settings: Settings) -> int:
        tokens.append(settings.discord_token.get_secret_value())
        return 7

    assert command(name, work).exit_code == 7
    assert tokens == ["a.b.c"]


def test_migrate_needs_no_token(command: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    upgraded: list[str] = []
    assert command("migrate", upgraded.append).exit_code == 0
    assert upgraded == ["sqlite+aiosqlite:///coup.db"]


@pytest.mark.parametrize("name", ["run", "sync"])
def test_without_a_token_one_line_and_exit_code_2(command: Play, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    result = command(name, lambda _settings: 0)
    (line,) = result.output.splitlines()
    assert line.startswith("DISCORD_TOKEN is missing")
    assert result.exit_code == 2


@pytest.mark.parametrize("name", ["run", "sync", "migrate"])
def test_what_the_host_can_mend_is_one_line_and_exit_code_2(command: Play, name: str) -> None:
    def work(_argument: object) -> int:
        raise StartupError("The database is locked:\n  stop the other bot")

    result = command(name, work)
    assert result.output == "The database is locked: stop the other bot\n"
    assert result.exit_code == 2


def unreachable() -> int:
    raise ConnectionError("no way to postgres://ana:hush%2F1@db/coup for a.b.c")


def database_fails(_argument: object) -> int:
    try:
        return unreachable()
    except ConnectionError as error:
        raise StartupError("The database cannot be reached") from error


def test_what_lies_behind_the_one_line_is_not_shown(command: Play) -> None:
    result = command("run", database_fails)
    assert (result.output, result.exit_code) == ("The database cannot be reached\n", 2)


@pytest.mark.parametrize("form", ["console", "json"])
def test_debugging_shows_what_lies_behind_the_one_line_without_its_secrets(
    command: Play, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("LOG_FORMAT", form)
    monkeypatch.setenv("DATABASE_URL", "postgres://ana:hush%2F1@db/coup")
    result = command("run", database_fails)
    logged, shown = result.output.rsplit("\n", 2)[:2]
    assert "Traceback" in logged
    assert "ConnectionError: no way to postgres://ana:[hidden]@db/coup for [hidden]" in logged
    assert shown == "The database cannot be reached"
    assert result.exit_code == 2


def fails(_argument: object) -> int:
    raise RuntimeError("wires crossed")


@pytest.mark.expects_errors("stopped by an error")
def test_the_unexpected_is_logged_with_an_id_and_shows_no_traceback(command: Play) -> None:
    result = command("run", fails)
    logged, shown = result.output.splitlines()
    assert "RuntimeError" in shown
    assert shown.split("id ")[1].split(";")[0] in logged
    assert result.exit_code == 1


@pytest.mark.expects_errors("stopped by an error")
def test_debugging_shows_the_traceback(command: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    result = command("run", fails)
    assert "wires crossed" in result.output
    assert "Traceback" in result.output
    assert result.exit_code == 1


@pytest.mark.expects_errors("stopped by an error")
@pytest.mark.parametrize("form", ["console", "json"])
def test_debugging_shows_the_traceback_without_its_secrets(
    command: Play, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("LOG_FORMAT", form)
    monkeypatch.setenv("DATABASE_URL", "postgres://ana:hush%2F1@db/coup")
    result = command("run", lambda _settings: unreachable())
    assert "ConnectionError: no way to postgres://ana:[hidden]@db/coup for [hidden]" in result.output
    assert "hush" not in result.output
    assert result.exit_code == 1


def test_an_interrupt_is_no_error(command: Play) -> None:
    def work(_settings: Settings) -> int:
        raise KeyboardInterrupt

    result = command("run", work)
    assert (result.output, result.exit_code) == ("", 130)
