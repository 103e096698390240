"""Case folding and character kinds, for finding words in all scripts.

Folding keeps the length, so that an offset in the folded text is an offset in the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OTHER, LETTER, DIGIT, RUNNING = range(4)
"""Kinds of characters. LETTER belongs to a script with spaces between words (Korean too), RUNNING to one without:
Chinese, Japanese, Thai, Lao, Tibetan, Burmese, Khmer. Combining marks have the kind of letters."""

OR = "|"
"""Separates the spellings of one term: each occurrence of any of "flood|floods|洪水" counts for the term."""

_RUNNING = (
    (0x0E00, 0x0FFF),  # Thai, Lao, Tibetan
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17DD),  # Khmer
    (0x3005, 0x3007),  # 々〆〇
    (0x3031, 0x312F),  # kana, bopomofo
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x1AFF0, 0x1B16F),  # historic kana
    (0x20000, 0x3FFFF),
)
_KIND_OF_CATEGORY = {"L": LETTER, "M": LETTER, "N": DIGIT}
_BLOCKS = 0x1100
"""Blocks of 256 characters that Unicode has."""
_LAST_LISTED = 0x1FFFF
"""Above this, Unicode has letters only in the last of the running ranges."""


def fold(text: str) -> str:
    """`text` in lower case, of the same length."""
    if text.isascii():
        return text.lower()
    return text.replace("İ", "i").lower().replace("ς", "σ")


def normal(term: str) -> str:
    """The normal form of a term: NFKC, lower case, single spaces; each of its spellings once."""
    spellings = (" ".join(part.split()) for part in fold(unicodedata.normalize("NFKC", term)).split(OR))
    return OR.join(dict.fromkeys(filter(None, spellings)))


def apart(terms: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The terms with their weights; a spelling of several belongs to the first, a term left with none is left out."""
    taken: set[str] = set()
    found: dict[str, float] = {}
    for term, weight in terms:
        spellings = [each for each in normal(term).split(OR) if any(map(str.isalpha, each))]
        if fresh := [each for each in spellings if each not in taken]:
            taken.update(fresh)
            found[OR.join(fresh)] = weight
    return found


def kind(character: str) -> int:
    """The kind of one character."""
    return kind_block(ord(character) >> 8)[ord(character) & 0xFF]


def kinds(text: str) -> npt.NDArray[np.uint8]:
    """The kind of every character of `text`."""
    import numpy as np  # here, because parse workers do without it

    if text.isascii():
        return np.frombuffer(text.encode().translate(kind_block(0)), dtype=np.uint8)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    table, filled = _table()
    for block in np.flatnonzero(np.bincount(codes >> 8)).tolist():
        if block not in filled:
            table[block << 8 : (block + 1) << 8] = np.frombuffer(kind_block(block), np.uint8)
            filled.add(block)
    return table.take(codes)


def tokens(kinds: npt.NDArray[np.uint8]) -> int:
    """How many tokens a text has: runs of letters, and single characters of running scripts."""
    import numpy as np

    letters = kinds == LETTER
    words = np.count_nonzero(letters[1:] > letters[:-1]) + int(letters[:1].any())
    return int(words + np.count_nonzero(kinds == RUNNING))


@cache
def kind_block(number: int) -> bytes:
    """The kinds of the 256 characters from `number` · 256 on: most pages need only the first."""
    codes = range(number << 8, (number + 1) << 8)
    if codes[0] > _LAST_LISTED:
        first, last = _RUNNING[-1]
        return bytes((RUNNING if first <= codes[0] <= last else OTHER,)) * len(codes)
    found = bytearray(_KIND_OF_CATEGORY.get(unicodedata.category(chr(code))[0], OTHER) for code in codes)
    for first, last in _RUNNING:
        for code in range(max(first, codes[0]), min(last, codes[-1]) + 1):
            if found[code - codes[0]] == LETTER:
                found[code - codes[0]] = RUNNING
    return bytes(found)


@cache
def _table() -> tuple[npt.NDArray[np.uint8], set[int]]:
    """The kinds of all characters, and the blocks that are filled: all take some 50 ms, those of most texts a few."""
    import numpy as np

    return np.zeros(_BLOCKS << 8, np.uint8), set()
