"""Pages, texts and URLs as token numbers: words without stop words, plurals as their singular.

Scripts without spaces give bigrams of characters, which are more specific than single ones and need no dictionary. A
word of a URL with digits in it also gives its shape: `cs101` and `cs415` share `cs#`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.frontier.columns import Allocator, in_memory
from topicrawl.topic.letters import RUNNING, fold, kinds
from topicrawl.topic.words import spans, words
from topicrawl.value.vocabulary import NO_WORD, Vocabulary

LONGEST = 40
"""Letters of a word, at most; longer ones are ignored."""
_URL_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]?[^\W\dA-Z_]+|[A-Z]+(?![a-z])")
_DIGITS = re.compile(r"\d+")
_URL_STOP_WORDS = frozenset(("html", "htm", "http", "https", "www", "index", "php", "asp", "jsp"))
_NO_PLURAL = ("ss", "us", "is")
_LONG_PLURAL = ("sses", "xes", "ches", "shes", "zzes")


class Words(NamedTuple):
    """The tokens of a text in order, `NO_WORD` for stop words, and the offset of each."""

    tokens: Ids
    starts: Ids


class Tokens:
    """Tokens numbered from 1 on in the order of first use; `vocabulary` has their document frequencies."""

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self.vocabulary = Vocabulary(base_form, allocator)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def copy(self) -> Tokens:
        """The same numbers, with document frequencies of its own."""
        other = copy(self)
        other.vocabulary = self.vocabulary.copy()
        return other

    def words(self, text: str) -> Words:
        """The tokens of a text, stop words included as `NO_WORD`."""
        if text.isascii() or not (kinds(text) == RUNNING).any():
            return Words(*self.vocabulary.read(text))
        starts, _ = spans(text)
        return Words(self.vocabulary.numbers(_paired(words(text), starts)), starts)

    def text(self, text: str) -> Ids:
        """The tokens of a text, without stop words."""
        tokens: Ids = self.vocabulary.numbers(words(text)) if text.isascii() else self.words(text).tokens
        return np.compress(tokens != NO_WORD, tokens)

    def urls(self, urls: Sequence[str]) -> tuple[Ids, Ids]:
        """The tokens of URLs without hosts: for each token the place of its URL, and its number."""
        by_url = [url_words(url) for url in urls]
        places = np.repeat(np.arange(len(urls)), [len(found) for found in by_url])
        tokens = self.vocabulary.numbers([word for found in by_url for word in found])
        return np.compress(tokens != NO_WORD, places), np.compress(tokens != NO_WORD, tokens)


def base_form(word: str) -> str:
    """The singular of what looks like an English plural."""
    if len(word) < 4 or word[-1] != "s" or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_LONG_PLURAL) else word[:-1]


def url_words(url: str) -> list[str]:
    """The words of a URL's path and query, and the shapes of those with digits."""
    found: list[str] = []
    for word in _URL_WORD.findall(unquote(_path(url))):
        if word.isascii() and word.isalpha() and word.islower():
            found.append(word)
            continue
        found += map(fold, _PART.findall(word)) if word.isascii() else _parted(word)
        shape = _DIGITS.sub("#", word)
        if shape not in ("#", word):
            found.append(fold(shape))
    return [word for word in found if word not in _URL_STOP_WORDS and len(word) <= LONGEST]


def _parted(word: str) -> list[str]:
    """The words of a part of a URL; where its script has no spaces, those that a text gives."""
    if not (kinds(word) == RUNNING).any():
        return [fold(part) for part in _PART.findall(word)]
    return _paired(words(word), spans(word)[0])


def _path(url: str) -> str:
    """Path and query."""
    return url.partition("://")[2].partition("/")[2]


def _paired(found: list[str], starts: Ids) -> list[str]:
    """Words, with each character of a script without spaces joined with the character directly after it."""
    follows = (np.diff(starts, append=-1) == 1).tolist()
    return [
        word + found[place + 1] if next_one and len(word) == 1 and len(found[place + 1]) == 1 else word
        for place, (word, next_one) in enumerate(zip(found, follows, strict=True))
    ]
