"""What the bot tells its host: log lines of keys and values, error ids, counters.

Owns the form of a log line and what may never stand in one: hidden cards, seeds and tokens. Must not know Discord,
the database or the rules: an object of our own classes is shown by the name of its class, whatever it holds.
"""

import logging
import re
import secrets
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from textwrap import indent
from typing import IO, Literal

import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

HIDDEN = "[hidden]"
"""What stands in a log line instead of a secret."""

# A key with one of these words in it is secret: hand, discord_token, seed_of_the_table.
_SECRET_WORDS = frozenset({"hand", "hands", "password", "seed", "secret", "token", "tokens"})
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")

# An error id is read aloud and typed: no letter that looks like a digit.
_ID_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_ID_LENGTH = 8

# At DEBUG these libraries log what passes through them: the private panels that discord.py sends, with hands and
# interaction tokens, and the rows that SQLAlchemy and aiosqlite write, with seeds. LOG_LEVEL does not lower them.
# Alembic says nothing secret, but a dozen lines of it bury the one that matters.
_LIBRARY_LEVELS = {
    "aiosqlite": logging.WARNING,
    "alembic": logging.WARNING,
    "discord": logging.INFO,
    "sqlalchemy": logging.WARNING,
}
_OTHERS_LEVEL = logging.INFO
_OURS = ("bot", "coup_core")

# Whose errors repeat what they were about: a database's the row that it refused, with its seed or the line of a draw,
# the engine's a move or a card. Their class and their code are all that is logged of them.
_TALKATIVE = frozenset({"aiosqlite", "asyncpg", "coup_core", "sqlalchemy", "sqlite3"})

# What discord.py says at every start about packages for voice, which the bot does not use.
_ABOUT_VOICE = frozenset(
    {
        "PyNaCl is not installed, voice will NOT be supported",
        "davey is not installed, voice will NOT be supported",
    }
)


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return the logger of a module: `logger(__name__).info("table opened", table=17)`."""
    bound: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return bound


def configure(level: str, form: Literal["console", "json"], stream: IO[str] | None = None) -> None:
    """Send every log line, the libraries' too, to `stream` (stderr if None).

    `level` holds for our own modules; libraries stay at INFO or above, because below that they log secrets.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=_LABELS, processors=_rendering(form, handler.stream))
    )
    handler.addFilter(_without_secret_arguments)
    handler.addFilter(_without_voice)
    handler.addFilter(_without_errors_in_the_message)
    root = logging.getLogger()
    for former in root.handlers[:]:
        root.removeHandler(former)
    root.addHandler(handler)
    wanted = logging.getLevelNamesMapping()[level]
    root.setLevel(max(wanted, _OTHERS_LEVEL))
    for name in _OURS:
        logging.getLogger(name).setLevel(wanted)
    for name, least in _LIBRARY_LEVELS.items():
        logging.getLogger(name).setLevel(max(wanted, least))


def error_id() -> str:
    """Return a fresh id that ties what a person was shown to the line in the log: eight letters and digits."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


# ---------------------------------------------------------------------------------------------------- counters

_counters: Counter[str] = Counter()


def count(name: str) -> None:
    """Add one to the counter `name`, for instance `discord_10062`."""
    _counters[name] += 1


def counts() -> dict[str, int]:
    """Return every counter that is not zero, by name."""
    return dict(_counters)


def forget_counts() -> None:
    """Set every counter to zero."""
    _counters.clear()


def tell_counts() -> None:
    """Log every counter that is not zero in one line, and begin anew."""
    if _counters:
        logger(__name__).info("counted", **dict(sorted(_counters.items())))
    forget_counts()


# ---------------------------------------------------------------------------------------------------- secrets


def redact(value: object, name: str = "") -> object:
    """Return `value` as it may be logged under the key `name`, with everything secret in it replaced."""
    if _SECRET_WORDS.intersection(word.lower() for word in _WORD.findall(name)):
        return HIDDEN
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    if package == "coup_core" or (package == "bot" and not isinstance(value, Enum)):
        # A view, a game, an event, a card, or something of ours that holds one: any of them may tell a hand.
        return f"<{kind.__name__}>"
    if isinstance(value, Mapping):
        return {redact(key): redact(item, str(key)) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(redact(item) for item in value)
    if isinstance(value, list | set | frozenset):
        return [redact(item) for item in value]
    return value


def _redacted(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """The processor: `redact` for every key of a line, but not for structlog's own (`_record`, `exc_info`)."""
    return {
        key: value if key.startswith("_") or key == "exc_info" else redact(value, key) for key, value in event.items()
    }


def _without_secret_arguments(record: logging.LogRecord) -> bool:
    """The same for lines that libraries write with `%s` and arguments."""
    if isinstance(record.args, tuple):
        record.args = tuple(redact(argument) for argument in record.args)
    elif record.args:
        record.args = {name: redact(argument, name) for name, argument in record.args.items()}
    return True


def _without_voice(record: logging.LogRecord) -> bool:
    """Leave out the two lines that would make a host install what is of no use."""
    return record.name != "discord.client" or record.msg not in _ABOUT_VOICE


def _without_errors_in_the_message(record: logging.LogRecord) -> bool:
    """Of an error that nobody waited for, asyncio repeats the words in the lines after the first."""
    if record.name == "asyncio" and record.exc_info:
        record.msg = str(record.msg).partition("\n")[0]
    return True


# ---------------------------------------------------------------------------------------------------- errors


def told(error: BaseException) -> str:
    """Return `error` as it may be logged: every frame, of it and of what lies behind it, but no words that tell a row.

    Like Python's own traceback, except that only the class and the database's code stand there for some errors (see
    `_TALKATIVE`), and only the class for those that repeat their words.
    """
    return "".join(_told(error, set(), set())).rstrip()


def _told(error: BaseException, before: set[int], unsaid: set[str]) -> Iterator[str]:
    """What stands `before` it is not told twice; what was `unsaid` behind it must not be said by it either."""
    before.add(id(error))
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if behind is not None and id(behind) not in before:
        yield from _told(behind, before, unsaid)
        yield f"\n{_DIRECTLY if behind is error.__cause__ else _MEANWHILE}\n\n"
    parts = list[str]()
    if isinstance(error, BaseExceptionGroup):
        for number, part in enumerate(error.exceptions, 1):
            parts.append(f"  {number}:\n{indent(''.join(_told(part, before, unsaid)), '  | ')}")
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(error.__traceback__)
    yield _named(error, unsaid)
    yield from parts


def _named(error: BaseException, unsaid: set[str]) -> str:
    """The last lines of a traceback: the class, and what it says if that may be logged."""
    kind = type(error)
    words = "".join(traceback.format_exception_only(error))
    # Those of a group are told beside it.
    holds = error.args[:1] if isinstance(error, BaseExceptionGroup) else error.args
    if kind.__module__.partition(".")[0] in _TALKATIVE:
        unsaid.update(line for line in str(error).splitlines() if line.strip())
    elif redact(holds) == holds and not any(line in words for line in unsaid):
        return words
    driver = getattr(error, "orig", None) or error
    code = getattr(driver, "sqlstate", None) or getattr(driver, "sqlite_errorname", None)
    return f"{kind.__module__}.{kind.__qualname__}: {HIDDEN}{f' ({code})' if code else ''}\n"


# As Python words it.
_DIRECTLY = "The above exception was the direct cause of the following exception:"
_MEANWHILE = "During handling of the above exception, another exception occurred:"


def _of_exc_info(exc_info: ExcInfo) -> str:
    return told(exc_info[1])


# ---------------------------------------------------------------------------------------------------- form

_LABELS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    _redacted,
]


def _rendering(form: Literal["console", "json"], stream: IO[str]) -> list[Processor]:
    # Not structlog's own tracebacks: they show local variables, and a local variable may be a hand.
    first: list[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.ExceptionRenderer(_of_exc_info),
    ]
    if form == "json":
        return [*first, structlog.processors.JSONRenderer(ensure_ascii=False)]
    console = structlog.dev.ConsoleRenderer(
        colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
    )
    return [*first, console]


# At import, not in configure(): a module's logger must speak through the standard logging (where tests listen)
# whether or not a command has set up the output.
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_LABELS,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
