"""The WARC files of a run: `archive/00000.warc.gz`, `00001.warc.gz` …, a new one when the last is full.

The database decides what is in the archive: opening truncates every segment to the end of its last committed visit
and removes segments without one. Writes are unbuffered, so they survive the death of this process; a segment is
synced to the disk when it is closed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from topicrawl.model import Told
from topicrawl.store.disk import sync_folder, write_all
from topicrawl.store.warc import Capture, visit_records, warc_date, warcinfo

SEGMENT_NAME = re.compile(r"(\d{5,})\.warc\.gz")


class Extent(msgspec.Struct, frozen=True):
    """The bytes of a segment that hold the records of one visit; its response records are the captures."""

    segment: int
    offset: int
    length: int
    captures: list[Capture]


def segment_name(segment: int) -> str:
    """The file name of a segment."""
    return f"{segment:05}.warc.gz"


def segments(folder: Path) -> Iterator[tuple[int, Path]]:
    """The segments present in `folder`, in order."""
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    for path in paths:
        if match := SEGMENT_NAME.fullmatch(path.name):
            yield int(match[1]), path


def cut_back(folder: Path, ends: Mapping[int, int]) -> None:
    """Truncate each segment of `ends` to its end and remove all other segments."""
    for segment, path in segments(folder):
        if segment not in ends:
            path.unlink()
        elif path.stat().st_size > ends[segment]:
            os.truncate(path, ends[segment])


class Archive:
    """Appends the records of visits to the last segment of a folder that has been cut back."""

    def __init__(self, folder: Path, run: str, segment_bytes: int, ends: Mapping[int, int]) -> None:
        self._folder = folder
        self._run = run
        self._segment_bytes = segment_bytes
        self._segment = max(ends, default=0)
        self._end = ends.get(self._segment, 0)
        self._file: int | None = None

    def append(self, told: Told, *, again: bool = False) -> Extent | None:
        """Write the records of one visit; None if it has none (no answer, or one without bytes).

        With `again` the visit had records before: the new ones get other record ids.
        """
        if self._end >= self._segment_bytes:
            self.close()
            self._segment, self._end = self._segment + 1, 0
        head = b"" if self._end else self._head(told)
        offset = self._end + len(head)
        run = f"{self._run} {warc_date(told.timing.started)}" if again else self._run
        records, captures = visit_records(told, run, offset)
        if not records:
            return None
        write_all(self._descriptor(), head + records)
        self._end = offset + len(records)
        return Extent(self._segment, offset, len(records), captures)

    def close(self) -> None:
        """Sync the open segment to the disk and close it; the next visit opens it again."""
        if self._file is None:
            return
        descriptor, self._file = self._file, None
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _head(self, told: Told) -> bytes:
        return warcinfo(self._run, segment_name(self._segment), warc_date(told.timing.started))

    def _descriptor(self) -> int:
        if self._file is None:
            path = self._folder / segment_name(self._segment)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._folder.mkdir(exist_ok=True)
            self._file = os.open(path, flags, 0o644)
            sync_folder(self._folder)
        return self._file
