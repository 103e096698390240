"""The last judgement of a crawl's pages by the judge `examples`: what a page says, and what is said of pages near it.

Pages are near a page if their text is similar (nearest.py), or if they were visited shortly before or after it: a crawl
takes the most promising links first. Both times their relevance is averaged, above the mean of the crawl (odds.py).
Where the pages are two groups apart from each other, a page's own log odds count instead. Else what they say of the
topic's terms is added, where nearly all contain them (shared_terms.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from topicrawl.frontier import Floats
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.nearest import baseline
from topicrawl.judge.odds import last
from topicrawl.judge.rocchio import logistic
from topicrawl.judge.shared_terms import shared_terms

WINDOW = 15
"""Visits before and after a page that count."""
SMOOTHING = 2
"""Visits of mean relevance that are added to them."""


class Evidence(NamedTuple):
    """What is known of each page: its own log odds, and the relevance of pages near it above the mean of the crawl."""

    own: Floats
    like: Floats
    about_then: Floats
    marks: Floats
    """What marks of a person add to its log odds."""
    are_apart: Floats
    """How clearly the pages that it is compared with are two groups (two_groups.py)."""


def reconsidered(judge: ByExamples, by_terms: Floats) -> Floats:
    """The probability that each page of a crawl is relevant; `by_terms` is the relevance of each in the log."""
    by_terms = judge.own_terms(by_terms)
    own, like, about_then, marks, are_apart = evidence(judge, by_terms)
    odds = last(own, like, about_then, are_apart) + marks
    if judge.parts.shared_terms:
        odds += (1 - are_apart) * shared_terms(by_terms, logistic(odds))
    return logistic(odds)


def evidence(judge: ByExamples, by_terms: Floats) -> Evidence:
    """What is known of each page that `judge` has learned; `by_terms` is the relevance of each without furniture."""
    final = judge.concluded()
    again = final.again(by_terms)
    relevance, nothing = again.relevance, np.zeros(len(by_terms))
    like = final.model.like(relevance) if judge.parts.like else nothing
    about_then = visited_about_then(relevance) if judge.parts.about_then else nothing
    return Evidence(again.own + again.lift, like, about_then, again.marks, again.are_apart)


def visited_about_then(relevance: Floats) -> Floats:
    """Mean relevance of the pages visited shortly before and after each page, above the mean (nearest.py)."""
    beyond = relevance - baseline(relevance)
    before = np.append(0.0, np.cumsum(beyond))
    place = np.arange(len(relevance))
    first, end = np.maximum(place - WINDOW, 0), np.minimum(place + WINDOW + 1, len(relevance))
    around: Floats = (before[end] - before[first] - beyond) / (end - first - 1 + SMOOTHING)
    return around
