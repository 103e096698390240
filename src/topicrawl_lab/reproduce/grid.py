"""The grid search of a paper over thresholds, ours beside the published one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from topicrawl.report.page import HALF, both
from topicrawl.report.tables import safe
from topicrawl_lab.comparison.html import panel
from topicrawl_lab.plots.heat import Grid as Rates
from topicrawl_lab.plots.heat import Heads, heat_map
from topicrawl_lab.reproduce.design import Grid
from topicrawl_lab.reproduce.experiment import GRIDS, Crawled, Scaled
from topicrawl_lab.reproduce.tables import rate


def grid_panels(scaled: Scaled, crawls: Sequence[Crawled]) -> str:
    """The paper's grids for each subject, ours and published; empty for a paper without one."""
    if not scaled.has(GRIDS):
        return ""
    return "".join(
        _panel(grid, scaled, [each for each in crawls if each.subject == subject.name], subject.name)
        for grid in scaled.setup.grids
        for subject in scaled.setup.subjects
    )


def _panel(grid: Grid, scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> str:
    heads = [f"{threshold:g}" for threshold in grid.thresholds], list(grid.columns)
    groups = [[each for each in crawls if each.crawler == crawler.name] for crawler in grid.crawlers]
    drawn = {"ours": [[rate(scaled, group, line) for group in groups] for line in grid.thresholds]}
    if grid.printed:
        drawn["printed"] = [[*row, *[None] * (len(grid.columns) - len(row))] for row in grid.printed]
    charts = [
        f"<figure><figcaption>{name}</figcaption>{both(partial(_drawn, grid, heads, values), HALF, 0, 0)}</figure>"
        for name, values in drawn.items()
    ]
    about = "Mean harvest rate of repeats. A dash: some repeat did not reach the budget, or no value is published."
    name = f"{grid.title}, {subject}" if len(scaled.setup.subjects) > 1 else grid.title
    return panel(safe(name), about, f'<div class="charts">{"".join(charts)}</div>')


def _drawn(grid: Grid, heads: Heads, values: Rates, width: int, _: int) -> str:
    return heat_map(grid.title, grid.axes, heads, values, width)
