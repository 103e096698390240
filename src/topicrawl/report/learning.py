"""Charts of what a crawl by example learned, for the report: the paper's figures 4 to 6, and the tree of labels.

Pure functions from what the strategy reports about its rounds (`summary.json`, key `learning`) to HTML.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from topicrawl.report.svg import Plot, counting, spoken, ticks
from topicrawl.report.tables import amount, safe

MOST_LABELS = 60
"""Labels of the tree, the most common ones."""
DEEPEST = 8
LEAST = 0.05
"""Least upper end of an axis."""
Rounds = Sequence[Mapping[str, Any]]
Series = Sequence[tuple[str, Sequence[float]]]
"""Name and values, one a round."""


def learning_panel(
    learned: Mapping[str, Any], against: Mapping[str, Any] | None, both: Callable[..., str], width: int
) -> str:
    """Sections of the report; `both` draws a chart for wide screens, `width` pixels wide, and for phones."""
    rounds = learned.get("rounds", ())
    if len(rounds) < 2:
        return ""
    other = against["rounds"] if against else ()
    names = ["this crawl", *([str(against["name"])] if against else [])]
    crawls = [rounds, *([other] if against else [])]
    figures = [
        (
            "Similarity to the query",
            "mean cosine of a round's items, by rarity in ordinary texts",
            _compared(crawls, names, "similarity"),
            False,
        ),
        (
            "Harvest",
            "share of a round's items with a cosine above 0.25",
            _compared(crawls, names, "harvest"),
            True,
        ),
        ("Context graph", "items in each layer; layer 0 is relevant", _layers(rounds), False),
        (
            "Labels inferred",
            "labels that the items of a round have, together",
            _one(rounds, "classified"),
            False,
        ),
        ("Labels", "and pairs of which one is broader", _several(rounds, "labels", "broader"), False),
        ("Terms and rules", "in the model, each as a share of its largest number", _shares(rounds), True),
    ]
    drawn = "\n".join(
        f'<section class="panel">\n<h2>{name}</h2>\n<p class="about">{about}. {_legend(series)}</p>\n'
        f"{both(partial(round_chart, name, series, percent), width, 240, 220)}\n</section>"
        for name, about, series, percent in figures
    )
    return f'<div class="pair">\n{drawn}\n</div>\n{_tree(learned["labels"])}'


def round_chart(title: str, series: Series, percent: bool, width: int, height: int) -> str:
    """Lines over rounds."""
    longest = max(len(values) for _, values in series)
    high = max(LEAST, *(max(values) for _, values in series))
    whole = percent and high > 0.5
    top = 1.0 if whole else high * 1.1
    plot = Plot(width, height, across=longest, up=top)
    plot.upward([0, 0.5, 1.0] if whole else counting(top, 4) if top >= 4 else ticks(top, 5), percent=percent)
    plot.along([], "round")
    stride = max(1, math.ceil(longest * 30 / max(width - 70, 1)))
    for at in range(0, longest, stride):
        plot.text(plot.x(at + 0.5), plot.y(0) + 19, str(at + 1), "tick")
    for number, (_, values) in enumerate(series):
        plot.line(f"line s{number}", [(at + 0.5, value) for at, value in enumerate(values)])
        plot.dot(len(values) - 0.5, values[-1], f"dot s{number}")
    text = "; ".join(f"{name} ends at {_formatted(values[-1], percent)}" for name, values in series)
    return plot.svg(f"{title} by round", text + ".")


def _formatted(value: float, percent: bool) -> str:
    if percent:
        return f"{value:.1%}"
    return spoken(value) if value == int(value) else f"{value:.3f}"


def _one(rounds: Rounds, what: str) -> Series:
    return [(what, [each[what] for each in rounds[1:]])]


def _compared(crawls: Sequence[Rounds], names: Sequence[str], what: str) -> Series:
    return [(name, [each[what] for each in rounds[1:]]) for name, rounds in zip(names, crawls, strict=True)]


def _several(rounds: Rounds, *what: str) -> Series:
    return [series for each in what for series in _one(rounds, each)]


def _layers(rounds: Rounds) -> Series:
    count = len(rounds[0]["layers"])
    return [(f"layer {layer}", [each["layers"][layer] for each in rounds[1:]]) for layer in range(count)]


def _shares(rounds: Rounds) -> Series:
    found = []
    for what in ("terms", "rules"):
        values = [each[what] for each in rounds[1:]]
        most = max(1, *values)
        found.append((f"{what} (at most {spoken(most)})", [value / most for value in values]))
    return found


def _legend(series: Series) -> str:
    if len(series) == 1:
        return ""
    return " ".join(
        f'<span class="named"><span class="key s{number}"></span>{safe(name)}</span>'
        for number, (name, _) in enumerate(series)
    )


def _tree(labels: Sequence[Mapping[str, Any]]) -> str:
    """The label hierarchy as nested lists; a label with two broader ones is listed below each."""
    shown = labels[:MOST_LABELS]
    names = {each["label"] for each in shown}
    below: dict[str, list[Mapping[str, Any]]] = {}
    for each in shown:
        for parent in [name for name in each["broader"] if name in names] or [""]:
            below.setdefault(parent, []).append(each)

    def grown(parent: str, depth: int = 0) -> str:
        if parent not in below or depth > DEEPEST:
            return ""
        entries = "".join(
            f"<li>{safe(each['label'])} <small>{spoken(each['items'])}</small>{grown(each['label'], depth + 1)}</li>"
            for each in below[parent]
        )
        return f"<ul>{entries}</ul>"

    if not shown:
        return ""
    more = f", the {MOST_LABELS} most common shown" if len(labels) > MOST_LABELS else ""
    about = f"{amount(len(labels), 'label')}{more}; nearly all items of a label have those above it, too."
    return f'<section class="panel labels">\n<h2>Label tree</h2>\n<p class="about">{about}</p>\n{grown("")}\n</section>'
