"""Names of strategies in plots: their CSS classes and their widths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

COLOURS = 6
DASHES = 3
LETTER = 7.3
"""Width of an average letter of a 12-pixel name, in pixels."""


def style_classes(number: int) -> str:
    """The CSS classes of strategy `number`: a colour, and from the seventh strategy on a dash.

    >>> style_classes(0), style_classes(7)
    ('s0', 's1 d1')
    """
    dash = number // COLOURS % DASHES
    return f"s{number % COLOURS}" + (f" d{dash}" if dash else "")


def label_width(names: Sequence[str], width: int) -> float:
    """Pixels for the longest of `names`, at most a third of `width`."""
    longest = max((len(name) for name in names), default=0)
    return min(width / 3, longest * LETTER + 20)


def fitting(name: str, pixels: float) -> str:
    """`name`, shortened to `pixels`.

    >>> fitting("ops[anchor_weight=0.3]", 60)
    'ops[anc…'
    """
    letters = max(2, int(pixels / LETTER))
    return name if len(name) <= letters else name[: letters - 1] + "…"


def key_lines(names: Iterable[str], width: int) -> list[list[tuple[float, str]]]:
    """The legend: `names` broken into lines of at most `width` pixels, each with its x position.

    >>> key_lines(["bfs", "ops", "fcwseo"], 90)
    [[(6.0, 'bfs'), (47.9, 'ops')], [(6.0, 'fcwseo')]]
    """
    lines: list[list[tuple[float, str]]] = []
    x = float(width)
    for name in names:
        needed = len(name) * LETTER + 20
        if x + needed > width:
            lines.append([])
            x = 6.0
        lines[-1].append((round(x, 1), name))
        x += needed
    return lines
