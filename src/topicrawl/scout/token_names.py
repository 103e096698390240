"""Words by number and back, the same text for every shard: shards number words differently (lessons.py)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.scout.lessons import Model
from topicrawl.text.vocabulary import Vocabulary

REMEMBERED = 1 << 17
"""Tokens whose words are cached, some 150 bytes each."""


class TokenNames:
    """The words of tokens, and the tokens of words."""

    not_stored: ClassVar = ("_numbered", "_names")

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._numbered: tuple[str, Ids] = "", np.empty(0, dtype=np.int64)
        """The words of the latest model, and their tokens."""
        self._names: dict[int, str] = {}

    def of(self, tokens: Ids) -> list[str]:
        """The word of each token."""
        known, wanted = self._names, tokens.tolist()
        if len(known) > REMEMBERED:
            known.clear()
        if more := [token for token in wanted if token not in known]:
            known.update(zip(more, self._vocabulary.words(np.array(more)), strict=True))
        return [known[token] for token in wanted]

    def tokens(self, names: list[str]) -> Ids:
        """The tokens of words."""
        return self._vocabulary.numbers(names)

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
