"""What the bot tells its host: log lines of keys and values, error ids, counters.

Owns the form of a log line and what may never stand in one: hidden cards, seeds and tokens. Must not know Discord,
the database or the rules: an object of our own classes is shown by the name of its class, whatever it holds.
"""

import logging
import re
import secrets
import sys
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from typing import IO, Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

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


# ---------------------------------------------------------------------------------------------------- form

_LABELS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    _redacted,
]


def _rendering(form: Literal["console", "json"], stream: IO[str]) -> list[Processor]:
    strip = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if form == "json":
        return [strip, structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    # Plain tracebacks: structlog's own choice shows local variables, and a local variable may be a hand.
    console = structlog.dev.ConsoleRenderer(
        colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
    )
    return [strip, console]


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
