"""Weights of scout's features, fitted to logged decisions and shrunk towards weights given.

A decision is a list of links; its likelihood is that of drawing one of them by softmax of the weighted sums, each link
weighted by what it brings. Every web counts the same. The scale of the sums is fitted first: it does not change what
a crawl chooses.

Only weights of features that predict relevance are fitted. The others (front pages, hosts, yield, nearness) are there
to find what is not known yet, which the truth about known links does not show: fitted, they lose what they are for. The
topic's words count where there are no examples, and these crawls have twenty.
For the same reason the fitted ones are scaled so that `token` keeps its weight: their size relative to the others says
how much a crawl explores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bench.decisions import Decision
from topicrawl.frontier import Floats
from topicrawl.scout.features import FEATURES

FITTED = frozenset(("parents", "text", "token", "group", "path", "page", "company"))
LINKED = 0.25
"""Worth of a page with `ENOUGH` unknown relevant links relative to a relevant page, at the start of the crawl."""
ENOUGH = 2.0
PENALTY = 1.0
"""Of the squared distance from the weights given, in units of a feature's spread in a decision."""
ROUNDS = 20
SMALL = 1e-3


def fitted(logged: Mapping[str, Sequence[Decision]], given: Mapping[str, float]) -> dict[str, float]:
    """The weights that fit the decisions of these webs, by the name of the feature."""
    start = np.array([given.get(name, 0.0) for name in FEATURES])
    lists = [
        (some.features.astype(np.float64), worth / worth.sum(), 1 / (len(logged) * len(found)))
        for found in logged.values()
        for some in found
        if (worth := _worth(some)).max() > worth.min()
    ]
    spread = np.mean([rows.std(axis=0) for rows, _, _ in lists], axis=0) + SMALL
    scale = min(np.geomspace(0.5, 12, 33), key=lambda factor: _loss(lists, factor * start))
    prior, shrink = scale * start, PENALTY * spread**2
    free = np.array([name in FITTED for name in FEATURES])
    weights = prior.copy()
    for _ in range(ROUNDS):
        slope, curve = shrink * (weights - prior), np.diag(shrink)
        for rows, aim, share in lists:
            drawn = _softmax(rows @ weights)
            slope += share * (rows.T @ (drawn - aim))
            mean = rows.T @ drawn
            curve += share * ((rows * drawn[:, None]).T @ rows - np.outer(mean, mean))
        step = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        weights[free] -= step
        if np.abs(step).max() < SMALL:
            break
    token = FEATURES.index("token")
    weights[free] *= prior[token] / weights[token]
    return dict(zip(FEATURES, (weights / scale).tolist(), strict=True))


def _worth(some: Decision) -> Floats:
    """What each link brings: itself, and the less the closer the end is what it links to."""
    worth: Floats = some.relevant + LINKED * (1 - some.spent) * np.minimum(some.brings / ENOUGH, 1.0)
    return worth


def _loss(lists: Sequence[tuple[Floats, Floats, float]], weights: Floats) -> float:
    return -sum(share * float(aim @ np.log(_softmax(rows @ weights))) for rows, aim, share in lists)


def _softmax(sums: Floats) -> Floats:
    risen = np.exp(sums - sums.max())
    drawn: Floats = np.maximum(risen / risen.sum(), 1e-300)
    return drawn
