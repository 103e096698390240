"""Where every concept of an ontology stands in its picture: a tidy tree that grows from the root to both sides.

Each concept hangs below one of its parents, one on its shortest way to the root; the other edges are drawn as well
but move nothing. Columns are levels, as wide as their longest label in any language; a leaf takes a row, a branch
stands in the middle of its children. So no two labels can touch. The branches of the root are dealt out so that both
sides have about as many rows; a small tree grows to the right only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from topicrawl.topic.ontology import Ontology

ROW = 26.0
BRANCH_GAP = 7.0
"""Room below a branch, once for each level that ends there."""
COLUMN_GAP = 38.0
ROOT_GAP = 100.0
"""Between the root and the first column: its label stands above it there."""
MARGIN = 40.0
LETTER = 7.4
"""Pixels of a letter at the size labels are drawn in; a Chinese character is nearly twice as wide."""
PROPORTION, LOOSEST = 1.95, 1.6
"""Width to height that a picture should have at least, and how far rows are drawn apart for it at most."""
LARGEST = 9.0
"""Radius of the heaviest concept."""
ONE_SIDED = 14
"""Leaves up to which a tree grows to the right only."""
LONGEST = 34
"""Letters of a label that are drawn; the rest is in the card."""

Labels = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Place:
    """The centre of a concept, in pixels from the upper left; the parent it hangs below (none for the root); and to
    which side of the root it stands: 1 right, -1 left, 0 for the root itself."""

    x: float
    y: float
    parent: str | None
    side: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of all concepts the root leads to, the root first, and the size of the whole picture."""

    places: Mapping[str, Place]
    width: float
    height: float


def lay_out(ontology: Ontology, labels: Labels, weight: Callable[[str], float]) -> Layout:
    """The picture of `ontology`; `labels` are those a concept may be shown with, heavier children come first."""
    hangs = _tree(ontology)
    below: dict[str, list[str]] = {name: [] for name in ontology.depths}
    for child, parent in hangs.items():
        below[parent].append(child)
    for children in below.values():
        children.sort(key=lambda child: (-weight(child), child))
    sides = [_rows(branches, below) for branches in _dealt(below, ontology.root)]
    columns = [_columns(rows, ontology, labels) for rows, _ in sides]
    centre, tight = MARGIN + columns[1][-1], max(bottom for _, bottom in sides)
    width = centre + columns[0][-1] + MARGIN
    stretch = min(LOOSEST, max(1.0, width / PROPORTION / tight)) if tight else 1.0
    height = max(tight * stretch, ROW)
    places = {ontology.root: Place(centre, MARGIN + height / 2, None, 0)}
    for side, (rows, bottom), column in zip((1, -1), sides, columns, strict=True):
        top = MARGIN + (height - bottom * stretch) / 2
        for name, row in rows.items():
            x = centre + side * column[ontology.depths[name] - 2]
            places[name] = Place(x, top + row * stretch, hangs[name], side)
    return Layout(places, width, height + 2 * MARGIN)


def text_width(text: str) -> float:
    """About how wide `text` is drawn, in pixels."""
    return LETTER * sum(1.9 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def shown(label: str) -> str:
    """`label` as it is drawn."""
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"


def _tree(ontology: Ontology) -> dict[str, str]:
    """The parent each concept hangs below: one level up; of several that of the strongest relation, then by name."""
    depths, values = ontology.depths, ontology.values
    hangs: dict[str, str] = {}
    for edge in ontology.edges:
        if edge.parent in depths and depths[edge.child] == depths[edge.parent] + 1:
            known = hangs.get(edge.child)
            if known is None or values[edge.child, edge.parent] > values[edge.child, known]:
                hangs[edge.child] = edge.parent
    return hangs


def _dealt(below: Mapping[str, list[str]], root: str) -> tuple[list[str], list[str]]:
    """The branches of the root, those to its right and those to its left."""
    branches = below[root]
    heights = [_rows([branch], below)[1] for branch in branches]
    if len(branches) < 2 or sum(heights) <= ONE_SIDED * ROW:
        return branches, []
    cut = min(range(1, len(branches)), key=lambda place: abs(sum(heights[:place]) - sum(heights[place:])))
    return branches[:cut], branches[cut:]


def _rows(branches: Iterable[str], below: Mapping[str, list[str]]) -> tuple[dict[str, float], float]:
    """How far down each concept of these branches is, and where the last ends; no recursion, as chains may be long."""
    rows: dict[str, float] = {}
    bottom = 0.0
    waiting = [(branch, False) for branch in reversed(list(branches))]
    while waiting:
        name, entered = waiting.pop()
        children = below[name]
        if not children:
            bottom += ROW
            rows[name] = bottom - ROW / 2
        elif entered:
            rows[name] = (rows[children[0]] + rows[children[-1]]) / 2
            bottom += BRANCH_GAP
        else:
            waiting += [(name, True), *((child, False) for child in reversed(children))]
    return rows, bottom


def _columns(names: Iterable[str], ontology: Ontology, labels: Labels) -> list[float]:
    """How far from the root's centre the columns of one side begin, and at last where they end."""
    widest: dict[int, float] = {}
    for name in names:
        width = max(text_width(shown(label)) for label in labels(name))
        widest[ontology.depths[name]] = max(widest.get(ontology.depths[name], 0.0), width)
    widths = [widest[depth] + 2 * LARGEST + COLUMN_GAP for depth in sorted(widest)]
    return list(accumulate(widths, initial=ROOT_GAP))
