"""The constants of the judge `examples` (judge/calibration.py), fitted to labels by `python -m bench.judge`.

A logistic regression over the pages of many crawls. Every web counts the same, and every task of a web. What it is
worth is measured on tasks that it was not fitted to: those of another web, and of other subjects of the same web.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats
from topicrawl.judge.rocchio import logistic
from topicrawl.scout.ridge import ridge
from topicrawl.text.sparse_rows import SparseRows
from topicrawl_lab.tasks import Task

PENALTY = 3.0
PAGES = 2_000
"""Weight of all pages together, so that the penalty does not depend on their number."""
FOLDS = 10
PENALTY_OF_WORDS = 0.3


class Sample(NamedTuple):
    """The pages of one crawl: a row of figures for each, and whether it is relevant."""

    task: Task
    rows: Floats
    truth: Floats

    @property
    def columns(self) -> Floats:
        """The rows with a constant before the figures."""
        return np.column_stack([np.ones(len(self.rows)), self.rows])


def fitted(some: Sequence[Sample]) -> Floats:
    """The constants that fit the labels of some crawls best."""
    webs = Counter(each.task.web for each in some)
    weights = [
        np.full(len(each.truth), PAGES / (len(webs) * webs[each.task.web] * len(each.truth))) for each in some
    ]
    rows = np.concatenate([each.columns for each in some])
    return logistic_regression(
        rows, np.concatenate([each.truth for each in some]), np.concatenate(weights), PENALTY
    )


def logistic_regression(rows: Floats, truth: Floats, weights: Floats, penalty: float) -> Floats:
    """Newton's method; the first column, the constant, has no penalty."""
    shrink = penalty * np.append(0.0, np.ones(rows.shape[1] - 1))
    spread = np.append(
        1.0, rows[:, 1:].std(axis=0) + 1e-9
    )  # the penalty does not depend on the unit of a figure
    rows = rows / spread
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        said = logistic(rows @ found)
        slope = rows.T @ (weights * (said - truth)) + shrink * found
        curve = (rows * (weights * said * (1 - said))[:, None]).T @ rows + np.diag(shrink + 1e-9)
        found -= np.linalg.solve(curve, slope)
    return found / spread


def held_out(some: Sequence[Sample], of: Callable[[Task], str]) -> list[Floats]:
    """What is said of the pages of each crawl by constants fitted to crawls for which `of` is not the same."""
    groups = sorted({of(each.task) for each in some})
    constants = {group: fitted([each for each in some if of(each.task) != group]) for group in groups}
    return [logistic(each.columns @ constants[of(each.task)]) for each in some]


def by_labels(rows: SparseRows, truth: Floats) -> Floats:
    """What a regression on words says that was trained on the labels of nine tenths of the pages: a ceiling."""
    fold = np.random.default_rng(0).permutation(len(truth)) % FOLDS
    said = np.zeros(len(truth))
    for number in range(FOLDS):
        others, mean = fold != number, truth[fold != number].mean()
        weights = ridge(_chosen(rows, others), truth[others] - mean, PENALTY_OF_WORDS, np.zeros(0))
        said[~others] = mean + rows.times(weights)[~others]
    return said


def _chosen(rows: SparseRows, which: npt.NDArray[np.bool_]) -> SparseRows:
    sizes = np.diff(rows.ends)
    cells = np.repeat(which, sizes)
    return SparseRows(
        rows.values[cells], rows.columns[cells], np.append(0, np.cumsum(sizes[which])), rows.width
    )


def highest_f(values: Floats, truth: Floats) -> tuple[float, float]:
    """Precision and recall at the threshold with the highest F, chosen by the labels."""
    hits = np.cumsum(truth[np.argsort(-values, kind="stable")])
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / max(truth.sum(), 1)
    best = int(np.argmax(precision * recall / np.maximum(precision + recall, 1e-12)))
    return float(precision[best]), float(recall[best])


def log_loss(said: Iterable[Floats], truth: Iterable[Floats]) -> float:
    """Mean over crawls of the logarithmic loss."""
    losses = [
        -float(np.log(np.clip(np.where(each > 0, values, 1 - values), 1e-9, 1)).mean())
        for values, each in zip(said, truth, strict=True)
    ]
    return float(np.mean(losses))
