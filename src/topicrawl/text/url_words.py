"""The words of a URL, without those of its host. A word with digits in it also gives its shape: `cs101` and `cs415`
share `cs#`.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from topicrawl.topic.letters import RUNNING, fold, kinds
from topicrawl.topic.words import paired, spans

LONGEST = 40
"""Letters of a word, at most; longer ones are ignored."""
LEFT_OUT = ("html", "htm", "http", "https", "www", "index", "php", "asp", "jsp")
"""Words that say nothing in a URL."""
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]?[^\W\dA-Z_]+|[A-Z]+(?![a-z])")
_DIGITS = re.compile(r"\d+")


def url_words(url: str) -> list[str]:
    """The words of a URL's path and query, and the shapes of those with digits."""
    found: list[str] = []
    for word in _WORD.findall(unquote(_path(url))):
        if word.isascii() and word.isalpha() and word.islower():
            found.append(word)
            continue
        found += map(fold, _PART.findall(word)) if word.isascii() else _parted(word)
        shape = _DIGITS.sub("#", word)
        if shape not in ("#", word):
            found.append(fold(shape))
    return [word for word in found if word not in LEFT_OUT and len(word) <= LONGEST]


def _parted(word: str) -> list[str]:
    """The words of a part of a URL; where its script has no spaces, those that a text gives."""
    if not (kinds(word) == RUNNING).any():
        return [fold(part) for part in _PART.findall(word)]
    folded, (starts, ends) = fold(word), spans(word)
    return [folded[at:end] for at, end in zip(starts.tolist(), paired(starts, ends).tolist(), strict=True)]


def _path(url: str) -> str:
    """Path and query."""
    return url.partition("://")[2].partition("/")[2]
