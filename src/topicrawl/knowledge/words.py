"""From words to terms: inflections and synonyms of a word are one term.

Words of one Snowball stem are one term. Its key is the most frequent of them in the background table; for a stem that
is not there the word itself, without a plural s (which is one where the stem stays the same). A term whose first sense
in WordNet is also the first sense of a more frequent word is counted as that word. What a term is called in a run
follows from the words written there: knowledge/names.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

import tantivy

from topicrawl.topic.terms.background import background
from topicrawl.topic.terms.languages import SYLLABLES
from topicrawl.topic.terms.stop import stop_list
from topicrawl.topic.wordnet import WordNet

SHORTEST, LONGEST = 3, 40
"""Letters of a term; longer ones come from base64 or broken pages."""
REMEMBERED = 200_000
"""Words whose term is cached: about 30 MB."""


class Terms:
    """The terms of words of one language. English has stems and synonyms; other languages have words as they are."""

    def __init__(self, language: str) -> None:
        self._english = language in ("", "en")
        self._stop = stop_list(language or "en").words
        self._shortest = 2 if language in SYLLABLES else SHORTEST
        self._known: dict[str, str] = {}

    def term(self, word: str) -> str:
        """The term of `word`, which is in lower case; empty for stop words and the like."""
        term = self._known.get(word)
        return self.terms([word])[0] if term is None else term

    def terms(self, words: Iterable[str]) -> list[str]:
        """The term of each word; faster than `term` word by word."""
        words = list(words)
        unknown = [word for word in dict.fromkeys(words) if word not in self._known]
        if len(self._known) + len(unknown) > REMEMBERED:
            self._known = {}
            unknown = list(dict.fromkeys(words))
        self._known.update(zip(unknown, self._find(unknown), strict=True))
        known = self._known
        return [known[word] for word in words]

    def _find(self, words: list[str]) -> list[str]:
        fit = [word if self._fits(word) else "" for word in words]
        if not self._english:
            return fit
        singular = [word[:-1] if word.endswith("s") else word for word in fit]
        named = [
            _names().get(stem) or (shorter if stem == same else word)
            for stem, same, word, shorter in zip(stems(fit), stems(singular), fit, singular, strict=True)
        ]
        return ["" if term in self._stop else _synonym(term) for term in named]

    def _fits(self, word: str) -> bool:
        return self._shortest <= len(word) <= LONGEST and word not in self._stop


def stems(words: Iterable[str]) -> list[str]:
    """The Snowball stem of each word, empty for an empty one; no word may hold white space."""
    found: list[str] = _stemmer().analyze(" ".join(word or "-" for word in words))
    return ["" if stem == "-" else stem for stem in found]


@cache
def terms_of(language: str) -> Terms:
    """The `Terms` of a language, one for the process."""
    return Terms(language)


@cache
def _names() -> dict[str, str]:
    rates = background("en")
    words = sorted(rates, key=lambda word: (rates[word], word))
    return dict(zip(stems(words), words, strict=True))


@cache
def _stemmer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return builder.filter(tantivy.Filter.stemmer("english")).build()


@lru_cache(REMEMBERED)
def _synonym(term: str) -> str:
    """The most frequent word with the same first sense in WordNet; `term` itself where there is none."""
    rates, wordnet = background("en"), WordNet.load()
    if term not in rates or wordnet is None:
        return term
    senses = wordnet.synsets(term, "n")[:1]
    others = (
        other for synset in senses for other in wordnet.members(synset) if rates.get(other, 0.0) > rates[term]
    )
    meaning = [other for other in others if wordnet.synsets(other, "n")[:1] == senses]
    best = max(meaning, key=lambda other: (rates[other], other), default=term)
    return term if best in stop_list("en").words else _names().get(stems([best])[0], best)
