"""How relevant the page behind a link will be, guessed from what surrounds the link.

The terms in the anchor, in the twenty tokens on either side of it and in the words of the URL are counted, over all
places where the link stands; their cosine with the topic is the guess. Once a page is fetched, its own relevance is
known.

Paper: stands in for R(p_l) of FCWSEO Eq. (10), which is the relevance of a page that was not fetched yet.
Differs: published is the true value. A link around which no term stands gets half the mean relevance of the pages
that contain it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

import numpy as np

from topicrawl.frontier import PEEKED, VISITED, Floats, Frontier, Ids
from topicrawl.frontier.observation import Observation
from topicrawl.model import Page, Topic
from topicrawl.page.context import contexts
from topicrawl.relevance.amounts import Amounts
from topicrawl.relevance.cosine import unit
from topicrawl.topic.matcher import Matcher

_NOT_LETTERS = re.compile(r"[\W\d_]+")


class Prediction:
    """R(p_l) of links in column `target`: NaN where nothing is known.

    Without `guesses` only what was fetched is known.
    """

    def __init__(self, topic: Topic, *, guesses: bool = True) -> None:
        self._direction = unit(topic.weights)
        self._matcher = Matcher(topic.terms)
        self._amounts = Amounts()
        self._guesses = guesses

    def start(self, frontier: Frontier) -> None:
        """Prepare the column."""
        frontier.columns.add("target", np.float32, np.nan)

    def __call__(self, frontier: Frontier, links: Ids) -> Floats:
        """R(p_l) of links: known, guessed, or half of what their containing pages are worth."""
        targets = frontier.columns["target"][links].astype(np.float64)
        return np.where(np.isnan(targets), 0.5 * frontier.parents_mean(links), targets)

    def observe(self, seen: Observation, frontier: Frontier) -> None:
        """A page is known from now on, and says something about its links."""
        if not seen.visit.fetched:
            return
        targets, page = frontier.columns["target"], seen.outcome.page
        targets[seen.link] = seen.visit.relevance
        if not self._guesses or page is None:
            return
        self._amounts.add(self._around(page, seen.rows))
        states = frontier.columns["state"]
        for link in seen.links.tolist():
            if states[link] not in {PEEKED, VISITED} and (guess := self._cosine(self._amounts.of(link))):
                targets[link] = guess

    def _around(self, page: Page, rows: Sequence[int]) -> list[tuple[int, int, float]]:
        """(link, term, count) of the terms around the links of a page, its URLs' words included."""
        places = [row for row, link in enumerate(rows) if link >= 0]
        around = contexts(page, places)
        texts = [f"{text}\n{_words(page.links.urls[row])}" for row, text in zip(places, around, strict=True)]
        counts = self._matcher.count_each(texts)
        return [(rows[places[place]], term, count) for (place, term), count in counts.items()]

    def _cosine(self, amounts: dict[int, float]) -> float:
        if not amounts:
            return 0.0
        counts = np.array(list(amounts.values()))
        along = counts @ self._direction[list(amounts)]
        return min(float(along / np.sqrt(counts @ counts)), 1.0)


def _words(url: str) -> str:
    return _NOT_LETTERS.sub(" ", unquote(url))
