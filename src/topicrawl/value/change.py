"""How often a page changes, from what was seen of it: the rate of a Poisson process.

A visit tells only whether a page has changed since the visit before, not how often. With irregular times τ between two
visits the likeliest rate λ solves

    Σ τ / (exp(λτ) − 1)  over visits that found a change   =   Σ τ  over those that found none

(Cho2003, section 5, the estimator for irregular visits). It is infinite where every visit found a change and 0 where
none did, so a page shares in what its site shows: one imagined change in the time 1/μ is added to both sides, where μ
is the rate of the site. The rate of a site is Cho2003's estimator for regular visits, −ln((n − X + ½) / (n + ½)) for n
visits of which X found a change, divided by their mean distance, with a few imagined visits of all sites.

    Cho2003: J. Cho and H. Garcia-Molina, Estimating frequency of change
    Cho2000: J. Cho and H. Garcia-Molina, Synchronizing a database to improve freshness
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from topicrawl.floats import exp, expm1, log

Floats = npt.NDArray[np.float64]

USUAL_RATE = 0.05
"""Changes a day of a page of which nothing is known: one in twenty days."""
LOWEST, HIGHEST = 1e-4, 100.0
"""Changes a day that are told apart: one in thirty years, and one in a quarter of an hour."""
IMAGINED = 1.0
"""Changes, in the time that the site's rate gives them, that count as seen of each page."""
OF_ALL = 4.0
"""Visits, as those of all sites were, that count as seen of each site."""
STEPS = 60
"""Halvings of the interval in which the rate is: the last is below one part in a million."""


def rate(changed: Floats, unchanged: float, site: float) -> float:
    """The rate of a page, per day.

    `changed` are the days before each visit that found a change, `unchanged` the sum of those before the others, `site`
    the rate of its site.
    """
    low, high = LOWEST, HIGHEST
    for _ in range(STEPS):
        middle = math.sqrt(low * high)
        waits = changed / np.maximum(expm1(np.minimum(middle * changed, 700.0)), 1e-300)
        if float(waits.sum()) + IMAGINED / middle > unchanged + IMAGINED / site:
            low = middle
        else:
            high = middle
        if high < 1.000001 * low:
            break
    return low


def pooled_rate(visits: float, changes: float, days: float) -> float:
    """The rate, per day, that so many visits show, of which `changes` found a change after `days` in all."""
    if visits <= 0 or days <= 0:
        return USUAL_RATE
    seen = float(log((visits + 0.5) / (visits - min(changes, visits) + 0.5)))
    return min(max(seen * visits / days, LOWEST), HIGHEST)


def site_rate(site: tuple[float, float, float], everywhere: tuple[float, float, float]) -> float:
    """The rate of a site from its visits, changes and days, where it has few from those of all sites."""
    share = OF_ALL / everywhere[0] if everywhere[0] > 0 else 0.0
    visits, changes, days = (own + share * other for own, other in zip(site, everywhere, strict=True))
    return pooled_rate(visits, changes, days)


def chance(rates: Floats, days: Floats) -> Floats:
    """The chance that pages have changed at least once within so many days."""
    found: Floats = -expm1(-np.minimum(rates * days, 700.0))
    return found


def gained(rates: Floats, days: Floats) -> Floats:
    """The days for which fetching pages keeps copies as their pages are, that were fetched so many days ago.

    A page fetched every T days is as its copy for a share of (1 − exp(−λT)) / λT of the time (Cho2000). With r = 1/T
    fetches a day that share grows by (1 − exp(−λT) (1 + λT)) / λ for each: little soon after a fetch, and little for a
    page that changes faster than it can be followed.
    """
    due = np.minimum(rates * days, 700.0)
    found: Floats = (1.0 - exp(-due) * (1.0 + due)) / rates
    return found


def lasting(rate: float, days: float) -> float:
    """The days, of so many to come, for which a copy fetched now is expected to be as its page is."""
    return float(-expm1(-min(rate * days, 700.0))) / rate
