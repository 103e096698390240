"""Finds the terms of a topic in pages: one Aho–Corasick pass over the folded text, then a look at both ends.

A term stands for exactly its words: no stemming, no plurals. Where it begins or ends with a letter of a
script that parts its words, no such letter may go before or follow (and no digit where it ends with a
digit): "rain" is found in "rain-storm" and "Rain's", not in "training". In running scripts it is found
anywhere. The words of a longer term are parted by one space; a newline parts blocks and ends a phrase.
Matches do not overlap: the leftmost counts, and of those that start together the longest.

Differs: the papers cut a page into words first and count the topic's words among them. For single words of spaced
scripts the outcome is the same; a longer term would also match across punctuation there, here it does not. For
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
"""Kind of an end that may touch anything; no character is of this kind."""


class Matcher:
    """Counts `terms`; a term is known by its place in the sequence, whichever of its spellings is found."""

    def __init__(self, terms: Sequence[str]) -> None:
        spelled = [(fold(part), place) for place, term in enumerate(terms) for part in term.split(OR) if part]
        self._terms = Terms(
            [spelling for spelling, _ in spelled],
            [place for _, place in spelled],
            bytes(_beside(spelling[0]) for spelling, _ in spelled),
            bytes(_beside(spelling[-1]) for spelling, _ in spelled),
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
        """How often each term stands in `text`; absent terms are left out."""
        return dict(Counter(term for _, term in self._terms.find(text)))

    def find(self, text: str) -> list[tuple[int, int]]:
        """(start, term) of every match that counts, from left to right."""
        return self._terms.find(text)

    def count_each(self, texts: Sequence[str]) -> Counter[tuple[int, int]]:
        """How often each term stands in each text, by (place of the text, term); absent pairs are left out."""
        found = ((place, term) for place, text in enumerate(texts) for _, term in self._terms.find(text))
        return Counter(found)


def _beside(end: str) -> int:
    """The kind that must not stand next to a term with this first or last character."""
    return sort if (sort := kind(end)) in (LETTER, DIGIT) else FREE
