"""SVSM-MCOA's Table 3 and Figs. 3 and 4: the weights learned before the crawls, ours beside the printed ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from topicrawl.report.page import WIDE
from topicrawl.report.tables import safe
from topicrawl.strategies.weights.learn import Learned
from topicrawl.strategies.weights.samples import TEXTS
from topicrawl_lab.comparison.html import mean, number, panel, table
from topicrawl_lab.plots.files import write_plot
from topicrawl_lab.reproduce.experiment import Crawled
from topicrawl_lab.reproduce.published import SVSM_MCOA_WEIGHTS
from topicrawl_lab.weights_figures import HEIGHT, error_curves, error_map, weights_panels


def learned_panels(crawls: Sequence[Crawled]) -> str:
    """The weights of each crawler that learned some, and the printed ones; empty where none did."""
    panels = [part for name, learned in _by_crawler(crawls) for part in weights_panels(learned, f", {name}")]
    return "\n".join([*panels, _printed()]) if panels else ""


def write_weight_plots(folder: Path, crawls: Sequence[Crawled]) -> None:
    """Figs. 3 and 4 of each crawler that learned weights."""
    for name, learned in _by_crawler(crawls):
        write_plot(folder, f"{name}-error-differences".replace(" ", "-"), error_map(learned, WIDE))
        write_plot(folder, f"{name}-errors".replace(" ", "-"), error_curves(learned, WIDE, HEIGHT))


def _by_crawler(crawls: Sequence[Crawled]) -> Iterator[tuple[str, dict[str, Learned]]]:
    """Crawlers with what they learned, by subject and web."""
    several = any(each.repeat for each in crawls)
    for name in dict.fromkeys(each.crawler for each in crawls):
        mine = sorted((each for each in crawls if each.crawler == name), key=lambda each: each.repeat)
        learned = {_name(each, several=several): each.learned for each in mine if each.learned}
        if learned:
            yield name, learned


def _name(crawled: Crawled, *, several: bool) -> str:
    return f"{crawled.subject}, web {crawled.repeat + 1}" if several else crawled.subject


def _printed() -> str:
    rows = [[safe(topic), *map(number, (*row, sum(row)))] for topic, row in SVSM_MCOA_WEIGHTS.items()]
    means = [mean(column) for column in zip(*SVSM_MCOA_WEIGHTS.values(), strict=True)]
    rows.append(["<b>mean</b>", *(f"<b>{number(each)}</b>" for each in (*means, sum(means)))])
    heads = ["topic", *(f"λ {name}" for name in TEXTS), "sum"]
    return panel("Printed weights", "The paper's Table 3, for its own topics.", table("Printed", heads, rows))
