"""A reliability diagram: the probability that was said, against the share of pages that are relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.report.svg import Plot
from topicrawl_lab.plots.labels import style_classes

Floats = npt.NDArray[np.float64]
CLASSES = 10


class Class(NamedTuple):
    """Pages of similar probability."""

    probability: float
    """Their mean."""
    relevant: float
    """The share of them that is relevant."""
    pages: int


def reliability_classes(probabilities: Floats, relevant: Floats) -> list[Class]:
    """The pages in `CLASSES` classes of equal width, those without pages left out."""
    places = np.minimum((probabilities * CLASSES).astype(np.int64), CLASSES - 1)
    chosen = ((places == place) for place in np.unique(places))
    return [
        Class(float(probabilities[some].mean()), float(relevant[some].mean()), int(some.sum()))
        for some in chosen
    ]


def calibration_error(probabilities: Floats, relevant: Floats) -> float:
    """Mean distance of probability and share over the classes, weighted by pages."""
    classes = reliability_classes(probabilities, relevant)
    pages = sum(each.pages for each in classes)
    return sum(abs(each.probability - each.relevant) * each.pages for each in classes) / max(pages, 1)


def reliability(groups: Mapping[str, Sequence[Class]], width: int, height: int) -> str:
    """A line for each group, with its name at the end; a perfect judge's would be the diagonal."""
    plot = Plot(width, height, across=1.0, up=1.0, right=110)
    steps = [0.0, 0.25, 0.5, 0.75, 1.0]
    plot.upward(steps)
    plot.along(steps, "probability that the judge said")
    plot.line("threshold", [(0, 0), (1, 1)])
    for number, (name, classes) in enumerate(groups.items()):
        kind = style_classes(number)
        plot.line(f"line {kind}", [(each.probability, each.relevant) for each in classes])
        for each in classes:
            plot.dot(each.probability, each.relevant, f"dot {kind}")
        if classes:
            x, y = plot.x(classes[-1].probability) + 9, plot.y(classes[-1].relevant) + 4 + 16 * number
            plot.text(x, y, name, f"name {kind}", anchor="start")
    said = "; ".join(
        f"{name}: " + ", ".join(f"{each.probability:.2f} is {each.relevant:.2f}" for each in classes)
        for name, classes in groups.items()
    )
    return plot.svg("Share of relevant pages by the probability that was said", f"{said}.")
