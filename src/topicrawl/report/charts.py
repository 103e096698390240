"""The charts of the report: pure functions from numbers to SVG text, without a plotting library."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.report.svg import LEFT, RIGHT, TOP, Plot, counting, spoken

Floats = npt.NDArray[np.float64]
MOST_POINTS = 320
"""Points kept of a curve: as many as a screen can show, few enough to keep the file small."""
BINS = 20
SLIVER = 0.01
"""Least width of a bin."""


def harvest_curve(found: Floats, width: int, height: int) -> str:
    """Relevant pages found against pages fetched, and the diagonal on which every page is relevant.

    `found[i]` is the number of relevant pages among the first i + 1.
    """
    return harvest_line(thinned(found), width, height)


def harvest_line(points: Sequence[tuple[float, float]], width: int, height: int) -> str:
    """The same through some points (pages fetched, relevant pages among them), the last of all included."""
    title = "Harvest curve"
    if not points:
        return _without_data(title, width)
    n, found = points[-1]
    plot = Plot(width, height, across=n, up=n)
    plot.upward(counting(n, 5))
    plot.along(counting(n, width // 90), "pages fetched")
    stride = math.ceil(len(points) / MOST_POINTS)
    line = [(0.0, 0.0), *points[:-1:stride], points[-1]]
    plot.line("area", line, filled=True)
    plot.line("ideal", [(0, 0), (n, n)])
    plot.line("curve", line)
    plot.dot(n, found)
    plot.text(plot.x(0.6 * n) - 10, plot.y(0.6 * n) - 6, "every page relevant", "note", anchor="end")
    _label_end(plot, line)
    return plot.svg(title, f"{spoken(found)} of {spoken(n)} pages fetched are relevant.")


def _label_end(plot: Plot, line: Sequence[tuple[float, float]]) -> None:
    """Label the end of the curve with the count, below it if it fits, else above."""
    n, found = line[-1]
    label = f"{spoken(found)} relevant"
    begins = n * (1 - 10 * len(label) / (plot.width - LEFT - RIGHT))
    under = plot.y(next(y for x, y in line if x >= begins)) + 20
    place = under if under < plot.y(0) - 6 else plot.y(found) - 14
    plot.text(plot.x(n) - 4, place, label, "value", anchor="end")


def rate_curve(found: Floats, width: int, height: int) -> str:
    """The harvest rate so far and over the latest pages, against pages fetched; `found` as above."""
    n, title = len(found), "Running harvest rate"
    if n == 0:
        return _without_data(title, width)
    window, order = latest(n), np.arange(1, n + 1)
    so_far = found / order
    recent = (found - np.concatenate((np.zeros(window), found[:-window]))) / np.minimum(order, window)
    plot = Plot(width, height, across=n)
    plot.upward([0.0, 0.5, 1.0], percent=True)
    plot.along(counting(n, width // 90), "pages fetched")
    plot.line("recent", thinned(recent))
    plot.line("curve", thinned(so_far))
    plot.dot(n, so_far[-1])
    now = f"over the last {spoken(window)} pages it is {recent[-1]:.1%}"
    return plot.svg(title, f"The harvest rate ends at {so_far[-1]:.1%}; {now}.")


def histogram(relevances: Floats, threshold: float, width: int, height: int) -> str:
    """Pages by relevance in [0, 1], the threshold as a line; bars above it stand out."""
    title = "Pages by relevance"
    if len(relevances) == 0:
        return _without_data(title, width)
    bars = _bins(relevances, threshold)
    high = float(max(1, *(count for _, _, count, _ in bars)))
    plot = Plot(width, height, up=high * 1.12)
    plot.upward(counting(high * 1.12, 4))
    plot.along([0, 0.2, 0.4, 0.6, 0.8, 1.0], "relevance")
    for low, top, count, relevant in bars:
        if count:
            plot.bar(
                "bar good" if relevant else "bar",
                (low, top),
                count,
                f"{low:.2f} to {top:.2f}: {_pages(count)}",
            )
    if 0 <= threshold <= 1:
        plot.line("threshold", [(threshold, 0), (threshold, high * 1.12)])
        anchor, gap = ("end", -7) if threshold > 0.5 else ("start", 7)
        plot.text(plot.x(threshold) + gap, TOP + 9, f"relevant above {threshold:g}", "mark", anchor=anchor)
    above = int((relevances > threshold).sum())
    return plot.svg(title, f"{spoken(above)} of {_pages(len(relevances))} lie above {threshold:g}.")


def _bins(relevances: Floats, threshold: float) -> list[tuple[float, float, int, bool]]:
    """About `BINS` bins of [0, 1] as (low, top, pages, relevant), each on one side of the threshold.

    A page at the threshold is not relevant and lies in the bin below. The bins of one side are equally wide, and as
    wide as those of the other but for rounding to whole bins. Pages below a threshold near 0 get a `SLIVER` at least.
    """
    good = relevances > threshold
    edge = min(1.0, max(threshold, 0.0 if good.all() else SLIVER))
    bars = []
    for low, top, chosen in ((0.0, edge, False), (edge, 1.0, True)):
        if top > low:
            values = relevances[good == chosen].clip(low, top)
            counts, edges = np.histogram(values, max(1, round(BINS * (top - low))), range=(low, top))
            spans = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
            bars += [(*span, chosen) for span in spans]
    return bars


def depth_bars(depths: Sequence[tuple[int, int, int]], width: int, height: int) -> str:
    """Pages at each depth, the relevant ones filled; `depths` holds (depth, pages, relevant), ascending."""
    title = "Pages by depth"
    if not depths:
        return _without_data(title, width)
    high = float(max(1, *(pages for _, pages, _ in depths)))
    slots = depths[-1][0] + 1
    plot = Plot(width, height, across=slots, up=high * 1.12)
    plot.upward(counting(high * 1.12, 4))
    plot.along([], "links away from a seed")
    half = min(0.36, 24 / (plot.x(1) - plot.x(0)))
    stride = math.ceil(slots * 28 / (width - LEFT - RIGHT))
    tips = [f"depth {depth}: {_pages(pages)}, {spoken(good)} relevant" for depth, pages, good in depths]
    for (depth, pages, good), tip in zip(depths, tips, strict=True):
        span = (depth + 0.5 - half, depth + 0.5 + half)
        plot.bar("bar", span, pages, tip)
        if good:
            plot.bar("bar good", span, good, tip)
        if depth % stride == 0:
            plot.text(plot.x(depth + 0.5), plot.y(0) + 17, str(depth), "tick")
    return plot.svg(title, "; ".join(tips) + ".")


def latest(pages: int) -> int:
    """How many pages "the latest" are: a twentieth of the crawl, at least ten."""
    return min(pages, max(10, pages // 20))


def thinned(values: Floats, most: int = MOST_POINTS) -> list[tuple[float, float]]:
    """At most `most` evenly spread points (position counted from 1, value), both ends kept."""
    kept = np.linspace(0, len(values) - 1, min(most, len(values))).round().astype(int)
    return list(zip((kept + 1.0).tolist(), values[kept].tolist(), strict=True))


def _without_data(title: str, width: int) -> str:
    plot = Plot(width, 80)
    plot.text(width / 2, 44, "no pages", "note")
    return plot.svg(title, "There are no pages to show.")


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{spoken(count)} pages"
