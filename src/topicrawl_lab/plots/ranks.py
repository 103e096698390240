"""The critical-difference diagram: average ranks on a line, bars under strategies that do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topicrawl.report.svg import Plot
from topicrawl_lab.plots.labels import fitting, label_width, style_classes
from topicrawl_lab.statistics import cliques

AXIS = 64
"""Pixels from the upper edge to the axis; above it are the ranks and the scale bar of the critical difference."""
ROW, BAR = 23, 9
"""Pixels between two names, and between two bars."""
RANK, BESIDE = " 1.00     ", 80
"""Space beside a name for its rank and line, in characters and in pixels."""


def rank_diagram(
    title: str, names: Sequence[str], ranks: Sequence[float], difference: float, width: int
) -> str:
    """Average ranks, 1 (the best) at the left; the index of a name in `names` is its strategy's number."""
    order = sorted(range(len(names)), key=lambda number: ranks[number])
    half = (len(order) + 1) // 2
    groups = cliques(ranks, difference)
    below = AXIS + 12 + BAR * len(groups)
    plot = Plot(width, below + ROW * half + 14)
    scale = _Scale(len(names), label_width([f"{name}{RANK}" for name in names], width), width)
    _axis(plot, scale)
    _scale_bar(plot, scale, difference)
    for row, group in enumerate(groups):
        left, right = scale.x(ranks[group[0]]) - 5, scale.x(ranks[group[-1]]) + 5
        plot.mark(f'<path class="clique" d="M{left:.1f} {AXIS + 11 + BAR * row}H{right:.1f}"/>')
    for place, number in enumerate(order):
        leftward = place < half
        y = below + ROW * (place if leftward else len(order) - 1 - place) + 16
        _name(plot, scale, names[number], number, ranks[number], y, leftward)
    listed = ", ".join(f"{names[number]} {ranks[number]:.2f}" for number in order)
    return plot.svg(title, f"Average ranks: {listed}; critical difference {difference:.2f}.")


@dataclass(frozen=True, slots=True)
class _Scale:
    """The x position of a rank, between two margins of `side` pixels for names."""

    count: int
    side: float
    width: int

    def x(self, rank: float) -> float:
        return self.side + (rank - 1) / max(self.count - 1, 1) * (self.width - 2 * self.side)


def _axis(plot: Plot, scale: _Scale) -> None:
    plot.mark(f'<path class="axis" d="M{scale.x(1):.1f} {AXIS}H{scale.x(scale.count):.1f}"/>')
    for rank in range(1, scale.count + 1):
        plot.mark(f'<path class="axis" d="M{scale.x(rank):.1f} {AXIS}v-6"/>')
        plot.text(scale.x(rank), AXIS - 11, str(rank), "tick")


def _scale_bar(plot: Plot, scale: _Scale, difference: float) -> None:
    """The critical difference as a bar above the axis, cut where it is longer than the axis."""
    left, right = scale.x(1), min(scale.x(1 + difference), scale.width - 4.0)
    plot.mark(f'<path class="ruler" d="M{left:.1f} 28v-7M{left:.1f} 24.5H{right:.1f}M{right:.1f} 28v-7"/>')
    plot.text(left, 15, f"critical difference {difference:.2f}", "tick", anchor="start")


def _name(plot: Plot, scale: _Scale, name: str, number: int, rank: float, y: float, leftward: bool) -> None:
    """A line from the rank down and out to the name at the left or right."""
    x, edge = scale.x(rank), scale.side - 8 if leftward else scale.width - scale.side + 8
    plot.mark(f'<path class="lead {style_classes(number)}" d="M{x:.1f} {AXIS}V{y:.1f}H{edge:.1f}"/>')
    plot.mark(f'<circle class="dot {style_classes(number)}" cx="{x:.1f}" cy="{AXIS}" r="4.5"/>')
    text = f"{fitting(name, scale.side - BESIDE)} {rank:.2f}"
    at, anchor = (edge - 5, "end") if leftward else (edge + 5, "start")
    plot.text(at, y + 4, text, f"name {style_classes(number)}", anchor=anchor)
