"""A topic as pages about it: first results of a search engine, or pages given by the user.

Paper: SVSM-MCOA §4.1.2, twenty pages a topic.
Differs: the paper does not say which words count; here the 50 of largest TF*IDF among the topic's pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from topicrawl.errors import TopicError
from topicrawl.floats import log
from topicrawl.model import TopicPage
from topicrawl.page.language import spoken
from topicrawl.topic.terms.stop import stop_list
from topicrawl.topic.words import says_something, words

HEAVIEST = 50
"""Words of a text that are used."""
_HEAD = "# A page about the topic on each line: its heaviest words, and how often each stands there."


def topic_pages(texts: Iterable[str]) -> tuple[TopicPage, ...]:
    """The pages with these texts; those without a word are left out."""
    counted = [_counted(text) for text in texts]
    counted = [counts for counts in counted if counts]
    among = Counter(word for counts in counted for word in counts)
    return tuple(
        tuple((word, float(counts[word])) for word in _heaviest(counts, among, len(counted)))
        for counts in counted
    )


def _counted(text: str) -> Counter[str]:
    silent = stop_list(spoken("", text)).words
    return Counter(word for word in words(text) if word not in silent and says_something(word))


def _heaviest(counts: Counter[str], among: Counter[str], pages: int) -> list[str]:
    rarities = log(1 + pages / np.arange(1, pages + 1)).tolist()
    weights = {word: count * rarities[among[word] - 1] for word, count in counts.items()}
    return sorted(weights, key=lambda word: (-weights[word], word))[:HEAVIEST]


def spell_page(page: TopicPage) -> str:
    """A page on one line: `storm 12, flood 3`."""
    return ", ".join(f"{word} {count:g}" for word, count in page)


def read_page(line: str, source: str) -> TopicPage:
    """The page on a line that `spell_page` has written; `TopicError` naming `source` otherwise."""
    page: dict[str, float] = {}
    for entry in filter(None, map(str.strip, line.split(","))):
        word, _, count = entry.rpartition(" ")
        try:
            page[word.strip()] = float(count)
        except ValueError:
            raise TopicError(
                f"{source}: {entry[:60]!r} is no word with a count; write 'storm 12, flood 3'"
            ) from None
    if "" in page or not all(0 < count < float("inf") for count in page.values()):
        raise TopicError(f"{source}: page {line[:60]!r} is unusable; give words, each with a count above 0")
    return tuple(page.items())


def write_pages(pages: Iterable[TopicPage]) -> str:
    """The content of a pages.txt."""
    return "".join(f"{line}\n" for line in (_HEAD, *map(spell_page, pages)))


def read_pages(content: bytes, source: str) -> tuple[TopicPage, ...]:
    """The pages in a pages.txt; `TopicError` naming `source` when there are none, or one is no page."""
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise TopicError(f"{source}: is not UTF-8 text ({error.reason}); build the topic again") from None
    pages = tuple(read_page(line, source) for line in lines if line.strip() and not line.startswith("#"))
    if not pages:
        raise TopicError(f"{source}: holds no page; build the topic again")
    return pages
