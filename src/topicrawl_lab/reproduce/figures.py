"""A paper's figures redrawn: our curves as lines, published values as circles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from topicrawl_lab.plots.curves import Band, band, curves
from topicrawl_lab.reproduce.experiment import Crawled, Scaled
from topicrawl_lab.reproduce.published import Table

POINTS = 60
ALL, MANY = "all topics", 3
"""The name of all subjects together, and the fewest subjects for which they are shown."""
NAMES = {
    "M": "relevant pages",
    "HR": "harvest rate",
    "AR": "average relevance",
    "SD": "standard deviation of relevance",
    "AS": "average similarity of relevant pages",
}
"""The names of the measures."""


def together(crawls: Sequence[Crawled]) -> list[Crawled]:
    """The crawls with one common subject, for papers that print means over their topics."""
    return [replace(each, subject=ALL) for each in crawls]


def figure(
    scaled: Scaled, crawls: Sequence[Crawled], subject: str, measure: str, width: int, height: int
) -> str:
    """One measure of one subject against pages fetched; of each round by itself where the paper has it so."""
    fetches = np.unique(np.linspace(1, scaled.budget, min(POINTS, scaled.budget)).round())
    parts = scaled.parts if scaled.setup.rounds else [(0, int(n)) for n in fetches]
    bands = [
        _band(scaled, crawls, subject, measure, number, parts) for number in range(len(scaled.setup.crawlers))
    ]
    return curves(f"{measure}, {NAMES[measure]}, {subject}", bands, width, height)


def _band(
    scaled: Scaled,
    crawls: Sequence[Crawled],
    subject: str,
    measure: str,
    number: int,
    parts: Sequence[tuple[int, int]],
) -> Band:
    name = scaled.setup.crawlers[number].name
    ours = [each for each in crawls if (each.crawler, each.subject) == (name, subject)]
    printed = tuple(
        point for table in printed_for(scaled, subject) for point in _points(scaled, table, name, measure)
    )
    if not ours:
        none = np.empty(0)
        return Band(name, number, none, none, none, none, printed)
    values = [np.array([each.at(measure, end, begin) for begin, end in parts]) for each in ours]
    fetches = np.array([end for _, end in parts], dtype=np.float64)
    return replace(band(name, number, fetches, values), published=printed)


def _points(scaled: Scaled, table: Table, crawler: str, measure: str) -> list[tuple[float, float]]:
    """The published values at our scale: pages and M are multiplied by it."""
    unit = scaled.scale if measure == "M" else 1.0
    return [
        (pages * scaled.scale, row[crawler][measure] * unit)
        for pages, row in table.rows.items()
        if measure in row.get(crawler, {})
    ]


def printed_for(scaled: Scaled, subject: str) -> list[Table]:
    """The paper's tables for a subject; where it has none, those for all subjects together."""
    names = {each.name for each in scaled.setup.subjects}
    own = [table for table in scaled.setup.published if table.subject == subject]
    return own or [table for table in scaled.setup.published if table.subject not in names]


def printed_row(scaled: Scaled, subject: str, pages: int, crawler: str) -> dict[str, float]:
    """The published measures of a crawler at `pages` pages."""
    found: dict[str, float] = {}
    for printed in printed_for(scaled, subject):
        found |= printed.rows.get(pages, {}).get(crawler, {})
    return found
