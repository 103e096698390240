"""The words around links."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.model import Page, ints

_REACH = 30
"""Characters a token is allowed on average: bounds what is looked at on either side."""
_IDEOGRAPHS = ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


def contexts(page: Page, rows: Sequence[int], tokens: int = 20) -> list[str]:
    """The anchor of each of these links with `tokens` tokens of the page's text on either side.

    A token is a word between spaces, or one character of Chinese or Japanese.
    """
    places = np.asarray(rows, dtype=np.int64)
    starts, ends = ints(page.links.starts)[places], ints(page.links.ends)[places]
    heads, tails = _tokens(page.text)
    first = np.searchsorted(heads, starts) - tokens
    last = np.searchsorted(tails, ends, side="right") + tokens
    left = np.append(heads, len(page.text))[np.maximum(first, 0)]
    right = np.concatenate(([0], tails, [len(page.text)]))[np.minimum(last, len(tails) + 1)]
    left = np.maximum(left, starts - tokens * _REACH)
    right = np.minimum(right, ends + tokens * _REACH)
    spans = zip(rows, left.tolist(), starts.tolist(), ends.tolist(), right.tolist(), strict=True)
    return [_context(page, *span) for span in spans]


def _context(page: Page, row: int, left: int, start: int, end: int, right: int) -> str:
    text = page.text
    anchor = text[start:end] or f" {page.links.anchors[row]} "
    return " ".join(f"{text[min(left, start) : start]}{anchor}{text[end : max(right, end)]}".split())


def _tokens(text: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where the tokens of a text begin, and where they end."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    alone = np.zeros(len(codes) + 2, dtype=bool)
    if not text.isascii():
        for low, high in _IDEOGRAPHS:
            alone[1:-1] |= (codes >= low) & (codes <= high)
    filled = np.zeros(len(codes) + 2, dtype=bool)
    filled[1:-1] = codes > ord(" ")
    parted = ~filled | alone
    heads = filled[1:] & (parted[:-1] | alone[1:])
    tails = filled[:-1] & (parted[1:] | alone[:-1])
    return np.flatnonzero(heads[:-1]), np.flatnonzero(tails[1:]) + 1
