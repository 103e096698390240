"""The events that the tests of the store write, and independent readers of a run."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

WRITER = Path(__file__).with_name("writer.py")


@pytest.fixture(scope="session")
def made() -> ModuleType:
    """The module writer.py: `events(first, last)`, `told(n)`, `ask(n)`, `page(n)` …"""
    spec = importlib.util.spec_from_file_location("store_writer", WRITER)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def start_writer() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts writer.py as a process of its own and waits until it has written its first visits."""
    started: list[subprocess.Popen[str]] = []

    def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(WRITER), str(folder), *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout
        process.stdout.readline()
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


class Verifier:
    """Reads a run directory with third-party programs only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.segments = sorted((folder / "archive").glob("*.warc.gz"))

    def records(self) -> list[SimpleNamespace]:
        """All records of the archive as warcio reads them."""
        found = []
        for path in self.segments:
            with path.open("rb") as file:
                for record in ArchiveIterator(file):
                    fields = dict(record.rec_headers.headers)
                    raw = record.raw_stream.read()
                    found.append(
                        SimpleNamespace(
                            type=record.rec_type, fields=fields, http=record.http_headers, raw=raw
                        )
                    )
        return found

    def archived_urls(self) -> list[str]:
        """The target of every response record, as fastwarc reads them."""
        found = []
        for path in self.segments:
            with path.open("rb") as file:
                found += [
                    r.headers["WARC-Target-URI"]
                    for r in FastIterator(file)
                    if r.headers["WARC-Type"] == "response"
                ]
        return found

    def warcio_check(self) -> int:
        """What `warcio check` exits with: 0 when every digest of every record is right."""
        return Checker(SimpleNamespace(inputs=list(map(str, self.segments)), verbose=False)).process_all()

    def rows(self) -> list[dict[str, Any]]:
        """The visits in crawl.db."""
        connection = sqlite3.connect(self.folder / "crawl.db")
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM visits ORDER BY n")]
        connection.close()
        return rows

    def lines(self, name: str = "visits.jsonl") -> list[dict[str, Any]]:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert text.endswith("\n") or not text
        return [json.loads(line) for line in text.split("\n")[:-1]]


@pytest.fixture
def verifier() -> type[Verifier]:
    return Verifier
