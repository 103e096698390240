"""Files derived from the database: `visits.jsonl` and `timings.jsonl`, one line per visit, in order of n.

Such a file may be deleted at any time. After a crash it is truncated behind the last line that equals the database's,
and the missing lines are appended. Lines are always made from the database, never from values in memory, so a file
written later is the same, byte for byte, as one written during the crawl.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from topicrawl.model import Timing, Visit
from topicrawl.store.disk import disk_errors, write_all

Lines = Callable[[int], Iterator[tuple[int, bytes]]]
"""Given n, the lines of all later visits in the database, each with its n."""

BATCH = 1 << 20
_json = msgspec.json.Encoder()


def visit_line(visit: Visit) -> bytes:
    """A line of visits.jsonl: compact JSON in UTF-8, fields as in `Visit`, floats in their shortest form."""
    return _json.encode(visit) + b"\n"


def timing_line(n: int, timing: Timing) -> bytes:
    """A line of timings.jsonl: when visit n began and how many seconds it waited, was fetched, was parsed."""
    line = {
        "n": n,
        "started": timing.started,
        "waited": timing.waited,
        "fetched": timing.fetched,
        "parsed": timing.parsed,
    }
    return _json.encode(line) + b"\n"


class LineFile:
    """A file of lines that is kept equal to the database."""

    def __init__(self, path: Path, lines: Lines) -> None:
        self._path = path
        self._lines = lines
        with disk_errors(path):
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file: int | None = os.open(path, flags, 0o644)
            self._last_n = self._cut_back()

    def catch_up(self) -> None:
        """Append the lines of all visits that are in the database and not yet in the file."""
        assert self._file is not None
        with disk_errors(self._path):
            batch: list[bytes] = []
            size = 0
            for n, line in self._lines(self._last_n):
                batch.append(line)
                size += len(line)
                self._last_n = n
                if size > BATCH:
                    write_all(self._file, b"".join(batch))
                    batch, size = [], 0
            write_all(self._file, b"".join(batch))

    def rewrite(self) -> None:
        """Write the whole file anew."""
        assert self._file is not None
        with disk_errors(self._path):
            os.ftruncate(self._file, 0)
        self._last_n = 0
        self.catch_up()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _cut_back(self) -> int:
        """Truncate the file behind the last line that equals the database's; returns the n of that line."""
        assert self._file is not None
        size = os.fstat(self._file).st_size
        if not size:
            return 0
        with mmap.mmap(self._file, size, access=mmap.ACCESS_READ) as content:
            end, last_n = self._agreed_end(content)
        if end < size:
            os.ftruncate(self._file, end)
        return last_n

    def _agreed_end(self, content: mmap.mmap) -> tuple[int, int]:
        """The end of the last line of `content` that equals the database's, and its n; searched from the end."""
        end = content.rfind(b"\n") + 1
        while end:
            start = content.rfind(b"\n", 0, end - 1) + 1
            if last_n := self._agreed(content[start:end]):
                return end, last_n
            end = start
        return 0, 0

    def _agreed(self, line: bytes) -> int:
        """The n of `line` if the database has the same line for that visit, else 0."""
        try:
            n = msgspec.json.decode(line, type=_Numbered).n
        except msgspec.DecodeError:
            return 0
        return n if next(self._lines(n - 1), None) == (n, line) else 0


class _Numbered(msgspec.Struct):
    n: int
