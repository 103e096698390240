"""Messages in pipes: each is prefixed with its length in four bytes."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec

from topicrawl.shards.messages import Failed, Order, Report, Stopped

LENGTH = 4
"""Bytes of the length, little-endian."""
LONGEST = 1 << 30

T = TypeVar("T")


def frame(message: Report | Failed | Stopped | Order) -> bytes:
    """A message with its length."""
    packed = msgspec.msgpack.encode(message)
    return len(packed).to_bytes(LENGTH, "little") + packed


async def read(stream: asyncio.StreamReader, kind: type[T]) -> T | None:
    """The next message; None where the other side is gone."""
    try:
        length = int.from_bytes(await stream.readexactly(LENGTH), "little")
        if length > LONGEST:
            return None
        return msgspec.msgpack.decode(await stream.readexactly(length), type=kind)
    except (asyncio.IncompleteReadError, ConnectionError, msgspec.DecodeError):
        return None
