"""Tokens as text, the same for every shard: shards number words differently (lessons.py)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.scout.grams import BUCKETS, Grams
from topicrawl.scout.lessons import PART, Model
from topicrawl.text.new_words import NO_WORD
from topicrawl.text.vocabulary import Vocabulary

REMEMBERED = 1 << 17
"""Tokens whose names are cached, some 150 bytes each."""
NOTHING = "a"
"""Stands for a word that is none: single letters are none."""


class TokenNames:
    """Names of tokens: a word's is itself, that of a part of names its number."""

    not_stored: ClassVar = ("_numbered", "_names")

    def __init__(self, vocabulary: Vocabulary, grams: Grams) -> None:
        self._vocabulary, self._grams = vocabulary, grams
        self._numbered: tuple[str, Ids] = "", np.empty(0, dtype=np.int64)
        """The words of the latest model, and their tokens."""
        self._names: dict[int, str] = {}

    @property
    def parts(self) -> Ids:
        """The tokens of parts of names."""
        return np.arange(BUCKETS if self._grams.wanted else 0) + self._grams.first

    def of(self, tokens: Ids) -> list[str]:
        """The name of each token."""
        known, wanted = self._names, tokens.tolist()
        if len(known) > REMEMBERED:
            known.clear()
        if more := [token for token in wanted if token not in known]:
            first, names = self._grams.first, self._vocabulary.words(np.array(more))
            known.update(
                (token, name or f"{PART}{token - first}") for name, token in zip(names, more, strict=True)
            )
        return [known[token] for token in wanted]

    def tokens(self, names: list[str]) -> Ids:
        """The tokens of such names."""
        is_part = np.array([name[:1] == PART for name in names], dtype=np.bool_)
        words = [NOTHING if part else name for name, part in zip(names, is_part.tolist(), strict=True)]
        tokens = self._vocabulary.numbers(words)
        if is_part.any():
            parts = [int(name[1:]) for name in names if name[:1] == PART]
            tokens[is_part] = np.array(parts) + self._grams.first if self._grams.wanted else NO_WORD
        return tokens

    def tokens_in(self, model: Model) -> Ids:
        """The tokens of a model's words. A teacher adds words at the end, so those of the model before are known."""
        words, numbers = self._numbered
        if not model.words.startswith(words):
            words, numbers = "", numbers[:0]
        more = model.words[len(words) :]
        if more:
            numbers = np.append(numbers, self.tokens(more.splitlines()))
            self._numbered = model.words, numbers
        return numbers
