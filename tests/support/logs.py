"""The watch over the log: an ERROR that nobody announced fails the test that caused it.

Watches where records are made, not at a handler: telemetry replaces handlers, and discord.py logs what it swallows.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FAILURE = "an unexpected ERROR in the log"


@contextmanager
def watched() -> Iterator[list[logging.LogRecord]]:
    """Collect every record of level ERROR or above that is made meanwhile, whatever handlers there are."""
    caught: list[logging.LogRecord] = []
    make = logging.getLogRecordFactory()

    def watching(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        # A copy, as formatters make them, gets its level only afterwards: it is not counted twice.
        if (record.levelno or 0) >= logging.ERROR:
            caught.append(record)
        return record

    logging.setLogRecordFactory(watching)
    try:
        yield caught
    finally:
        logging.setLogRecordFactory(make)


def verdict(caught: list[logging.LogRecord], expected: list[str]) -> str | None:
    """Say what is wrong: a record that no pattern expects, or a pattern that no record met. None if all is well."""
    told = [_told(record) for record in caught]
    surprises = [text for text in told if not any(re.search(pattern, text) for pattern in expected)]
    if surprises:
        return f"{FAILURE}:\n" + "\n".join(surprises)
    missing = [pattern for pattern in expected if not any(re.search(pattern, text) for text in told)]
    return f"expected in the log, but never logged: {missing}" if missing else None


def _told(record: logging.LogRecord) -> str:
    lines = [f"{record.name}: {record.getMessage()}"]
    if record.exc_info and record.exc_info[0] is not None:
        lines += traceback.format_exception(*record.exc_info)
    return "\n".join(lines)
