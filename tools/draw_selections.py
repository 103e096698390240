"""Draws docs/strategies/selection.svg: five of twelve links by NFCS and by crowding, as in FCWSEO's Fig. 3.

    python tools/draw_selections.py

The paper prints no coordinates; the twelve links here are ours, all on one front, crowded in the middle.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from topicrawl.report.standalone import standalone
from topicrawl.report.svg import Plot
from topicrawl.strategies.pareto import Points, least_crowded, nearest_and_farthest

TARGET = Path(__file__).resolve().parents[1] / "docs" / "strategies" / "selection.svg"
WIDTH, HEIGHT, HALF, TAKEN = 880, 400, 440, 5
ANGLES = (0, 8, 34, 37, 40, 43, 46, 49, 52, 62, 74, 90)
"""Degrees on a quarter of a circle, where larger is better for both objectives."""


def links() -> Points:
    """Twelve links that do not dominate each other."""
    radians = np.radians(ANGLES)
    return np.column_stack((np.cos(radians), np.sin(radians)))


def drawn() -> str:
    """Both selections side by side; numbers are the order in which links are taken."""
    points, rng = links(), random.Random(1)
    sheet = Plot(WIDTH, HEIGHT)
    for shift, name, taken in (
        (0, "NFCS: the farthest from those taken", nearest_and_farthest(points, TAKEN, rng)),
        (HALF, "crowding: those with most room", least_crowded(points, TAKEN, rng)),
    ):
        sheet.mark(f'<g transform="translate({shift} 0)">')
        _half(sheet, name, points, taken)
        sheet.mark("</g>")
    return standalone(sheet.svg("Five of twelve links", "Numbers are the order in which links are taken."))


def _half(sheet: Plot, name: str, points: Points, taken: list[int]) -> None:
    axes = Plot(HALF, HEIGHT, across=1.12, up=1.12)
    sheet.text(HALF / 2, 20, name, "heading")
    left, base = axes.x(0), axes.y(0)
    sheet.mark(f'<path class="axis" d="M{left} {axes.y(1.1):.1f}V{base:.1f}H{axes.x(1.1):.1f}"/>')
    sheet.text(axes.x(0.55), base + 24, "F1", "label")
    sheet.text(left - 20, axes.y(0.55), "F2", "label")
    for row, (first, second) in enumerate(points.tolist()):
        x, y = axes.x(first), axes.y(second)
        kind = "dot" if row in taken else "published s0"
        sheet.mark(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="6"/>')
        if row in taken:
            sheet.text(x + 16, y - 8, str(taken.index(row) + 1), "value")


if __name__ == "__main__":
    TARGET.write_text(drawn(), "utf-8")
