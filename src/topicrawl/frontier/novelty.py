"""How much of a page's text its site has not said before.

Text is cut at punctuation, line ends and numbers, so that a calendar says the same every month, and each piece is
remembered by a hash in a table of fixed size: what is rarely mistaken for known does no harm.
"""

from __future__ import annotations

import re
from zlib import crc32

from topicrawl.model import Page, ints

BITS = 26
"""The table has 2^26 bits, 8 MiB; a million pages fill a sixth of it."""
WINDOW = 1200
"""Characters looked at, in the middle of a page."""
SHORTEST = 8
"""Shorter pieces say nothing."""
LITTLE = 40
"""Characters of pieces below which a page says nothing at all."""

_CUT = re.compile(r"[\n.!?。！？\d]+")


class Novelty:
    """What every site has said so far."""

    def __init__(self) -> None:
        self._known = bytearray(1 << (BITS - 3))

    def of(self, site: str, page: Page) -> float:
        """The share of a page's text that is new on `site`, which knows it from now on; 0 where it says nothing."""
        known, salt = self._known, crc32(site.encode())
        mask = (1 << BITS) - 1
        new = total = 0
        for piece in _CUT.split(_sample(page)):
            length = len(piece)
            if length < SHORTEST:
                continue
            at = crc32(piece.encode(errors="replace"), salt) & mask
            total += length
            bit = 1 << (at & 7)
            if not known[at >> 3] & bit:
                known[at >> 3] |= bit
                new += length
        return new / total if total >= LITTLE else 0.0


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
