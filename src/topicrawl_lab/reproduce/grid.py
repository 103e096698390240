"""The grid search of a paper over thresholds, ours beside the published one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from topicrawl.report.page import HALF, both
from topicrawl.report.tables import safe
from topicrawl_lab.comparison.html import mean, panel
from topicrawl_lab.plots.heat import Grid as Rates
from topicrawl_lab.plots.heat import Heads, heat_map
from topicrawl_lab.reproduce.design import Grid
from topicrawl_lab.reproduce.experiment import Crawled, Scaled


def grid_panels(scaled: Scaled, crawls: Sequence[Crawled]) -> str:
    """The paper's grids, ours and published; empty for a paper without one."""
    return "".join(_panel(grid, scaled, crawls) for grid in scaled.setup.grids)


def _panel(grid: Grid, scaled: Scaled, crawls: Sequence[Crawled]) -> str:
    heads = [f"{threshold:g}" for threshold in grid.thresholds], list(grid.columns)
    ours = [
        [_rate(scaled, crawls, crawler.name, line) for crawler in grid.crawlers] for line in grid.thresholds
    ]
    printed = [[*row, *[None] * (len(grid.columns) - len(row))] for row in grid.printed]
    charts = [
        f"<figure><figcaption>{name}</figcaption>{both(partial(_drawn, grid, heads, values), HALF, 0, 0)}</figure>"
        for name, values in (("ours", ours), ("printed", printed))
    ]
    about = "Mean harvest rate of repeats. A dash: some repeat did not reach the budget, or no value is published."
    return panel(safe(grid.title), about, f'<div class="charts">{"".join(charts)}</div>')


def _drawn(grid: Grid, heads: Heads, values: Rates, width: int, _: int) -> str:
    return heat_map(grid.title, grid.axes, heads, values, width)


def _rate(scaled: Scaled, crawls: Sequence[Crawled], crawler: str, threshold: float) -> float | None:
    rates = [each.rate_above(threshold, scaled.budget) for each in crawls if each.crawler == crawler]
    known = [rate for rate in rates if rate is not None]
    return mean(known) if known and len(known) == len(rates) else None
