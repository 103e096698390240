"""Heat maps: a table whose cells are darker for larger values, and a triangle for weights that sum to 1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from topicrawl.report.svg import Plot
from topicrawl.safe_text import xml_escaped
from topicrawl_lab.plots.labels import fitting, label_width

ABSENT = "—"
"""Shown for a missing value: as in FCWSEO's Table 5, where the budget was not reached."""
Grid = Sequence[Sequence[float | None]]
Heads = tuple[Sequence[str], Sequence[str]]
Weights = tuple[float, float, float]
TOP, CELL, SMALL = 48, 38, 16
"""Pixels above the first row of cells, and the height of a row, with and without numbers."""


class Shade:
    """Opacity of a cell: from 0.08 for the smallest value to 0.92 for the largest."""

    def __init__(self, values: Iterable[float | None]) -> None:
        known = [value for value in values if value is not None]
        self._low, self._high = min(known, default=0.0), max(known, default=0.0)

    def __call__(self, value: float | None) -> float:
        if value is None:
            return 0.0
        width = self._high - self._low
        return 0.08 + 0.84 * ((value - self._low) / width if width else 0.5)


def heat_map(title: str, axes: tuple[str, str], heads: Heads, values: Grid, width: int) -> str:
    """`values` by rows and columns; `axes` are the labels of the two axes, `heads` those of rows and columns."""
    rows, columns = heads
    side = label_width([axes[0], *rows], width) + 6
    across = (width - side - 4) / max(len(columns), 1)
    plot = Plot(width, TOP + 4 + CELL * len(rows))
    plot.text(side + across * len(columns) / 2, 14, axes[1], "label")
    plot.text(side - 10, 38, fitting(axes[0], side - 10), "label", anchor="end")
    for place, name in enumerate(columns):
        plot.text(side + across * (place + 0.5), 38, fitting(name, across), "tick")
    shade = Shade(value for row in values for value in row)
    for line, (name, row) in enumerate(zip(rows, values, strict=True)):
        y = TOP + CELL * line
        plot.text(side - 10, y + CELL / 2 + 4, fitting(name, side - 10), "tick", anchor="end")
        for place, value in enumerate(row):
            _cell(plot, side + across * place, y, across, value, shade(value))
    return plot.svg(title, _description(axes, heads, values))


def _cell(plot: Plot, x: float, y: float, width: float, value: float | None, shade: float) -> None:
    box = f'x="{x + 1:.1f}" y="{y + 1}" width="{max(width - 2, 1):.1f}" height="{CELL - 2}" rx="3"'
    plot.mark(f'<rect class="cell" {box} fill-opacity="{shade:.2f}"/>')
    shown = ABSENT if value is None else f"{value:.3f}"
    plot.text(x + width / 2, y + CELL / 2 + 4, shown, "cell-value on" if shade > 0.7 else "cell-value")


def signed_map(title: str, axes: tuple[str, str], rows: Sequence[str], values: Grid, width: int) -> str:
    """Small cells without numbers: one colour above 0, another below, stronger with the distance from 0."""
    side = label_width([axes[0], *rows], width) + 6
    across = (width - side - 4) / max((len(row) for row in values), default=1)
    plot = Plot(width, TOP + 34 + SMALL * len(rows))
    plot.text(side + (width - side) / 2, 14, axes[1], "label")
    plot.text(side - 10, 38, fitting(axes[0], side - 10), "label", anchor="end")
    farthest = max((abs(value) for row in values for value in row if value is not None), default=0.0) or 1.0
    for line, (name, row) in enumerate(zip(rows, values, strict=True)):
        y = TOP + SMALL * line
        plot.text(side - 10, y + SMALL - 4, fitting(name, side - 10), "tick", anchor="end")
        for place, value in enumerate(row):
            _small(plot, (side + across * place, y, across), value, farthest)
    legend = f"green is above 0, orange below; strongest at ±{farthest:.3f}"
    plot.text(width / 2, plot.height - 6, legend, "note")
    known = [value for row in values for value in row if value is not None]
    above = sum(value > 0 for value in known)
    return plot.svg(title, f"{above} of {len(known)} values are above 0.")


def _small(plot: Plot, at: tuple[float, float, float], value: float | None, farthest: float) -> None:
    if value is None:
        return
    x, y, width = at
    kind = "cell" if value > 0 else "bar s1"
    box = f'x="{x:.1f}" y="{y}" width="{max(width - 0.6, 0.6):.1f}" height="{SMALL - 1}"'
    shade = 0.06 + 0.94 * abs(value) / farthest
    plot.mark(f'<rect class="{kind}" {box} fill-opacity="{shade:.2f}"><title>{value:+.4f}</title></rect>')


def _description(axes: tuple[str, str], heads: Heads, values: Grid) -> str:
    known = [
        (value, row, column)
        for row, line in zip(heads[0], values, strict=True)
        for column, value in zip(heads[1], line, strict=True)
        if value is not None
    ]
    if not known:
        return "There are no values."
    value, row, column = max(known, key=lambda entry: entry[0])
    return f"The largest value, {value:.3f}, is at {axes[0]} {row}, {axes[1]} {column}."


def simplex_map(
    title: str, corners: tuple[str, str, str], values: Mapping[Weights, float], width: int
) -> str:
    """Values over three weights that sum to 1: dots in a triangle, a corner for each weight alone, the best circled."""
    side = width - 72.0
    height = side * math.sqrt(3) / 2
    plot = Plot(width, int(height) + 88)

    def place(weights: Weights) -> tuple[float, float]:
        return 36 + side * (weights[1] + weights[2] / 2), 40 + height * (1 - weights[2])

    alone: list[Weights] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    for name, corner in zip(corners, alone, strict=True):
        x, y = place(corner)
        plot.text(x, 16 if corner[2] else y + 34, f"{name} = 1", "label")
    if not values:
        return plot.svg(title, "There are no values.")
    shade, radius = Shade(values.values()), _radius(values, side)
    best = max(values, key=lambda weights: values[weights])
    for weights, value in values.items():
        x, y = place(weights)
        kind = "cell best" if weights == best else "cell"
        tip = f"<title>{xml_escaped(f'{value:.3f} at {_weights_text(corners, weights)}')}</title>"
        dot = f'cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill-opacity="{shade(value):.2f}"'
        plot.mark(f'<circle class="{kind}" {dot}>{tip}</circle>')
    best_text = f"{values[best]:.3f} at {_weights_text(corners, best)}"
    plot.text(width / 2, plot.height - 8, f"best: {best_text}", "note")
    return plot.svg(title, f"The largest value, {best_text}.")


def _radius(values: Iterable[Weights], side: float) -> float:
    """Just below half the distance of neighbouring points, so that dots do not overlap."""
    step = min((weight for weights in values for weight in weights if weight > 1e-9), default=1.0)
    return min(18.0, side * step * 0.46)


def _weights_text(corners: Sequence[str], weights: Weights) -> str:
    return ", ".join(f"{name} {weight:g}" for name, weight in zip(corners, weights, strict=True))
