"""What a packed value stands for, and what cannot be packed."""

from __future__ import annotations

PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
"""Types that msgpack has."""

REFERENCE, LIST, PLAIN_LIST, TUPLE, PLAIN_TUPLE, DICT, PLAIN_DICT, COUNTER, SET, FROZEN_SET = range(10)
DEQUE, ARRAY, SCALAR, NUMBERS, BYTES, RANDOM, SPARSE, COLUMNS, OBJECT, FIELDS, SAVED = range(10, 21)
"""The first value of a packed list: what it stands for. Plain values stand for themselves."""


class NotStorable(Exception):  # noqa: N818 - says what is the matter
    """A crawl holds a value that cannot be stored, or stored data that does not fit the crawl."""
