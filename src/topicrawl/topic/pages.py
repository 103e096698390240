"""A topic as pages about it: what a search engine brings first, or what the user has at hand.

Paper: SVSM-MCOA §4.1.2, twenty pages a topic.
Differs: the paper does not say which of their words count; here the 50 of largest TF*IDF among the topic's pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log

from topicrawl.errors import TopicError
from topicrawl.model import TopicPage
from topicrawl.topic.words import says_something, words

HEAVIEST = 50
"""Words of a text that count."""
PUBLISHED = 20
"""Pages of a topic in the paper's experiment."""


def topic_pages(texts: Iterable[str]) -> tuple[TopicPage, ...]:
    """The pages with these texts; those without a word are left out."""
    counted = [Counter(filter(says_something, words(text))) for text in texts]
    counted = [counts for counts in counted if counts]
    among = Counter(word for counts in counted for word in counts)
    return tuple(
        tuple((word, float(counts[word])) for word in _heaviest(counts, among, len(counted)))
        for counts in counted
    )


def _heaviest(counts: Counter[str], among: Counter[str], pages: int) -> list[str]:
    weights = {word: count * log(1 + pages / among[word]) for word, count in counts.items()}
    return sorted(weights, key=lambda word: (-weights[word], word))[:HEAVIEST]


def spell_page(page: TopicPage) -> str:
    """A page on one line: `storm 12, flood 3`."""
    return ", ".join(f"{word} {count:g}" for word, count in page)


def read_page(line: str, source: str) -> TopicPage:
    """The page that `spell_page` has written; `TopicError` naming `source` for anything else."""
    try:
        pairs = [entry.rsplit(maxsplit=1) for entry in line.split(",") if entry.strip()]
        page = tuple((word.strip(), float(count)) for word, count in pairs)
    except ValueError:
        raise TopicError(
            f"{source}: page {line[:60]!r} is unusable; write its words as 'storm 12, flood 3'"
        ) from None
    if not page or not all(0 < count < float("inf") for _, count in page):
        raise TopicError(f"{source}: page {line[:60]!r} is unusable; give words with counts above 0")
    return page
