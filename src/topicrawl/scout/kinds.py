"""Hypernyms of what a short text names, as tokens: "Vishnu" is a Hindu deity, a deity, a spiritual being.

So weights learned from one member of a kind apply to all: a crawl for religions need not find every god first.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from topicrawl.text.tokens import Tokens
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.words import words

LONGEST_NAME = 80
"""Characters of a name, at most: longer texts are no names."""
MOST = 6
"""Kinds of a text, at most: the most specific ones."""
TELLING = 2.0
"""Least information content of a kind, in nats: it excludes "entity" and the like."""
SENSES = 1 << 12
"""Senses whose kinds are cached: many texts share one."""


class Kinds:
    """Kinds by WordNet's first sense of a noun; none without WordNet."""

    not_stored: ClassVar = ("_wordnet", "_of_sense", "_number")

    def __init__(self, tokens: Tokens, wordnet: WordNet | None) -> None:
        self._tokens, self._wordnet = tokens, wordnet
        self._of_sense = lru_cache(SENSES)(self._numbers_above)
        self._number = lru_cache(SENSES)(self._number_of)

    def of(self, name: str) -> list[int]:
        """The kinds of a name, or else of its longest part in WordNet, the last among equals; none of a long text."""
        return self.of_words(words(name)) if len(name) <= LONGEST_NAME else []

    def of_words(self, name: list[str]) -> list[int]:
        """The kinds of a name whose words are known."""
        sense = None if self._wordnet is None else self._wordnet.named(name)
        return [] if sense is None else self._of_sense(sense)

    def _numbers_above(self, sense: int) -> list[int]:
        assert self._wordnet is not None
        taxonomy = self._wordnet.taxonomy
        above = sorted({*taxonomy.ancestors[sense].tolist()} - {sense}, reverse=True)[:MOST]
        return [self._number(kind) for kind in above if taxonomy.content[kind] >= TELLING]

    def _number_of(self, kind: int) -> int:
        """The token of a synset."""
        assert self._wordnet is not None
        return self._tokens.vocabulary.number(f"⟨{self._wordnet.members(kind)[0]}⟩")
