"""Parts of HTML pages; `panel`, `table` and `link` take HTML that is already escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from topicrawl.report.tables import safe
from topicrawl_lab.plots.labels import style_classes

DASH = "—"
FOOTER = "The numbers are in results.csv, the logs below visits/, the plots as SVG and PNG in plots/."


def panel(heading: str, about: str, *parts: str) -> str:
    """A section of a page; the arguments are HTML."""
    return f'<section class="panel"><h2>{heading}</h2><p class="about">{about}</p>{"".join(parts)}</section>'


def table(label: str, heads: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table whose first columns are `words` and whose other columns are numbers; entries are HTML."""
    kinds = [""] * words + [' class="n"'] * (len(heads) - words)
    top = "".join(f'<th scope="col"{kind}>{head}</th>' for kind, head in zip(kinds, heads, strict=True))
    lines = ("".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return scroll(label, f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


def scroll(label: str, content: str) -> str:
    """A scrollable region for wide content, reachable by keyboard."""
    return f'<div class="scroll" role="region" aria-label="{safe(label)}" tabindex="0">{content}</div>'


def strategy(names: Sequence[str], name: str) -> str:
    """The name of one of `names` with the line it has in plots."""
    line = f'<path class="line {style_classes(names.index(name))}" d="M1 4H17"/>'
    swatch = f'<svg class="swatch" viewBox="0 0 18 8" aria-hidden="true">{line}</svg>'
    return f'<span class="strategy">{swatch}{safe(name)}</span>'


def key(names: Sequence[str]) -> str:
    """All names with their lines."""
    chips = "".join(f"<li>{strategy(names, name)}</li>" for name in names)
    return f'<ul class="strategies" aria-label="Strategies">{chips}</ul>'


def link(path: str, text: str) -> str:
    """`text` as a link to a file or folder beside the page; plain text for an empty path."""
    return f'<a href="{quote(path)}">{text}</a>' if path else text


def number(value: float | None, letter: str = "") -> str:
    """A measure as tables show it: M with one decimal, all others with three; a dash for None."""
    if value is None:
        return DASH
    return f"{value:,.1f}" if letter == "M" else f"{value:.3f}"


def signed(value: float) -> str:
    """A difference, with its sign.

    >>> signed(-0.25)
    '−0.250'
    """
    return f"{value:+.3f}".replace("-", "−")


def mean(values: Iterable[float]) -> float:
    """The mean; 0 for no values."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
