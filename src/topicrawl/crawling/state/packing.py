"""From the values of a crawl to packed values and arrays."""

from __future__ import annotations

import random
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import numpy as np

from topicrawl.crawling.state.classes import attributes, is_below, name_of
from topicrawl.crawling.state.kinds import (
    ARRAY,
    BYTES,
    COLUMNS,
    COUNTER,
    DEQUE,
    DICT,
    FIELDS,
    FROZEN_SET,
    LIST,
    NUMBERS,
    OBJECT,
    PLAIN,
    PLAIN_DICT,
    PLAIN_LIST,
    PLAIN_TUPLE,
    RANDOM,
    REFERENCE,
    SAVED,
    SCALAR,
    SET,
    SPARSE,
    TUPLE,
    NotStorable,
)
from topicrawl.frontier.columns import Array, Columns


class Packing:
    """One walk over the values of a crawl."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self.arrays: list[Array] = []
        self._packages = packages
        self._numbers: dict[int, int] = {}
        """Values met, by identity."""
        self._held: list[object] = []
        """The same values: what is alive keeps its identity."""
        self._shapes: dict[tuple[type, tuple[str, ...]], int] = {}

    def shapes(self) -> list[tuple[str, tuple[str, ...]]]:
        """The classes of the objects met, each with its attributes."""
        return [(name_of(kind), names) for kind, names in self._shapes]

    def pack(self, value: Any) -> Any:
        """A value as one that msgpack has."""
        kind = type(value)
        if kind in PLAIN:
            return value
        known = self._numbers.get(id(value))
        if known is not None:
            return [REFERENCE, known]
        if (packer := _PACKERS.get(kind)) is not None:
            return packer(self, value)
        if isinstance(value, msgspec.Struct) or (isinstance(value, tuple) and hasattr(kind, "_fields")):
            return self._fields(value)
        if kind.__name__ == "csr_array":
            return self._sparse(value)
        if hasattr(kind, "save") and hasattr(kind, "load"):
            self._met(value)
            return [SAVED, value.save()]
        if isinstance(value, np.generic):
            return [SCALAR, _dtype(value), value.tobytes()]
        return self._object(value)

    def _met(self, value: object) -> None:
        self._numbers[id(value)] = len(self._held)
        self._held.append(value)

    def _list(self, value: list[Any]) -> Any:
        self._met(value)
        return [PLAIN_LIST, value] if _plain(value) else [LIST, list(map(self.pack, value))]

    def _tuple(self, value: tuple[Any, ...]) -> Any:
        return [PLAIN_TUPLE, value] if _plain(value) else [TUPLE, list(map(self.pack, value))]

    def _dict(self, value: dict[Any, Any]) -> Any:
        self._met(value)
        if _plain(value) and _plain(value.values()):
            return [PLAIN_DICT, value]
        return [DICT, list(map(self.pack, value)), list(map(self.pack, value.values()))]

    def _counter(self, value: Counter[Any]) -> Any:
        self._met(value)
        return [COUNTER, list(map(self.pack, value)), list(value.values())]

    def _set(self, value: set[Any] | frozenset[Any]) -> Any:
        if type(value) is set:
            self._met(value)
        return [SET if type(value) is set else FROZEN_SET, list(map(self.pack, sorted(value)))]

    def _deque(self, value: deque[Any]) -> Any:
        self._met(value)
        return [DEQUE, value.maxlen, list(map(self.pack, value))]

    def _array(self, value: Array) -> Any:
        self._met(value)
        by_columns = value.flags.f_contiguous and not value.flags.c_contiguous
        self.arrays.append(value.ravel("F" if by_columns else "C"))
        return [ARRAY, _dtype(value), value.shape, by_columns]

    def _numbers_of(self, value: array[Any]) -> Any:
        self._met(value)
        return [NUMBERS, value.typecode, value.tobytes()]

    def _bytes(self, value: bytearray) -> Any:
        self._met(value)
        self.arrays.append(np.frombuffer(value, np.uint8))
        return [BYTES, len(value)]

    def _random(self, value: random.Random) -> Any:
        self._met(value)
        return [RANDOM, *value.getstate()]

    def _sparse(self, value: Any) -> Any:
        parts = [self.pack(part) for part in (value.data, value.indices, value.indptr)]
        return [SPARSE, *parts, value.shape]

    def _columns(self, value: Columns) -> Any:
        self._met(value)
        described = []
        for name, fill in value.fills().items():
            column = value[name]
            described.append((name, _dtype(column), column.shape[1:], self.pack(fill)))
            self.arrays.append(column)
        return [COLUMNS, value.size, value.capacity, described]

    def _fields(self, value: Any) -> Any:
        """A tuple with names, or a struct: made from its fields, so numbered after them."""
        names = type(value).__struct_fields__ if isinstance(value, msgspec.Struct) else value._fields
        packed = [FIELDS, self._shape(value, names), [self.pack(getattr(value, name)) for name in names]]
        self._met(value)
        return packed

    def _object(self, value: object) -> Any:
        names = tuple(attributes(value))
        shape = self._shape(value, names)
        self._met(value)
        packed = []
        for name in names:
            try:
                packed.append(self.pack(getattr(value, name)))
            except (NotStorable, TypeError) as error:
                raise NotStorable(f"{type(value).__name__}.{name}: {error}") from error
        return [OBJECT, shape, packed]

    def _shape(self, value: object, names: Iterable[str]) -> int:
        kind = type(value)
        if not is_below(kind.__module__, self._packages):
            raise NotStorable(f"a {name_of(kind)} cannot be stored")
        return self._shapes.setdefault((kind, tuple(names)), len(self._shapes))


_PACKERS: dict[type, Callable[[Packing, Any], Any]] = {
    list: Packing._list,
    tuple: Packing._tuple,
    dict: Packing._dict,
    Counter: Packing._counter,
    set: Packing._set,
    frozenset: Packing._set,
    deque: Packing._deque,
    np.ndarray: Packing._array,
    array: Packing._numbers_of,
    bytearray: Packing._bytes,
    random.Random: Packing._random,
    Columns: Packing._columns,
}


def _plain(values: Iterable[Any]) -> bool:
    return PLAIN.issuperset(map(type, values))


def _dtype(values: Array | np.generic) -> str:
    if values.dtype.hasobject or values.dtype.fields:
        raise NotStorable(f"an array of {values.dtype} cannot be stored")
    return values.dtype.str
