"""Finds the records of visits by scanning the archive, where the log does not know their positions.

A record id is a function of run, visit and the record's index in the visit (warc.py), so a WARC segment shows by
itself which visit each of its records belongs to.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from topicrawl.store.archive import Extent, segments
from topicrawl.store.warc import RENDERED, Capture, capture_of, read_record, record_fields, record_id

CHUNK = 1 << 16
MOST_ANSWERS = 200
"""Of one visit: its redirects, its page, and what a browser asked for to render it."""


def find_records(archive: Path, run: str, wanted: Mapping[int, str]) -> dict[int, Extent]:
    """The extents of the visits `wanted` (visit number to URL of its page) that the archive holds completely."""
    names = {
        record_id(run, n, part): n
        for n in wanted
        for part in ("request", RENDERED, *(f"response {row}" for row in range(MOST_ANSWERS)))
    }
    found: dict[int, Extent] = {}
    for segment, path in segments(archive):
        for offset, member in _members(path):
            fields = record_fields(member)
            n = names.get(fields.get("WARC-Record-ID", ""))
            if n is None:
                continue
            known = found.get(n, Extent(segment, offset, 0, []))
            captures = [*known.captures]
            if fields["WARC-Type"] == "response":
                captures.append(capture_of(read_record(member), offset, len(member)))
            found[n] = Extent(segment, known.offset, offset + len(member) - known.offset, captures)
    return {n: extent for n, extent in found.items() if _ends_with(extent.captures, wanted[n])}


def _ends_with(captures: list[Capture], url: str) -> bool:
    return bool(captures) and captures[-1].url == url


def _members(path: Path) -> Iterator[tuple[int, bytes]]:
    """The gzip members of a file, each with its offset, up to the first that is damaged."""
    with path.open("rb") as file:
        offset, rest = 0, b""
        while True:
            member, unpacker = bytearray(), zlib.decompressobj(wbits=31)
            try:
                while not unpacker.eof:
                    data = rest or file.read(CHUNK)
                    if not data:
                        return
                    unpacker.decompress(data)
                    rest = unpacker.unused_data
                    member += data[: len(data) - len(rest)]
            except zlib.error:
                return
            yield offset, bytes(member)
            offset += len(member)
