"""How likely a page is relevant: what is known of it, added up as log odds with constants fitted to labels.

Nothing here steers a crawl. It is what the log, a summary and a person are told.

| figure | what it is |
|---|---|
| place | where the classifier puts the page (rocchio.py): 0 with pages that are not relevant, 1 with the examples |
| terms | its relevance by the topic's terms; it weighs more the fewer examples and seeds somebody chose |
| groups | where the pages of the crawl fall into two groups: what raises the border between them to even odds |
| like | at the end: the relevance of the pages whose text is most similar, above the mean of the crawl |
| about_then | at the end: the relevance of the pages visited shortly before and after, above the mean |
| shared_terms | at the end, where nearly all pages contain the topic's terms |
| marks | what a person said of pages with similar text (marked_texts.py) |

`python -m bench.judge` fits the constants anew: every web counts the same, crawls with examples as much as those from
words alone. What they are worth on webs that they were not fitted to is in docs/evidence/judge.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from topicrawl.floats import nth_largest, nth_largest_of_rows
from topicrawl.frontier import Floats, Ids
from topicrawl.judge.page_documents import concatenated
from topicrawl.judge.rocchio import Rocchio, logistic
from topicrawl.text.sparse_rows import SparseRows

if TYPE_CHECKING:
    from topicrawl.judge.examples import ByExamples

Number = TypeVar("Number", float, Floats)

BOUNDS = (-1.0, 2.0)
"""Bounds of the place: where the examples lie hardly above other pages, it would be any number."""
ALONE = (-2.64, 1.68, 1.85, 0.8)
"""Log odds of a page by itself: constant, place, terms, and terms in proportion where nobody chose enough examples."""
BY_TERMS = (-2.8, 4.75)
"""Log odds from words alone, before there are pages to compare with: constant, terms."""
LAST = (-1.28, 0.27, 8.3, 3.7)
"""Log odds at the end: constant, log odds of the page alone, like, about_then."""
APART_WEIGHT = 2.0
"""Weight, at the end, of the log odds of the page alone where the pages are two groups."""
FEWEST = 50
"""Pages that are needed to tell two groups, or to say that nearly all contain the terms."""
GROUPS = (0.04, 0.1, 2.3, 2.8)
"""Two groups: share of the pages in each, at least; standard deviation, at least; distance of their means, in sums of
their standard deviations, from which on log odds are raised, and fully."""
RAISED, LOWEST_BORDER = 0.7, -3.0
"""Share of the border's distance from 0 by which log odds are raised; bound of the border."""
SIMILAR, DOUBT = 20, 0.2
"""Most similar pages that count; similarity with pages of mean relevance that is added, relative to theirs."""
COMMON = 0.4
"""Mean relevance that pages are compared with, at most: where nearly all are relevant, none stands out."""
WINDOW, SMOOTHING = 15, 2
"""Visits before and after a page that count, and visits of mean relevance that are added to them."""
SHARED = (0.1, 1e-6, 8.0)
"""Terms that nearly all pages contain: share of the pages that count as those with most and with fewest; difference
that says only that a term occurs; weight."""
AT_ONCE = 128
"""Pages compared at a time with all others."""


def alone(place: Number, terms: Number, unchosen: float) -> Number:
    """Log odds of pages by themselves; `unchosen` is the share of the examples needed that nobody chose."""
    constant, by_place, weight, of_unchosen = ALONE
    bounded: Number = np.minimum(np.maximum(place, BOUNDS[0]), BOUNDS[1])
    return constant + by_place * bounded + (weight + of_unchosen * unchosen) * terms


def by_terms(terms: Number) -> Number:
    """Log odds of the first pages of a crawl from words alone."""
    constant, weight = BY_TERMS
    return constant + weight * terms


class Groups(NamedTuple):
    """How clearly there are two groups, the border below 0: from 0 to 1; and what is added to all log odds."""

    are_apart: float
    lift: float


ONE = Groups(0.0, 0.0)
"""No two groups."""


def groups_of_each(odds: Floats, parts: Ids) -> list[Groups]:
    """The groups of the pages of each part, which are numbered from 0 on."""
    return [groups(odds[parts == part]) for part in range(int(parts.max(initial=0)) + 1)]


def groups(odds: Floats) -> Groups:
    """The two groups that a crawl's pages are in, by their log odds, if they are.

    The constants are right for most crawls, but where a topic has seventy terms no page contains most of them, and even
    pages about nothing else get even odds. A gap between two groups shows it. Log odds are raised so that those at the
    border come near 0, never lowered: few pages far above the others are a part of the relevant ones.
    """
    if len(odds) < FEWEST:
        return ONE
    border, apart = farthest_apart(np.sort(odds))
    _, _, first, fully = GROUPS
    if border >= 0 or apart <= first:
        return ONE
    are_apart = min((apart - first) / (fully - first), 1.0)
    return Groups(are_apart, -RAISED * are_apart * max(border, LOWEST_BORDER))


def farthest_apart(ascending: Floats) -> tuple[float, float]:
    """The border between the two groups that are farthest apart, and how far they are."""
    number = len(ascending)
    below = np.arange(1, number)
    above = number - below
    sums, squares = np.cumsum(ascending), np.cumsum(ascending * ascending)
    low, low_spread = _spread(sums[:-1], squares[:-1], below)
    high, high_spread = _spread(sums[-1] - sums[:-1], squares[-1] - squares[:-1], above)
    apart = (high - low) / (low_spread + high_spread)
    apart[np.minimum(below, above) < GROUPS[0] * number] = 0.0
    best = int(apart.argmax())
    return float(ascending[best] + ascending[best + 1]) / 2, float(apart[best])


def _spread(sums: Floats, squares: Floats, numbers: Ids) -> tuple[Floats, Floats]:
    """Means and standard deviations."""
    means = sums / numbers
    return means, np.sqrt(np.maximum(squares / numbers - means * means, GROUPS[1] ** 2))


def reconsidered(judge: ByExamples, logged: Floats) -> Floats:
    """The probability that each page is relevant, at the end of its crawl; `logged` are relevances by terms."""
    terms = judge.own_terms(logged)
    own, like, about_then, marks, are_apart = evidence(judge, terms)
    odds = last(own, like, about_then, are_apart) + marks
    odds += (1 - are_apart) * shared_terms(terms, logistic(odds))
    return logistic(odds)


class Evidence(NamedTuple):
    """Figures of each page: its own log odds, and the relevance of pages near it above the mean of the crawl."""

    own: Floats
    like: Floats
    about_then: Floats
    marks: Floats
    """Log odds that marks of a person add."""
    are_apart: Floats
    """How clearly the pages that it is compared with are two groups."""


def evidence(judge: ByExamples, terms: Floats) -> Evidence:
    """The figures of each page that `judge` has learned; `terms` are relevances by terms without furniture."""
    final = judge.concluded()
    again = final.again(terms)
    like, about_then = similar_to(final.model, again.relevance), visited_about_then(again.relevance)
    return Evidence(again.own + again.lift, like, about_then, again.marks, again.are_apart)


def last(own: Floats, like: Floats, about_then: Floats, are_apart: Floats) -> Floats:
    """Log odds at the end of a crawl.

    A page that is not relevant has mostly relevant ones near it where most pages are. The clearer the two groups, the
    less it is judged by those near it.
    """
    constant, by_own, by_like, by_visits = LAST
    near = constant + by_own * own + by_like * like + by_visits * about_then
    return (1 - are_apart) * near + are_apart * APART_WEIGHT * own


def baseline(relevance: Floats) -> float:
    """The relevance of a page of which nothing is known: the mean, at most `COMMON`."""
    return min(float(relevance.mean()), COMMON) if len(relevance) else 0.0


def visited_about_then(relevance: Floats) -> Floats:
    """Mean relevance of the pages visited shortly before and after each page, above the mean."""
    beyond = relevance - baseline(relevance)
    before = np.append(0.0, np.cumsum(beyond))
    place = np.arange(len(relevance))
    first, end = np.maximum(place - WINDOW, 0), np.minimum(place + WINDOW + 1, len(relevance))
    around: Floats = (before[end] - before[first] - beyond) / (end - first - 1 + SMOOTHING)
    return around


def similar_to(model: Rocchio, relevance: Floats) -> Floats:
    """For every page of a crawl, whose relevances are given: that of the pages most similar to it, above the mean.

    It is compared with the latest pages, examples and marked pages.
    """
    latest, (shown, known) = model.rows(), model.shown()
    rows = latest.followed_by(model.matrix(*concatenated(shown)))
    known = np.concatenate((relevance[len(relevance) - len(latest) :], known))
    nearest = Nearest(rows, known, baseline(relevance))
    earlier = (nearest.beyond(model.matrix(*some)) for some in model.earlier())
    return np.concatenate([np.zeros(0), *earlier, nearest.own[: len(latest)]])


class Nearest:
    """Known pages and their relevance, to be compared with others."""

    def __init__(self, rows: SparseRows, relevance: Floats, mean: float) -> None:
        """`mean` is the relevance of a page of which nothing is known."""
        self._columns, self._beyond, self._width = rows.transposed(), relevance - mean, rows.width
        places = range(0, len(rows), AT_ONCE)
        found = [self._nearest(rows.some(first, first + AT_ONCE), first) for first in places]
        sums = np.concatenate([np.zeros(0), *(each for each, _ in found)])
        similar = np.concatenate([np.zeros(0), *(each for _, each in found)])
        self._doubt = DOUBT * float(similar.mean()) if len(similar) else 1.0
        self.own = sums / np.maximum(similar + self._doubt, 1e-12)
        """Relevance above the mean of the pages most similar to each known page, itself left out."""

    def beyond(self, rows: SparseRows) -> Floats:
        """Relevance above the mean of the known pages that are most similar to others."""
        sums, similar = self._nearest(rows.narrowed(self._width))  # later words are on no known page
        return sums / np.maximum(similar + self._doubt, 1e-12)

    def _nearest(self, rows: SparseRows, first: int | None = None) -> tuple[Floats, Floats]:
        """For each row: Σ similarity × relevance of its most similar pages, and Σ similarity.

        `first` is the place of the first row among the known pages, none of which is compared with itself.
        """
        similar = rows.products(self._columns)
        if first is not None:
            np.fill_diagonal(similar[:, first:], 0.0)
        if similar.shape[1] > SIMILAR:
            least = nth_largest_of_rows(similar, SIMILAR)
            similar[similar < least[:, None]] = 0.0
        return np.add.reduce(similar * self._beyond, axis=1), np.add.reduce(similar, axis=1)


def shared_terms(terms: Floats, said: Floats) -> Floats:
    """Log odds to add where nearly all pages contain the terms; `said` are probabilities without this.

    A classifier takes some pages as not relevant also where all are. What is added is in proportion to a page's
    relevance by terms, relative to full; to the square of that of the tenth of the pages with fewest; and to how far
    the mean of all is above the mean of what was said.
    """
    tenth, equal, weight = SHARED
    some = int(tenth * len(terms))
    if len(terms) < FEWEST:
        return np.zeros(len(terms))
    full, fewest = nth_largest(terms, some + 1), nth_largest(terms, len(terms) - some)
    if full - fewest < equal:
        return np.zeros(len(terms))
    relative = np.minimum(terms / full, 1.0)
    missing = max(float(relative.mean() - said.mean()), 0.0)
    added: Floats = weight * (fewest / full) ** 2 * missing * relative
    return added
