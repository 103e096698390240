"""From packed values and arrays to the values of a crawl."""

from __future__ import annotations

import random
from array import array
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.state.classes import attributes, cached, class_named, is_frozen, not_stored
from topicrawl.crawling.state.columns import Arrays, read_column, skip_column
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
)
from topicrawl.frontier.columns import Array, Columns

T = TypeVar("T")


class Unpacking:
    """The same walk over packed values; `fresh` is what the new crawl has at the same place."""

    def __init__(
        self,
        packages: tuple[str, ...],
        shapes: list[tuple[str, list[str]]],
        arrays: Arrays,
        crawl: Crawl,
        *,
        later: bool,
    ) -> None:
        self._shapes = [(class_named(name, packages), names) for name, names in shapes]
        self._arrays, self._later = arrays, later
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
        self._arrays.read(made.ravel("F" if by_columns else "C"))
        return made

    def _bytes(self, packed: list[Any], _: Any) -> bytearray:
        made = self._met(bytearray(packed[0]))
        self._arrays.read(np.frombuffer(made, np.uint8))
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
        if self._later:
            made.replace_later(
                kinds, size, capacity, {name: self._reader(kind, size) for name, (kind, _) in kinds.items()}
            )
            return made
        made.replace(kinds, size, capacity)
        for name in kinds:
            read_column(made[name], self._arrays, self._allocator)
        return made

    def _reader(self, kind: np.dtype[Any], rows: int) -> Callable[[Array], None]:
        """What reads the next column later."""
        here = self._arrays.copy()
        skip_column(kind, rows, self._arrays)
        return partial(read_column, arrays=here, allocator=self._allocator)

    def _fields(self, packed: list[Any], fresh: Any) -> Any:
        (kind, names), values = self._shapes[packed[0]], packed[1]
        had = [getattr(fresh, name) for name in names] if type(fresh) is kind else ()
        return self._met(kind(*self._each(values, had)))

    def _object(self, packed: list[Any], fresh: Any) -> Any:
        (kind, names), values = self._shapes[packed[0]], packed[1]
        same = fresh if type(fresh) is kind else None
        own = None if is_frozen(kind) else self._own(kind, fresh)
        made = self._met(kind.__new__(kind) if own is None else own)
        if own is None:
            for name in not_stored(kind):
                if hasattr(same, name):
                    object.__setattr__(made, name, getattr(same, name))
        for name, value in zip(names, values, strict=True):
            object.__setattr__(made, name, self.unpack(value, getattr(same, name, None)))
        for name in {*attributes(made), *cached(kind)} - set(names):
            getattr(made, "__dict__", {}).pop(name, None)
        if hasattr(made, "remake"):
            made.remake()
        elif missing := [name for name in not_stored(kind) if not hasattr(made, name)]:
            raise ValueError(f"a new {kind.__name__} has no {missing[0]}")
        return made
