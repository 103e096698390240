"""The plot area of a chart: scales, axes with round ticks, and marks, as SVG text.

Colours and type come from the page's style sheet through class names, so one drawing serves light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from topicrawl.safe_text import xml_escaped

LEFT, RIGHT, TOP, BOTTOM = 48, 14, 14, 42
"""Margins in CSS pixels: the left and the lower one hold the axes."""
DIGIT = 7.5
"""Width of a digit of the values along an axis, at most."""


class Plot:
    """A plot of `width` × `height` CSS pixels showing 0..`across` by 0..`up`; later marks lie on top.

    `right` is the right margin: wide where lines are labelled at their ends.
    """

    def __init__(
        self, width: int, height: int, *, across: float = 1.0, up: float = 1.0, right: float = RIGHT
    ) -> None:
        self.width = width
        self.height = height
        self.right = right
        self._across = across
        self._up = up
        self._marks: list[str] = []

    def x(self, value: float) -> float:
        """The horizontal position of `value`."""
        return LEFT + value / self._across * (self.width - LEFT - self.right)

    def y(self, value: float) -> float:
        """The vertical position of `value`: larger is higher, so smaller in SVG."""
        return self.height - BOTTOM - value / self._up * (self.height - TOP - BOTTOM)

    def upward(self, values: Iterable[float], *, percent: bool = False) -> None:
        """Grid lines with their values at the left."""
        for value in values:
            self._marks.append(
                f'<path class="grid" d="M{LEFT} {self.y(value):.1f}H{self.width - self.right:g}"/>'
            )
            shown = f"{value:.0%}" if percent else spoken(value)
            self.text(LEFT - 8, self.y(value) + 4, shown, "tick", anchor="end")

    def along(self, values: Iterable[float], label: str) -> None:
        """The horizontal axis, its values and what they count."""
        base = self.y(0)
        for value in values:
            self._marks.append(f'<path class="axis" d="M{self.x(value):.1f} {base:.1f}v5"/>')
            shown = spoken(value)
            is_last = self.x(value) + DIGIT / 2 * len(shown) > self.width
            self.text(
                self.width if is_last else self.x(value),
                base + 19,
                shown,
                "tick",
                anchor="end" if is_last else "middle",
            )
        self._marks.append(f'<path class="axis" d="M{LEFT} {base:.1f}H{self.width - self.right:g}"/>')
        self.text((LEFT + self.width - self.right) / 2, self.height - 4, label, "label")

    def line(self, kind: str, points: Sequence[tuple[float, float]], *, filled: bool = False) -> None:
        """A line through `points`; filled, the area between it and the axis."""
        if filled:
            points = [(points[0][0], 0), *points, (points[-1][0], 0)]
        path = " ".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in points)
        self._marks.append(f'<path class="{kind}" d="M{path}{"Z" if filled else ""}"/>')

    def band(
        self, kind: str, low: Sequence[tuple[float, float]], high: Sequence[tuple[float, float]]
    ) -> None:
        """The area between two lines."""
        path = " ".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in (*low, *reversed(high)))
        self.mark(f'<path class="{kind}" d="M{path}Z"/>')

    def dot(self, x: float, y: float, kind: str = "dot") -> None:
        """A highlighted point."""
        self.mark(f'<circle class="{kind}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="4"/>')

    def mark(self, element: str) -> None:
        """Any other SVG element, in pixels."""
        self._marks.append(element)

    def bar(self, kind: str, span: tuple[float, float], height: float, tip: str) -> None:
        """A bar over `span` (in values) with a tooltip."""
        left, right, top = self.x(span[0]), self.x(span[1]), self.y(height)
        box = f'x="{left + 1:.1f}" y="{top:.1f}" width="{max(right - left - 2, 1):.1f}"'
        tall = f'height="{self.y(0) - top:.1f}"'
        self._marks.append(
            f'<rect class="{kind}" {box} {tall} rx="1.5"><title>{xml_escaped(tip)}</title></rect>'
        )

    def text(self, x: float, y: float, text: str, kind: str, *, anchor: str = "middle") -> None:
        """Text at a pixel position."""
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
        self._marks.append(f'<text class="{kind}" {place}>{xml_escaped(text)}</text>')

    def svg(self, title: str, description: str) -> str:
        """The SVG element; `description` is for screen readers."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        head = f'<svg {size} role="img" aria-label="{xml_escaped(title)}. {xml_escaped(description)}">'
        names = f"<title>{xml_escaped(title)}</title><desc>{xml_escaped(description)}</desc>"
        return "\n".join([head, names, *self._marks, "</svg>"])


def ticks(high: float, most: int = 6) -> list[float]:
    """Round values from 0 to at most `high`: at most `most` steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0.9, 5)
    [0.0, 0.2, 0.4, 0.6, 0.8]
    >>> ticks(15000, 4)
    [0.0, 5000.0, 10000.0, 15000.0]
    """
    if not high > 0:
        return [0.0]
    unit = 10.0 ** math.floor(math.log10(high / most))
    step = next((unit * s for s in (1, 2, 5) if high / (unit * s) <= most), unit * 10)
    return [round(i * step, 12) for i in range(int(high / step + 1e-9) + 1)]


def counting(high: float, most: int) -> list[float]:
    """The ticks that are whole numbers, for axes of counts."""
    return [value for value in ticks(high, most) if value == int(value)]


def spoken(value: float) -> str:
    """1234567 as 1,234,567 and 0.2 as 0.2."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,g}"
