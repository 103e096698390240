"""Tables in the layout of the papers, and published numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topicrawl.report.tables import amount, duration, safe
from topicrawl_lab.comparison.figures import Measure, at
from topicrawl_lab.comparison.gather import Gathered, Run
from topicrawl_lab.comparison.html import DASH, mean, number, scroll, strategy, table
from topicrawl_lab.reproduce import published
from topicrawl_lab.statistics import Measures, rank_by_measures

STEPS = (1, 3, 5, 7, 9, 11, 13, 15)
"""Fifteenths of the budget at which tables have rows, as FCWSEO's Table 3."""


def paper_ranks(gathered: Gathered) -> str:
    """The ranking of FCITS_OH: average ranks over four measures, here of the means over all cells."""
    rows = {name: means(gathered, name) for name in gathered.strategies}
    ranks = rank_by_measures(rows)
    heads = ["Strategy", "M", "HR", "AR", "SD", "average rank"]
    return table(
        "Average ranks over M, HR, AR and SD",
        heads,
        [
            [
                strategy(gathered.strategies, name),
                amount(rows[name][0]),
                *(f"{v:.3f}" for v in rows[name][1:]),
                f"<b>{rank:.2f}</b>",
            ]
            for name, rank in ranks.items()
        ],
    )


def means(gathered: Gathered, name: str) -> Measures:
    """LP (or M), AC (or HR), AR and SD of a strategy, over all its cells."""
    rows = [run.row for task in gathered.tasks for run in gathered.of(task, name)]
    columns = ("relevant_truth", "harvest_rate", "average_relevance", "standard_deviation")
    found, rate, average, deviation = (
        sum(getattr(row, column) for row in rows) / len(rows) for column in columns
    )
    return found, rate, average, deviation


def table_3(gathered: Gathered, task: str, drawn: Sequence[Measure]) -> str:
    """N against the measures of each strategy, and the time: the layout of FCWSEO's Table 3."""
    budget = gathered.budgets[task]
    steps = sorted({max(1, round(budget * step / 15)) for step in STEPS})
    names = [name for name in gathered.strategies if gathered.of(task, name)]
    top = "".join(
        f'<th scope="colgroup" colspan="{len(drawn)}">{strategy(gathered.strategies, name)}</th>'
        for name in names
    )
    under = "".join(f'<th scope="col" class="n">{measure.letter}</th>' for _ in names for measure in drawn)
    body = []
    for n in steps:
        cells = (
            _papers_cell(gathered.of(task, name), measure, n, name) for name in names for measure in drawn
        )
        body.append(f'<tr><th scope="row">{amount(n)}</th>{"".join(cells)}</tr>')
    times = {name: mean(run.row.seconds for run in gathered.of(task, name)) for name in names}
    spent = "".join(f'<td class="n" colspan="{len(drawn)}">{duration(times[name])}</td>' for name in names)
    body.append(f'<tr><th scope="row">time</th>{spent}</tr>')
    head = f'<thead><tr><th scope="col" rowspan="2">N</th>{top}</tr><tr>{under}</tr></thead>'
    return scroll(task, f'<table class="papers">{head}<tbody>{"".join(body)}</tbody></table>')


def _papers_cell(runs: Sequence[Run], measure: Measure, n: int, name: str) -> str:
    """The mean after n pages over the crawls that fetched as many; a dash where none did."""
    reached = [run for run in runs if run.row.fetches >= n]
    if not reached:
        return f'<td class="n">{DASH}</td>'
    value = mean(float(at(measure.curve(run), np.array([float(n)]))[0]) for run in reached)
    return f'<td class="n" title="{safe(name)}, {measure.name}">{number(value, measure.letter)}</td>'


def beside_published(gathered: Gathered) -> str:
    """What papers print for these strategies, ours below. Webs and thresholds differ: for orientation only."""
    letters = ("M", "HR", "AR", "SD", "AS")
    rows = []
    for base in dict.fromkeys(name.partition("[")[0] for name in gathered.strategies):
        printed = [
            (each, row)
            for each in published.ALL
            for theirs in published.SAME.get(base, ())
            if (row := each.last.get(theirs))
        ]
        for each, row in printed:
            values = [_printed(row.get(letter)) for letter in letters]
            rows.append(
                [safe(base), f"{safe(each.source)}, {safe(each.subject)}", amount(max(each.rows)), *values]
            )
        ours = [name for name in gathered.strategies if name.partition("[")[0] == base]
        rows += [_ours(gathered, name) for name in ours if printed]
    return (
        table("Published and here", ["Strategy", "source", "pages", *letters], rows, words=2) if rows else ""
    )


def _ours(gathered: Gathered, name: str) -> list[str]:
    runs = [run.row for run in gathered.runs if run.row.strategy == name]
    found, rate, average, deviation = means(gathered, name)
    similar = mean(row.average_similarity_relevant for row in runs)
    values = (amount(found), *(f"{value:.3f}" for value in (rate, average, deviation, similar)))
    shown = (f"<b>{value}</b>" for value in values)
    where = f"<b>here</b>, mean of {amount(len(gathered.tasks), 'task')}"
    return [strategy(gathered.strategies, name), where, amount(mean(row.fetches for row in runs)), *shown]


def _printed(value: float | None) -> str:
    return DASH if value is None else amount(value) if value > 1 else f"{value:.3f}"
