"""Real databases to test on: a file for SQLite, a private cluster in a temporary folder for PostgreSQL."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = ("initdb", "pg_ctl")
NOBODY = 65534
"""The user that the server runs as where the tests run as root."""


def binaries() -> Path | None:
    """Where PostgreSQL's server programs are, or None."""
    candidates = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    if on_path is not None:
        candidates.append(Path(on_path).resolve().parent)
    return next((found for found in candidates if all((found / program).exists() for program in PROGRAMS)), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def cluster(programs: Path) -> Iterator[str]:
    """A running server; the address of its databases without their name."""
    # Not among the test run's own folders: the server's user may not pass through those.
    with tempfile.TemporaryDirectory(prefix="coup-postgresql-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        home, port = str(folder / "data"), free_port()
        run(programs / "initdb", "-D", home, "-U", "coup", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        run(programs / "pg_ctl", "-D", home, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql+asyncpg://coup@127.0.0.1:{port}/"
        finally:
            run(programs / "pg_ctl", "-D", home, "-w", "-m", "immediate", "stop")


def run(program: Path, *words: str) -> None:
    """One of the server's programs, which refuse to run as root."""
    somebody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
    # Not with pipes: the server would inherit them and keep them open.
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run([*somebody, str(program), *words], check=False, stdout=output, stderr=output, cwd="/")
        output.seek(0)
        assert done.returncode == 0, f"{program.name}: {output.read()}"
