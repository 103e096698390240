"""Reads one record of a WARC and decodes its body as far as possible.

Recorders differ: some keep chunking and compression as sent, some undo them but keep the headers that announce them.
So an announced coding that is not there is ignored, and of a damaged body the part that decodes is kept. A record that
cannot be read is a `FetchError` (`record`), and ends no command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord, WarcRecordType

from topicrawl.errors import FetchError

BODY_LIMIT = 10 << 20
"""Most bytes of a body that are kept, before and after decoding."""
HEADERS_LIMIT = BODY_LIMIT
"""Most bytes of HTTP headers that are read: far more than the fetcher accepts."""
ENCODINGS = 2
"""Most content encodings that are undone, one inside the other."""
_SHOWN = WarcRecordType.response | WarcRecordType.conversion
CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]{1,8}) *(?:;[^\r\n]{,200})?\r\n")


@dataclass(frozen=True, slots=True)
class Recorded:
    """The answer in a record; `body` is without chunking but still compressed, `content` is decoded."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    content: bytes
    truncated: bool
    version: str = "1.1"


def read_record(block: bytes) -> Recorded:
    """The answer in the record at the start of `block` (a compressed member, or plain); `FetchError` if it has none."""
    try:
        return _recorded(next(iter(ArchiveIterator(BytesIO(block), parse_http=False))))
    except (OSError, StopIteration) as error:
        raise FetchError("record", str(error) or "it is empty") from None


def read_visit(block: bytes) -> tuple[Recorded, str] | None:
    """The last thing that the records of one visit show, and the digest of its answer.

    That is the last answer (redirects come first), or what a conversion record has made of it. None where they hold no
    answer that can be read.
    """
    shown, digest = None, ""
    try:
        for record in ArchiveIterator(BytesIO(block), record_types=_SHOWN, parse_http=False):
            if record.record_type == WarcRecordType.response:
                digest = record.headers.get("WARC-Payload-Digest") or ""
            shown = _recorded(record)
    except OSError:
        return None
    return None if shown is None else (shown, digest)


def _recorded(record: WarcRecord) -> Recorded:
    if record.record_type in (WarcRecordType.resource, WarcRecordType.conversion):
        return _resource(record)
    http = http_headers(record)
    if http is None:
        raise OSError("it holds no HTTP answer")
    body, cut = _limited(record.reader)
    codings = {name.lower(): value.lower() for name, value in http.items() if name[-8:].lower() == "encoding"}
    if "chunked" in codings.get("transfer-encoding", ""):
        body = _without_chunks(body)
    content = body
    if named := codings.get("content-encoding"):
        content, cut = _decoded(body, named)
    return Recorded(
        status=http.status_code or 0,
        reason=http.reason_phrase or "",
        headers=tuple(http.items()),
        body=body,
        content=content,
        truncated=cut,
        version=(http.status_line or "").partition(" ")[0].partition("/")[2] or "1.1",
    )


def http_headers(record: WarcRecord) -> HeaderMap | None:
    """The HTTP headers of a record, whose reader is then at the body; None where there are none."""
    record.parse_http(quirks_mode=True, max_header_len=HEADERS_LIMIT)
    return record.http_headers


def _resource(record: WarcRecord) -> Recorded:
    """A `resource` or `conversion` record is a file without HTTP headers: answered with status 200."""
    content, cut = _limited(record.reader)
    media_type = record.headers.get("Content-Type") or "application/octet-stream"
    return Recorded(200, "OK", (("Content-Type", media_type),), content, content, cut)


def _limited(reader: Any) -> tuple[bytes, bool]:
    body: bytes = reader.read(BODY_LIMIT + 1)
    return body[:BODY_LIMIT], len(body) > BODY_LIMIT


def _without_chunks(body: bytes) -> bytes:
    """The bytes inside the chunks, up to where the chunks end or break; `body` itself when it has none."""
    parts, at = [], 0
    while size := CHUNK_SIZE.match(body, at):
        end = size.end() + int(size[1], 16)
        parts.append(body[size.end() : end])
        at = end + len("\r\n")
    return b"".join(parts) if parts else body


def _decoded(body: bytes, header: str) -> tuple[bytes, bool]:
    """`body` with its content encodings undone, and whether something is missing at its end."""
    from topicrawl.web.http.decoding import DECODERS, decoded

    names = [name for part in header.split(",") if (name := part.strip()) in DECODERS]
    content, whole = decoded(body, names[-ENCODINGS:], BODY_LIMIT)
    return (content, not whole) if content else (body, False)
