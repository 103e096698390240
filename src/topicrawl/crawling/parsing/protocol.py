"""Messages between crawler and parse workers: msgpack values, each prefixed with its length in four bytes.

crawler ─► Setup, Job, Job …        worker ─► Answer (ready), Answer, Answer …
"""

from __future__ import annotations

import msgspec

LENGTH = 4
"""Bytes of the length, little-endian."""

_encoder = msgspec.msgpack.Encoder()


class Setup(msgspec.Struct, frozen=True, array_like=True):
    """The first message: what to count, and within which limits."""

    terms: list[str]
    memory: int
    """Bytes of address space."""
    alarm: float
    """Seconds per page after which the worker exits by itself."""
    documents: list[str] = []
    """Kinds of document that are parsed besides HTML and plain text (see page/documents.py)."""


class Job(msgspec.Struct, frozen=True, array_like=True):
    """One response to parse."""

    url: str
    content: bytes
    content_type: str
    x_robots_tag: str
    truncated: bool


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """The result of a job: a packed `Page` with packed `TermCounts`, an error, or neither if it is no page."""

    page: bytes = b""
    counts: bytes = b""
    error: str = ""


def frame(message: Setup | Job | Answer) -> bytearray:
    """`message` encoded with its length prefix."""
    framed = bytearray(LENGTH)
    _encoder.encode_into(message, framed, LENGTH)
    framed[:LENGTH] = (len(framed) - LENGTH).to_bytes(LENGTH, "little")
    return framed
