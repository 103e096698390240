"""WARC 1.1 records of answers, one gzip member each. Pure: from a visit to bytes.

A visit becomes, in this order: one response record for every redirect that was followed, one for every answer that a
browser got while it rendered the page, the request, the response, and for a rendered page a conversion record with what
the browser showed. Record ids are derived from run and visit number, dates from the start of the fetch, so
the same visit always gives the same bytes.

Bodies are archived as sent, still compressed, but without chunking, which the network layer has already removed.
Headers that are then no longer correct (`Transfer-Encoding`, another `Content-Length`) are renamed to
`X-Archive-Orig-…`, as replay tools expect. Credentials that a user configured are left out of request records, because
archives are shared. Answers carry a digest of their payload; headers are covered by the checksum of the gzip member.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

import msgspec

from topicrawl.credentials import is_credential
from topicrawl.model import Rendered, Response, Told

try:
    from isal import igzip_lib
except ImportError:  # three times slower, same format
    igzip_lib = None  # type: ignore[assignment]

Headers = tuple[tuple[str, str], ...]

LEVEL, FAST = 1, 0
"""Levels of compression, of records and of those without a body: a third larger, in a fifth of the time."""
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""The head of a gzip member without time and name."""
ORIGINAL = "X-Archive-Orig-"
RENDERED = "rendered"
"""The part of a visit that is its conversion record."""
RENDERED_FIELD = "X-Topicrawl-Rendered"
"""The field of a conversion record that says how rendering ended."""


class Capture(msgspec.Struct, frozen=True):
    """One response record: its index fields and its place in the segment."""

    url: str
    status: int
    mime: str
    digest: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Record:
    """A response record as it was archived, read back: its WARC fields and the HTTP message inside."""

    fields: dict[str, str]
    status: int
    headers: Headers
    body: bytes


def visit_records(told: Told, run: str, offset: int) -> tuple[bytes, list[Capture]]:
    """All records of one visit, to be written at `offset` of a segment, and its captures; none without an answer."""
    response = told.response
    if response is None or _has_no_bytes(response):
        return b"", []
    n, date = told.visit.n, warc_date(told.timing.started)
    members: list[bytes] = []
    captures: list[Capture] = []
    for row, answer in enumerate(_answers(response)):
        name = record_id(run, n, f"response {row}")
        if answer is response and response.request_headers:
            members.append(_request(response, record_id(run, n, "request"), name, date))
        member, digest = _response(answer, name, date)
        at = offset + sum(map(len, members))
        captures.append(
            Capture(answer.url, answer.status, _media_type(answer.headers), digest, at, len(member))
        )
        members.append(member)
    if response.rendered is not None:
        members.append(_conversion(response, response.rendered, record_id(run, n, RENDERED), name, date))
    return b"".join(members), captures


def warcinfo(run: str, segment: str, date: str) -> bytes:
    """The first record of each segment: software, format and robots policy; nothing about the machine."""
    block = (
        f"software: topicrawl/{version('topicrawl')}\r\n"
        "format: WARC File Format 1.1\r\n"
        "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
        "robots: classic\r\n"
    ).encode()
    fields = [
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", record_id(run, 0, segment)),
        ("WARC-Date", date),
        ("WARC-Filename", segment),
        ("WARC-Block-Digest", sha1(block)),
        ("Content-Type", "application/warc-fields"),
    ]
    return _member(fields, block)


def record_id(run: str, n: int, part: str) -> str:
    """A unique id for one record: a UUID made from a hash (version 5)."""
    name = hashlib.sha1(f"{run} {n} {part}".encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(name[16], 16) % 4]
    return f"<urn:uuid:{name[:8]}-{name[8:12]}-5{name[13:16]}-{variant}{name[17:20]}-{name[20:32]}>"


def warc_date(seconds: float) -> str:
    """`seconds` since the epoch as WARC 1.1 writes a moment: UTC, to the microsecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read_record(member: bytes) -> Record:
    """The response record in `member`, one that `visit_records` wrote."""
    head, _, block = gzip.decompress(member).partition(b"\r\n\r\n")
    http_head, _, rest = block.partition(b"\r\n\r\n")
    status_line, *lines = _lines(http_head)
    headers = tuple((name, value) for name, _, value in (line.partition(": ") for line in lines))
    return Record(_fields(head), int(status_line.split(" ")[1]), headers, rest.removesuffix(b"\r\n\r\n"))


def record_fields(member: bytes) -> dict[str, str]:
    """The WARC fields of the record in `member`, whatever its kind."""
    return _fields(gzip.decompress(member).partition(b"\r\n\r\n")[0])


def _fields(head: bytes) -> dict[str, str]:
    return {name: value for name, _, value in (line.partition(": ") for line in _lines(head)[1:])}


def capture_of(record: Record, offset: int, length: int) -> Capture:
    """The capture of a response record that was read from `offset` of a segment."""
    fields = record.fields
    mime = _media_type(record.headers)
    return Capture(
        fields["WARC-Target-URI"], record.status, mime, fields["WARC-Payload-Digest"], offset, length
    )


def _answers(response: Response) -> list[Response]:
    """The redirects as responses, what a browser asked for while it rendered the page, and the final one."""
    hops = [
        Response(hop.url, hop.url, hop.status, hop.reason, hop.headers, hop.body) for hop in response.hops
    ]
    resources = response.rendered.resources if response.rendered else ()
    return [*hops, *(answer for each in resources for answer in _answers(each)), response]


def _has_no_bytes(response: Response) -> bool:
    """Whether the page came parsed from a cache, so that there is nothing to archive."""
    return response.parsed is not None and not response.body and not response.headers


def _response(answer: Response, name: str, date: str) -> tuple[bytes, str]:
    body = answer.body
    start = f"HTTP/{answer.http_version} {answer.status} {_one_line(answer.reason)}"
    head = _http_head(start, _corrected_headers(answer.headers, len(body)))
    digest = sha1(body)
    fields = [
        ("WARC-Type", "response"),
        ("WARC-Record-ID", name),
        ("WARC-Date", date),
        ("WARC-Target-URI", _one_line(answer.url)),
        ("WARC-Payload-Digest", digest),
        ("Content-Type", "application/http;msgtype=response"),
    ]
    if answer.address:
        fields.append(("WARC-IP-Address", answer.address))
    if answer.truncated:
        fields.append(("WARC-Truncated", "length"))
    return _member(fields, head, body), digest


def _request(response: Response, name: str, answered_by: str, date: str) -> bytes:
    authority, _, target = response.url.partition("://")[2].partition("#")[0].partition("/")
    headers = tuple(header for header in response.request_headers if not is_credential(header[0]))
    if not any(key.lower() == "host" for key, _ in headers):
        headers = (("Host", authority.rpartition("@")[2]), *headers)
    head = _http_head(f"GET /{_one_line(target)} HTTP/{response.http_version}", headers)
    fields = [
        ("WARC-Type", "request"),
        ("WARC-Record-ID", name),
        ("WARC-Concurrent-To", answered_by),
        ("WARC-Date", date),
        ("WARC-Target-URI", _one_line(response.url)),
        ("Content-Type", "application/http;msgtype=request"),
    ]
    if response.address:
        fields.append(("WARC-IP-Address", response.address))
    return _member(fields, head, level=FAST)


def _conversion(response: Response, rendered: Rendered, name: str, refers_to: str, date: str) -> bytes:
    """What a browser showed of the page in the record `refers_to`."""
    fields = [
        ("WARC-Type", "conversion"),
        ("WARC-Record-ID", name),
        ("WARC-Refers-To", refers_to),
        ("WARC-Date", date),
        ("WARC-Target-URI", _one_line(response.url)),
        ("WARC-Block-Digest", sha1(rendered.html)),
        (RENDERED_FIELD, rendered.ended),
        ("Content-Type", "text/html; charset=utf-8"),
    ]
    return _member(fields, rendered.html)


def _corrected_headers(headers: Headers, length: int) -> Iterator[tuple[str, str]]:
    """`headers` made correct for a body of `length` bytes that is no longer chunked."""
    for name, value in headers:
        lower = name.lower()
        if lower == "transfer-encoding":
            yield ORIGINAL + name, value
        elif lower == "content-length" and value.strip() != str(length):
            yield ORIGINAL + name, value
            yield name, str(length)
        else:
            yield name, value


def _http_head(start: str, headers: Headers | Iterator[tuple[str, str]]) -> bytes:
    lines = [start, *[f"{name}: {value}" for name, value in headers], "", ""]
    head = "\r\n".join(lines)
    breaks = len(lines) - 1
    if head.count("\r") > breaks or head.count("\n") > breaks:  # one inside a name or a value
        head = "\r\n".join(map(_one_line, lines))
    return head.encode("utf-8", "surrogateescape")


def _member(fields: list[tuple[str, str]], *block: bytes, level: int = LEVEL) -> bytes:
    fields.append(("Content-Length", str(sum(map(len, block)))))
    head = "\r\n".join(["WARC/1.1", *[f"{name}: {value}" for name, value in fields], "", ""])
    record = b"".join([head.encode("utf-8", "surrogateescape"), *block, b"\r\n\r\n"])
    return _packed(record, level)


def _packed(record: bytes, level: int) -> bytes:
    """`record` as a gzip member."""
    if igzip_lib is None:
        return gzip.compress(record, LEVEL, mtime=0)  # its level 0 does not compress at all
    return GZIP_HEAD + igzip_lib.compress(record, level, igzip_lib.COMP_GZIP_NO_HDR)


def sha1(block: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()


def _media_type(headers: Headers) -> str:
    content_type = next((value for name, value in headers if name.lower() == "content-type"), "")
    return content_type.partition(";")[0].strip().lower() or "unk"


def _one_line(text: str) -> str:
    """`text` without line breaks, so that it cannot inject a header."""
    if "\r" in text or "\n" in text:
        return text.replace("\r", " ").replace("\n", " ")
    return text


def _lines(head: bytes) -> list[str]:
    return head.decode("utf-8", "surrogateescape").split("\r\n")
