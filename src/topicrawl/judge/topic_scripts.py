"""The scripts that a topic is spelled in, and those that pages are written in.

A page shares hardly a word with pages in other scripts, however much both are about the topic. So the judge compares it
with pages in its own (direction.py).
"""

from __future__ import annotations

import unicodedata

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.judge.page_documents import Document
from topicrawl.judge.page_vectors import FIELDS
from topicrawl.text.vocabulary import Vocabulary

PART = 10
"""A page is written in a script if one in so many of its words is: fewer are names and abbreviations."""
MOST = 30
"""Scripts that are told apart."""
_NONE, _UNKNOWN = 126, 127
"""Stand for a word of no script, as a number, and for one not looked at yet."""
_NAMES = {
    "HIRAGANA": "CJK",
    "KATAKANA": "CJK",
    "KATAKANA-HIRAGANA": "CJK",
    "IDEOGRAPHIC": "CJK",
    "MODIFIER": "",
}
"""Scripts that one text mixes have one name."""


class TopicScripts:
    """The scripts of a topic's words. Several are one number, which has a bit for each, in the order of their names."""

    def __init__(self, vocabulary: Vocabulary, topic: Ids) -> None:
        self._vocabulary = vocabulary
        names = sorted(set(filter(None, map(_script, vocabulary.words(topic)))))
        self._numbers = {name: number for number, name in enumerate(names[:MOST])}
        self._of_word = np.zeros(0, dtype=np.int8)
        """By number of word."""
        self._last: tuple[Document, int] | None = None

    @property
    def are_several(self) -> bool:
        """Whether the topic has words in more than one script."""
        return len(self._numbers) > 1

    def of(self, joined: Document, ends: Ids) -> Ids:
        """The scripts of the topic that each of concatenated documents is written in; each word counts once."""
        whole = np.flatnonzero(joined.columns % FIELDS == 0)
        scripts = self._of_words(joined.columns[whole].astype(np.int64) // FIELDS)
        page = np.searchsorted(ends, whole, side="right") - 1
        pages, kinds, named = len(ends) - 1, len(self._numbers) + 1, scripts != _NONE
        counts = np.bincount(page[named] * kinds + scripts[named], minlength=pages * kinds)
        words = counts.reshape(pages, kinds)
        written = words[:, :-1] * PART > words.sum(axis=1, keepdims=True)
        found: Ids = (written << np.arange(kinds - 1)).sum(axis=1)
        return found

    def of_one(self, document: Document) -> int:
        """The scripts of a single document; those of the last are known."""
        if self._last is None or self._last[0] is not document:
            (scripts,) = self.of(document, np.array([0, len(document.columns)])).tolist()
            self._last = document, scripts
        return self._last[1]

    def _of_words(self, words: Ids) -> Ids:
        missing = len(self._vocabulary) - len(self._of_word)
        if missing > 0:
            more = np.full(missing + len(self._vocabulary) // FIELDS, _UNKNOWN, dtype=np.int8)
            self._of_word = np.concatenate((self._of_word, more))
        new = words[self._of_word[words] == _UNKNOWN]
        if len(new):
            named = map(_script, self._vocabulary.words(new))
            other = len(self._numbers)
            self._of_word[new] = [self._numbers.get(name, other) if name else _NONE for name in named]
        return self._of_word[words].astype(np.int64)


def _script(word: str) -> str:
    """The script of a word, as Unicode names it; "" for numbers."""
    name = unicodedata.name(word[0], "").split(" ", 1)[0] if word and word[0].isalpha() else ""
    return _NAMES.get(name, name)
