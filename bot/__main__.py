"""The command line: `python -m bot run | migrate | sync`.

Owns how a command ends: exit codes, and the one line on stderr that says why. Must not know how anything is done.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.settings import Settings

FAILED = 1
"""Exit code: something that should not happen; the log has it under the id that was shown."""

REFUSED = 2
"""Exit code: the host can mend it, and was told how."""

INTERRUPTED = 130
"""Exit code: Ctrl+C, as a shell says it."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Coup at a Discord table. Settings come from the environment or from a file .env; see .env.example."""


@main.command()
def run() -> None:
    """Start the bot; it stops on Ctrl+C or SIGTERM."""

    def work(settings: Settings) -> int:
        from bot import app  # lazily: a wrong setting is told at once, not after a second of imports

        return app.run(settings)

    _end(work, token=True)


@main.command()
def migrate() -> None:
    """Bring the database up to this version of the bot; `run` does it too."""

    def work(settings: Settings) -> int:
        from bot.storage.migrate import upgrade

        upgrade(settings.database_url)
        click.echo("The database is up to date.")
        return 0

    _end(work, token=False)


@main.command()
def sync() -> None:
    """Register the slash commands with Discord, if they changed."""

    def work(settings: Settings) -> int:
        from bot import app

        return app.sync(settings)

    _end(work, token=True)


def _end(work: Callable[[Settings], int], *, token: bool) -> None:
    """Do the work of a command and exit with its code; no failure reaches the terminal as a traceback."""
    try:
        code = _code(work, token=token)
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def _code(work: Callable[[Settings], int], *, token: bool) -> int:
    # Here and not above: they take a second, and Ctrl+C in that second is no error either.
    from bot import telemetry
    from bot.settings import StartupError, load

    settings: Settings | None = None
    try:
        settings = load(token=token)
        telemetry.configure(settings.log_level, settings.log_format)
        return work(settings)
    except StartupError as error:
        # Logged before the one line for the host is all that is left of it.
        if settings is not None and error.__cause__ is not None:
            log = telemetry.logger("bot")
            log.debug("the bot cannot go on", **_behind(error.__cause__, settings))
        click.echo(_one_line(error), err=True)
        return REFUSED
    except Exception as error:  # noqa: BLE001 - the last one who could tell anybody
        return _unexpected(error, settings)


def _unexpected(error: Exception, settings: Settings | None) -> int:
    from bot import telemetry

    log = telemetry.logger("bot")
    shown = telemetry.error_id()
    log.error("stopped by an error", error_id=shown, **_behind(error, settings))
    hint = "" if log.isEnabledFor(logging.DEBUG) else "; LOG_LEVEL=DEBUG shows where"
    click.echo(f"Stopped by an unexpected error ({type(error).__name__}), id {shown}{hint}", err=True)
    return FAILED


def _behind(error: BaseException, settings: Settings | None) -> dict[str, str]:
    """What a log line tells of an error that ends the bot: its class and, while debugging, where it happened."""
    from bot import telemetry

    found = {"error": type(error).__name__}
    if settings is not None and telemetry.logger("bot").isEnabledFor(logging.DEBUG):
        # As text and not as exc_info: what a library says of its failure may repeat the address it was given.
        found["exception"] = settings.without_secrets(telemetry.told(error))
    return found


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


if __name__ == "__main__":
    main(prog_name="python -m bot")
