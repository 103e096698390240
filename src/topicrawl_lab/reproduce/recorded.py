"""The crawlers of a paper on recorded webs, judged by labels that people gave.

Each task is crawled once, from its first seed set. A crawler's score in a task is the share of what the oracle finds,
and tasks are the pairs of the tests (docs/decisions/006). Only claims on pages found (M, HR) can be judged so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean

import numpy as np

from topicrawl.strategies.parameters import parameters
from topicrawl.strategies.registry import strategy_class
from topicrawl_lab.cell import Cell
from topicrawl_lab.compare import Comparison
from topicrawl_lab.judges import Verdict, by_labels
from topicrawl_lab.labels import labels_path, read_labels, targets
from topicrawl_lab.reproduce.claims import Judgement, judge
from topicrawl_lab.reproduce.design import Claim, Crawler, Setup
from topicrawl_lab.reproduce.experiment import Crawled, Scaled, specs
from topicrawl_lab.results import Results, Row
from topicrawl_lab.spec import ONTOLOGY, WORDS, Spec, make_spec

ON_PAGES = ("M", "HR")
"""Measures that count relevant pages."""
SEED_SETS = 1


@dataclass(frozen=True)
class Recorded:
    """The crawls of tasks by a paper's crawlers; the values of a verdict add up to the share of the oracle."""

    crawls: Sequence[Crawled]
    budgets: Mapping[str, int]
    """Pages of each task."""

    def judge(self, claim: Claim, scaled: Scaled) -> Judgement | None:
        """The verdict of people's labels on a claim, over all tasks; None where they say nothing about it."""
        if claim.search or claim.measure not in ON_PAGES:
            return None
        # How far a crawler gets (`reaching`) is measured by the paper's budget, not by that of a task.
        return judge(replace(claim, subject="", reaching=False), self.crawls, scaled, self._measured)

    def share(self, crawler: str) -> float | None:
        """A crawler's mean share of the oracle; None where it has no crawl."""
        mine = [float(each.own.values.sum()) for each in self.crawls if each.crawler == crawler]
        return fmean(mine) if mine else None

    def _measured(self, claim: Claim, crawled: Crawled) -> float:
        """What was found between two shares of the budget, as share of the oracle; negated where less is claimed."""
        begin, end = (round(part * self.budgets[crawled.subject]) for part in (claim.since, claim.after))
        found = float(crawled.own.values[begin : max(1, end)].sum())
        return -found if claim.less else found


def crawl_tasks(
    scaled: Scaled,
    comparison: Comparison,
    folder: Path,
    remark: Callable[[str], None] = lambda text: None,
    on_row: Callable[[Row, Sequence[str]], None] = lambda row, waiting: None,
) -> Recorded:
    """Run the crawlers of a paper on the tasks of `comparison`, whose strategies they replace; `folder` gets what
    `topicrawl compare` writes."""
    known = specs(scaled.setup)
    crawlers = {
        crawler.name: for_tasks(spec, crawler, scaled.setup)
        for crawler in scaled.setup.crawlers
        if (spec := known[crawler.name]) and (crawler.name in scaled.only or not scaled.only)
    }
    comparison = replace(comparison, specs=list(dict.fromkeys(crawlers.values())), repeats=SEED_SETS)
    results = Results(folder)
    rows = {row.key: row for row in comparison.run(results, remark, on_row) if not row.error}
    labels = cache(lambda web: read_labels(labels_path(comparison.webs, web)))
    crawls = [
        _judged(name, cell, rows[cell.key], results, targets(labels(cell.task.web), cell.task))
        for cell in comparison.cells()
        if cell.key in rows
        for name, spec in crawlers.items()
        if spec == cell.spec
    ]
    return Recorded(crawls, {task.name: task.budget for task in comparison.tasks})


def for_tasks(spec: Spec, crawler: Crawler, setup: Setup) -> Spec:
    """The spec for tasks: an ontology of the examples where the paper's crawler has one, and one page as the query of
    crawlers by example. There is no training set."""
    topic = ONTOLOGY if setup.independent == ONTOLOGY and not crawler.words else WORDS
    known = {each.name for each in parameters(strategy_class(spec.name))}
    query = {"query": "first"} if "query" in known else {}
    return make_spec(spec.name, query | dict(spec.settings), topic)


def _judged(name: str, cell: Cell, row: Row, results: Results, wanted: frozenset[str]) -> Crawled:
    found = by_labels(results.read_log(cell)[0], wanted)
    oracle = cell.task.oracle_at_budget[cell.seed_set]
    shares = found.values / oracle if oracle else np.zeros_like(found.values)
    verdict = Verdict(shares, found.relevant)
    return Crawled(
        cell.task.name, name, cell.seed_set, verdict, verdict, row.seconds, generations=row.generations
    )
