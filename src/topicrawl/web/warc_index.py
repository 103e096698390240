"""Which record of a WARC holds which URL, found in one scan and kept in the cache folder.

The second opening of an unchanged file (same path, size and time of change) reads the kept index and does not
scan. A record is later read by itself, from its offset: for that it must be compressed on its own, as the
WARC standard recommends. A file gzipped as one stream is unpacked into the cache folder first.
"""

from __future__ import annotations

import gzip
import os
import shutil
import zlib
from contextlib import suppress
from pathlib import Path

import msgspec

from topicrawl.errors import WebError
from topicrawl.web.cache_folder import code_key, key, make_folder
from topicrawl.web.warc_scan import OneStream, Row, scan

SCANNER = ("urls.py", "web/warc_scan.py")
"""What decides how a file is scanned: a kept index does not outlive a change of it."""

TORN = (EOFError, gzip.BadGzipFile, zlib.error)
"""How unpacking a damaged file ends; the scan of what was unpacked then says so."""


class Index(msgspec.Struct, array_like=True):
    """All answers in one WARC, in file order; offsets count in `file`, the WARC or its unpacked copy."""

    file: str
    code: str
    stamp: tuple[str, int, int]
    rows: list[Row]
    warnings: list[str]


def stamp(path: Path) -> tuple[str, int, int]:
    """What tells one state of a file from another: absolute path, size, time of change in ns."""
    try:
        stat = path.stat()
    except OSError as fault:
        raise WebError(f"web {path}: {fault.strerror}; give a WARC file or a folder of them") from None
    return str(path.resolve()), stat.st_size, stat.st_mtime_ns


def index(path: Path, cache: Path) -> Index:
    """The index of the WARC at `path`: the kept one where it still holds, else a new one, kept in `cache`."""
    now, code = stamp(path), code_key(*SCANNER)
    name = f"{path.name}-{key(now[0])}"
    kept = cache / f"{name}.index"
    found = _load(kept)
    if found is not None and (found.code, found.stamp) == (code, now) and Path(found.file).exists():
        return found
    try:
        made = Index(now[0], code, now, *scan(path))
    except OneStream:
        copy = _unpack(path, cache / f"{name}.warc")
        made = Index(str(copy), code, now, *scan(copy))
    _save(kept, made)
    return made


def _load(kept: Path) -> Index | None:
    try:
        return msgspec.msgpack.decode(kept.read_bytes(), type=Index)
    except (OSError, msgspec.DecodeError):
        return None


def _save(kept: Path, made: Index) -> None:
    """A cache that cannot be written only costs another scan."""
    new = kept.with_name(f"{kept.name}.{os.getpid()}")
    try:
        make_folder(kept.parent)
        new.write_bytes(msgspec.msgpack.encode(made))
        new.replace(kept)
    except OSError:
        _discard(new)


def _unpack(path: Path, copy: Path) -> Path:
    new = copy.with_name(f"{copy.name}.{os.getpid()}")
    try:
        make_folder(copy.parent)
        with new.open("wb") as plain, gzip.open(path, "rb") as packed, suppress(*TORN):
            shutil.copyfileobj(packed, plain)
        new.replace(copy)
    except OSError as fault:
        _discard(new)
        raise WebError(
            f"web {path}: gzipped as one stream, and {copy.parent} cannot take the unpacked copy "
            f"({fault.strerror}); unpack it yourself: gunzip {path.name}"
        ) from None
    return copy


def _discard(new: Path) -> None:
    with suppress(OSError):
        new.unlink()
