"""Which pieces and long words of a text are new, by a Bloom filter with one hash. Native code has the same function.

Text is cut at punctuation, line ends and numbers, so that the pages of a calendar are the same every month.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from zlib import crc32

SHORTEST = 8
"""Characters below which a piece is ignored."""
LONG, HALF = 6, 600
"""Least letters of the words that are compared, which are those of the first `HALF` characters."""

_CUT = re.compile(r"[\n.!?。！？\d]+")


def learn(sample: str, salt: int, known: bytearray) -> tuple[int, int, int, int]:
    """Record the pieces and words of a text in `known`, a power of two of bytes; `salt` has 32 bits.

    Returns the letters of all pieces, those of the new pieces, the number of different words, and that of the new ones.
    """
    pieces = [piece for piece in _CUT.split(sample) if len(piece) >= SHORTEST]
    words = {word for word in sample[:HALF].split() if len(word) >= LONG}
    new_letters = sum(map(len, _new(pieces, salt, known)))
    new_words = sum(1 for _ in _new(words, ~salt & 0xFFFFFFFF, known))
    return sum(map(len, pieces)), new_letters, len(words), new_words


def _new(texts: Iterable[str], salt: int, known: bytearray) -> Iterator[str]:
    """Record `texts`; yields those that were unknown."""
    mask = 8 * len(known) - 1
    for text in texts:
        at = crc32(text.encode(errors="replace"), salt) & mask
        bit = 1 << (at & 7)
        if not known[at >> 3] & bit:
            known[at >> 3] |= bit
            yield text
