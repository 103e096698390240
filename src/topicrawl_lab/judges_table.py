"""judges.csv: the verdicts of the three judges on every cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import Thresholds
from topicrawl_lab.judges import Verdict, by_labels, by_own_relevance, by_similarity
from topicrawl_lab.labels import Labels, labels_path, read_labels, targets
from topicrawl_lab.results import DIGITS, Results

COLUMNS = (
    *("task", "strategy", "seed_set", "rng_seed", "cap"),
    *(
        "judge",
        "threshold",
        "relevant",
        "harvest_rate",
        "area",
        "average",
        "deviation",
        "average_of_relevant",
    ),
)


def write_judges(results: Results, cells: Sequence[Cell], webs: Path, thresholds: Thresholds) -> None:
    """Judge the logs of `cells` and write judges.csv."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    known: dict[str, Labels] = {}
    for cell in cells:
        web = cell.task.web
        if web not in known:
            known[web] = read_labels(labels_path(webs, web))
        wanted = targets(known[web], cell.task)
        for judge, threshold, verdict in verdicts(results, cell, wanted, thresholds):
            writer.writerow((*cell.key, judge, threshold, *_numbers(verdict)))
    results.write_table("judges.csv", text.getvalue())


def verdicts(
    results: Results, cell: Cell, wanted: frozenset[str], thresholds: Thresholds
) -> Iterator[tuple[str, float | None, Verdict]]:
    """Each judge's name, threshold (None where it has none) and verdict on the log of a cell."""
    visits, similarities = results.read_log(cell)
    yield "labels", None, by_labels(visits, wanted)
    yield "own", thresholds.relevance, by_own_relevance(visits, thresholds.relevance)
    yield "similarity", thresholds.similarity, by_similarity(similarities, thresholds.similarity)


def _numbers(verdict: Verdict) -> tuple[object, ...]:
    measured = (
        verdict.harvest_rate,
        verdict.area,
        verdict.average,
        verdict.deviation,
        verdict.average_of_relevant,
    )
    return (verdict.found, *(round(value, DIGITS) for value in measured))
