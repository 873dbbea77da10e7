"""What a log line looks like, and that no hidden card, seed or token gets into one."""

import asyncio
import gc
import io
import json
import logging
import traceback
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

import discord
import pytest

from bot import telemetry
from coup_core.cards import Character

DUKE = next(character for character in Character if "duke" in str(character.value).lower())


class Held:
    """Stands for anything of ours that holds a hand, a view or a game."""

    def __repr__(self) -> str:
        return "Held(hand=Duke)"


class Phase(StrEnum):
    """An enumeration of the bot's; it tells no card."""

    LOBBY = "lobby"


Held.__module__ = "bot.tables.table"
Phase.__module__ = "bot.tables.table"


@pytest.fixture(autouse=True)
def loggers_as_before() -> Iterator[None]:
    """Leave the process's loggers and the counters as they were found."""
    named = ["", "bot", "coup_core", "aiosqlite", "alembic", "discord", "sqlalchemy"]
    before = {name: logging.getLogger(name).level for name in named}
    handlers = logging.getLogger().handlers[:]
    telemetry.forget_counts()
    yield
    telemetry.forget_counts()
    logging.getLogger().handlers[:] = handlers
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def configured(level: str = "INFO", form: Any = "json") -> io.StringIO:
    stream = io.StringIO()
    telemetry.configure(level, form, stream)
    return stream


def only_line(stream: io.StringIO) -> dict[str, Any]:
    (line,) = stream.getvalue().splitlines()
    read: dict[str, Any] = json.loads(line)
    return read


def test_a_line_is_keys_and_values() -> None:
    stream = configured()
    telemetry.logger("bot.tables").info("table opened", table=17, channel="games")
    line = only_line(stream)
    assert line["event"] == "table opened"
    assert (line["table"], line["channel"]) == (17, "games")
    assert (line["level"], line["logger"]) == ("info", "bot.tables")
    assert line["timestamp"].endswith("Z")


def test_the_console_form_is_one_line_without_colours_when_nobody_watches() -> None:
    stream = configured(form="console")
    telemetry.logger("bot").warning("slow answer", seconds=2.5)
    (line,) = stream.getvalue().splitlines()
    assert "slow answer" in line
    assert "seconds=2.5" in line
    assert "\x1b" not in line


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize(
    "values",
    [
        {"hand": ["Duke", "Duke"]},
        {"hands": {"ana": "Duke"}},
        {"seed": "Duke"},
        {"discord_token": "Duke"},
        {"tableSeed": "Duke"},
        {"interaction": {"id": 5, "token": "Duke"}},
        {"card": DUKE},
        {"view": Held()},
        {"seats": [{"ana": (Held(), DUKE)}]},
        {"kept": {DUKE}},
        {"by_card": {DUKE: 1}},
    ],
    ids=lambda values: "+".join(values) if isinstance(values, dict) else str(values),
)
def test_a_secret_is_not_logged(form: str, values: dict[str, Any]) -> None:
    stream = configured(form=form)
    telemetry.logger("bot").info("dealt", **values)
    assert "dealt" in stream.getvalue()
    assert "duke" not in stream.getvalue().lower()


def test_a_secret_is_not_logged_as_an_argument_either() -> None:
    stream = configured()
    telemetry.logger("bot").info("dealt %s and %s", Held(), "more")
    logging.getLogger("bot.old").info("dealt %s", Held())
    logging.getLogger("bot.old").info("dealt %(hand)s", {"hand": "Duke"})
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == [
        "dealt <Held> and more",
        "dealt <Held>",
        "dealt [hidden]",
    ]


def test_what_is_not_secret_stays_readable() -> None:
    stream = configured()
    telemetry.logger("bot").info("answered", handler="allow", phase=Phase.LOBBY, seats=["ana", "bob"])
    line = only_line(stream)
    assert (line["handler"], line["phase"], line["seats"]) == ("allow", "lobby", ["ana", "bob"])


@pytest.mark.expects_errors("click failed")
@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_shows_no_local_variables(form: str) -> None:
    stream = configured(form=form)

    def fail() -> None:
        hand = "Du" + "ke"
        raise ValueError(f"wrong length {len(hand)}")

    try:
        fail()
    except ValueError:
        telemetry.logger("bot").exception("click failed", error_id="X")
    assert "wrong length 4" in stream.getvalue()
    assert "Duke" not in stream.getvalue()


class Refused(Exception):
    """Stands for a driver's error, whose words tell the row."""

    sqlstate = "23502"


Refused.__module__ = "asyncpg.exceptions"


ROW = "null value\nDETAIL:  Failing row contains (7, draw p1 duke)."


def refuse() -> None:
    raise Refused(ROW)


def behind(how: str) -> None:
    """Raises an error with a driver's somewhere behind it or in it."""
    try:
        refuse()
    except Refused as error:
        if how == "cause":
            raise ValueError("not stored") from error
        if how == "context":
            raise ValueError("not stored")  # noqa: B904 - that is the case
        if how == "quoted":
            raise ValueError(f"not stored: {error}") from error
        if how == "group":
            raise ExceptionGroup("not stored", [ValueError("and more"), error]) from None
        raise


def raised(work: Callable[..., None], *arguments: str) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it is
        work(*arguments)
    return caught.value


@pytest.mark.expects_errors("click failed")
@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("how", ["alone", "cause", "context", "quoted", "group"])
def test_what_a_database_says_is_not_logged_wherever_it_stands(form: str, how: str) -> None:
    stream = configured(form=form)
    telemetry.logger("bot").error("click failed", exc_info=raised(behind, how))
    logging.getLogger("discord.client").error("click failed", exc_info=raised(behind, how))
    text = stream.getvalue()
    assert "duke" not in text
    assert "DETAIL" not in text
    assert text.count("asyncpg.exceptions.Refused: [hidden] (23502)") == 2
    assert text.count("in refuse") >= 2, "the frames stay"
    assert text.count("ValueError: not stored") == (2 if how in {"cause", "context"} else 0)
    assert ("and more" in text) == (how == "group")


@pytest.mark.expects_errors("click failed")
@pytest.mark.parametrize("error", [KeyError(DUKE), ValueError("not a hand:", {"hand": "Duke"}), AssertionError(Held())])
def test_what_an_error_holds_is_not_logged_where_it_may_be_a_card(error: Exception) -> None:
    stream = configured()
    telemetry.logger("bot").error("click failed", exc_info=error)
    assert f"{type(error).__name__}: [hidden]" in stream.getvalue()
    assert "duke" not in stream.getvalue().lower()


def chained() -> None:
    try:
        int("lobby")
    except ValueError as error:
        raise KeyError("no such\nphase") from error


def test_an_ordinary_error_reads_as_python_writes_it() -> None:
    error = raised(chained)
    error.add_note("of the table")
    assert telemetry.told(error) == "".join(traceback.format_exception(error)).rstrip()


@pytest.mark.expects_errors("never retrieved")
async def test_an_error_that_nobody_waited_for_is_told_without_its_words() -> None:
    stream = configured()

    async def fail() -> None:
        refuse()

    task = asyncio.get_running_loop().create_task(fail())
    await asyncio.wait([task])
    del task
    gc.collect()
    assert only_line(stream)["event"] == "Task exception was never retrieved"
    assert "asyncpg.exceptions.Refused: [hidden] (23502)" in stream.getvalue()
    assert "duke" not in stream.getvalue()


@pytest.mark.parametrize(
    "library", ["discord.http", "discord.gateway", "sqlalchemy.engine", "aiosqlite", "alembic", "asyncio", "some.other"]
)
def test_libraries_do_not_log_what_passes_through_them(library: str) -> None:
    stream = configured("DEBUG")
    logging.getLogger(library).debug("POST .../interactions/1/token with {'content': 'You hold Duke'}")
    assert stream.getvalue() == ""
    telemetry.logger("bot").debug("still heard")
    assert only_line(stream)["event"] == "still heard"


def test_the_level_is_kept() -> None:
    stream = configured("ERROR")
    telemetry.logger("bot").warning("quiet")
    logging.getLogger("discord").warning("quiet")
    assert stream.getvalue() == ""


@pytest.mark.expects_errors("unexpected")
def test_a_line_reaches_the_standard_logging_where_tests_listen(caplog: pytest.LogCaptureFixture) -> None:
    telemetry.logger("bot.ui").error("unexpected", hand="Duke")
    (record,) = caplog.records
    assert (record.levelno, record.name) == (logging.ERROR, "bot.ui")
    assert "Duke" not in record.getMessage()


def test_error_ids_are_short_distinct_and_can_be_read_aloud() -> None:
    ids = {telemetry.error_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {len(one) for one in ids} == {8}
    assert not set("01OIL") & set("".join(ids))


def test_counters_count_by_name() -> None:
    telemetry.count("discord_10062")
    telemetry.count("discord_10062")
    telemetry.count("discord_429")
    assert telemetry.counts() == {"discord_10062": 2, "discord_429": 1}
    telemetry.forget_counts()
    assert telemetry.counts() == {}


def test_discord_py_does_not_complain_about_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own words: should it change them, this test says so."""
    for package in ("warn_nacl", "warn_dave"):
        monkeypatch.setattr(discord.VoiceClient, package, True)
    stream = configured()
    discord.Client(intents=discord.Intents(guilds=True))
    assert not discord.VoiceClient.warn_nacl  # it did say it
    assert not discord.VoiceClient.warn_dave
    assert stream.getvalue() == ""


def test_everything_else_that_discord_py_warns_of_is_shown() -> None:
    stream = configured()
    logging.getLogger("discord.client").warning("voice will NOT be supported on Mars")
    assert only_line(stream)["event"] == "voice will NOT be supported on Mars"
