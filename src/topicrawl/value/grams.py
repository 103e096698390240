"""Parts of names as tokens, so that names without a common word share something: *hydrology* and *hydraulic*, 巫女 and
魔女.

Words of scripts with spaces give each four characters in a row, with their begin and end marked; words of scripts
without spaces give single characters and pairs. They are hashed: there are at most `BUCKETS` such tokens, however many
names a crawl sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import ClassVar
from zlib import crc32

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.topic.letters import LETTER, RUNNING, kind
from topicrawl.topic.words import words
from topicrawl.value.tokens import Tokens, base_form, url_words

LENGTH = 4
"""Characters of a part, where a script has spaces."""
RUNNING_LENGTHS = (1, 2)
"""The same where it has none."""
BUCKETS = 1 << 14
MOST = 24
"""Parts of a name, at most: the first ones."""
REMEMBERED = 1 << 14
"""Names whose parts are cached, some 250 bytes each."""
_NONE: Ids = np.zeros(0, np.int64)


class Grams:
    """The numbers of the parts of names; none where `wanted` is false."""

    not_stored: ClassVar = ("of",)

    def __init__(self, tokens: Tokens, *, wanted: bool) -> None:
        self._tokens, self._wanted = tokens, wanted
        self.of = lru_cache(REMEMBERED)(self._of)

    def of_urls(self, urls: Sequence[str]) -> list[Ids]:
        """The parts of the words of each URL."""
        return [self._numbers(url_words(url)) if self._wanted else _NONE for url in urls]

    def _of(self, name: str) -> Ids:
        return self._numbers(words(name)) if self._wanted else _NONE

    def _numbers(self, found: Sequence[str]) -> Ids:
        parts = dict.fromkeys(bucket for word in _runs(found) for bucket in _buckets(word))
        return self._tokens.vocabulary.numbers([f"⟨~{bucket}⟩" for bucket in list(parts)[:MOST]])


def _runs(found: Sequence[str]) -> list[str]:
    """Words, with single characters of scripts without spaces put together again."""
    joined: list[str] = []
    for is_running, some in groupby(found, lambda word: kind(word[0]) == RUNNING):
        joined += ["".join(some)] if is_running else some
    return joined


def _buckets(word: str) -> list[int]:
    return [crc32(part.encode()) % BUCKETS for part in parts(word)]


def parts(word: str) -> list[str]:
    """The parts of a word."""
    if kind(word[0]) == RUNNING:
        return [word[at : at + n] for n in RUNNING_LENGTHS for at in range(len(word) - n + 1)]
    if kind(word[0]) != LETTER or len(word) < LENGTH:
        return []
    marked = f"^{base_form(word)}$"
    return [marked[at : at + LENGTH] for at in range(len(marked) - LENGTH + 1)]
