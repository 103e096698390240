"""Phrases of a text: two or three words that stand together several times in it, such as *tectonic plate*.

Which words may begin and end a phrase is said by topic/terms. In names, which are written in capitals, any word may:
*New Zealand*, *World Trade Organization*. The key of a phrase is made of the terms of its words, so *tectonic plates*
is the same phrase. Words never hold a space, phrases do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from topicrawl.knowledge.words import LONGEST, SHORTEST, terms_of
from topicrawl.topic.letters import fold
from topicrawl.topic.terms.languages import UNSPACED, Language, language

OFTEN = 3
"""Occurrences of a phrase in a text, at least: words meet once or twice by chance."""
PHRASES = 10
"""Phrases that describe an item, at most."""
LENGTHS = (2, 3)
"""Words of a phrase."""
MOSTLY = 0.8
"""Share of the occurrences of a name that are in capitals, at least."""
JOINER = " "
_WORD_OR_BREAK = re.compile(r"[^\W\d_]+|[^\s\w'’-]|\d|\n")

Words = tuple[str, ...]
Places = dict[Words, list[int]]
"""Where words stand together: the number of the first one."""


def is_phrase(term: str) -> bool:
    """Whether a term is a phrase, not a word."""
    return JOINER in term


def phrases_of(text: str, code: str = "") -> tuple[dict[str, int], dict[str, str]]:
    """How often each phrase occurs in `text`, and how it is written where that is not its key; none without spaces.

    What is a part of a longer phrase is not counted as a phrase by itself.
    """
    if code in UNSPACED:
        return {}, {}
    read = _Text(text, code)
    pairs = read.pairs()
    longer = {key: form for key, places in read.triples(pairs).items() if (form := read.phrase(key, places))}
    within: Counter[Words] = Counter()
    for key, (times, _) in longer.items():
        within.update(dict.fromkeys(pairwise(key), times))
    shorter = {key: form for key, places in pairs.items() if (form := read.phrase(key, places, within[key]))}
    found = longer | shorter
    counts = {JOINER.join(key): times for key, (times, _) in found.items()}
    return counts, {JOINER.join(key): JOINER.join(form) for key, (_, form) in found.items() if key != form}


def phrase_key(*words: str, code: str = "") -> str:
    """The key of the phrase of these words."""
    return JOINER.join(term or word for term, word in zip(terms_of(code).terms(words), words, strict=True))


class _Text:
    """The words of a text, and the breaks between them, in order."""

    def __init__(self, text: str, code: str) -> None:
        self._words, self._written = (_WORD_OR_BREAK.findall(each) for each in (fold(text), text))
        self._code, terms = code, terms_of(code).terms(self._words)
        self._terms = set(terms)
        self._keys = [
            term or (word if SHORTEST <= len(word) <= LONGEST else "")
            for term, word in zip(terms, self._words, strict=True)
        ]
        """The term of each word; of a stop word the word itself; nothing for breaks, too short and too long words."""

    def pairs(self) -> Places:
        """Where two words stand together that do so `OFTEN` times; one of them is a term."""
        met = Counter(pairwise(self._keys))
        often = {
            (a, b)
            for (a, b), times in met.items()
            if times >= OFTEN and a and b and a != b and (a in self._terms or b in self._terms)
        }
        return _grouped((at, pair) for at, pair in enumerate(pairwise(self._keys)) if pair in often)

    def triples(self, pairs: Places) -> Places:
        """Where three words stand together; two pairs."""
        first = {at for places in pairs.values() for at in places}
        keys = self._keys
        both = ((at, (keys[at], keys[at + 1], keys[at + 2])) for at in sorted(first) if at + 1 in first)
        return {key: places for key, places in _grouped(both).items() if key[0] != key[2]}

    def phrase(self, key: Words, places: Sequence[int], within: int = 0) -> tuple[int, Words] | None:
        """How often words are a phrase, and how they are written; None if they are none.

        `within` is how often they are part of a longer one.
        """
        times = len(places) - within
        if times < OFTEN:
            return None
        form = Counter(tuple(self._words[at : at + len(key)]) for at in places).most_common(1)[0][0]
        may = self._terms.issuperset(key) and _may_be_phrase(form, self._code)
        return (times, form) if may or self._is_name(places, len(key)) else None

    def _is_name(self, places: Sequence[int], length: int) -> bool:
        """Whether words are in capitals nearly everywhere, and not only where a sentence begins."""
        capitals = [at for at in places if all(map(_is_capital, self._written[at : at + length]))]
        return len(capitals) >= MOSTLY * len(places) and any(
            at and self._words[at - 1].isalpha() for at in capitals
        )


def _grouped(found: Iterable[tuple[int, Words]]) -> Places:
    places: Places = {}
    for at, key in found:
        places.setdefault(key, []).append(at)
    return places


def _is_capital(word: str) -> bool:
    return word[0].isupper()


def _may_be_phrase(form: Words, code: str) -> bool:
    lang = language_of(code)
    return lang.may_begin(form[0]) and lang.may_end(form[-1])


@cache
def language_of(code: str) -> Language:
    """The language called `code`, without words of a user; unknown: English."""
    return language(code or "en")
