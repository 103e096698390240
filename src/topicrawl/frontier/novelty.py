"""How much of a page's text its site has not said before.

Text is cut at punctuation, line ends and numbers, so that a calendar says the same every month, and each piece is
remembered by a hash in a table of fixed size: what is rarely mistaken for known does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from zlib import crc32

from topicrawl.model import Page, ints

BITS = 26
"""The table has 2^26 bits, 8 MiB; a million pages fill a sixth of it."""
MASK = (1 << BITS) - 1
WINDOW = 1200
"""Characters looked at, in the middle of a page."""
HALF = WINDOW // 2
SHORTEST = 8
"""Shorter pieces say nothing."""
LONG, FEW = 6, 10
"""Letters of the words that are looked at, and how many there must be."""
LITTLE = 40
"""Characters of pieces below which a page says nothing at all."""

_CUT = re.compile(r"[\n.!?。！？\d]+")


class Novelty:
    """What every site has said so far."""

    def __init__(self) -> None:
        self._known = bytearray(1 << (BITS - 3))

    def of(self, site: str, page: Page) -> tuple[float, float]:
        """The shares of a page's text and of its long words that are new on `site`, which knows them from now on.

        The text of a page that says nothing is not new; words are, unless there are enough of them to tell.
        """
        salt, sample = crc32(site.encode()), _sample(page)
        pieces = [piece for piece in _CUT.split(sample) if len(piece) >= SHORTEST]
        words = {word for word in sample[:HALF].split() if len(word) >= LONG}
        total, new = sum(map(len, pieces)), sum(map(len, self._learn(pieces, salt)))
        fresh = sum(1 for _ in self._learn(words, ~salt & 0xFFFFFFFF))
        text = new / total if total >= LITTLE else 0.0
        return text, fresh / len(words) if len(words) >= FEW else 1.0

    def _learn(self, texts: Iterable[str], salt: int) -> Iterator[str]:
        """Those of `texts` that were unknown."""
        known = self._known
        for text in texts:
            at = crc32(text.encode(errors="replace"), salt) & MASK
            bit = 1 << (at & 7)
            if not known[at >> 3] & bit:
                known[at >> 3] |= bit
                yield text


def _sample(page: Page) -> str:
    """The middle of a page without its links, whose words cost a trap nothing; with them where there is little else."""
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
