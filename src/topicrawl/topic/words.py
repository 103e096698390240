"""The words of a text, and where they begin: runs of letters in lower case.

Scripts without spaces give one word a character. Digits part words and are none.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from topicrawl.topic.letters import LETTER, RUNNING, fold, kinds
from topicrawl.topic.terms.stop import LISTS, stop_list

Places = npt.NDArray[np.int64]
_APART = {code: " " for code in range(128) if not chr(code).isalpha()}


@cache
def stop_words() -> frozenset[str]:
    """Words of any language that say nothing about what a text is about."""
    return frozenset(word for language in LISTS for word in stop_list(language).words)


def says_something(word: str) -> bool:
    """Whether a word is neither a stop word nor a single Latin letter."""
    return word not in stop_words() and not (len(word) == 1 and word.isascii())


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
