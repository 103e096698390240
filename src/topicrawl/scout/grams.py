"""Parts of names as tokens, so that names without a common word share something: *hydrology* and *hydraulic*, 巫女 and
魔女.

Words of scripts with spaces give each four characters in a row, with their begin and end marked, and Korean ones, whose
characters are syllables, each two; words of scripts without spaces give single characters and pairs. They are hashed:
there are at most `BUCKETS` such tokens, however many names a crawl sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import ClassVar
from zlib import crc32

from topicrawl.scout.kinds import LONGEST_NAME
from topicrawl.text.new_words import NO_WORD, base_form
from topicrawl.text.tokens import Tokens
from topicrawl.topic.letters import LETTER, RUNNING, kind
from topicrawl.topic.words import words

try:
    from topicrawl._native import name_parts
except ImportError:  # the same in Python, several times slower

    def name_parts(words: list[str], first: int, buckets: int) -> list[int] | None:
        """None: `of_runs` finds the parts of all names."""
        return None


LENGTH = 4
"""Characters of a part, where a script has spaces."""
SYLLABLES = 2
"""The same in Korean."""
_AFTER_LATIN, _FIRST_SYLLABLE, _LAST_SYLLABLE = "\u0250", "\uac00", "\ud7a3"
RUNNING_LENGTHS = (1, 2)
"""The same where it has none."""
BUCKETS = 1 << 14
MOST = 24
"""Parts of a name, at most; of more the first are used."""
REMEMBERED = 1 << 14
"""Words whose parts are cached, some 250 bytes each."""


class Grams:
    """The numbers of the parts of names; none where `wanted` is false."""

    not_stored: ClassVar = ("_of_word",)

    def __init__(self, tokens: Tokens, *, wanted: bool) -> None:
        self.wanted = wanted
        self.first = tokens.vocabulary.reserve(BUCKETS) if wanted else NO_WORD
        """The number of the first bucket."""
        self._of_word = lru_cache(REMEMBERED)(self._numbers)

    def of(self, name: str) -> list[int]:
        """The numbers of a name's parts, each once; none of a long text."""
        return self.of_words(words(name)) if len(name) <= LONGEST_NAME else []

    def of_words(self, name: list[str]) -> list[int]:
        """The same where the words of the name are known."""
        if not self.wanted:
            return []
        found = name_parts(name, self.first, BUCKETS)
        return self.of_runs(name) if found is None else found

    def of_runs(self, name: list[str]) -> list[int]:
        """The same for words of any script; native code knows those of Latin letters alone."""
        numbers: dict[int, None] = {}
        for word in _runs(name):
            numbers.update(self._of_word(word))
        return list(numbers)[:MOST]

    def _numbers(self, word: str) -> dict[int, None]:
        """The numbers of the parts of a word, in order."""
        return dict.fromkeys(self.first + crc32(part.encode()) % BUCKETS for part in parts(word))


def _runs(found: Sequence[str]) -> list[str]:
    """Words, with single characters of scripts without spaces put together again."""
    if all(map(str.isascii, found)):
        return list(found)
    groups = [
        (is_running, list(some)) for is_running, some in groupby(found, lambda word: kind(word[0]) == RUNNING)
    ]
    return [word for is_running, some in groups for word in (["".join(some)] if is_running else some)]


def parts(word: str) -> list[str]:
    """The parts of a word."""
    if kind(word[0]) == RUNNING:
        return [word[at : at + n] for n in RUNNING_LENGTHS for at in range(len(word) - n + 1)]
    if kind(word[0]) != LETTER or (word[0] < _AFTER_LATIN and len(word) < LENGTH):  # "the", "for"
        return []
    length = SYLLABLES if _FIRST_SYLLABLE <= word[0] <= _LAST_SYLLABLE else LENGTH
    marked = f"^{base_form(word)}$"
    return [marked[at : at + length] for at in range(len(marked) - length + 1)]
