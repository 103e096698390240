"""The last judgement of a crawl's pages by the judge `examples`: what a page says, and what is said of pages near it.

Pages are near a page in three ways: their text is similar (nearest.py), they are linked beside it (pages that link to
it link to them too), or they were visited shortly before and after it (a crawl takes the most promising links first).
For each way the relevance of near pages is averaged, relative to the mean of the crawl; a logistic function adds these
to the log odds of the page alone. Its constants are fitted by `python -m bench.judge`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

import numpy as np

from topicrawl.floats import log
from topicrawl.frontier import Floats, Ids
from topicrawl.value.judges import Seen
from topicrawl.value.judges.examples import ByExamples
from topicrawl.value.rocchio import logistic

AT_ONCE = 64
"""Pages judged at a time."""
WINDOW = 15
"""Visits before and after a page that count."""
VISITS, BESIDE, SOURCES = 2, 3, 1
"""Visits, pages linked beside a page, and pages that link to it, of mean relevance, added to the known ones."""
SURE = 1e-6
"""Distance of a probability from 0 and 1 at least, so that its log odds are finite."""
MOST_BESIDE = 0.1
"""Pages beside a page count up to this: on some webs all pages link to each other, on some lists tell all."""
CONSTANT, OWN, LIKE, LINKED, ABOUT_THEN = -0.85, 0.37, 3.2, 2.2, 2.0


class Evidence(NamedTuple):
    """What is known of each page: its own log odds, and the relevance above the mean of pages near it."""

    own: Floats
    like: Floats
    beside: Floats
    about_then: Floats


def reconsidered(judge: ByExamples, places: Mapping[str, int], pages: Iterable[Seen]) -> Floats:
    """The probability that each page of a crawl is relevant.

    `pages` are all that `judge` has learned, in order; `places` are their numbers by URL, from 0 on.
    """
    found = evidence(judge, places, pages)
    return logistic(
        CONSTANT
        + OWN * found.own
        + LIKE * found.like
        + LINKED * np.clip(found.beside, -MOST_BESIDE, MOST_BESIDE)
        + ABOUT_THEN * found.about_then
    )


def evidence(judge: ByExamples, places: Mapping[str, int], pages: Iterable[Seen]) -> Evidence:
    """What is known of each page at the end of a crawl."""
    final = judge.concluded()
    latest = final.latest()
    nearest = final.nearest(latest)
    older = judge.model.seen - len(latest)
    own, like = [np.zeros(0)], [np.zeros(0)]
    sources, targets = array("i"), array("i")
    left, number = iter(pages), 0
    while some := list(islice(left, min(AT_ONCE, older - number) if number < older else AT_ONCE)):
        if number < older:
            own.append(np.array(final.judge(some)))
            like.append(nearest.beyond(final.rows(some)))
        for page, seen in enumerate(some, number):
            linked = {places[url] for url in seen.page.links.urls if url in places} - {page}
            sources.extend([page] * len(linked))
            targets.extend(sorted(linked))
        number += len(some)
    relevance = np.concatenate([*own, latest])
    sure = np.clip(relevance, SURE, 1 - SURE)
    return Evidence(
        own=log(sure / (1 - sure)),
        like=np.concatenate([*like, nearest.own[: len(latest)]]),
        beside=linked_beside(relevance, np.array(sources), np.array(targets)),
        about_then=visited_about_then(relevance),
    )


def linked_beside(relevance: Floats, sources: Ids, targets: Ids) -> Floats:
    """Mean over the pages that link to a page of the mean relevance of what else they link to, above that of all."""
    size, beyond = len(relevance), relevance - (relevance.mean() if len(relevance) else 0.0)
    links = np.bincount(sources, minlength=size)
    sums = np.bincount(sources, beyond[targets], size)
    others = (sums[sources] - beyond[targets]) / (links[sources] - 1 + BESIDE)
    mean: Floats = np.bincount(targets, others, size) / (np.bincount(targets, minlength=size) + SOURCES)
    return mean


def visited_about_then(relevance: Floats) -> Floats:
    """Mean relevance of the pages visited shortly before and after each page, above that of all."""
    mean = float(relevance.mean()) if len(relevance) else 0.0
    before = np.append(0.0, np.cumsum(relevance - mean))
    place = np.arange(len(relevance))
    first, end = np.maximum(place - WINDOW, 0), np.minimum(place + WINDOW + 1, len(relevance))
    around: Floats = (before[end] - before[first] - (relevance - mean)) / (end - first - 1 + VISITS)
    return around
