"""scores.tex: the share of the oracle as a LaTeX table (booktabs), with marks where the tests show a difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from topicrawl.safe_text import for_terminal
from topicrawl_lab.comparison.evidence import ALPHA, Evidence
from topicrawl_lab.comparison.gather import Gathered
from topicrawl_lab.statistics import Pairing

LEVELS = ((0.001, "***"), (0.01, "**"), (ALPHA, "*"))
"""Significance marks, by the largest p of each."""
SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "[": "{[}", "]": "{]}"},
}
"""How LaTeX writes the signs that mean something to it; brackets after `\\\\` would be its argument."""

Cell = tuple[float | None, str]
"""A value, and the mark behind it."""


def latex(gathered: Gathered, evidence: Evidence | None) -> str:
    """The table. Strategies are columns, or rows where there are more of them than tasks."""
    strategies, tasks = list(gathered.strategies), list(gathered.tasks)
    cells = {(task, name): _cell(gathered, evidence, task, name) for task in tasks for name in strategies}
    if evidence is not None:
        means = evidence.means()
        cells |= {("mean", name): (means[name], _mark_of(evidence, name)) for name in strategies}
    rows = [*tasks, *(["mean"] if evidence is not None else [])]
    best = {row: _best([cells[row, name][0] for name in strategies]) for row in rows}

    def shown(row: str, name: str) -> str:
        value, mark = cells[row, name]
        if value is None:
            return "--"
        text = f"{value:.3f}"
        return (f"\\textbf{{{text}}}" if value == best[row] else text) + (f"$^{{{mark}}}$" if mark else "")

    ranks = None if evidence is None else dict(zip(strategies, evidence.friedman.ranks, strict=True))
    table = _by_strategy if len(strategies) > len(tasks) else _by_task
    return _whole(table(strategies, tasks, shown, ranks), evidence)


def _by_task(
    strategies: Sequence[str],
    tasks: Sequence[str],
    shown: Callable[[str, str], str],
    ranks: dict[str, float] | None,
) -> list[str]:
    lines = _head(["task", *map(escaped, strategies)])
    lines += [_row([escaped(task), *(shown(task, name) for name in strategies)]) for task in tasks]
    if ranks is not None:
        lines += [r"\midrule", _row(["mean", *(shown("mean", name) for name in strategies)])]
        lines.append(_row(["average rank", *(f"{ranks[name]:.2f}" for name in strategies)]))
    return lines


def _by_strategy(
    strategies: Sequence[str],
    tasks: Sequence[str],
    shown: Callable[[str, str], str],
    ranks: dict[str, float] | None,
) -> list[str]:
    more = ["mean", "average rank"] if ranks is not None else []
    lines = _head(["strategy", *map(escaped, tasks), *more])
    for name in strategies:
        cells = [escaped(name), *(shown(task, name) for task in tasks)]
        lines.append(
            _row([*cells, *([shown("mean", name), f"{ranks[name]:.2f}"] if ranks is not None else [])])
        )
    return lines


def _head(names: Sequence[str]) -> list[str]:
    columns = "l" + "r" * (len(names) - 1)
    return [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", _row(names), r"\midrule"]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _whole(table: Sequence[str], evidence: Evidence | None) -> str:
    caption = r"Share of the pages that the oracle finds, mean over seed sets; the best of each task is bold."
    if evidence is not None:
        leader = escaped(evidence.leader)
        caption += (
            f" $^{{*}}$, $^{{**}}$, $^{{***}}$: {leader} is better (within a task $p < 0.05$, $0.01$, $0.001$, paired "
            f"permutation test with Holm's correction; in the mean also by the tests of Friedman and Nemenyi); "
            f"$^{{\\circ}}$: better than {leader}."
        )
    lines = [r"% \usepackage{booktabs}", r"\begin{table}", r"\centering", f"\\caption{{{caption}}}"]
    return "\n".join([*lines, *table, r"\bottomrule", r"\end{tabular}", r"\end{table}"]) + "\n"


def _cell(gathered: Gathered, evidence: Evidence | None, task: str, name: str) -> Cell:
    value = gathered.mean(task, name, lambda run: run.row.oracle_share)
    pairs = evidence.within if evidence is not None else ()
    found = next((pair for pair in pairs if (pair.task, pair.second) == (task, name)), None)
    return value, "" if found is None else _mark(found)


def _mark_of(evidence: Evidence, name: str) -> str:
    """The mark in the mean over tasks: only where all tests of the report agree."""
    found = next((pair for pair in evidence.across if pair.second == name), None)
    return _mark(found) if found is not None and name in evidence.better_than() else ""


def _mark(pair: Pairing) -> str:
    if pair.verdict(ALPHA) == pair.second:
        return r"\circ"
    return next((mark for most, mark in LEVELS if pair.corrected < most), "")


def _best(values: Sequence[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def escaped(text: str) -> str:
    """Text as LaTeX shows it, in one line."""
    return "".join(SPECIAL.get(sign, sign) for sign in " ".join(for_terminal(text).split()))
