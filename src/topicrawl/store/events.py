"""How events are stored in the log: each row names the kind of its event and the version of its form.

A new kind needs a line in `CODECS` and no migration. A form that changes gets the next version, and the earlier ones
stay readable. Rows of topicrawl 0.1 name no kind: they hold an `Ask`, a visit or the number of a postponed link.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import zstandard

from topicrawl.errors import RunError
from topicrawl.model import (
    Accepted,
    Ask,
    Event,
    Instruction,
    Learned,
    Outcome,
    Postponed,
    Received,
    Revisit,
    Told,
    Turn,
    Turned,
    Version,
)

TOLD = "told"
UNNAMED = ""
"""The kind of a row that topicrawl 0.1 wrote."""


class Codec(NamedTuple):
    """How the events of one kind are stored."""

    kind: str
    version: int
    compressed: bool = False
    """Whether it holds pages or models."""


CODECS: dict[type, Codec] = {
    Ask: Codec("ask", 1),
    Told: Codec(TOLD, 2, compressed=True),
    Postponed: Codec("postponed", 1),
    Accepted: Codec("accepted", 1),
    Version: Codec("version", 1),
    Instruction: Codec("instruction", 1, compressed=True),
    Received: Codec("received", 2, compressed=True),
    Learned: Codec("learned", 1, compressed=True),
    Revisit: Codec("revisit", 1),
    Turn: Codec("turn", 1, compressed=True),
    Turned: Codec("turned", 1, compressed=True),
}
KINDS = {codec.kind: (type_, codec) for type_, codec in CODECS.items()}
DAMAGED = (TypeError, ValueError, zstandard.ZstdError, msgspec.DecodeError)
"""What decoding a damaged row raises."""


class Visited(NamedTuple):
    """What the log holds of a visit beside its row in `visits`."""

    ask: Ask
    outcome: Outcome
    plain: Outcome | None = None


class Packing:
    """Packs and unpacks events; for one thread at a time, as its compressor is."""

    def __init__(self) -> None:
        # those of level 1 for long inputs: a ninth less time for pages than with those for short ones, 2 % more bytes
        level = zstandard.ZstdCompressionParameters.from_level(1, write_checksum=True)
        self._compress = zstandard.ZstdCompressor(compression_params=level).compress
        self._decompress = zstandard.ZstdDecompressor().decompress
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode_visit = msgspec.msgpack.Decoder(tuple[Ask, Outcome]).decode
        self._decode_rendered = msgspec.msgpack.Decoder(tuple[Ask, Outcome, Outcome]).decode
        self._decode_unnamed = msgspec.msgpack.Decoder(Ask | int).decode
        self._decoders: dict[type, Callable[[bytes], Any]] = {
            type_: msgspec.msgpack.Decoder(type_).decode for type_ in CODECS if type_ is not Told
        }

    def pack(self, event: Event) -> tuple[str, int, bytes]:
        """Kind, version and stored form of an event."""
        codec = CODECS[type(event)]
        if isinstance(event, Told):
            both = (event.ask, event.outcome if event.packed is None else _with_packed_page(event))
            packed = self._encode(both if event.plain is None else (*both, event.plain))
            return codec.kind, 1 if event.plain is None else 2, self._compress(packed)
        packed = self._encode(event)
        return codec.kind, codec.version, self._compress(packed) if codec.compressed else packed

    def unpack_visit(self, version: int, packed: bytes) -> Visited:
        """The event of a visit; version 2 is of a rendered page."""
        if version > CODECS[Told].version:
            raise unknown(TOLD, version)
        decode = self._decode_rendered if version == 2 else self._decode_visit
        return Visited(*decode(self._decompress(packed)))

    def unpack(self, kind: str, version: int, packed: bytes) -> Event:
        """An event that is not a visit; `RunError` for a kind or version of a later topicrawl."""
        if kind == UNNAMED:
            found = self._decode_unnamed(packed)
            return found if isinstance(found, Ask) else Postponed(found)
        if kind == TOLD or not kind.isidentifier():
            raise ValueError(f"no visit, and its kind is {kind!r}")
        check_known(kind, version)
        type_, codec = KINDS[kind]
        event: Event = self._decoders[type_](self._decompress(packed) if codec.compressed else packed)
        return event


def _with_packed_page(told: Told) -> tuple[object, ...]:
    """The fields of the outcome, the page as it was packed by a parse worker; they are packed as the outcome is."""
    assert told.packed is not None
    outcome = told.outcome
    page = msgspec.Raw(told.packed)
    return outcome.url, outcome.status, outcome.size, outcome.error, page, outcome.counts


def check_known(kind: str, version: int) -> None:
    """`RunError` for a kind or version of a later topicrawl."""
    if kind not in KINDS or version > KINDS[kind][1].version:
        raise unknown(kind, version)


def unknown(kind: str, version: int) -> RunError:
    """The error for an event that this version cannot read."""
    return RunError(
        f"the log holds an event {kind!r} (version {version}), which this topicrawl does not know: a later "
        "version wrote it; install that version to resume. Visits, reports and exports can be read"
    )
