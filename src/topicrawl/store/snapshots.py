"""Snapshots: the state of a crawl at a position of its log, in the folder `snapshots` of the run.

Resuming loads the newest one that is valid and replays the rest of the log. The log alone is the truth: snapshots may
be deleted at any time, and one that is torn, of another run or version, or of a log that went another way is ignored.

    body      the packed values of the state, then its arrays, as they are in memory
    header    of which run and position, made by what, checksum of the body
    end       checksum and length of the header, `END`

How a consistent copy is taken: the columns of a crawl lie in unnamed files that are mapped as shared memory
(allocator.py), so a forked process would see them change. Therefore the thread that drives the crawl writes the body
itself, between two events (`Part.write`): one copy into the page cache of the system. All that is slow, such as reading
it for the checksum and waiting for the disk, is for another thread (`Part.complete`).
"""

from __future__ import annotations

import errno
import mmap
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np
from isal.isal_zlib import crc32

from topicrawl.frontier.columns import Array
from topicrawl.model import Version
from topicrawl.store.disk import part_of, put_in_place, sync_folder
from topicrawl.store.failpoints import reach

FOLDER, ENDING = "snapshots", ".snapshot"
KEPT = 2
"""Snapshots that are kept: the newest, and one before it in case the newest is damaged."""
END = b"topc-snp"
LENGTHS = 8
"""Bytes of the length of the packed values, and of checksum and length of the header."""
TOO_SHORT = "the snapshot ends too soon"
PIECE = 1 << 22
"""Bytes read at a time for the checksum."""


class Position(msgspec.Struct, frozen=True):
    """A position in a log: the number of its last event, and a digest of all events up to it."""

    seq: int
    digest: bytes


class Header(msgspec.Struct, frozen=True):
    """What a snapshot is of. Only the same run, version and form of the state can go on from it."""

    run: str
    version: Version
    form: int
    position: Position
    checksum: int = 0
    """CRC-32 of the body."""


class Part:
    """A snapshot that is being written."""

    def __init__(self, run: Path) -> None:
        self._folder = run / FOLDER
        self._path = part_of(self._folder / f"next{ENDING}")

    def write(self, values: bytes, arrays: Iterable[Array], *, most: int = 0, least_free: int = 0) -> None:
        """Write the body. `OSError` if, with `most` bytes written, less than `least_free` would be free on the disk."""
        self._folder.mkdir(exist_ok=True)
        if shutil.disk_usage(self._folder).free - most < least_free:
            raise OSError(errno.ENOSPC, f"a snapshot of {most:,} bytes would leave too little disk space")
        with self._path.open("wb", buffering=0) as file:
            reach("snapshot")
            _write_all(file, len(values).to_bytes(LENGTHS, "little") + values)
            for each in arrays:
                _write_all(file, _bytes_of(np.ascontiguousarray(each)))

    def complete(self, header: Header) -> Path:
        """Add the header, with the checksum; make it durable under its name, and delete older snapshots."""
        with self._path.open("r+b", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            summed = msgspec.structs.replace(header, checksum=_checksum(file, size))
            packed = msgspec.msgpack.encode(summed)
            lengths = crc32(packed).to_bytes(4, "little") + len(packed).to_bytes(4, "little")
            file.seek(size)
            _write_all(file, packed + lengths + END)
            reach("snapshot-end")
            os.fsync(file.fileno())
        path = self._folder / f"{header.position.seq:012}{ENDING}"
        put_in_place(self._path, path)
        sync_folder(self._folder)
        for older in paths(self._folder.parent)[KEPT:]:
            with suppress(
                PermissionError
            ):  # Windows deletes none that is mapped: the next snapshot tries again
                older.unlink(missing_ok=True)
        return path

    def discard(self) -> None:
        """Delete what was written."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


class Snapshot:
    """A stored snapshot whose header can be read; `size` are the bytes of its body."""

    def __init__(self, file: BinaryIO, header: Header, size: int) -> None:
        self.header, self.size = header, size
        self._file = file

    def is_whole(self) -> bool:
        """Whether the body is as it was written."""
        return _checksum(self._file, self.size) == self.header.checksum

    def read(self, *, later: bool = False) -> tuple[bytes, Arrays]:
        """The packed values of the state, and its arrays; if `later`, these can be read after the file is closed."""
        self._file.seek(0)
        values = bytearray(int.from_bytes(self._file.read(LENGTHS), "little"))
        _read_all(self._file, memoryview(values))
        return bytes(values), Arrays(self._mapped() if later else self._fill, LENGTHS + len(values))

    def _fill(self, at: int, into: memoryview) -> None:
        self._file.seek(at)
        _read_all(self._file, into)

    def _mapped(self) -> Callable[[int, memoryview], None]:
        mapped = memoryview(mmap.mmap(self._file.fileno(), self.size, access=mmap.ACCESS_READ))

        def fill(at: int, into: memoryview) -> None:
            if at + len(into) > len(mapped):
                raise OSError(TOO_SHORT)
            into[:] = mapped[at : at + len(into)]

        return fill


class Arrays:
    """The arrays of a snapshot, read one after the other; `fill` copies the bytes at a place."""

    def __init__(self, fill: Callable[[int, memoryview], None], at: int) -> None:
        self._fill, self._at = fill, at

    def read(self, into: Array) -> None:
        """Fill the next array."""
        self._fill(self._at, _bytes_of(into))
        self._at += into.nbytes

    def skip(self, size: int) -> None:
        """Leave out the next `size` bytes."""
        self._at += size

    def copy(self) -> Arrays:
        """The same place, to read from later."""
        return Arrays(self._fill, self._at)


def paths(run: Path) -> list[Path]:
    """The snapshots of a run, the newest first."""
    return sorted((run / FOLDER).glob(f"*{ENDING}"), reverse=True)


def snapshots(run: Path) -> Iterator[Snapshot]:
    """The snapshots of a run that can be read, the newest first; each is closed after its turn."""
    for path in filter(Path.is_file, paths(run)):
        with suppress(OSError), path.open("rb", buffering=0) as file:
            if (found := _header(file)) is not None:
                yield Snapshot(file, *found)


def _header(file: BinaryIO) -> tuple[Header, int] | None:
    """The header, and the size of the body before it; None if the file is torn."""
    whole = file.seek(0, os.SEEK_END)
    tail = LENGTHS + len(END)
    if whole < tail:
        return None
    file.seek(whole - tail)
    end = file.read(tail)
    checksum, length = int.from_bytes(end[:4], "little"), int.from_bytes(end[4:LENGTHS], "little")
    size = whole - tail - length
    if not end.endswith(END) or size < LENGTHS:
        return None
    file.seek(size)
    packed = file.read(length)
    if crc32(packed) != checksum:
        return None
    try:
        return msgspec.msgpack.decode(packed, type=Header), size
    except msgspec.DecodeError:
        return None


def _checksum(file: BinaryIO, size: int) -> int:
    """CRC-32 of the first `size` bytes."""
    piece, checksum = memoryview(bytearray(PIECE)), 0
    file.seek(0)
    while size > 0:
        some = piece[: min(PIECE, size)]
        _read_all(file, some)
        checksum = crc32(some, checksum)
        size -= len(some)
    return checksum


def _bytes_of(values: Array) -> memoryview:
    return values.reshape(-1).view(np.uint8).data if values.nbytes else memoryview(bytearray())


def _write_all(file: BinaryIO, content: bytes | memoryview) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _read_all(file: BinaryIO, into: memoryview) -> None:
    while into:
        count = file.readinto(into)  # type: ignore[attr-defined]
        if not count:
            raise OSError(TOO_SHORT)
        into = into[count:]
