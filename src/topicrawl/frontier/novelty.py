"""Which share of a page's text is new on its site.

Each piece of text (piece_filter.py) sets a bit in a Bloom filter of fixed size: rare false positives do no harm.
"""

from __future__ import annotations

from zlib import crc32

from topicrawl.model import Page, ints

try:
    from topicrawl._native import learn
except ImportError:  # the same in Python, several times slower
    from topicrawl.frontier.piece_filter import learn

BITS = 26
"""The filter has 2^26 bits, 8 MiB; a million pages set a sixth of them."""
WINDOW = 1200
"""Characters sampled from the middle of a page."""
FEW = 10
"""Least number of long words that are compared."""
LITTLE = 40
"""Characters in pieces below which a page counts as empty."""


class Novelty:
    """The text pieces and words met so far, by site."""

    def __init__(self) -> None:
        self._known = bytearray(1 << (BITS - 3))

    def of(self, site: str, page: Page) -> tuple[float, float]:
        """The shares of a page's text and of its long words that are new on `site`; both are recorded.

        The text of an empty page counts as not new (0); with fewer than `FEW` long words, words count as new (1).
        """
        letters, new_letters, words, new_words = learn(_sample(page), crc32(site.encode()), self._known)
        text = new_letters / letters if letters >= LITTLE else 0.0
        return text, new_words / words if words >= FEW else 1.0


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
