"""Learned weights as the paper shows them: Table 3, the errors of Figs. 3 and 4, and the same as CSV.

Paper: SVSM-MCOA §4.2.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from functools import partial

import numpy as np

from topicrawl.report.page import WIDE, both
from topicrawl.report.tables import safe
from topicrawl.strategies.weights.learn import Learned
from topicrawl.strategies.weights.samples import TEXTS
from topicrawl_lab.comparison.html import mean, number, panel, table
from topicrawl_lab.plots.curves import band, curves
from topicrawl_lab.plots.heat import signed_map

HEIGHT, NARROW_HEIGHT = 360, 260
NAMES = LEARNED_NAME, EQUAL_NAME, EXACT_NAME = "learned", "equal quarters", "exact"


def weights_panels(learned: Mapping[str, Learned], of: str = "") -> list[str]:
    """Table 3, Fig. 3 and Fig. 4; `of` is added to the headings."""
    return [
        panel(f"Weights{of}", "As the paper's Table 3.", weights_table(learned)),
        panel(
            f"Where they are better{of}",
            "Error of equal quarters less error of the learned weights; as the paper's Fig. 3.",
            both(lambda width, _: error_map(learned, width), WIDE, 0, 0),
        ),
        panel(
            f"Mean errors{of}",
            "Median and quartiles of tasks, for each group of test links; as the paper's Fig. 4.",
            both(partial(error_curves, learned), WIDE, HEIGHT, NARROW_HEIGHT),
        ),
    ]


def weights_table(learned: Mapping[str, Learned]) -> str:
    """A row for each task, and their means."""
    heads = [
        "task",
        "links",
        *(f"λ {name}" for name in TEXTS),
        "sum",
        "error",
        "equal quarters",
        "exact",
        "of optimum",
    ]
    rows = [[safe(name), str(each.links), *map(number, _figures(each))] for name, each in learned.items()]
    means = map(mean, zip(*map(_figures, learned.values()), strict=True))
    rows.append(["<b>mean</b>", "", *(f"<b>{number(each)}</b>" for each in means)])
    return table("Weights", heads, rows)


def weights_csv(learned: Mapping[str, Learned]) -> str:
    """A line for each task."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ("task", "links", *TEXTS, "sum", "error", "error_equal_quarters", "error_exact", "fitness_of_optimum")
    )
    for name, each in learned.items():
        writer.writerow((name, each.links, *(round(value, 6) for value in _figures(each))))
    return text.getvalue()


def error_map(learned: Mapping[str, Learned], width: int) -> str:
    """Heat map of tasks by groups of test links: error of equal quarters minus error of the learned weights."""
    differences = [(each.equal_errors - each.errors).tolist() for each in learned.values()]
    title = "Error of equal quarters less error of the learned weights"
    return signed_map(title, ("task", "groups of test links"), list(learned), differences, width)


def error_curves(learned: Mapping[str, Learned], width: int, height: int) -> str:
    """The errors of each group of test links over all tasks."""
    groups = min(len(each.errors) for each in learned.values())
    along = np.arange(1, groups + 1, dtype=np.float64)
    named = (
        (LEARNED_NAME, [each.errors[:groups] for each in learned.values()]),
        (EQUAL_NAME, [each.equal_errors[:groups] for each in learned.values()]),
        (EXACT_NAME, [each.exact_errors[:groups] for each in learned.values()]),
    )
    bands = [band(name, place, along, errors) for place, (name, errors) in enumerate(named)]
    return curves("Mean absolute error", bands, width, height, along="group of test links")


def _figures(each: Learned) -> list[float]:
    errors = [each.error, each.equal_error, float(each.exact_errors.mean()), each.of_optimum]
    return [*each.weights, sum(each.weights), *errors]
