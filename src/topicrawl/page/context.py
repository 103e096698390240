"""The words around links."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.model import Page, ints

Places = npt.NDArray[np.int64]
_REACH = 30
"""Average characters of a token: bounds the context on either side."""
_IDEOGRAPHS = ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


def spans(page: Page, tokens: int = 20) -> tuple[Places, Places]:
    """Start and end of each link's context in the page's text.

    A token is a word between spaces, or one character of Chinese or Japanese.
    """
    starts, ends = ints(page.links.starts), ints(page.links.ends)
    heads, tails = _tokens(page.text)
    first = np.searchsorted(heads, starts) - tokens
    last = np.searchsorted(tails, ends, side="right") + tokens
    left = np.append(heads, len(page.text))[np.maximum(first, 0)]
    right = np.concatenate(([0], tails, [len(page.text)]))[np.minimum(last, len(tails) + 1)]
    reach = tokens * _REACH
    return np.clip(left, starts - reach, starts), np.clip(right, ends, ends + reach)


def _tokens(text: str) -> tuple[Places, Places]:
    """Starts and ends of the tokens of a text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    alone = np.zeros(len(codes) + 2, dtype=bool)
    if not text.isascii():
        for low, high in _IDEOGRAPHS:
            alone[1:-1] |= (codes >= low) & (codes <= high)
    filled = np.zeros(len(codes) + 2, dtype=bool)
    filled[1:-1] = codes > ord(" ")
    boundary = ~filled | alone
    heads = filled[1:] & (boundary[:-1] | alone[1:])
    tails = filled[:-1] & (boundary[1:] | alone[:-1])
    return np.flatnonzero(heads[:-1]), np.flatnonzero(tails[1:]) + 1
