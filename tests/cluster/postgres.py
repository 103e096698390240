"""Starts a real PostgreSQL in a temporary folder, as another user where this one is root."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PASSWORD = "not a secret"
NAMES = itertools.count()


def programs() -> Path:
    """The folder of PostgreSQL's programs; the test is skipped without."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if not found and not on_path:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    return found[-1].parent if found else Path(str(on_path)).parent


class Server:
    """A PostgreSQL that listens on a socket in its folder: peers without a password, and `guest` with one."""

    def __init__(self, folder: Path, bin_: Path) -> None:
        self.folder, self._bin = folder, bin_

    def ctl(self, *words: str) -> None:
        """pg_ctl."""
        run_as_user(self._bin / "pg_ctl", "-D", self.folder / "data", "-w", "-s", *words)

    def start(self) -> None:
        """Start it, without waiting for the disk: its data lives no longer than the test."""
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off -c full_page_writes=off -c shared_buffers=16MB"
        self.ctl("-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it at once, as a crash would."""
        self.ctl("-m", mode, "stop")

    def dsn(self, name: str, user: str = "tester") -> str:
        """The connection string of a database."""
        return f"host={self.folder} dbname={name} user={user}"

    def new_database(self) -> str:
        """The connection string of a schema without tables: made much faster than a database."""
        import psycopg

        name = f"test{next(NAMES)}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.dsn('postgres')} options='-c search_path={name}'"


def run_as_user(*words: object) -> None:
    """Run a program; as root, as the user `postgres`, because PostgreSQL refuses root."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    subprocess.run([*prefix, *map(str, words)], check=True, stdout=subprocess.DEVNULL, cwd="/")


@contextmanager
def start_postgres() -> Iterator[Server]:
    """A new PostgreSQL, stopped and removed at the end."""
    bin_ = programs()
    folder = Path(tempfile.mkdtemp(prefix="topicrawl-pg-", dir="/tmp"))
    try:
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        folder.chmod(0o755)
        run_as_user(
            bin_ / "initdb",
            "-D",
            folder / "data",
            "-U",
            "tester",
            "-A",
            "trust",
            "-N",
            "--no-locale",
            "-E",
            "UTF8",
        )
        (folder / "data" / "pg_hba.conf").write_text("local all guest scram-sha-256\nlocal all all trust\n")
        server = Server(folder, bin_)
        server.start()
        try:
            import psycopg

            with psycopg.connect(server.dsn("postgres"), autocommit=True) as connection:
                connection.execute(f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'".encode())
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
