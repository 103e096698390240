"""The state of a crawl as plain data, and back: msgpack for values, raw bytes for arrays; never pickle.

`pack` follows all references from a `Crawl`. A value that is referenced twice is stored once. `unpack` writes the state
into a crawl just made from the same configuration: an object that this crawl has at the same place is filled, any other
one is made anew, and only of a class of our own packages or of the strategy's.

What does not follow from the log is no state: topic matchers, WordNet, functions, caches, allocators. A class names
such attributes in `not_stored`; they are left as the new crawl has them. What follows from other attributes and cannot
be stored (memory views, hash tables: Python's hashes differ between processes) is named there too, and made again by
the method `remake`. An object with `save() -> bytes` and `load(bytes)`, such as a judge of another package, stores
itself. A value of any other kind cannot be stored: `NotStorable` names its attribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.state.classes import packages_of
from topicrawl.crawling.state.columns import AT_ONCE, Arrays, stored
from topicrawl.crawling.state.kinds import NotStorable
from topicrawl.crawling.state.packing import Packing
from topicrawl.crawling.state.unpacking import Unpacking
from topicrawl.frontier.columns import Allocator, Array

__all__ = ["FORMAT", "Arrays", "NotStorable", "State", "pack", "unpack"]

FORMAT = 23
"""Raised by each change of what classes store, so that no state of an earlier version is loaded."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a crawl: `values` (msgpack), and the arrays they refer to, in the order they occur."""

    values: bytes
    _arrays: list[Array]
    _allocator: Allocator

    @property
    def nbytes(self) -> int:
        """Bytes of all of it, at most."""
        return len(self.values) + sum(each.nbytes for each in self._arrays)

    def arrays(self) -> Iterator[Array]:
        """The arrays in the order that `unpack` reads them, long ones in pieces.

        They are those of the crawl and change with it. What was read is released: together they are much larger than
        what a crawl has in memory otherwise.
        """
        unreleased = 0
        for each in self._arrays:
            yield from stored(each, self._allocator)
            unreleased += each.nbytes
            if unreleased >= AT_ONCE:
                self._allocator.release_memory()
                unreleased = 0
        self._allocator.release_memory()


def pack(crawl: Crawl) -> State:
    """The state of a crawl, to be written before its next event."""
    packing = Packing(packages_of(crawl))
    tree = packing.pack(crawl)
    try:
        values = msgspec.msgpack.encode((packing.shapes(), tree))
    except (OverflowError, TypeError, ValueError) as error:
        raise NotStorable(str(error)) from error
    return State(values, packing.arrays, crawl.frontier.allocator)


def unpack(crawl: Crawl, values: bytes, arrays: Arrays, *, later: bool = False) -> None:
    """Write a stored state into a new `crawl` of the same configuration.

    If `later`, each column is read when it is first used. After an error the crawl is of no use.
    """
    try:
        shapes, tree = msgspec.msgpack.decode(values)
        Unpacking(packages_of(crawl), shapes, arrays, crawl, later=later).unpack(tree, crawl)
    except (
        *(AttributeError, ImportError, IndexError, KeyError, TypeError, ValueError),
        msgspec.DecodeError,
    ) as error:
        raise NotStorable(f"the stored state does not fit: {error!r}") from error
