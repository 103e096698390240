"""Average ranks of crawlers over the measures of one table: what FCITS_OH's Table 3 calls a Friedman test.

Paper: FCITS_OH §5.3. The table is not available; its ranks are computed from the printed measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from topicrawl_lab.comparison.html import DASH, mean, number, strategy, table
from topicrawl_lab.reproduce.experiment import Crawled, Scaled
from topicrawl_lab.reproduce.figures import printed_row

LESS_IS_BETTER = ("SD",)


def average_ranks(measured: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The mean over measures of each crawler's rank, 1 for the best; ties share the mean of their ranks.

    >>> average_ranks({"A": {"HR": 0.9, "SD": 0.1}, "B": {"HR": 0.8, "SD": 0.1}})
    {'A': 1.25, 'B': 1.75}
    """
    from scipy.stats import rankdata

    measures = list(next(iter(measured.values()), {}))
    values = np.array([[row[measure] for measure in measures] for row in measured.values()])
    signs = np.array([1 if measure in LESS_IS_BETTER else -1 for measure in measures])
    ranks = rankdata(values * signs, axis=0).mean(axis=1) if len(values) else []
    return dict(zip(measured, map(float, ranks), strict=True))


def ranked(scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> str:
    """Average ranks at the end of the crawls: ours, ours among those printed only, and of the printed measures."""
    setup = scaled.setup
    names = [crawler.name for crawler in setup.crawlers]
    ours = {
        name: {measure: mean(each.at(measure, scaled.budget) for each in mine) for measure in setup.measures}
        for name in names
        if (mine := [each for each in crawls if each.crawler == name])
    }
    rows = {name: printed_row(scaled, subject, setup.budget, name) for name in names}
    printed = {name: row for name, row in rows.items() if set(setup.measures) <= set(row)}
    both = {name: row for name, row in ours.items() if name in printed}
    columns = [average_ranks(each) for each in (ours, both, printed)]
    lines = [
        [strategy(names, name), *(number(column[name]) if name in column else DASH for column in columns)]
        for name in names
    ]
    heads = ["", "ours", "ours, of those printed", "by the printed measures"]
    return f"<h3>Average ranks</h3>{table(f'Average ranks, {subject}', heads, lines, words=1)}"
