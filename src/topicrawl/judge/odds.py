"""How likely a page is relevant by what is known of it: sums of figures as log odds, fitted to labels.

| figure | what it is |
|---|---|
| place | where the classifier puts it (rocchio.py): 0 with pages that are not relevant, 1 with the examples |
| terms | its relevance by the topic's terms; it weighs more the fewer examples and seeds somebody chose |
| like | at the end: the relevance of similar pages, above the mean of the crawl |
| about_then | the same of pages visited shortly before and after |
| shared_terms | at the end, where nearly all pages contain the topic's terms (shared_terms.py); added to the log odds |
| groups | where the pages of the crawl, in each script, fall into two groups (two_groups.py); added to the log odds |
| marks | what a person said of pages with similar text (marked_texts.py); it is added to every sum |

`python -m bench.judge` fits the constants anew: every web counts the same, crawls with examples as much as those from
words alone. What they are worth on webs that they were not fitted to is in docs/evidence/judge.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from topicrawl.frontier import Floats

Number = TypeVar("Number", float, Floats)

LOWEST, HIGHEST = -1.0, 2.0
"""Bounds of the place: where the examples lie hardly above other pages, it would be any number."""
ALONE = (-2.64, 1.68, 1.85)
"""Log odds of a page by itself: constant, place, terms."""
UNCHOSEN = 0.8
"""Added to the weight of terms where nobody chose a page to compare with; in proportion where too few were chosen."""
BY_TERMS = (-2.8, 4.75)
"""The same from words alone, before there are pages to compare with: constant, terms."""
LAST = (-1.28, 0.27, 8.3, 3.7)
"""At the end: constant, log odds of the page alone, like, about_then."""
APART = 2.0
"""At the end where pages are two groups apart: weight of the log odds of the page alone."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Which figures are used: switches for experiments. The place always is."""

    terms: bool = True
    like: bool = True
    about_then: bool = True
    groups: bool = True
    shared_terms: bool = True


ALL = Parts()


def alone(place: Floats, terms: Floats, unchosen: float) -> Floats:
    """The log odds of pages by themselves; `unchosen` is the share of the examples needed that nobody chose."""
    constant, by_place, by_terms = ALONE
    by_terms += UNCHOSEN * unchosen
    odds: Floats = constant + by_place * np.clip(place, LOWEST, HIGHEST) + by_terms * terms
    return odds


def alone1(place: float, terms: float, unchosen: float) -> float:
    """`alone` of a single page, with equal bits: faster than an array of one."""
    constant, by_place, by_terms = ALONE
    by_terms += UNCHOSEN * unchosen
    return constant + by_place * min(max(place, LOWEST), HIGHEST) + by_terms * terms


def by_terms(terms: Number) -> Number:
    """The log odds of the first pages of a crawl from words alone."""
    constant, weight = BY_TERMS
    return constant + weight * terms


def last(own: Floats, like: Floats, about_then: Floats, are_apart: Floats) -> Floats:
    """The log odds of pages at the end of a crawl.

    A page that is not relevant has mostly relevant ones near it where most pages are. The clearer the two groups, the
    less it is judged by those near it.
    """
    constant, by_own, by_like, by_visits = LAST
    near = constant + by_own * own + by_like * like + by_visits * about_then
    return (1 - are_apart) * near + are_apart * APART * own
