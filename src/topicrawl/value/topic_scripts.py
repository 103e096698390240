"""The scripts in which a topic has words, and those that a page is written in."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.value.vocabulary import Vocabulary

PART = 10
"""A page is written in a script if that has one in so many of its words: fewer are names and abbreviations."""
ENOUGH = 100
"""Words of a page that are looked at, about; at even distances."""
MOST = 30
"""Scripts that are told apart."""
_OTHER, _UNKNOWN = 126, 127
"""Stand for a script that the topic has no words in, and for that of a word not looked at yet."""
_TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK"}
"""Scripts that one text mixes."""


class TopicScripts:
    """The scripts of a topic's words; those of pages are asked for only where the topic has several."""

    def __init__(self, vocabulary: Vocabulary, topic: Ids) -> None:
        self._vocabulary = vocabulary
        named = filter(None, map(_script, vocabulary.words(topic)))
        self._numbers = {name: number for number, name in enumerate([*dict.fromkeys(named)][:MOST])}
        self._of_word = np.zeros(0, dtype=np.int8)
        """By number of word."""

    @property
    def are_several(self) -> bool:
        """Whether the topic has words in more than one script."""
        return len(self._numbers) > 1

    def of(self, words: Ids) -> int:
        """The scripts of the topic that a page with these (different) words is written in, as bits."""
        words = words[:: 1 + len(words) // ENOUGH]
        if len(self._of_word) < len(self._vocabulary):
            more = np.full(len(self._vocabulary), _UNKNOWN, dtype=np.int8)
            self._of_word = np.concatenate((self._of_word, more))
        found = self._of_word[words]
        if _UNKNOWN in found:
            new = words[found == _UNKNOWN]
            self._of_word[new] = list(self._look_up(self._vocabulary.words(new)))
            found = self._of_word[words]
        counts = np.bincount(found[found < MOST]).tolist()
        return sum(1 << script for script, count in enumerate(counts) if count * PART > sum(counts))

    def of_most(self, found: Sequence[int]) -> int:
        """The scripts that at least half of pages are written in, by those of each."""
        scripts = (1 << script for script in range(len(self._numbers)))
        return sum(
            script for script in scripts if 2 * sum(bool(each & script) for each in found) >= len(found)
        )

    def _look_up(self, words: Iterable[str]) -> Iterable[int]:
        return (self._numbers.get(_script(word), _OTHER) for word in words)


def _script(word: str) -> str:
    """The script of a word, as Unicode names it; "" for numbers."""
    name = unicodedata.name(word[0], "").split(" ", 1)[0] if word and word[0].isalpha() else ""
    return _TOGETHER.get(name, name)
