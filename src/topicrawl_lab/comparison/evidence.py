"""The statistics of a comparison: tests over tasks and within tasks, and agreement of the judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl_lab import statistics
from topicrawl_lab.comparison.gather import Gathered, Run
from topicrawl_lab.statistics import UNDECIDED, Friedman, Pairing

ALPHA = 0.05
ENOUGH_TASKS = 40
"""Number of tasks from which the critical difference is small enough to separate good strategies."""
ACROSS = "all tasks"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The statistics of a comparison; columns are `strategies`, blocks are `tasks`."""

    strategies: tuple[str, ...]
    tasks: tuple[str, ...]
    """Those in which every strategy has the same seed sets."""
    left_out: tuple[str, ...]
    scores: npt.NDArray[np.float64]
    """Mean score of each task (row) and strategy (column)."""
    intervals: tuple[tuple[float, float], ...]
    """Bootstrap interval of each strategy's mean over tasks."""
    friedman: Friedman
    difference: float
    p: npt.NDArray[np.float64]
    """Nemenyi's p-values of all pairs of strategies."""
    leader: str
    across: tuple[Pairing, ...]
    """The leader against every other, tasks as pairs; Holm-corrected together."""
    within: tuple[Pairing, ...]
    """The leader against every other within each task, different starts as pairs; Holm-corrected task by task."""

    def untestable(self) -> list[str]:
        """The tasks with too few different starts for any difference to be significant."""
        tests = len(self.strategies) - 1
        pairs = {pair.task: pair.pairs for pair in self.within}
        return [task for task in self.tasks if 2 ** (1 - pairs[task]) * tests >= ALPHA]

    def means(self) -> dict[str, float]:
        """The mean score of each strategy over tasks."""
        return dict(zip(self.strategies, self.scores.mean(axis=0).tolist(), strict=True))

    def better_than(self) -> list[str]:
        """The strategies that the leader is better than over tasks, by all tests of the report.

        The ranks differ at all (Friedman), by more than the critical difference (Nemenyi), and so do the scores (paired
        permutation test, Holm). Headline and table both use this rule, so that they cannot disagree.
        """
        if not self.friedman.p_iman_davenport < ALPHA:
            return []
        paired = {pair.second for pair in self.across if pair.verdict(ALPHA) == self.leader}
        ranks = self.p[self.strategies.index(self.leader)]
        return [name for name, p in zip(self.strategies, ranks, strict=True) if name in paired and p < ALPHA]

    def verdict(self, pair: Pairing) -> str:
        """The better of a pair, or `undecided`: over tasks by `better_than`, within a task by its own test."""
        if pair.task != ACROSS:
            return pair.verdict(ALPHA)
        return self.leader if pair.second in self.better_than() else UNDECIDED


def share_of_oracle(run: Run) -> float:
    """The score: relevant pages by labels, as a share of what the oracle finds."""
    return run.row.oracle_share


def evaluate(gathered: Gathered, score: Callable[[Run], float] = share_of_oracle) -> Evidence | None:
    """The statistics of a comparison; None where no task was run by two strategies or more."""
    cells = {
        task: {name: _by_start(gathered, gathered.of(task, name), score) for name in gathered.strategies}
        for task in gathered.tasks
    }
    strategies = gathered.strategies
    paired = {task: _paired(by_name, strategies) for task, by_name in cells.items()}
    tasks = tuple(task for task in cells if paired[task] is not None)
    if len(strategies) < 2 or not tasks:
        return None
    table = {task: columns for task, columns in paired.items() if columns is not None}
    scores = np.array([[np.mean(column) for column in table[task]] for task in tasks])
    tested = statistics.friedman(scores)
    leading = min(range(len(strategies)), key=lambda i: (tested.ranks[i], -scores[:, i].mean()))
    return Evidence(
        strategies=strategies,
        tasks=tasks,
        left_out=tuple(task for task in gathered.tasks if task not in tasks),
        scores=scores,
        intervals=tuple(statistics.bootstrap_interval(column) for column in scores.T),
        friedman=tested,
        difference=statistics.critical_difference(len(strategies), len(tasks), ALPHA),
        p=statistics.nemenyi(tested.ranks, len(tasks)),
        leader=strategies[leading],
        across=tuple(_against_all(ACROSS, strategies, leading, scores.T)),
        within=tuple(
            pair for task in tasks for pair in _against_all(task, strategies, leading, np.array(table[task]))
        ),
    )


def _by_start(gathered: Gathered, runs: Sequence[Run], score: Callable[[Run], float]) -> dict[int, float]:
    """One score for each different start: the mean over random seeds, and over seed sets that hold the same pages."""
    several: dict[int, list[float]] = {}
    for run in runs:
        several.setdefault(gathered.start(run), []).append(score(run))
    return {start: sum(values) / len(values) for start, values in several.items()}


def _paired(by_name: Mapping[str, Mapping[int, float]], names: tuple[str, ...]) -> list[list[float]] | None:
    """Each strategy's scores over the starts that all of them have, in one order; None where they share none."""
    shared = set.intersection(*(set(by_name[name]) for name in names)) if names else set()
    return [[by_name[name][start] for start in sorted(shared)] for name in names] if shared else None


def _against_all(
    task: str, strategies: tuple[str, ...], leading: int, columns: npt.NDArray[np.float64]
) -> list[Pairing]:
    """The leader against every other strategy, as one family of tests."""
    family = [
        statistics.pairing(task, strategies[leading], name, (columns[leading], columns[place]))
        for place, name in enumerate(strategies)
        if place != leading
    ]
    return statistics.corrected(family)


@dataclass(frozen=True, slots=True)
class Opinion:
    """The verdict of one judge on one strategy, over all its cells."""

    harvest_rate: float
    found: float
    """Mean number of relevant pages."""
    rank: float
    """Among the strategies, by harvest rate, averaged over tasks."""


def opinions(gathered: Gathered) -> dict[str, dict[str, Opinion]]:
    """The verdict of each judge on each strategy, for strategies that ran all tasks."""
    names = [name for name in gathered.strategies if all(gathered.of(task, name) for task in gathered.tasks)]
    by_judge: dict[str, dict[str, Opinion]] = {}
    for judge in gathered.judges if names else ():
        rates, found = (
            np.array([[gathered.mean(task, name, value) for name in names] for task in gathered.tasks], float)
            for value in (
                lambda run, judge=judge: run.judged[judge].harvest_rate,
                lambda run, judge=judge: float(run.judged[judge].found),
            )
        )
        ranks = statistics.friedman(rates).ranks
        columns = zip(names, rates.mean(axis=0).tolist(), found.mean(axis=0).tolist(), ranks, strict=True)
        by_judge[judge] = {name: Opinion(rate, many, rank) for name, rate, many, rank in columns}
    return by_judge


def disagreements(gathered: Gathered) -> dict[str, dict[str, str]]:
    """The tasks whose best strategy differs between judges: for each, the best by each judge."""
    best = {
        task: {judge: _best(gathered, task, judge) for judge in gathered.judges} for task in gathered.tasks
    }
    return {task: named for task, named in best.items() if len(set(named.values())) > 1}


def _best(gathered: Gathered, task: str, judge: str) -> str:
    rates = {
        name: gathered.mean(task, name, lambda run: run.judged[judge].harvest_rate)
        for name in gathered.strategies
    }
    known = {name: rate for name, rate in rates.items() if rate is not None}
    return max(known, key=lambda name: known[name]) if known else ""


def agreement(gathered: Gathered, judge: str, other: str) -> tuple[float, float]:
    """The share of pages relevant to `other`: among those relevant to `judge`, and among the rest."""
    yes, no = [0, 0], [0, 0]
    for run in gathered.runs:
        mine, theirs = run.judged[judge].relevant, run.judged[other].relevant
        if len(mine) == len(theirs):
            for counted, chosen in ((yes, mine), (no, ~mine)):
                counted[0] += int((theirs & chosen).sum())
                counted[1] += int(chosen.sum())
    return (yes[0] / yes[1] if yes[1] else 0.0), (no[0] / no[1] if no[1] else 0.0)
