"""SemXDM's Figs. 4 and 5: what a crawl by example has learned after each round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from topicrawl.knowledge.history import Round
from topicrawl.report.page import HALF, both
from topicrawl.report.tables import safe
from topicrawl_lab.comparison.html import mean, panel, table
from topicrawl_lab.plots.curves import band, curves
from topicrawl_lab.plots.files import write_plot
from topicrawl_lab.reproduce.claims import first_join
from topicrawl_lab.reproduce.experiment import Crawled

FIGURES: dict[str, Callable[[Round], float]] = {
    "items in layer 0": lambda each: each.layers[0],
    "items in layer 1": lambda each: each.layers[1] if len(each.layers) > 1 else 0,
    "items in layer 2": lambda each: each.layers[2] if len(each.layers) > 2 else 0,
    "labels inferred": lambda each: each.classified,
    "labels": lambda each: each.labels,
    "broader pairs": lambda each: each.broader,
    "terms": lambda each: each.terms,
    "rules": lambda each: each.rules,
}
"""The curves of Figs. 5 a, 4, 5 b and 5 c, by their names."""
DRAWN = ("items in layer 0", "labels inferred", "labels", "rules")


def round_panels(crawls: Sequence[Crawled]) -> str:
    """A table and figures of the rounds; empty where no crawl has any."""
    found = _by_crawler(crawls)
    if not found:
        return ""
    charts = [
        f"<figure><figcaption>{name}</figcaption>{both(partial(drawn, found, name), HALF, 300, 250)}</figure>"
        for name in DRAWN
    ]
    tables = [
        f"<h3>{safe(name)}</h3>{_table(name, mine)}<p>{_joins(mine)}</p>" for name, mine in found.items()
    ]
    about = (
        "As the paper's Figs. 4 and 5. Layer 0 begins with the article; round 0 is before the crawl. A label's rules "
        "are counted once each, not once for each combination of terms (K13)."
    )
    return panel("Rounds", about, f'<div class="charts">{"".join(charts)}</div>', *tables)


def write_round_plots(folder: Path, crawls: Sequence[Crawled]) -> None:
    """The figures of the rounds."""
    found = _by_crawler(crawls)
    for name in DRAWN if found else ():
        write_plot(folder, f"rounds-{name}".replace(" ", "-"), drawn(found, name, 980, 400))


def drawn(found: dict[str, list[Crawled]], name: str, width: int, height: int) -> str:
    """One figure of all crawlers against rounds."""
    bands = []
    for number, (crawler, mine) in enumerate(found.items()):
        values = [np.array([FIGURES[name](each) for each in one.rounds], dtype=np.float64) for one in mine]
        shortest = min(map(len, values))
        along = np.arange(shortest, dtype=np.float64)
        bands.append(band(crawler, number, along, [each[:shortest] for each in values]))
    return curves(name, bands, width, height, along="round")


def _by_crawler(crawls: Sequence[Crawled]) -> dict[str, list[Crawled]]:
    """The crawls of each crawler that infers labels."""
    names = dict.fromkeys(each.crawler for each in crawls if any(one.classified for one in each.rounds))
    return {name: [each for each in crawls if each.crawler == name] for name in names}


def _table(name: str, crawls: Sequence[Crawled]) -> str:
    """Means over repeats, a row for each round."""
    rows = []
    for number in range(min(len(each.rounds) for each in crawls)):
        means = [mean(figure(each.rounds[number]) for each in crawls) for figure in FIGURES.values()]
        rows.append([str(number), *(f"{value:,.1f}" for value in means)])
    return table(f"Rounds, {name}", ["round", *FIGURES], rows)


def _joins(crawls: Sequence[Crawled]) -> str:
    """When the first item joined layer 0, in each crawl."""
    rounds = [first_join(each) for each in crawls]
    listed = ", ".join(str(each) if each else "none" for each in rounds)
    return f"Round in which the first item joined layer 0, for each crawl: {listed}; the paper's: 5."
