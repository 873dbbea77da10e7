"""The bot as a process: what its host sees on the terminal, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """`python -m bot run` in `folder`, with these settings and no others."""
    kept = {
        key: value for key, value in os.environ.items() if key not in ("DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL")
    }
    return subprocess.run(
        [sys.executable, "-m", "bot", "run"],
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
