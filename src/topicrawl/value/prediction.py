"""Prediction of the relevance of the page behind a link from the text around the link.

The terms in the anchor, in the twenty tokens on either side of it and in the words of the URL are counted, over all
occurrences of the link; their cosine with the topic is the prediction. Once a page is fetched, its own relevance is
used.

Paper: replaces R(p_l) of FCWSEO Eq. (10), which is the relevance of a page that was not fetched yet.
Differs: the paper uses the true value. A link without terms around it gets half the mean relevance of the pages that
contain it.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar
from urllib.parse import unquote

import numpy as np

from topicrawl.frontier import PEEKED, VISITED, Floats, Frontier, Ids
from topicrawl.frontier.observation import Marked, Observation
from topicrawl.model import IMAGE, Page, Topic, ints
from topicrawl.page.context import spans
from topicrawl.page.cosine import cosines, unit
from topicrawl.topic.matcher import Matcher
from topicrawl.value.term_amounts import TermAmounts

_WORDS = {code: " " for code in range(128) if not chr(code).isalpha()}
"""Translates everything in a URL but letters to spaces."""


class Prediction:
    """R(p_l) of links in column `target`: NaN where it is unknown.

    Without `guesses` only fetched pages have a value.
    """

    not_stored: ClassVar = ("_matcher",)

    def __init__(self, topic: Topic, *, guesses: bool = True) -> None:
        self._direction = unit(topic.weights)
        self._matcher = Matcher(topic.terms)
        self._guesses = guesses

    def start(self, frontier: Frontier) -> None:
        """Prepare the column."""
        self._amounts = TermAmounts(frontier.allocator)
        frontier.columns.add("target", np.float32, np.nan)

    def __call__(self, frontier: Frontier, links: Ids) -> Floats:
        """R(p_l) of links: known, predicted, or half the mean relevance of their containing pages."""
        targets = frontier.columns["target"][links].astype(np.float64)
        return np.where(np.isnan(targets), 0.5 * frontier.parents_mean(links), targets)

    def observe(self, seen: Observation, frontier: Frontier) -> None:
        """Record the relevance of a page, and predict that of its links."""
        if not seen.visit.fetched:
            return
        targets, page = frontier.columns["target"], seen.outcome.page
        targets[seen.link] = seen.visit.relevance
        if not self._guesses or page is None or not len(seen.links):
            return
        self._amounts.add(self._in_urls(frontier, seen.links))
        self._amounts.add(self._around(page, np.asarray(seen.rows)))
        self._amounts.add(_in_images(page, seen))
        links = seen.links[~np.isin(frontier.columns["state"][seen.links], (PEEKED, VISITED))]
        guesses = cosines(self._direction, *self._amounts.triples(links.tolist()), len(links))
        targets[links[guesses > 0]] = guesses[guesses > 0]

    def mark(self, mark: Marked, frontier: Frontier) -> None:
        """Record another relevance of a page."""
        frontier.columns["target"][mark.link] = mark.relevance

    def _in_urls(self, frontier: Frontier, links: Ids) -> list[tuple[int, int, float]]:
        """(link, term, count) of the terms in the URLs of links found for the first time."""
        new = links[frontier.columns["parents_count"][links] == 1].tolist()
        counts = self._matcher.count_each([unquote(frontier.urls[link]).translate(_WORDS) for link in new])
        return [(new[place], term, count) for (place, term), count in counts.items()]

    def _around(self, page: Page, rows: Ids) -> list[tuple[int, int, float]]:
        """(link, term, count) of the terms in and around the anchors of a page's links."""
        found = self._matcher.find(page.text)
        if not found:
            return []
        at, terms = np.array(found).T
        left, right = spans(page)
        first = np.searchsorted(at, left)
        lengths = np.searchsorted(at, right) - first
        links = np.repeat(rows, lengths)
        inside = np.arange(len(links)) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
        counts = Counter(zip(links.tolist(), terms[inside].tolist(), strict=True))
        return [(link, term, count) for (link, term), count in counts.items() if link >= 0]


def _in_images(page: Page, seen: Observation) -> list[tuple[int, int, float]]:
    """(link, term, count) of the terms in the descriptions of images, which are not in the page's text."""
    counts = seen.outcome.counts
    if counts is None or not any(flags & IMAGE for flags in page.links.flags):
        return []
    columns = (ints(counts.anchor_rows), ints(counts.anchor_terms), ints(counts.anchor_counts))
    return [
        (seen.rows[row], term, count)
        for row, term, count in zip(*(column.tolist() for column in columns), strict=True)
        if page.links.flags[row] & IMAGE and seen.rows[row] >= 0
    ]
