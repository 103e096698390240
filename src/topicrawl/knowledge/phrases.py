"""Phrases of a text: two or three words that stand together several times in it, such as *tectonic plate*.

Which words may begin and end a phrase is said by topic/terms. In names, which are written in capitals, any word may:
*New Zealand*, *World Trade Organization*. The key of a phrase is made of the terms of its words, so *tectonic plates*
is the same phrase. Words never hold a space, phrases do.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from topicrawl.knowledge.words import LONGEST, SHORTEST, terms_of
from topicrawl.topic.letters import fold
from topicrawl.topic.terms.languages import Language, language

OFTEN = 3
"""Occurrences of a phrase in a text, at least: words meet once or twice by chance."""
PHRASES = 10
"""Phrases that describe an item, at most."""
LENGTHS = (3, 2)
"""Words of a phrase; the longest first."""
MOSTLY = 0.8
"""Share of the occurrences of a name that are in capitals, at least."""
JOINER = " "
_WORD_OR_BREAK = re.compile(r"[^\W\d_]+|[^\s\w'’-]|\d|\n")

Words = tuple[str, ...]


class _Place(NamedTuple):
    """Words that stand together, at one place of a text."""

    key: Words
    form: Words
    """As written, in lower case."""
    capitals: bool
    inside: bool
    """Whether a word stands before it: a capital there is no beginning of a sentence."""


def is_phrase(term: str) -> bool:
    """Whether a term is a phrase, not a word."""
    return JOINER in term


def phrases_of(text: str, code: str = "") -> tuple[dict[str, int], dict[str, str]]:
    """How often each phrase occurs in `text`, and how it is written where that is not its key; none in Chinese.

    What is a part of a longer phrase is not counted as a phrase by itself.
    """
    if code == "zh":
        return {}, {}
    counts: dict[Words, int] = {}
    forms: dict[Words, Words] = {}
    tokens = _tokens(text, code)
    for length in LENGTHS:
        within = _within(counts)
        for key, places in _grouped(tokens, length).items():
            form = Counter(place.form for place in places).most_common(1)[0][0]
            times = len(places) - within[key]
            if times >= OFTEN and (_is_name(places) or _may_be_phrase(form, code)):
                counts[key], forms[key] = times, form
    joined = {JOINER.join(key): times for key, times in counts.items()}
    return joined, {JOINER.join(key): JOINER.join(form) for key, form in forms.items() if key != form}


def phrase_key(*words: str, code: str = "") -> str:
    """The key of the phrase of these words."""
    return JOINER.join(term or word for term, word in zip(terms_of(code).terms(words), words, strict=True))


class _Token(NamedTuple):
    """A word of a text, or a break between words."""

    key: str
    """Its term; of a stop word the word itself; empty for a break and a word too short or too long."""
    word: str
    is_term: bool
    capital: bool


def _tokens(text: str, code: str) -> list[_Token]:
    found = [(match[0], match.start()) for match in _WORD_OR_BREAK.finditer(fold(text))]
    terms = terms_of(code).terms(word for word, _ in found)
    return [
        _Token(
            term or (word if SHORTEST <= len(word) <= LONGEST else ""), word, bool(term), text[at].isupper()
        )
        for term, (word, at) in zip(terms, found, strict=True)
    ]


def _grouped(tokens: list[_Token], length: int) -> dict[Words, list[_Place]]:
    """The places where so many words stand together `OFTEN` times, or more often, by their key."""
    keys, stop = [token.key for token in tokens], {token.key for token in tokens if not token.is_term}
    spans = [keys[start:] for start in range(length)]
    met = Counter(zip(*spans, strict=False))
    often = {
        key
        for key, times in met.items()
        if times >= OFTEN and all(key) and len(set(key)) == length and not stop.issuperset(key)
    }
    found: dict[Words, list[_Place]] = {}
    for start, key in enumerate(zip(*spans, strict=False)):
        if key in often:
            found.setdefault(key, []).append(_place(tokens, start, key))
    return found


def _place(tokens: list[_Token], start: int, key: Words) -> _Place:
    here = tokens[start : start + len(key)]
    before = tokens[start - 1].word if start else "\n"
    return _Place(
        key, tuple(token.word for token in here), all(token.capital for token in here), before.isalpha()
    )


def _within(counts: dict[Words, int]) -> Counter[Words]:
    """How often two words stand together as a part of three."""
    within: Counter[Words] = Counter()
    for key, times in counts.items():
        for pair in pairwise(key):
            within[pair] += times
    return within


def _is_name(places: list[_Place]) -> bool:
    """Whether words are in capitals nearly everywhere, and not only where a sentence begins."""
    capitals = sum(place.capitals for place in places)
    return capitals >= MOSTLY * len(places) and any(place.capitals and place.inside for place in places)


def _may_be_phrase(form: Words, code: str) -> bool:
    lang, terms = _language(code), terms_of(code)
    known = all(terms.term(word) for word in form)
    return known and lang.may_begin(form[0]) and lang.may_end(form[-1])


@cache
def _language(code: str) -> Language:
    return language(code or "en")
