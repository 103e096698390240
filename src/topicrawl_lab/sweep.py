"""Parameter sweeps: every combination of the given values as a strategy of its own, and a table of the results.

ops.anchor_weight=0.3,0.5,0.7     these values
fcwseo.lambda=grid:0.05           all parameters called lambda…, in steps of 0.05, summing to 1
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from statistics import fmean

from topicrawl.errors import ConfigError
from topicrawl.strategies.parameters import parameters
from topicrawl.strategies.registry import strategy_class
from topicrawl_lab.results import DIGITS, Row
from topicrawl_lab.spec import Spec, make_spec

GRID = "grid:"
MEASURES = (
    *("oracle_share", "harvest_rate", "recall", "average_relevance", "standard_deviation"),
    "average_similarity_relevant",
)


@dataclass(frozen=True, slots=True)
class Axis:
    """One `--sweep`: each choice sets one parameter, or a group of them."""

    strategy: str
    choices: tuple[tuple[tuple[str, str], ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.choices[0])


def parse_axis(text: str) -> Axis:
    """Read one `--sweep`: STRATEGY.PARAMETER=VALUE,VALUE… or STRATEGY.GROUP=grid:STEP."""
    name, dot, rest = text.partition(".")
    parameter, equals, values = rest.partition("=")
    if not (dot and equals and values.strip()):
        raise ConfigError(f"--sweep {text!r} cannot be read; write ops.anchor_weight=0.3,0.5,0.7")
    name, parameter = name.strip(), parameter.strip()
    if values.strip().startswith(GRID):
        return Axis(name, tuple(_simplex(name, parameter, values.strip()[len(GRID) :])))
    return Axis(name, tuple(((parameter, value.strip()),) for value in values.split(",") if value.strip()))


def swept(axes: Sequence[Axis], topic: str) -> list[Spec]:
    """All combinations, grouped by strategy; bad names and values raise as for `--strategies`."""
    specs = []
    for name in dict.fromkeys(axis.strategy for axis in axes):
        own = [axis.choices for axis in axes if axis.strategy == name]
        for combination in product(*own):
            specs.append(make_spec(name, dict(pair for choice in combination for pair in choice), topic))
    return list(dict.fromkeys(specs))


def sweep_table(axes: Sequence[Axis], rows: Iterable[Row], budgets: Mapping[str, int]) -> str:
    """sweep.csv: one line for each strategy, combination, task and cap, with means over its cells.

    `reached` is the share of cells that used their whole budget. Where no cell did, the measures are left empty:
    values over different numbers of pages cannot be compared.
    """
    swept_names = list(dict.fromkeys(name for axis in axes for name in axis.names))
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if not row.error:
            groups[row.strategy, row.task, row.cap].append(row)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("strategy", *swept_names, "task", "cap", "cells", "reached", *MEASURES))
    for (strategy, task, cap), cells in groups.items():
        settings = dict(_settings(strategy))
        full = [row for row in cells if row.fetches >= budgets[task]]
        means = [
            round(fmean(getattr(row, name) for row in full), DIGITS) if full else "" for name in MEASURES
        ]
        values = [settings.get(name, "") for name in swept_names]
        share = round(len(full) / len(cells), DIGITS)
        writer.writerow((strategy.partition("[")[0], *values, task, cap, len(cells), share, *means))
    return text.getvalue()


def _simplex(strategy: str, group: str, step: str) -> Iterator[tuple[tuple[str, str], ...]]:
    """All points of the grid on the simplex: values of a group of parameters in multiples of `step` that sum to 1."""
    names = [each.name for each in parameters(strategy_class(strategy)) if each.name.startswith(group)]
    if len(names) < 2:
        raise ConfigError(
            f"--sweep {strategy}.{group}={GRID}{step}: no group of parameters is called {group!r}"
        )
    try:
        parts = 1 / Fraction(step)
    except (ValueError, ZeroDivisionError):
        parts = Fraction(0)
    if parts < 1 or parts.denominator != 1:
        raise ConfigError(
            f"--sweep {strategy}.{group}={GRID}{step}: 1 is no multiple of this step; give 0.05"
        )
    for shares in _shares(int(parts), len(names)):
        yield tuple((name, str(float(share / parts))) for name, share in zip(names, shares, strict=True))


def _shares(total: int, among: int) -> Iterator[tuple[int, ...]]:
    if among == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _shares(total - first, among - 1):
            yield (first, *rest)


def _settings(strategy: str) -> Iterator[tuple[str, str]]:
    """The parameters in a spec as written in results.csv."""
    for pair in strategy.partition("[")[2].rstrip("]").split(","):
        name, _, value = pair.partition("=")
        yield name, value
