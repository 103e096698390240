"""sweep.csv as heat maps: a row or a table for one or two parameters, a triangle for three that sum to 1."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from topicrawl.report.tables import safe
from topicrawl.store.disk import disk_errors
from topicrawl_lab.comparison.html import number, table
from topicrawl_lab.plots.heat import heat_map, simplex_map

MEASURE = "oracle_share"
BEST = 12
"""Settings listed where there are too many parameters to draw."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The scores of one strategy's settings: the mean over tasks, None where some task's budget was not reached."""

    strategy: str
    names: tuple[str, ...]
    values: dict[tuple[str, ...], float | None]


def read_sweeps(folder: Path) -> list[Sweep]:
    """The sweeps in a results folder."""
    path = folder / "sweep.csv"
    if not path.exists():
        return []
    with disk_errors(path), path.open(encoding="utf-8", newline="") as file:
        lines = csv.DictReader(file)
        heads = list(lines.fieldnames or ())
        names = heads[1 : heads.index("task")] if "task" in heads else []
        rows = list(lines)
    return [_sweep(name, names, rows) for name in dict.fromkeys(row["strategy"] for row in rows)]


def _sweep(strategy: str, names: Sequence[str], rows: Sequence[dict[str, str]]) -> Sweep:
    mine = [row for row in rows if row["strategy"] == strategy]
    own = tuple(name for name in names if any(row[name] for row in mine))
    several: dict[tuple[str, ...], list[str]] = {}
    for row in mine:
        several.setdefault(tuple(row[name] for name in own), []).append(row[MEASURE])
    return Sweep(strategy, own, {setting: _mean(values) for setting, values in several.items()})


def _mean(values: Sequence[str]) -> float | None:
    return sum(map(float, values)) / len(values) if all(values) else None


def drawing(sweep: Sweep) -> Callable[[int], str] | None:
    """How to draw a sweep at a given width; None where it has too many parameters."""
    title = f"{sweep.strategy}: share of the oracle"
    if len(sweep.names) == 1:
        heads = tuple(key[0] for key in sweep.values)
        return lambda width: heat_map(
            title, ("", sweep.names[0]), (("",), heads), [list(sweep.values.values())], width
        )
    if len(sweep.names) == 2:
        rows, columns = (list(dict.fromkeys(key[place] for key in sweep.values)) for place in (0, 1))
        grid = [[sweep.values.get((row, column)) for column in columns] for row in rows]
        return lambda width: heat_map(title, (sweep.names[0], sweep.names[1]), (rows, columns), grid, width)
    return _triangle(sweep, title)


def _triangle(sweep: Sweep, title: str) -> Callable[[int], str] | None:
    points = {
        tuple(map(float, key)): value
        for key, value in sweep.values.items()
        if len(key) == 3 and value is not None
    }
    if not points or any(abs(sum(point) - 1) > 1e-6 for point in points):
        return None
    first, second, third = sweep.names
    weights = {(a, b, c): value for (a, b, c), value in points.items()}
    return lambda width: simplex_map(title, (first, second, third), weights, width)


def best_settings(sweep: Sweep) -> str:
    """The best settings of a sweep as a table."""
    known = {key: value for key, value in sweep.values.items() if value is not None}
    order = sorted(known, key=lambda key: -known[key])[:BEST]
    rows = [[*map(safe, key), number(known[key])] for key in order]
    return table(
        sweep.strategy, [*map(safe, sweep.names), "share of the oracle"], rows, words=len(sweep.names)
    )
