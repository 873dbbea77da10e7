"""The bot as a process: what its host sees on the terminal, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


BOT_RUN = ("-m", "bot", "run")


def run(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """`python` with these words (`-m bot run` if none) in `folder`, with these settings and no others."""
    kept = {
        key: value for key, value in os.environ.items() if key not in ("DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL")
    }
    return subprocess.run(
        [sys.executable, *(words or BOT_RUN)],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "DISCORD_TOKEN is missing"),
        ({"DISCORD_TOKEN": "a b"}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": "a.b.c", "DATABASE_URL": "nonsense"}, "DATABASE_URL"),
        ({"DISCORD_TOKEN": "a.b.c", "DATABASE_URL": "sqlite+aiosqlite:////no/such/folder/x.db"}, "DATABASE_URL"),
    ],
)
def test_what_keeps_it_from_starting_is_one_line(tmp_path: Path, settings: dict[str, str], says: str) -> None:
    ended = run(tmp_path, **settings)
    assert ended.returncode == 2
    assert says in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
    assert not ended.stdout


INTERRUPTED_AT_AN_IMPORT = """
import runpy, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            signal.raise_signal(signal.SIGINT)

module, sys.argv = sys.argv[1], ["bot", "run"]
sys.meta_path.insert(0, Interrupt())
runpy.run_module("bot", run_name="__main__")
print("was not interrupted")
"""


@pytest.mark.parametrize("module", ["bot.telemetry", "bot.settings", "pydantic", "sqlalchemy", "bot.app", "discord"])
def test_an_interrupt_while_modules_load_shows_no_traceback(tmp_path: Path, module: str) -> None:
    ended = run(tmp_path, "-c", INTERRUPTED_AT_AN_IMPORT, module, DISCORD_TOKEN="a.b.c")
    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 130)
