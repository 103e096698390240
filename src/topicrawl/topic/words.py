"""The words of a text, and where they begin: runs of letters in lower case.

Scripts without spaces give one word a character. Digits part words and are none.
"""

from __future__ import annotations

import numpy as np

from topicrawl.page.context import Places
from topicrawl.topic.letters import LETTER, RUNNING, fold, kinds

_APART = {code: " " for code in range(128) if not chr(code).isalpha()}


def words(text: str) -> list[str]:
    """The words of `text`, in order."""
    return fold(text).translate(_APART).split() if text.isascii() else words_and_starts(text)[0]


def words_and_starts(text: str) -> tuple[list[str], Places]:
    """The words of `text`, and the place in it where each begins."""
    sorts = kinds(text)
    around = np.concatenate(([False], sorts == LETTER, [False]))
    if text.isascii():
        return words(text), np.flatnonzero(around[1:-1] & ~around[:-2])
    alone = sorts == RUNNING
    letters, folded = around[1:-1], fold(text)
    starts = np.flatnonzero((letters & ~around[:-2]) | alone)
    ends = np.flatnonzero((letters & ~around[2:]) | alone) + 1
    return [folded[at:end] for at, end in zip(starts.tolist(), ends.tolist(), strict=True)], starts
