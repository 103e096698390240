"""Phrases of a text: two words that stand together several times in it, such as *tectonic plate*.

Which words may begin and end a phrase is said by topic/terms. The key of a phrase is made of the terms of its words, so
*tectonic plates* is the same phrase. Words never hold a space, phrases do.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise

from topicrawl.knowledge.words import terms_of
from topicrawl.topic.letters import fold
from topicrawl.topic.terms.languages import Language, language

OFTEN = 3
"""Occurrences of a phrase in a text, at least: two words meet once or twice by chance."""
PHRASES = 10
"""Phrases that describe an item, at most."""
JOINER = " "
_WORD_OR_BREAK = re.compile(r"[^\W\d_]+|[^\s\w'’-]|\d|\n")


def is_phrase(term: str) -> bool:
    """Whether a term is a phrase, not a word."""
    return JOINER in term


def phrases_of(text: str, code: str = "") -> tuple[dict[str, int], dict[str, str]]:
    """How often each phrase occurs in `text`, and how it is written where that is not its key; none in Chinese."""
    if code == "zh":
        return {}, {}
    words = _WORD_OR_BREAK.findall(fold(text))
    terms = terms_of(code).terms(words)
    met = Counter(pairwise(terms))
    often = {(a, b) for (a, b), count in met.items() if count >= OFTEN and a and b and a != b}
    written: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for pair, form in zip(pairwise(terms), pairwise(words), strict=True):
        if pair in often:
            written.setdefault(pair, Counter())[form] += 1
    counts: dict[str, int] = {}
    forms: dict[str, str] = {}
    for pair, found in written.items():
        form = max(found, key=lambda form: found[form])
        if _may_be_phrase(form, code):
            counts[JOINER.join(pair)] = met[pair]
            forms[JOINER.join(pair)] = JOINER.join(form)
    return counts, {key: form for key, form in forms.items() if form != key}


def phrase_key(first: str, last: str, code: str = "") -> str:
    """The key of the phrase of these two words."""
    return JOINER.join(terms_of(code).terms((first, last)))


def _may_be_phrase(form: tuple[str, str], code: str) -> bool:
    lang = _language(code)
    return lang.may_begin(form[0]) and lang.may_end(form[1])


@cache
def _language(code: str) -> Language:
    return language(code or "en")
