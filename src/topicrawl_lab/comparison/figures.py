"""The plots of a comparison: from gathered cells to SVG text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from topicrawl.report.metrics import Floats, average_curve, deviation_curve
from topicrawl_lab.comparison.evidence import Evidence
from topicrawl_lab.comparison.gather import LABELS, OWN, SIMILARITY, Gathered, Run
from topicrawl_lab.plots.curves import Band, band, curves
from topicrawl_lab.plots.ranks import rank_diagram

POINTS = 48
"""Points of a curve."""
Curve = Callable[[Run], Floats]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure drawn against pages fetched: the papers' symbol for it, its name, its judge, and its curve."""

    letter: str
    name: str
    judge: str
    curve: Curve
    overall: str = ""
    """Its name in the plot over all tasks, where it differs."""
    unit: Callable[[Run], float] = lambda run: 1.0
    """Divisor of its values in that plot, so that tasks of different size can be averaged."""


def _found(run: Run) -> Floats:
    return np.cumsum(run.judged[LABELS].relevant, dtype=np.float64)


def _oracle(run: Run) -> float:
    """What the oracle finds in this task from these seeds."""
    return run.row.relevant_truth / run.row.oracle_share if run.row.oracle_share else 1.0


def _average_similarity(run: Run) -> Floats:
    """AS over prefixes: the mean similarity of the pages so far that are relevant by similarity."""
    verdict = run.judged[SIMILARITY]
    counted = np.cumsum(verdict.relevant, dtype=np.float64)
    summed = np.cumsum(np.where(verdict.relevant, verdict.values, 0.0))
    curve: Floats = np.divide(summed, counted, out=np.zeros_like(summed), where=counted > 0)
    return curve


MEASURES = (
    Measure("M", "relevant pages", LABELS, _found, "relevant pages as a share of the oracle's", _oracle),
    Measure("HR", "harvest rate", LABELS, lambda run: run.judged[LABELS].harvest),
    Measure("AR", "average relevance", OWN, lambda run: average_curve(run.judged[OWN].values)),
    Measure(
        "SD", "standard deviation of relevance", OWN, lambda run: deviation_curve(run.judged[OWN].values)
    ),
    Measure("AS", "average similarity of relevant pages", SIMILARITY, _average_similarity),
)


def measures(gathered: Gathered) -> tuple[Measure, ...]:
    """The measures whose judge has a verdict on every cell."""
    return tuple(measure for measure in MEASURES if measure.judge in gathered.judges)


def at(curve: Floats, fetches: Floats) -> Floats:
    """A curve's values after so many pages; a crawl that ended early keeps its last value."""
    if not curve.size:
        return np.zeros(len(fetches))
    picked: Floats = curve[np.clip(np.ceil(fetches).astype(int), 1, curve.size) - 1]
    return picked


def task_bands(gathered: Gathered, task: str, measure: Measure) -> list[Band]:
    """A task's curves against pages fetched: median and quartiles over its seed sets."""
    budget = gathered.budgets[task]
    fetches = np.unique(np.linspace(1, budget, min(POINTS, budget)).round())
    drawn = []
    for number, name in enumerate(gathered.strategies):
        values = [at(measure.curve(run), fetches) for run in gathered.of(task, name)]
        if values:
            drawn.append(band(name, number, fetches, values))
    return drawn


def overall_bands(gathered: Gathered, measure: Measure) -> list[Band]:
    """All tasks together, against the share of the budget in per cent: for each seed set the mean over tasks."""
    percent = np.linspace(100 / POINTS, 100, POINTS)
    drawn = []
    for number, name in enumerate(gathered.strategies):
        by_seed: dict[tuple[int, int], list[Floats]] = {}
        for task in gathered.tasks:
            for run in gathered.of(task, name):
                values = at(measure.curve(run), percent / 100 * gathered.budgets[task]) / measure.unit(run)
                by_seed.setdefault((run.row.seed_set, run.row.rng_seed), []).append(values)
        if by_seed:
            means = [np.mean(curves, axis=0) for curves in by_seed.values()]
            drawn.append(band(name, number, percent, means))
    return drawn


def overall(gathered: Gathered, measure: Measure, width: int, height: int) -> str:
    """One measure over all tasks."""
    title = f"{measure.letter}, {measure.overall or measure.name}, over all tasks"
    return curves(title, overall_bands(gathered, measure), width, height, along="% of the budget fetched")


def ranks(evidence: Evidence, width: int) -> str:
    """The critical-difference diagram."""
    title = f"Average ranks over {len(evidence.tasks)} tasks"
    return rank_diagram(title, evidence.strategies, evidence.friedman.ranks, evidence.difference, width)
