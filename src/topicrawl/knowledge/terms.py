"""The terms of a text with their counts: the raw description of an item.

text ─► words of its language ─► spelling corrected ─► stop words out ─► stem and synonym ─► counts
     └► words that stand together ─► phrases ─► counts
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import NamedTuple

from topicrawl.knowledge.phrases import language_of, phrases_of
from topicrawl.knowledge.spelling import corrected
from topicrawl.knowledge.words import terms_of
from topicrawl.model import Page
from topicrawl.page.language import spoken
from topicrawl.topic.letters import fold
from topicrawl.topic.terms.languages import UNSPACED

TEXT_LIMIT = 200_000
"""Characters of an item that are read; more do not change its description much."""
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_WORD = re.compile(r"[^\W\d_]+")
_CJK = re.compile(r"[㐀-鿿々぀-ヿ]+")


class Read(NamedTuple):
    """The terms of a text."""

    counts: dict[str, int]
    """How often each occurs: words, then phrases."""
    forms: dict[str, str]
    """The word that each is written as most often, where that is not the name of the term."""


def page_terms(page: Page) -> dict[str, int]:
    """The terms of a page."""
    return read_terms(page).counts


def read_terms(page: Page) -> Read:
    """The terms of a page, and how they are written there."""
    return read_text(page.text, spoken(page.language, page.text[:TEXT_LIMIT]))


def count_terms(text: str, language: str = "") -> dict[str, int]:
    """How often each term occurs in `text`, which is written in `language` (unknown: English)."""
    return read_text(text, language).counts


def read_text(text: str, language: str = "") -> Read:
    """The terms of `text`, and how they are written there."""
    text = text[:TEXT_LIMIT]
    words: dict[str, int] = Counter(_words(text, language))
    if language in ("", "en"):
        words = corrected(words)
    counts: dict[str, int] = {}
    forms: dict[str, str] = {}
    for term, (word, count) in zip(terms_of(language).terms(words), words.items(), strict=True):
        if not term:
            continue
        counts[term] = counts.get(term, 0) + count
        if term not in forms or count > words[forms[term]]:
            forms[term] = word
    phrases, written = phrases_of(text, language)
    return Read(counts | phrases, {term: word for term, word in forms.items() if word != term} | written)


def running_terms(page: Page) -> list[str]:
    """The terms of a page in order, without spelling correction."""
    text, language = page.text[:TEXT_LIMIT], spoken(page.language, page.text[:TEXT_LIMIT])
    return [term for term in terms_of(language).terms(_words(text, language)) if term]


def forms(text: str, language: str = "") -> dict[str, list[str]]:
    """The words of `text` behind each of its terms, as written."""
    words = list(dict.fromkeys(_words(text, language)))
    found: dict[str, list[str]] = {}
    for term, word in zip(terms_of(language).terms(words), words, strict=True):
        found.setdefault(term, []).append(word)
    return found


def words_of(text: str) -> list[str]:
    """The words of a text in a script with spaces, in lower case, without URLs."""
    return _WORD.findall(_ADDRESS.sub(" ", fold(text)))


def _words(text: str, language: str) -> list[str]:
    """The words of a text in a language; where it has no spaces, those of other scripts last."""
    if language not in UNSPACED:
        return words_of(text)
    return [*chain.from_iterable(language_of(language).runs(text)), *words_of(_CJK.sub(" ", text))]
