"""A small cache whose entries expire."""

from __future__ import annotations

from time import monotonic
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TtlCache(Generic[K, V]):
    """Keeps at most `size` entries, each until it expires; a new entry replaces the oldest."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: dict[K, tuple[float, V]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """The value of `key`; None if there is none or it has expired."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry[0] <= monotonic():
            del self._entries[key]
            return None
        return entry[1]

    def put(self, key: K, value: V, seconds: float) -> None:
        """Keep `value` for `seconds`."""
        self._entries.pop(key, None)
        self._entries[key] = (monotonic() + seconds, value)
        if len(self._entries) > self._size:
            del self._entries[next(iter(self._entries))]

    def left(self, key: K) -> float:
        """Seconds until the entry of `key` expires; 0 if there is none."""
        entry = self._entries.get(key)
        return max(0.0, entry[0] - monotonic()) if entry else 0.0
