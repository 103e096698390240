"""Measures of a crawl: functions of the relevances of its pages, in the order they were fetched.

Every measure of no pages at all is 0. A curve holds the measure after one page, two pages, … all pages.

Paper: FCWSEO, FCITS_OH and IELP define HR (also AC), AR and SD; SVSM-MCOA defines H and AS.
Differs: the former call a page relevant above the threshold, the latter from it on; the papers give
SD the range [0, 1], but for values in [0, 1] it cannot exceed √(AR·(1 − AR)), hence 0.5.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def harvest_rate(relevances: npt.ArrayLike, threshold: float) -> float:
    """HR = M/N: the share of pages whose relevance is above `threshold`."""
    return _last(harvest_curve(relevances, threshold))


def average_relevance(relevances: npt.ArrayLike) -> float:
    """AR: the mean relevance of all pages."""
    return _last(average_curve(relevances))


def standard_deviation(relevances: npt.ArrayLike) -> float:
    """SD: how far relevances stray from AR, over all N pages (population form)."""
    values = _floats(relevances)
    return float(values.std()) if values.size else 0.0


def harvest_curve(relevances: npt.ArrayLike, threshold: float) -> Floats:
    """HR over prefixes."""
    return _running_mean(_floats(relevances) > threshold)


def average_curve(relevances: npt.ArrayLike) -> Floats:
    """AR over prefixes."""
    return _running_mean(_floats(relevances))


def deviation_curve(relevances: npt.ArrayLike) -> Floats:
    """SD over prefixes."""
    values = _floats(relevances)
    if not values.size:
        return values
    centred = values - values.mean()  # keeps the difference of squares below from cancelling
    squares = _running_mean(centred * centred) - _running_mean(centred) ** 2
    return np.sqrt(np.maximum(squares, 0.0))


LEAST_CALLED = 20
"""Pages called relevant from which on their expected precision is said."""
LEAST_OTHERS = 0.2
"""Share of the pages that must be called not relevant for it: where nearly all are called so, there is nothing that the
judge has told them from, and it is as sure of a menu that names the topic as of pages about it."""


def expected_precision(probabilities: npt.ArrayLike, threshold: float) -> float | None:
    """The share of the pages with a probability above `threshold` that are relevant; None where it cannot be known.

    Recall is not estimated: it needs the sum of many small probabilities, and was wrong by up to .46.
    """
    values = _floats(probabilities)
    chosen = values[values > threshold]
    can_be_known = chosen.size >= LEAST_CALLED and values.size - chosen.size >= LEAST_OTHERS * values.size
    return float(chosen.mean()) if can_be_known else None


def _floats(relevances: npt.ArrayLike) -> Floats:
    return np.asarray(relevances, dtype=np.float64)


def _running_mean(values: npt.NDArray[np.float64] | npt.NDArray[np.bool_]) -> Floats:
    means: Floats = np.cumsum(values, dtype=np.float64) / np.arange(1, values.size + 1)
    return means


def _last(curve: Floats) -> float:
    return float(curve[-1]) if curve.size else 0.0
