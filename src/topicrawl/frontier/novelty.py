"""Which share of a page's text is new on its site.

Text is cut at punctuation, line ends and numbers (so that the pages of a calendar are the same every month), and each
piece sets a bit in a Bloom filter of fixed size and one hash: rare false positives do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from zlib import crc32

from topicrawl.model import Page, ints

BITS = 26
"""The filter has 2^26 bits, 8 MiB; a million pages set a sixth of them."""
MASK = (1 << BITS) - 1
WINDOW = 1200
"""Characters sampled from the middle of a page."""
HALF = WINDOW // 2
SHORTEST = 8
"""Characters below which a piece is ignored."""
LONG, FEW = 6, 10
"""Least letters of the words that are compared, and least number of such words."""
LITTLE = 40
"""Characters in pieces below which a page counts as empty."""

_CUT = re.compile(r"[\n.!?。！？\d]+")


class Novelty:
    """The text pieces and words met so far, by site."""

    def __init__(self) -> None:
        self._known = bytearray(1 << (BITS - 3))

    def of(self, site: str, page: Page) -> tuple[float, float]:
        """The shares of a page's text and of its long words that are new on `site`; both are recorded.

        The text of an empty page counts as not new (0); with fewer than `FEW` long words, words count as new (1).
        """
        salt, sample = crc32(site.encode()), _sample(page)
        pieces = [piece for piece in _CUT.split(sample) if len(piece) >= SHORTEST]
        words = {word for word in sample[:HALF].split() if len(word) >= LONG}
        total, new = sum(map(len, pieces)), sum(map(len, self._learn(pieces, salt)))
        fresh = sum(1 for _ in self._learn(words, ~salt & 0xFFFFFFFF))
        text = new / total if total >= LITTLE else 0.0
        return text, fresh / len(words) if len(words) >= FEW else 1.0

    def _learn(self, texts: Iterable[str], salt: int) -> Iterator[str]:
        """Record `texts`; yields those that were unknown."""
        known = self._known
        for text in texts:
            at = crc32(text.encode(errors="replace"), salt) & MASK
            bit = 1 << (at & 7)
            if not known[at >> 3] & bit:
                known[at >> 3] |= bit
                yield text


def _sample(page: Page) -> str:
    """The middle of a page without its links, as traps generate links freely; with them where little else is left."""
    text = page.text
    low = max(0, (len(text) - WINDOW) // 2)
    high, position, pieces = low + WINDOW, low, []
    for start, end in zip(ints(page.links.starts).tolist(), ints(page.links.ends).tolist(), strict=True):
        if end <= position:
            continue
        if start >= high:
            break
        pieces.append(text[position:start])
        position = end
    pieces.append(text[position:high])
    prose = "\n".join(pieces)
    return prose if len(prose) >= LITTLE + len(pieces) else text[low:high]
