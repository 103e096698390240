"""The words of a text, with their positions: runs of letters in lower case.

In scripts without spaces each character is a word. Digits separate words.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from topicrawl.topic.letters import LETTER, RUNNING, fold, kinds
from topicrawl.topic.terms.stop import stop_list

Places = npt.NDArray[np.int64]
_APART = {code: " " for code in range(128) if not chr(code).isalpha()}


@cache
def stop_words() -> frozenset[str]:
    """The stop words of texts in any language: those of English and Chinese.

    The words of others mean something in these two: *die*, *war*, *pour*. What is common in a
    crawl counts little there.
    """
    return stop_list("en").words | stop_list("zh").words


def says_something(word: str) -> bool:
    """Whether a word is neither a stop word nor a single Latin letter."""
    return word not in stop_words() and not (len(word) == 1 and word.isascii())


def words(text: str) -> list[str]:
    """The words of `text`, in order."""
    if text.isascii():
        return fold(text).translate(_APART).split()
    folded, (starts, ends) = fold(text), spans(text)
    return [folded[at:end] for at, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def spans(text: str) -> tuple[Places, Places]:
    """Starts and ends of the words of `text`."""
    sorts = kinds(text)
    letters = np.zeros(len(sorts) + 2, dtype=np.bool_)
    np.equal(sorts, LETTER, out=letters[1:-1])
    first, last = letters[1:-1] & ~letters[:-2], letters[1:-1] & ~letters[2:]
    if not text.isascii():
        alone = sorts == RUNNING
        first, last = first | alone, last | alone
    return np.flatnonzero(first), np.flatnonzero(last) + 1


def paired(starts: Places, ends: Places) -> Places:
    """Ends of words: a single character directly before another one, as in scripts without spaces, goes with it."""
    alone, beyond = ends - starts == 1, ends.copy()
    beyond[:-1] += alone[:-1] & alone[1:] & (starts[1:] == ends[:-1])
    return beyond


def marks(text: str, starts: Places, ends: Places) -> npt.NDArray[np.uint64]:
    """A hash of each word of a folded text, so that only new words have to become strings.

    Polynomial: Σ (code + 1) · B^i over the letters of a word, as a difference of prefix sums times B^−start, modulo
    2^64. B is another in each process, so that nobody chooses two words with one hash; some longer words have one
    whatever B is, so that those are left to Python's own hash.
    """
    packed = text.encode() if text.isascii() else text.encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(packed, dtype=np.uint8 if text.isascii() else "<u4").astype(np.uint64)
    powers, inverses = _powers(1 << max(len(codes) - 1, 0).bit_length())
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum((codes + np.uint64(1)) * powers[: len(codes)], out=sums[1:])
    found: npt.NDArray[np.uint64] = (sums[ends] - sums[starts]) * inverses[starts]
    for at in np.flatnonzero(ends - starts > _LONGEST).tolist():
        found[at] = hash(text[starts[at] : ends[at]]) % (1 << 64)
    return found


_BASE = hash("the base of the hashes of words") % (1 << 64) | 1
"""An odd number, so that it has an inverse modulo 2^64. Python's own hash has a random key in each process."""
_LONGEST = 32
"""Letters of a word whose hash is the polynomial."""


@lru_cache(maxsize=2)
def _powers(size: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """_BASE^0, _BASE^1, … and their inverses, `size` of each."""
    both = []
    for base in (_BASE, pow(_BASE, -1, 1 << 64)):
        powers = np.full(max(size, 1), base, dtype=np.uint64)
        powers[0] = 1
        both.append(np.cumprod(powers, dtype=np.uint64))
    return both[0], both[1]
