"""Draws a lattice as a Hasse diagram: one self-contained SVG with light and dark colours.

Labelling is reduced: a term is written at the largest concept that has it, so that a concept's terms are those at it
and above it; the number below a concept counts the documents for which it is the smallest. Its size grows with the
number of documents. The tooltip lists terms and documents.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt

from topicrawl.safe_text import xml_escaped
from topicrawl.topic.fca.context import Context, FormalConcept
from topicrawl.topic.fca.covers import Lattice
from topicrawl.topic.fca.layout import Layout, Place, lay_out

LEGIBLE = 150
"""Most concepts in one picture; of a larger lattice its iceberg is drawn."""

_LABEL_LINES, _LABEL_COLUMNS = 3, 20
_TOOLTIP_NAMES = 12
_COLUMN, _LINE, _TRACK, _GAP, _MARGIN = 6.8, 14.0, 26.0, 48.0, 28.0
"""Pixels: a letter's width, a line's height, a track and a gap between layers without labels, the margin."""

_STYLE = """
.hasse { color-scheme: light dark; }
.hasse { --sheet: #fffefb; --ink: #1c2426; --soft: #5b6769; --line: #9fa9a5; --accent: #0b7a75; }
@media (prefers-color-scheme: dark) {
  .hasse { --sheet: #171e20; --ink: #e9e6dd; --soft: #9aa6a6; --line: #5f6e71; --accent: #45c4b4; }
}
.hasse .sheet { fill: var(--sheet); }
.hasse path { fill: none; stroke: var(--line); stroke-width: 1; }
.hasse circle { fill: var(--sheet); stroke: var(--soft); stroke-width: 1.2; }
.hasse .named circle { fill: var(--accent); stroke: var(--accent); }
.hasse text { fill: var(--ink); font: 12px system-ui, "Segoe UI", "Noto Sans CJK SC", "Liberation Sans", sans-serif;
  text-anchor: middle; paint-order: stroke; stroke: var(--sheet); stroke-width: 3px; stroke-linejoin: round; }
.hasse .count { fill: var(--soft); font-size: 10px; }
.hasse .caption { fill: var(--soft); text-anchor: start; }
"""


def hasse(lattice: Lattice, title: str = "Concept lattice") -> str:
    """The diagram of `lattice`, or of its tip where it has more than `LEGIBLE` concepts."""
    tip = lattice.iceberg(LEGIBLE)
    marks = _marks(tip)
    layout = lay_out(tip.upper, [mark.width for mark in marks])
    heights = _heights(layout, marks)
    caption = _caption(lattice, tip)
    width = max(layout.width, _COLUMN * len(caption)) + 2 * _MARGIN
    height = heights[-1][-1] + 4 * _LINE + _MARGIN
    shift = (width - layout.width) / 2

    def at(place: Place) -> str:
        return f"{place.x + shift:.1f} {heights[place.layer][place.track]:.1f}"

    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="hasse" role="img" width="{width:.0f}" '
            f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<title>{xml_escaped(title)}</title>",
            f"<desc>{xml_escaped(caption)}</desc>",
            f"<style>{_STYLE}</style>",
            '<rect class="sheet" width="100%" height="100%"/>',
            *(f'<path d="M{" L".join(map(at, line))}"/>' for line in layout.lines),
            *(mark.svg(at(place)) for mark, place in zip(marks, layout.places, strict=True)),
            f'<text class="caption" x="{_MARGIN:.0f}" y="{height - _MARGIN:.0f}">{xml_escaped(caption)}</text>',
            "</svg>\n",
        )
    )


def _caption(lattice: Lattice, tip: Lattice) -> str:
    shape = f"{len(lattice.context.documents):,} documents, {len(lattice.context.terms):,} terms"
    if not tip.cut:
        return f"{shape}, {len(tip.concepts):,} concepts"
    whole = f"more than {len(lattice.concepts):,}" if lattice.cut else f"{len(lattice.concepts):,}"
    return f"{shape}, {whole} concepts; shown are the {len(tip.concepts):,} with at least {tip.support:,} documents"


def _heights(layout: Layout, marks: Sequence[_Mark]) -> list[list[float]]:
    """The y of every track of every layer: with space for labels, and layers farther apart in wider pictures."""
    label_heights = [0.0] * len(layout.tracks)
    for mark, place in zip(marks, layout.places, strict=True):
        label_heights[place.layer] = max(label_heights[place.layer], _LINE * len(mark.label))
    gap = max(_GAP, layout.width / 14)
    heights, bottom = [], _MARGIN + _LINE - gap
    for above, tracks in zip(label_heights, layout.tracks, strict=True):
        heights.append([bottom + gap + above + track * (above + _TRACK) for track in range(tracks)])
        bottom = heights[-1][-1]
    return heights


@dataclass(frozen=True, slots=True)
class _Mark:
    """A concept as drawn, centred at the origin."""

    radius: float
    label: tuple[str, ...]
    own: int
    """Documents for which this is the smallest concept."""
    tooltip: str

    @property
    def width(self) -> float:
        return max(2 * self.radius, 14, *(_COLUMN * _columns(line) for line in self.label)) + 12

    def svg(self, place: str) -> str:
        parts = [f"<title>{xml_escaped(self.tooltip)}</title>", f'<circle r="{self.radius:.1f}"/>']
        for n, line in enumerate(reversed(self.label)):
            parts.append(f'<text y="{-self.radius - 5 - _LINE * n:.1f}">{xml_escaped(line)}</text>')
        if self.own:
            parts.append(f'<text class="count" y="{self.radius + 12:.1f}">{self.own}</text>')
        kind = ' class="named"' if self.label else ""
        return f'<g{kind} transform="translate({place})">{"".join(parts)}</g>'


def _marks(lattice: Lattice) -> list[_Mark]:
    context = lattice.context
    terms: dict[int, list[str]] = defaultdict(list)
    for term, extent in zip(context.terms, context.columns, strict=True):
        terms[extent].append(term)
    own = Counter(map(context.documents_with, context.rows))
    return [
        _Mark(
            radius=3 + 7 * sqrt(concept.extent.bit_count() / len(context.documents)),
            label=tuple(_label(terms[concept.extent])),
            own=own[concept.extent],
            tooltip=_tooltip(context, concept),
        )
        for concept in lattice.concepts
    ]


def _label(terms: list[str]) -> Iterator[str]:
    """The terms as lines; long terms and long lists are shortened."""
    shown = terms if len(terms) <= _LABEL_LINES else terms[: _LABEL_LINES - 1]
    for term in shown:
        widths = accumulate(map(_columns, term))
        fitting = sum(width <= _LABEL_COLUMNS for width in widths)
        yield term if fitting == len(term) else term[: fitting - 1] + "…"
    if len(shown) < len(terms):
        yield f"+ {len(terms) - len(shown)}"


def _tooltip(context: Context, concept: FormalConcept) -> str:
    documents, terms = context.names(concept)
    return f"{_listed(terms, 'terms')}\n{_listed(documents, 'documents')}"


def _listed(names: Sequence[str], kind: str) -> str:
    more = ", …" if len(names) > _TOOLTIP_NAMES else ""
    return f"{len(names):,} {kind}: {', '.join(names[:_TOOLTIP_NAMES])}{more}" if names else f"no {kind}"


def _columns(text: str) -> int:
    """Width in letters; Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
