"""What the crawler and its parse workers say to each other: msgpack values, each after its length in four bytes.

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
    """Seconds after which the worker ends itself while at one page."""
    documents: list[str] = []
    """What is read besides HTML and plain text (see documents.py)."""


class Job(msgspec.Struct, frozen=True, array_like=True):
    """One answer of a web, to be read."""

    url: str
    content: bytes
    content_type: str
    x_robots_tag: str
    truncated: bool


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """What came of a job: a packed `Page` with packed `TermCounts`, an error, or neither: not readable."""

    page: bytes = b""
    counts: bytes = b""
    error: str = ""


def frame(message: Setup | Job | Answer) -> bytearray:
    """`message` as it goes through the pipe."""
    framed = bytearray(LENGTH)
    _encoder.encode_into(message, framed, LENGTH)
    framed[:LENGTH] = (len(framed) - LENGTH).to_bytes(LENGTH, "little")
    return framed
