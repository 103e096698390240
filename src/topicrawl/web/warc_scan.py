"""Scans a WARC once for the positions of its answers and for damage.

Damage loses only the damaged records: the scan continues at the next place that looks like the start of a record,
and adds a warning. A file without a single readable answer is refused.
"""

from __future__ import annotations

import mmap
import re
import zlib
from contextlib import suppress
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import msgspec
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from topicrawl.errors import WebError
from topicrawl.model import DEADLINE, QUIET
from topicrawl.urls import canonical
from topicrawl.web.warc_record import http_headers

GZIP = b"\x1f\x8b\x08"
RENDERED_FIELD = "X-Topicrawl-Rendered"
"""The field of our conversion records, which hold what a browser showed of a page (store/warc.py)."""
START = re.compile(rb"\x1f\x8b\x08|\x28\xb5\x2f\xfd|WARC/1\.[01]\r\n")
"""How a record begins: gzip, zstd or plain."""


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One answer. `status` is 200 for a `resource` and 0 for a `revisit` that repeats no status line."""

    url: str
    offset: int
    length: int
    """Bytes in the file up to the next record."""
    size: int
    """Bytes of the body as it was sent."""
    status: int
    media_type: str
    date: str
    digest: str
    revisit: bool = False
    refers_to: str = ""
    refers_date: str = ""
    rendered: str = ""
    """For what a browser showed of a page: how rendering it ended."""


class OneStream(Exception):  # noqa: N818 - a finding, not an error
    """The records share one compressed stream, so none can be read separately."""


def scan(path: Path) -> tuple[list[Row], list[str]]:
    """All answers in the WARC at `path`, in file order, and warnings about what could not be read."""
    try:
        with path.open("rb") as file:
            if not file.read(1):
                raise WebError(f"web {path}: the file is empty; record it again or give another WARC")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                found = _Scan(path.name, file, data)
                found.run()
                head = data[:4096]
    except OSError as fault:
        raise WebError(
            f"web {path}: {fault.strerror or fault}; make it readable or give another WARC"
        ) from None
    if not found.rows:
        raise WebError(f"web {path}: {_refusal(head, path.name, len(found.starts))}")
    return list(found.rows.values()), found.warnings


class _Scan:
    """The state of one pass: where records start, and the rows of those that are answers, by offset."""

    def __init__(self, name: str, file: BinaryIO, data: mmap.mmap) -> None:
        self.name = name
        self.file = file
        self.data = data
        self.packed = data[:3] == GZIP
        self.starts: list[int] = []
        self.rows: dict[int, Row] = {}
        self.warnings: list[str] = []

    def run(self) -> None:
        start: int | None = 0
        while start is not None:
            self.file.seek(start)
            try:
                for record in ArchiveIterator(self.file, parse_http=False):
                    self.add(record)
            except OSError:
                start = self.after_damage(start)
            else:
                self.check_tail()
                start = None
        self.set_lengths()

    def add(self, record: WarcRecord) -> None:
        offset = record.stream_pos
        if self.packed and self.data[offset : offset + 3] != GZIP:
            raise OneStream
        self.starts.append(offset)
        if row := _row(record):
            self.rows[offset] = row

    def after_damage(self, start: int) -> int | None:
        """Where to continue after damage; the last record read may be damaged too."""
        last = self.starts[-1] if self.starts else 0
        if last >= start:  # else the scan had continued at a place that is no record
            self.warnings.append(f"{self.name}: damaged after byte {last}; the records hit are left out")
        self.drop_torn()
        match = START.search(self.data, max(start, last) + 1)
        return match.start() if match else None

    def check_tail(self) -> None:
        """A file that was cut short ends inside a record, or inside the header of one."""
        if self.starts and (self.drop_torn() or _goes_on_after(self.data, self.starts[-1])):
            self.warnings.append(
                f"{self.name}: ends inside a record; the {len(self.rows)} answers before it were read"
            )

    def drop_torn(self) -> bool:
        """Drop the last record if its content is incomplete."""
        if not self.starts or _is_whole(self.data, self.starts[-1]):
            return False
        self.rows.pop(self.starts.pop(), None)
        return True

    def set_lengths(self) -> None:
        for start, end in pairwise([*self.starts, len(self.data)]):
            if row := self.rows.get(start):
                self.rows[start] = msgspec.structs.replace(row, length=end - start)


def _row(record: WarcRecord) -> Row | None:
    """The row of an answer; None for other records, such as requests, and for URLs that are not http(s)."""
    kind, headers = record.record_type, record.headers
    if kind == WarcRecordType.conversion:
        return _rendered(record)
    if kind not in (WarcRecordType.response, WarcRecordType.revisit, WarcRecordType.resource):
        return None
    url = _target(headers.get("WARC-Target-URI"))
    http = http_headers(record)
    revisit = kind == WarcRecordType.revisit
    status = 200 if kind == WarcRecordType.resource else ((http and http.status_code) or 0)
    if not url or not (status or revisit):
        return None
    media_type = (http if kind != WarcRecordType.resource and http else headers).get("Content-Type") or ""
    return Row(
        url=url,
        offset=record.stream_pos,
        length=0,
        size=record.content_length,
        status=status,
        media_type=media_type.partition(";")[0].strip().lower(),
        date=headers.get("WARC-Date") or "",
        digest=headers.get("WARC-Payload-Digest") or "",
        revisit=revisit,
        refers_to=_target(headers.get("WARC-Refers-To-Target-URI")) if revisit else "",
        refers_date=(headers.get("WARC-Refers-To-Date") or "") if revisit else "",
    )


def _rendered(record: WarcRecord) -> Row | None:
    """The row of what a browser showed of a page; None for conversions of other kinds."""
    headers = record.headers
    url, ended = _target(headers.get("WARC-Target-URI")), headers.get(RENDERED_FIELD)
    if not url or ended not in (QUIET, DEADLINE):
        return None
    size, date = record.content_length, headers.get("WARC-Date") or ""
    return Row(url, record.stream_pos, 0, size, 200, "text/html", date, "", rendered=ended)


def _target(uri: str | None) -> str:
    """The canonical form of a URI field; some programs (wget 1.x) wrap it in angle brackets."""
    return canonical(uri.strip().removeprefix("<").removesuffix(">")) or "" if uri else ""


def _is_whole(data: mmap.mmap, offset: int) -> bool:
    try:
        record = next(iter(ArchiveIterator(BytesIO(data[offset:]), parse_http=False)))
        return len(record.reader.read()) == record.content_length
    except (OSError, StopIteration):
        return False


def _goes_on_after(data: mmap.mmap, offset: int) -> bool:
    """Whether the file holds more than the record at `offset`, which was the last one found."""
    rest = data[offset:]
    if rest[:3] == GZIP:
        member = zlib.decompressobj(wbits=31)
        member.decompress(rest)
        return not member.eof or bool(member.unused_data)
    record = next(iter(ArchiveIterator(BytesIO(rest), parse_http=False)))
    head_end = rest.find(b"\r\n\r\n") + 4
    return rest.startswith(b"WARC/") and bool(rest[head_end + record.content_length :].strip())


def _refusal(head: bytes, name: str, records: int) -> str:
    text = head
    if head[:3] == GZIP:
        with suppress(zlib.error):
            text = zlib.decompressobj(wbits=31).decompress(head, 256)
    if text.startswith(b"filedesc://"):
        return f"an ARC file, the format before WARC; convert it: warcio recompress {name} NEW.warc.gz"
    if not text.startswith(b"WARC/"):
        return "not a WARC; give a .warc or .warc.gz file or a folder of them"
    return (
        f"no whole answer from an http(s) URL among {records} records; record it again or give another WARC"
    )
