"""Pages, texts and URLs as token numbers: words without stop words, plurals as their singular.

Scripts without spaces give bigrams of characters, which are more specific than single ones and need no dictionary.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.frontier.columns import Allocator, in_memory
from topicrawl.text.new_words import NO_WORD
from topicrawl.text.vocabulary import Vocabulary

try:
    from topicrawl._native import base_form
except ImportError:  # the same in Python, several times slower
    from topicrawl.text.new_words import base_form


class Words(NamedTuple):
    """The tokens of a text in order, `NO_WORD` for stop words, and the offset of each."""

    tokens: Ids
    starts: Ids


class Tokens:
    """Tokens numbered from 1 on in the order of first use; `vocabulary` has their document frequencies."""

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self.vocabulary = Vocabulary(base_form, allocator, pairs=True)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def copy(self) -> Tokens:
        """A copy with these numbers, and document frequencies of its own."""
        other = copy(self)
        other.vocabulary = self.vocabulary.copy()
        return other

    def words(self, text: str) -> Words:
        """The tokens of a text, stop words included as `NO_WORD`."""
        return Words(*self.vocabulary.read(text))

    def text(self, text: str) -> Ids:
        """The tokens of a text, without stop words."""
        tokens, _ = self.vocabulary.read(text)
        found: Ids = tokens[tokens != NO_WORD]
        return found

    def urls(self, urls: Sequence[str]) -> tuple[Ids, Ids]:
        """The tokens of URLs without hosts: for each token the place of its URL, and its number."""
        places, tokens = self.vocabulary.read_urls(list(urls))
        known = tokens != NO_WORD
        return places[known], tokens[known]


def once(tokens: Ids) -> Ids:
    """The different tokens, in order."""
    return np.unique(tokens, return_counts=True)[
        0
    ]  # without counts numpy imports numpy.ma, which takes 0.1 s
