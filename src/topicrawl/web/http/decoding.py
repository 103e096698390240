"""Content encodings undone in bounded steps.

A few bytes can decode to gigabytes, so a decoder yields at most `STEP` bytes at once and all stop at the limit.
Of bodies that are truncated, damaged or followed by garbage, the part before the damage is decoded.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import brotli  # type: ignore[import-untyped]
import zstandard
from isal import isal_zlib

from topicrawl.errors import FetchError

STEP = 256 << 10
"""Most bytes that one step of a decoder may yield."""
FEED = 64 << 10
"""Bytes of input taken at once."""
ZSTD_FEED = 256
"""The same for zstd, whose output cannot be bounded: a block costs at least 4 and yields at most 128 KiB."""
MEMBERS = 4096
"""Most gzip members or zstd frames in one body; more would cost too much time."""
ZSTD_WINDOW = 8 << 20
"""Largest window that RFC 9659 lets a server use."""
GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
ACCEPTED = "gzip, deflate, br, zstd"
Damage: tuple[type[Exception], ...] = (isal_zlib.error, brotli.error, zstandard.ZstdError)  # type: ignore[assignment]
Decoder = Callable[[bytes, int], Iterator[bytes]]
"""Yields a body decoded, reading so many bytes of it at once; EOFError when the body ends too early."""


def decoded(body: bytes, encodings: list[str], limit: int) -> tuple[bytes, bool]:
    """`body` with its `encodings` undone (the last applied first), and whether that is all of it."""
    whole = True
    for name in reversed(encodings):
        if body:
            body, complete = _undo(DECODERS[name], body, limit)
            whole = whole and complete
    return (body, whole) if len(body) <= limit else (body[:limit], False)


def encodings(header: str, most: int) -> list[str]:
    """The encodings a Content-Encoding header names; `FetchError` (`protocol`) when they are too many.

    Unknown names are ignored, as browsers do.
    """
    if not header:
        return []
    names = [name for part in header.split(",") if (name := part.strip().lower()) in DECODERS]
    if len(names) > most:
        raise FetchError("protocol", f"{len(names)} content encodings on one another")
    return names


def _undo(decoder: Decoder, body: bytes, limit: int) -> tuple[bytes, bool]:
    """`body` decoded; after an error, decoded again in small pieces to keep the part before the damage."""
    try:
        return _drain(decoder(body, FEED), limit)
    except Damage:
        bites = decoder(body, max(1, len(body) >> 16))
    saved: list[bytes] = []
    try:
        return _drain(bites, limit, saved)
    except Damage:
        return b"".join(saved), False


def _drain(pieces: Iterator[bytes], limit: int, kept: list[bytes] | None = None) -> tuple[bytes, bool]:
    """The first `limit` bytes of `pieces` (collected in `kept`), and whether they ended well before that."""
    kept = [] if kept is None else kept
    size = 0
    try:
        for piece in pieces:
            kept.append(piece)
            size += len(piece)
            if size > limit:
                return b"".join(kept)[:limit], False
    except EOFError:
        return b"".join(kept), False
    return b"".join(kept), True


def _gzip(body: bytes, feed: int) -> Iterator[bytes]:
    if not body.startswith(GZIP_MAGIC):  # servers that say gzip and send plain text are common
        yield body
    position = 0
    for _ in range(MEMBERS):
        if not body.startswith(GZIP_MAGIC, position):  # the end, or garbage after it
            return
        position = yield from _inflate(body, position, feed, 31)
    raise EOFError("too many members")


def _deflate(body: bytes, feed: int) -> Iterator[bytes]:
    """Zlib format as the standard says, or raw deflate as some servers do."""
    zlib_header = len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    yield from _inflate(body, 0, feed, 15 if zlib_header else -15)


def _inflate(body: bytes, position: int, feed: int, wbits: int) -> Generator[bytes, None, int]:
    """Yields the stream that begins at `position` of `body`, returns where it ends."""
    decoder = isal_zlib.decompressobj(wbits=wbits)
    for start in range(position, len(body), feed):
        data, full = body[start : start + feed], True
        end = start + len(data)
        while full:
            piece = decoder.decompress(data, STEP)
            data, full = decoder.unconsumed_tail, len(piece) >= STEP
            if piece:
                yield piece
        if decoder.eof:
            return end - len(decoder.unused_data)
    raise EOFError("cut short")


def _brotli(body: bytes, feed: int) -> Iterator[bytes]:
    decoder = brotli.Decompressor()
    for start in range(0, len(body), feed):
        data = body[start : start + feed]
        while piece := decoder.process(data, output_buffer_limit=STEP):
            yield piece
            data = b""
        if decoder.is_finished():
            return
    raise EOFError("cut short")


def _zstd(body: bytes, feed: int) -> Iterator[bytes]:
    position = 0
    for _ in range(MEMBERS):
        position = yield from _frame(body, position, min(feed, ZSTD_FEED))
        if not body.startswith(ZSTD_MAGIC, position):
            return
    raise EOFError("too many frames")


def _frame(body: bytes, position: int, feed: int) -> Generator[bytes, None, int]:
    """Yields the zstd frame that begins at `position` of `body`, returns where it ends."""
    decoder = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).decompressobj()
    for start in range(position, len(body), feed):
        data = body[start : start + feed]
        if piece := decoder.decompress(data):
            yield piece
        if decoder.eof:
            return start + len(data) - len(decoder.unused_data)
    raise EOFError("cut short")


DECODERS: dict[str, Decoder] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
