"""A measure against pages fetched: for each strategy a line with a band around it and its name at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.report.svg import Plot, counting, spoken, ticks
from topicrawl_lab.plots.labels import fitting, key_lines, label_width, style_classes

Floats = npt.NDArray[np.float64]
LINE_HEIGHT = 14


@dataclass(frozen=True, slots=True)
class Band:
    """One strategy's curve over several crawls: median and quartiles."""

    name: str
    number: int
    """The number of the strategy, which decides its colour."""
    fetches: Floats
    middle: Floats
    low: Floats
    high: Floats
    published: tuple[tuple[float, float], ...] = ()
    """Points that a paper prints for it: (pages, value), drawn as circles."""

    @property
    def end(self) -> tuple[float, float]:
        """The position of its name: the end of its line, else the last published point."""
        if self.fetches.size:
            return float(self.fetches[-1]), float(self.middle[-1])
        return self.published[-1]

    @property
    def highest(self) -> float:
        """The largest value drawn."""
        points = [y for _, y in self.published]
        return max([*points, float(self.high.max())] if self.fetches.size else points)


def band(name: str, number: int, fetches: Floats, crawls: Sequence[Floats]) -> Band:
    """Median and quartiles of several crawls' curves, all taken at the same `fetches`."""
    low, middle, high = np.quantile(np.vstack(crawls), (0.25, 0.5, 0.75), axis=0)
    return Band(name, number, fetches, middle, low, high)


def curves(
    title: str,
    bands: Sequence[Band],
    width: int,
    height: int,
    *,
    along: str = "pages fetched",
    named: bool = True,
) -> str:
    """The curves of `bands`; without names and axis label where a legend is near (`named=False`)."""
    shown = [each for each in bands if each.fetches.size or each.published]
    if not shown:
        return _empty(title, width)
    across = max(each.end[0] for each in shown)
    highest = max(each.highest for each in shown) or 1.0
    margin = label_width([each.name for each in shown], width) if named else 14.0
    plot = Plot(width, height, across=across, up=highest * 1.04, right=margin)
    plot.upward(ticks(highest, max(3, height // 60)))
    plot.along(counting(across, max(3, width // 110)), along if named else "")
    for each in shown:
        _draw(plot, each)
    if named:
        _name_ends(plot, shown, margin)
    summary = "; ".join(f"{each.name} ends at {spoken(round(each.end[1], 3))}" for each in shown)
    return plot.svg(title, summary + ".")


def _draw(plot: Plot, each: Band) -> None:
    kind = style_classes(each.number)
    if each.fetches.size:
        plot.band(f"band {kind}", _points(each, each.low), _points(each, each.high))
        plot.line(f"line {kind}", _points(each, each.middle))
        plot.dot(*each.end, f"dot {kind}")
    for x, y in each.published:
        plot.dot(x, y, f"published {kind}")


def _points(each: Band, values: Floats) -> list[tuple[float, float]]:
    return list(zip(each.fetches.tolist(), values.tolist(), strict=True))


def _name_ends(plot: Plot, shown: Sequence[Band], margin: float) -> None:
    """Names at the right, moved apart where they would overlap."""
    wanted = sorted((plot.y(each.end[1]), place) for place, each in enumerate(shown))
    heights = apart([y for y, _ in wanted], LINE_HEIGHT, 12.0, plot.y(0))
    for y, (_, place) in zip(heights, wanted, strict=True):
        each = shown[place]
        name = fitting(each.name, margin - 9)
        plot.text(plot.x(each.end[0]) + 9, y + 4, name, f"name {style_classes(each.number)}", anchor="start")


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Ascending positions near `wanted` (ascending) at least `gap` apart, within low..high if they fit.

    >>> apart([10, 11, 50], 10, 0, 100)
    [10, 20, 50]
    >>> apart([95, 96], 10, 0, 100)
    [90, 100]
    """
    placed: list[float] = []
    for position in wanted:
        placed.append(max(position, placed[-1] + gap if placed else low))
    ceiling = high
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = min(placed[place], ceiling)
        ceiling = placed[place] - gap
    return placed


def _empty(title: str, width: int) -> str:
    plot = Plot(width, 80)
    plot.text(width / 2, 44, "no pages", "note")
    return plot.svg(title, "There are no pages to show.")


def multiples(
    title: str, panels: Sequence[tuple[str, Sequence[Band]]], width: int, columns: int, height: int = 170
) -> str:
    """Small plots of `height` side by side, one for each task and with its own scale; one legend above all."""
    names = {each.name: each.number for _, bands in panels for each in bands}
    key = key_lines(names, width)
    above, across, down = LINE_HEIGHT * len(key) + 12, width // columns, height + 24
    sheet = Plot(width, above + max(1, -(-len(panels) // columns)) * down)
    for line, entries in enumerate(key):
        for x, name in entries:
            sheet.text(
                x, LINE_HEIGHT * (line + 1), name, f"name {style_classes(names[name])}", anchor="start"
            )
    for place, (name, bands) in enumerate(panels):
        x, y = place % columns * across, above + place // columns * down
        sheet.text(x + 6, y + 15, fitting(name, across - 12), "heading", anchor="start")
        drawn = curves(name, bands, across - 8, height, named=False)
        sheet.mark(drawn.replace("<svg ", f'<svg x="{x}" y="{y + 18}" ', 1))
    return sheet.svg(title, f"Tasks: {', '.join(name for name, _ in panels) or 'none'}.")
