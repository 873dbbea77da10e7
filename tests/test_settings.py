"""A host's mistakes end in one line that names the variable and says what to do, and repeats no secret."""

import os
from pathlib import Path
from threading import Thread

import pytest

from bot.settings import Settings, SettingsError, StartupError, load

VARIABLES = ("DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL", "LOG_FORMAT")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty working directory and none of our variables: what the developer has set must not matter."""
    monkeypatch.chdir(tmp_path)
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def refusal(*, token: bool = True) -> str:
    with pytest.raises(SettingsError) as caught:
        load(token=token)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_without_a_token_the_line_says_where_to_get_one() -> None:
    line = refusal()
    assert line.startswith("DISCORD_TOKEN is missing")
    assert "https://discord.com/developers/applications" in line
    assert ".env" in line


def test_an_empty_token_is_a_missing_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert refusal().startswith("DISCORD_TOKEN is missing")


def test_commands_that_do_not_talk_to_discord_need_no_token() -> None:
    settings = load(token=False)
    assert settings.database_url == "sqlite+aiosqlite:///coup.db"
    assert (settings.log_level, settings.log_format) == ("INFO", "console")


def test_settings_come_from_the_file_and_the_environment_goes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=from.the.file\nLOG_LEVEL=debug\nSOMETHING_ELSE=1\n", "utf-8")
    monkeypatch.setenv("LOG_LEVEL", "Warning")
    settings = load()
    assert settings.discord_token.get_secret_value() == "from.the.file"
    assert settings.log_level == "WARNING"


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("sqlite:///games.db", "sqlite+aiosqlite:///games.db"),
        ("postgres://ana:pw@db/coup", "postgresql+asyncpg://ana:pw@db/coup"),
        ("postgresql://ana:pw@db:5433/coup", "postgresql+asyncpg://ana:pw@db:5433/coup"),
        ("postgres://ana:pw@db/coup?sslmode=require", "postgresql+asyncpg://ana:pw@db/coup?ssl=require"),
        ("postgresql+asyncpg:///coup?host=/run/postgresql", "postgresql+asyncpg:///coup?host=%2Frun%2Fpostgresql"),
    ],
)
def test_a_database_is_known_by_every_usual_name(monkeypatch: pytest.MonkeyPatch, given: str, used: str) -> None:
    monkeypatch.setenv("DATABASE_URL", given)
    assert load(token=False).database_url == used


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("DISCORD_TOKEN", "Bot abc.hush.def", 'without "Bot" before it'),
        ("DISCORD_TOKEN", "hello hush", "copy it again from the Bot page"),
        ("DISCORD_TOKEN", "hush", "copy it again from the Bot page"),
        ("DISCORD_TOKEN", "a.hush", "copy it again from the Bot page"),
        ("DISCORD_TOKEN", "a.hush.c.d", "copy it again from the Bot page"),
        ("DISCORD_TOKEN", "a..hush", "copy it again from the Bot page"),
        ("DISCORD_TOKEN", '"a.hush.c"', "copy it again from the Bot page"),
        ("DISCORD_TOKEN", "<a.hush.c>", "copy it again from the Bot page"),
        ("DISCORD_TOKEN", "ä.hush.c", "copy it again from the Bot page"),
        ("DATABASE_URL", "hush", "is not a database address"),
        ("DATABASE_URL", "postgres://ana:hush@db:port/coup", "is not a database address"),
        ("DATABASE_URL", "mysql://ana:hush@db/coup", "names mysql, which is not supported"),
        ("DATABASE_URL", "postgres://ana:hush@db", "lacks the host or the name"),
        ("DATABASE_URL", "sqlite://", "every game would be lost"),
        ("DATABASE_URL", "sqlite+aiosqlite:///:memory:", "every game would be lost"),
        ("DATABASE_URL", "sqlite:///", "every game would be lost"),
        ("DATABASE_URL", "sqlite:////", "names a folder"),
        ("DATABASE_URL", "sqlite:///games.db?hush=1", "options after a question mark"),
        ("DATABASE_URL", "postgres://ana:hush@db:99999/coup", "a port that no computer has"),
        ("DATABASE_URL", "sqlite:///file:games.db?uri=true", "use sqlite+aiosqlite:///coup.db"),
        ("DATABASE_URL", "sqlite:///file::memory:?uri=true", "own form"),
        ("DATABASE_URL", "sqlite:///file:?uri=true", "own form"),
        ("DATABASE_URL", "sqlite:///file:hush?mode=memory&cache=shared&uri=true", "own form"),
        ("DATABASE_URL", "sqlite:///file:/hush?vfs=memdb&uri=true", "own form"),
        ("LOG_LEVEL", "loud", "choose 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
        ("LOG_FORMAT", "xml", "choose 'console' or 'json'"),
    ],
)
def test_a_wrong_setting_is_named_and_its_secret_is_not(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, says: str
) -> None:
    monkeypatch.setenv(variable, value)
    line = refusal(token=False)
    assert line.startswith(variable)
    assert says in line
    assert "hush" not in line


def test_all_mistakes_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "loud")
    monkeypatch.setenv("LOG_FORMAT", "xml")
    line = refusal(token=False)
    assert "LOG_LEVEL" in line
    assert "LOG_FORMAT" in line


def test_a_file_that_is_not_text_is_a_setting_to_mend(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe")
    assert "UTF-8" in refusal()


def test_a_file_that_is_a_folder_is_a_setting_to_mend(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert "The file .env cannot be read" in refusal()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# settings\n\nDISCORD TOKEN=a.hush.c\n", 3),
        ('\n\n  \nDISCORD_TOKEN="a.hush.c\nLOG_LEVEL=INFO\n', 4),
        ("LOG_LEVEL=INFO\r\n\r\nDISCORD_TOKEN: a.hush.c\r\n", 3),
        ("LOG_LEVEL=INFO\nDISCORD_TOKEN a.hush.c", 2),
        ("DATABASE_URL\n", 1),
    ],
)
def test_a_line_that_says_nothing_is_told_and_not_repeated(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, line: int
) -> None:
    (tmp_path / ".env").write_bytes(text.encode())
    told = refusal()
    assert told.startswith(f"line {line} of .env cannot be read")
    assert "hush" not in told
    assert not caplog.records


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("DATABSE_URL", "DATABASE_URL"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("discord_tokn", "DISCORD_TOKEN"),
        ("DISCORD-TOKEN", "DISCORD_TOKEN"),
        ("LOGLEVEL", "LOG_LEVEL"),
        ("LOG_FORMATS", "LOG_FORMAT"),
    ],
)
def test_a_misspelt_setting_is_told(tmp_path: Path, written: str, meant: str) -> None:
    (tmp_path / ".env").write_text(f"{written}=hush\n", "utf-8")
    assert refusal() == f"unknown setting {written} in .env: did you mean {meant}?"


def test_names_of_others_are_no_misspellings(tmp_path: Path) -> None:
    others = "POSTGRES_PASSWORD COMPOSE_PROJECT_NAME TZ DISCORD_TOKEN_2 TEST_DATABASE_URL LOG_FILE TOKEN DB_URL"
    (tmp_path / ".env").write_text("".join(f"{name}=1\n" for name in others.split()), "utf-8")
    assert load(token=False) == Settings.model_validate({})


def test_all_mistakes_of_the_file_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD TOKEN\nLOGLEVEL=DEBUG\n", "utf-8")
    line = refusal()
    assert "line 1 of .env" in line
    assert "LOGLEVEL" in line


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")
def test_the_file_may_be_a_pipe(tmp_path: Path) -> None:
    """A keeper of passwords may hand the settings out through one: it is read once."""
    pipe = tmp_path / ".env"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("LOG_LEVEL=DEBUG\n", "utf-8"), daemon=True)
    writer.start()
    assert load(token=False).log_level == "DEBUG"
    writer.join()


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgres://ana:hu%2Fsh@db/coup", "no hu/sh, no hu%2Fsh, no a.b.c"),
        ("postgres://ana@db/coup?password=hu+sh", "no hu sh, no hu%20sh, no hu+sh, no a.b.c"),
        ("sqlite:///coup.db", "no a.b.c"),
    ],
)
def test_what_others_write_is_shown_without_secrets(monkeypatch: pytest.MonkeyPatch, url: str, text: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", url)
    shown = load().without_secrets(text)
    assert shown == ", ".join(["no [hidden]"] * len(text.split(", ")))


def test_printed_settings_show_no_secret() -> None:
    settings = Settings.model_validate({"discord_token": "a.hush.b", "database_url": "postgres://ana:hush@db/coup"})
    assert "hush" not in f"{settings!r} {settings}"


def test_every_refusal_is_a_startup_error() -> None:
    with pytest.raises(StartupError):
        load()


def test_the_example_file_names_every_setting_and_is_accepted(tmp_path: Path) -> None:
    example = (Path(__file__).parents[1] / ".env.example").read_text("utf-8")
    for name in Settings.model_fields:
        assert f"{name.upper()}=" in example
    (tmp_path / ".env").write_text(example, "utf-8")
    assert load(token=False) == Settings.model_validate({})
    assert refusal().startswith("DISCORD_TOKEN is missing")
