"""Finds the terms of a topic in the folded text of pages, at word boundaries.

A term matches exactly its words: no stemming, no plurals. Where it begins or ends with a letter of a script with
spaces, no such letter may precede or follow (and no digit where it begins or ends with a digit): "rain" is found in
"rain-storm" and "Rain's", not in "training". In scripts without spaces it is found anywhere. The words of a longer
term are separated by one space; a newline separates blocks and ends a phrase. Matches do not overlap: the leftmost
counts, and of those that start together the longest.

Differs: the papers cut a page into words first and count the topic's words among them. For single words of scripts
with spaces the result is the same; a longer term would also match across punctuation there, here it does not. For
Chinese it is forward longest-match segmentation with the topic as dictionary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from topicrawl.model import Page, TermCounts
from topicrawl.topic.letters import DIGIT, LETTER, OR, fold, kind, kind_block

try:
    from topicrawl._native import Terms
except ImportError:  # the same in Python, several times slower
    from topicrawl.topic.term_search import Terms  # type: ignore[assignment]

FREE = 255
"""For an end that may touch any character; no character is of this kind."""


class Matcher:
    """Counts `terms`; a term is identified by its index, whichever of its spellings is found."""

    def __init__(self, terms: Sequence[str]) -> None:
        spellings = [(fold(part), n) for n, term in enumerate(terms) for part in term.split(OR) if part]
        self._terms = Terms(
            [spelling for spelling, _ in spellings],
            [term for _, term in spellings],
            bytes(_excluded_beside(spelling[0]) for spelling, _ in spellings),
            bytes(_excluded_beside(spelling[-1]) for spelling, _ in spellings),
            fold,
            kind_block,
        )

    def count(self, page: Page) -> TermCounts:
        """Counts per tag group (that of the segment where a match starts) and per anchor text.

        The title attribute of a link is not part of its anchor.
        """
        anchors = page.links.anchors
        return TermCounts(*self._terms.count(page.text, page.segment_starts, page.segment_groups, anchors))

    def count_text(self, text: str) -> dict[int, int]:
        """How often each term occurs in `text`; absent terms are left out."""
        return dict(Counter(term for _, term in self._terms.find(text)))

    def find(self, text: str) -> list[tuple[int, int]]:
        """(start, term) of every match that counts, from left to right."""
        return self._terms.find(text)

    def count_each(self, texts: Sequence[str]) -> Counter[tuple[int, int]]:
        """How often each term occurs in each text, by (index of the text, term); absent pairs are left out."""
        found = ((place, term) for place, text in enumerate(texts) for _, term in self._terms.find(text))
        return Counter(found)


def _excluded_beside(end: str) -> int:
    """The kind that must not be next to a term with this first or last character."""
    return sort if (sort := kind(end)) in (LETTER, DIGIT) else FREE
