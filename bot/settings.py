"""What the host may set: environment variables, or lines of a file `.env` in the working directory.

Owns reading and checking the settings, and `StartupError`, the base of everything that keeps the bot from starting.
Must not know what the settings are used for, and never repeats a secret: a token or a database's password stays out
of every message.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Literal
from urllib.parse import quote, quote_plus

from dotenv.parser import parse_stream
from pydantic import SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError


class StartupError(Exception):
    """The bot cannot start and the host can mend it: one line that says what is wrong and what to do.

    Wrong settings, a refused token, a database that is unreachable, locked or newer than the code, a second process.
    """


class SettingsError(StartupError):
    """A setting is missing or wrong; the line names the variable."""


_HOW_TO_GET_ONE = (
    "DISCORD_TOKEN is missing: create an application at https://discord.com/developers/applications, "
    'press "Reset Token" on its Bot page, and put DISCORD_TOKEN=<the token> into the file .env'
)

# The two databases, by every name hosts use for them, and the driver each is reached with.
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
_URL_FORMS = "use sqlite+aiosqlite:///coup.db or postgresql+asyncpg://user:password@host/name"

_FILE = ".env"
_TOKEN = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){2}")
_ALIKE = 0.87
"""From which likeness on a name in the file is one of ours, misspelt: DATABSE_URL, LOGLEVEL, LOG_LVL."""


class Settings(BaseSettings):
    """The settings after checking. Read them with `load()`, which turns every mistake into one line."""

    model_config = SettingsConfigDict(
        env_file=_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        # The text of a validation error must not repeat what it refused.
        hide_input_in_errors=True,
    )

    discord_token: SecretStr = SecretStr("")
    """The bot's token; empty if none is set, which only `load(token=False)` accepts."""

    database_url: str = "sqlite+aiosqlite:///coup.db"
    """Where tables are kept, in SQLAlchemy's form and with its asynchronous driver. It may hold a password."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """The least important log line that is written."""

    log_format: Literal["console", "json"] = "console"
    """Log lines for a person, or one JSON object a line."""

    @field_validator("discord_token")
    @classmethod
    def _like_a_token(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value().strip()
        if token.lower().startswith("bot "):
            raise ValueError('is not a token: give the token alone, without "Bot" before it')
        if token and not _TOKEN.fullmatch(token):
            # Client secrets and public keys stand near it on Discord's pages.
            raise ValueError("is not a token, which is three parts with dots between: copy it again from the Bot page")
        return SecretStr(token)

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        try:
            url = make_url(value.strip())
        except (ArgumentError, ValueError):
            # `from None`: both repeat the address, and with it the password
            raise ValueError(f"is not a database address: {_URL_FORMS}") from None
        driver = _DRIVERS.get(url.drivername)
        if driver is None:
            raise ValueError(f"names {url.drivername}, which is not supported: {_URL_FORMS}")
        if "sslmode" in url.query:
            # What most services hand out is written for another driver, which says `sslmode` for the same values.
            url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})
        _usable(driver, url)
        return url.set(drivername=driver).render_as_string(hide_password=False)

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.strip().upper() if isinstance(value, str) else value

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    def without_secrets(self, text: str) -> str:
        """`text`, which others wrote, with the token and the database's password hidden in it."""
        url = make_url(self.database_url)
        passwords = [url.password, *url.normalized_query.get("password", ())]
        for secret in (self.discord_token.get_secret_value(), *passwords):
            # As it is, and as it stands in an address.
            for form in (secret, quote(secret, safe=""), quote_plus(secret)) if secret else ():
                text = text.replace(form, "[hidden]")
        return text

    def __repr_args__(self) -> Iterable[tuple[str | None, object]]:
        """Show everything but the database's address, which may hold a password."""
        return [(name, value) for name, value in super().__repr_args__() if name != "database_url"]


def load(*, token: bool = True) -> Settings:
    """Read the settings; `token=False` for commands that do not talk to Discord.

    Raises SettingsError, whose one line names the variable, what is wrong and how to mend it.
    """
    try:
        mistakes = "; ".join(_misread())
        if mistakes:
            raise SettingsError(mistakes)
        settings = Settings()
    except ValidationError as error:
        raise SettingsError("; ".join(_line(detail) for detail in error.errors())) from None
    except (OSError, UnicodeDecodeError):
        raise SettingsError("The file .env cannot be read: make it a readable text file in UTF-8") from None
    if token and not settings.discord_token.get_secret_value():
        raise SettingsError(_HOW_TO_GET_ONE)
    return settings


def _misread() -> Iterator[str]:
    """What is wrong with the file itself: lines that would be passed over, and with them what the host wanted to say.

    Raises OSError or UnicodeDecodeError if it cannot be read.
    """
    file = Path(_FILE)
    if not file.exists() or file.is_fifo():  # a pipe can be read once, and the settings are read from it
        return
    ours = [name.upper() for name in Settings.model_fields]
    for binding in parse_stream(StringIO(file.read_text("utf-8"))):
        name = (binding.key or "").upper()
        if binding.error or (name in ours and binding.value is None):
            text = binding.original.string
            blank = text[: len(text) - len(text.lstrip())]  # the lines left empty before it count as its own
            line = binding.original.line + blank.count("\n")
            yield f"line {line} of {_FILE} cannot be read: write NAME=value, and close every quote"
        elif name not in ours and not any(f"_{known}_" in f"_{name}_" for known in ours):
            for meant in get_close_matches(name, ours, n=1, cutoff=_ALIKE):
                yield f"unknown setting {binding.key} in {_FILE}: did you mean {meant}?"


def _usable(driver: str, url: URL) -> None:
    """Refuse what SQLAlchemy would take but the bot cannot live with."""
    if driver.startswith("sqlite"):
        if (url.database or "").startswith("file:"):
            # The same file would have two names, and each would have a lock of its own.
            raise ValueError(f"names its file in SQLite's own form, file:...: {_URL_FORMS}")
        if url.database in {None, "", ":memory:"}:
            raise ValueError(f"names no file, so every game would be lost at a restart: {_URL_FORMS}")
        if Path(url.database or "").is_dir():
            raise ValueError(f"names a folder and no file in it: {_URL_FORMS}")
        if url.query:
            raise ValueError(f"has options after a question mark, which SQLite's file does not take: {_URL_FORMS}")
        return
    if not (url.host or url.query.get("host")) or not url.database:
        raise ValueError(f"lacks the host or the name of the database: {_URL_FORMS}")
    if not 0 < (url.port or 1) < 2**16:
        raise ValueError("names a port that no computer has: give one from 1 to 65535, or none")
    if find_spec("asyncpg") is None:
        raise ValueError('needs the package asyncpg: in the project folder, python -m pip install ".[postgres]"')


def _line(detail: ErrorDetails) -> str:
    variable = str(detail["loc"][0]).upper()
    context = detail.get("ctx", {})
    if detail["type"] == "literal_error":
        return f"{variable} is not one of its values: choose {context['expected']}"
    return f"{variable} {context.get('error', detail['msg'])}"
