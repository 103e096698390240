"""The index of a WARC: which record holds which URL, found in one scan and cached.

Opening an unchanged file again (same path, size and modification time) reads the cached index. A record is later
read by its offset, so each must be compressed separately, as the WARC standard recommends.
A file gzipped as one stream is unpacked into the cache folder first.
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

SCANNER = ("urls.py", "web/warc_record.py", "web/warc_scan.py")
"""The code that scans: a cached index is valid only for the same code."""

TORN = (EOFError, gzip.BadGzipFile, zlib.error)
"""Errors of unpacking a damaged file; the scan of the unpacked part reports the damage."""


class Index(msgspec.Struct, array_like=True):
    """All answers in one WARC, in file order; offsets count in `file`, the WARC or its unpacked copy."""

    file: str
    code: str
    stamp: tuple[str, int, int]
    rows: list[Row]
    warnings: list[str]


def stamp(path: Path) -> tuple[str, int, int]:
    """Identifies a state of a file: absolute path, size, modification time in ns."""
    try:
        stat = path.stat()
    except OSError as fault:
        raise WebError(f"web {path}: {fault.strerror}; give a WARC file or a folder of them") from None
    return str(path.resolve()), stat.st_size, stat.st_mtime_ns


def index(path: Path, cache: Path) -> Index:
    """The index of the WARC at `path`: the cached one if still valid, else a new one, cached in `cache`."""
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
    """Write the index to the cache; if that fails, the file is scanned again next time."""
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
