"""What kinds of thing a short text names, as tokens: "Vishnu" is a Hindu deity, a deity, a spiritual being.

What was learnt of one member of a kind then holds for all: a crawl for religions need not meet every god first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.words import words
from topicrawl.value.tokens import Tokens

LONGEST = 4
"""Words of a name."""
MOST = 6
"""Kinds of a text, the most special."""
TELLING = 2.0
"""Information that a kind must have, in nats: everything is an entity."""
REMEMBERED = 1 << 12
"""Texts whose kinds are kept: those that come again do so soon, on pages of the same site."""
_NONE: Ids = np.zeros(0, np.int64)


class Kinds:
    """Kinds by WordNet's first sense of a noun; where there is no WordNet, nothing is of any kind."""

    def __init__(self, tokens: Tokens, wordnet: WordNet | None) -> None:
        self._tokens, self._wordnet = tokens, wordnet
        self.of = lru_cache(REMEMBERED)(self._of)

    def _of(self, text: str) -> Ids:
        """The kinds of what a text names: all of it, or else its longest part that is known, the last of equals."""
        if self._wordnet is None or len(text) > 80:
            return _NONE
        for name in _names(words(text)):
            if senses := self._wordnet.synsets(name, "n"):
                return self._tokens.book.numbers([f"⟨{kind}⟩" for kind in self._above(senses[0])])
        return _NONE

    def _above(self, sense: int) -> list[str]:
        assert self._wordnet is not None
        taxonomy = self._wordnet.taxonomy
        above = sorted(taxonomy.above[sense] - {sense}, reverse=True)[:MOST]
        return [self._wordnet.members(kind)[0] for kind in above if taxonomy.content[kind] >= TELLING]


def _names(said: list[str]) -> Iterator[str]:
    for length in range(min(len(said), LONGEST), 0, -1):
        for start in range(len(said) - length, -1, -1):
            yield " ".join(said[start : start + length])
