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

import importlib
import random
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar

import msgspec
import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.frontier.columns import Allocator, Array, Columns, pieces

T = TypeVar("T")
FORMAT = 4
"""Raised by each change of what classes store, so that no state of an earlier version is loaded."""
PACKAGES = (
    "topicrawl.crawling",
    "topicrawl.frontier",
    "topicrawl.knowledge",
    "topicrawl.model",
    "topicrawl.page",
    "topicrawl.strategies",
    "topicrawl.topic",
    "topicrawl.value",
)
"""Where classes of the state may be, besides the package of the strategy."""
AT_ONCE = 1 << 24
"""Bytes of a long array that are read at a time, so that they need not all be in memory."""
WIDE_ROWS = 1 << 13
"""Rows of many cells that are stored together, so that temporary arrays stay small."""
PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
"""Types that msgpack has."""


class NotStorable(Exception):  # noqa: N818 - says what is the matter
    """A crawl holds a value that cannot be stored, or stored data that does not fit the crawl."""


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

        They are those of the crawl and change with it.
        """
        for each in self._arrays:
            if each.ndim > 1:
                yield from _filled_cells(each, self._allocator)
            elif len(each):
                rows = pieces(self._allocator, len(each), max(1, AT_ONCE // each.itemsize))
                yield from (each[some] for some in rows)


def pack(crawl: Crawl) -> State:
    """The state of a crawl, to be written before its next event."""
    packing = _Packing(_packages(crawl))
    tree = packing.pack(crawl)
    try:
        values = msgspec.msgpack.encode((packing.shapes(), tree))
    except (OverflowError, TypeError, ValueError) as error:
        raise NotStorable(str(error)) from error
    return State(values, packing.arrays, crawl.frontier.allocator)


def unpack(crawl: Crawl, values: bytes, read: Callable[[Array], None]) -> None:
    """Write a stored state into a new `crawl` of the same configuration; `read` fills the next array.

    After an error the crawl is of no use.
    """
    try:
        shapes, tree = msgspec.msgpack.decode(values)
        _Unpacking(_packages(crawl), shapes, read, crawl).unpack(tree, crawl)
    except (
        *(AttributeError, ImportError, IndexError, KeyError, TypeError, ValueError),
        msgspec.DecodeError,
    ) as error:
        raise NotStorable(f"the stored state does not fit: {error!r}") from error


REFERENCE, LIST, PLAIN_LIST, TUPLE, PLAIN_TUPLE, DICT, PLAIN_DICT, COUNTER, SET, FROZEN_SET = range(10)
DEQUE, ARRAY, SCALAR, NUMBERS, BYTES, RANDOM, SPARSE, COLUMNS, OBJECT, FIELDS, SAVED = range(10, 21)
"""The first value of a packed list: what it stands for. Plain values stand for themselves."""


class _Packing:
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
        return [(_name(kind), names) for kind, names in self._shapes]

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
        names = tuple(_attributes(value))
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
        if not _is_below(kind.__module__, self._packages):
            raise NotStorable(f"a {_name(kind)} cannot be stored")
        return self._shapes.setdefault((kind, tuple(names)), len(self._shapes))


_PACKERS: dict[type, Callable[[_Packing, Any], Any]] = {
    list: _Packing._list,
    tuple: _Packing._tuple,
    dict: _Packing._dict,
    Counter: _Packing._counter,
    set: _Packing._set,
    frozenset: _Packing._set,
    deque: _Packing._deque,
    np.ndarray: _Packing._array,
    array: _Packing._numbers_of,
    bytearray: _Packing._bytes,
    random.Random: _Packing._random,
    Columns: _Packing._columns,
}


class _Unpacking:
    """The same walk over packed values; `fresh` is what the new crawl has at the same place."""

    def __init__(
        self,
        packages: tuple[str, ...],
        shapes: list[tuple[str, list[str]]],
        read: Callable[[Array], None],
        crawl: Crawl,
    ) -> None:
        self._shapes = [(_class(name, packages), names) for name, names in shapes]
        self._read = read
        self._allocator = crawl.frontier.allocator
        self._made: list[Any] = []
        self._filled: set[int] = set()
        """Identities of values of the new crawl that were filled: each at most once."""
        self._makers: dict[int, Callable[[list[Any], Any], Any]] = {
            REFERENCE: lambda packed, _: self._made[packed[0]],
            LIST: self._list,
            PLAIN_LIST: lambda packed, _: self._met(packed[0]),
            TUPLE: lambda packed, fresh: tuple(self._each(packed[0], fresh)),
            PLAIN_TUPLE: lambda packed, _: tuple(packed[0]),
            DICT: self._dict,
            PLAIN_DICT: lambda packed, _: self._met(packed[0]),
            COUNTER: self._counter,
            SET: self._set,
            FROZEN_SET: lambda packed, _: frozenset(map(self.unpack, packed[0])),
            DEQUE: self._deque,
            ARRAY: self._array,
            SCALAR: lambda packed, _: np.frombuffer(packed[1], packed[0])[0],
            NUMBERS: lambda packed, _: self._met(array(packed[0], packed[1])),
            BYTES: self._bytes,
            RANDOM: self._random,
            SPARSE: self._sparse,
            COLUMNS: self._columns,
            OBJECT: self._object,
            FIELDS: self._fields,
            SAVED: self._saved,
        }

    def unpack(self, packed: Any, fresh: Any = None) -> Any:
        """The value that was packed."""
        if type(packed) is not list:
            return packed
        return self._makers[packed[0]](packed[1:], fresh)

    def _met(self, value: T) -> T:
        self._made.append(value)
        return value

    def _own(self, kind: type, fresh: Any) -> Any:
        """The new crawl's value at this place, if it is of this type and not used yet."""
        if type(fresh) is not kind or id(fresh) in self._filled:
            return None
        self._filled.add(id(fresh))
        return fresh

    def _each(self, packed: list[Any], fresh: Any) -> list[Any]:
        had = fresh if isinstance(fresh, list | tuple) else ()
        return [
            self.unpack(value, had[place] if place < len(had) else None) for place, value in enumerate(packed)
        ]

    def _list(self, packed: list[Any], fresh: Any) -> list[Any]:
        made: list[Any] = self._met([])
        made.extend(self._each(packed[0], fresh))
        return made

    def _dict(self, packed: list[Any], fresh: Any) -> dict[Any, Any]:
        made: dict[Any, Any] = self._met({})
        keys, had = [self.unpack(key) for key in packed[0]], fresh if isinstance(fresh, dict) else {}
        for key, value in zip(keys, packed[1], strict=True):
            made[key] = self.unpack(value, had.get(key))
        return made

    def _counter(self, packed: list[Any], _: Any) -> Counter[Any]:
        made: Counter[Any] = self._met(Counter())
        for key, count in zip(packed[0], packed[1], strict=True):
            made[self.unpack(key)] = count
        return made

    def _set(self, packed: list[Any], _: Any) -> set[Any]:
        made: set[Any] = self._met(set())
        made.update(map(self.unpack, packed[0]))
        return made

    def _deque(self, packed: list[Any], fresh: Any) -> deque[Any]:
        made: deque[Any] = self._met(deque(maxlen=packed[0]))
        made.extend(map(self.unpack, packed[1]))
        return made

    def _array(self, packed: list[Any], _: Any) -> Array:
        kind, shape, by_columns = packed
        made = self._met(np.empty(shape, kind, order="F" if by_columns else "C"))
        self._read(made.ravel("F" if by_columns else "C"))
        return made

    def _bytes(self, packed: list[Any], _: Any) -> bytearray:
        made = self._met(bytearray(packed[0]))
        self._read(np.frombuffer(made, np.uint8))
        return made

    def _random(self, packed: list[Any], fresh: Any) -> random.Random:
        made = self._met(self._own(random.Random, fresh) or random.Random())
        version, numbers, gauss = packed
        made.setstate((version, tuple(numbers), gauss))
        return made

    def _saved(self, packed: list[Any], fresh: Any) -> Any:
        """An object that saves and loads its state itself."""
        fresh.load(packed[0])
        return self._met(fresh)

    def _sparse(self, packed: list[Any], _: Any) -> Any:
        from scipy.sparse import csr_array  # slow to import, and most strategies do without it

        *parts, shape = packed
        return csr_array(tuple(map(self.unpack, parts)), shape=shape)

    def _columns(self, packed: list[Any], fresh: Any) -> Columns:
        size, capacity, described = packed
        made = self._met(self._own(Columns, fresh) or Columns(self._allocator))
        kinds = {
            name: (np.dtype((kind, tuple(width))), self.unpack(fill)) for name, kind, width, fill in described
        }
        made.replace(kinds, size, capacity)
        for name in kinds:
            column = made[name]
            if column.ndim > 1:
                self._read_cells(column)
                continue
            for some in pieces(self._allocator, size, max(1, AT_ONCE // column.itemsize)):
                self._read(column[some])
        return made

    def _read_cells(self, column: Array) -> None:
        """Read what `_filled_cells` wrote."""
        for rows in pieces(self._allocator, len(column), WIDE_ROWS):
            part = column[rows]
            count, bits = np.empty(1, np.int64), np.empty(-(-part.size // 8), np.uint8)
            self._read(count)
            self._read(bits)
            cells = np.empty(count[0], column.dtype)
            self._read(cells)
            part[np.unpackbits(bits, count=part.size).view(np.bool_).reshape(part.shape)] = cells

    def _fields(self, packed: list[Any], fresh: Any) -> Any:
        (kind, names), values = self._shapes[packed[0]], packed[1]
        had = [getattr(fresh, name) for name in names] if type(fresh) is kind else ()
        return self._met(kind(*self._each(values, had)))

    def _object(self, packed: list[Any], fresh: Any) -> Any:
        (kind, names), values = self._shapes[packed[0]], packed[1]
        same = fresh if type(fresh) is kind else None
        own = None if _is_frozen(kind) else self._own(kind, fresh)
        made = self._met(kind.__new__(kind) if own is None else own)
        if own is None:
            for name in _not_stored(kind):
                if hasattr(same, name):
                    object.__setattr__(made, name, getattr(same, name))
        for name, value in zip(names, values, strict=True):
            object.__setattr__(made, name, self.unpack(value, getattr(same, name, None)))
        for name in {*_attributes(made), *_cached(kind)} - set(names):
            getattr(made, "__dict__", {}).pop(name, None)
        if hasattr(made, "remake"):
            made.remake()
        elif missing := [name for name in _not_stored(kind) if not hasattr(made, name)]:
            raise ValueError(f"a new {kind.__name__} has no {missing[0]}")
        return made


def _filled_cells(column: Array, allocator: Allocator) -> Iterator[Array]:
    """A column of rows with many cells, few of them filled: how many, which (a bit for each cell), and their values."""
    for rows in pieces(allocator, len(column), WIDE_ROWS):
        filled = column[rows] != 0
        cells = column[rows][filled]
        yield np.array([len(cells)])
        yield np.packbits(filled)
        yield cells


def _plain(values: Iterable[Any]) -> bool:
    return PLAIN.issuperset(map(type, values))


def _dtype(values: Array | np.generic) -> str:
    if values.dtype.hasobject or values.dtype.fields:
        raise NotStorable(f"an array of {values.dtype} cannot be stored")
    return values.dtype.str


def _packages(crawl: Crawl) -> tuple[str, ...]:
    """Where classes may come from; a strategy of another package has its own there."""
    package = type(crawl.strategy).__module__.partition(".")[0]
    return PACKAGES if package == "topicrawl" else (*PACKAGES, package)


def _is_below(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str, packages: tuple[str, ...]) -> type:
    module, _, qualified = name.partition(":")
    if not _is_below(module, packages):
        raise ValueError(f"{name} is of no package of the crawl")
    found: Any = importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) or _name(found) != name:
        raise ValueError(f"{name} is no class")
    return found


def _attributes(value: object) -> list[str]:
    """The attributes of an object that are stored, in the order they were set."""
    kind: type = type(value)
    slots, left_out = _slots(kind), _not_stored(kind) | _cached(kind)
    named = [*getattr(value, "__dict__", ()), *(name for name in slots if hasattr(value, name))]
    if not named and not slots and not hasattr(value, "__dict__"):
        raise NotStorable(f"a {_name(kind)} cannot be stored")
    return [name for name in named if name not in left_out]


@cache
def _slots(kind: type) -> tuple[str, ...]:
    found: list[str] = []
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        found += [slots] if isinstance(slots, str) else slots
    return tuple(name for name in found if not name.startswith("__"))


@cache
def _not_stored(kind: type) -> frozenset[str]:
    """The attributes that a class and its bases declare."""
    return frozenset(name for base in kind.__mro__ for name in getattr(base, "not_stored", ()))


@cache
def _cached(kind: type) -> frozenset[str]:
    """The attributes that `cached_property` sets."""
    members = (member for base in kind.__mro__ for member in vars(base).items())
    return frozenset(name for name, value in members if isinstance(value, cached_property))


def _is_frozen(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return bool(parameters and parameters.frozen)
