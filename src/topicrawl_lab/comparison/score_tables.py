"""The tables of a comparison as HTML; scores link to their logs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from topicrawl.report.tables import amount, duration, safe
from topicrawl_lab.comparison.evidence import ALPHA, Evidence, Opinion
from topicrawl_lab.comparison.findings import short_p
from topicrawl_lab.comparison.gather import Gathered, Run
from topicrawl_lab.comparison.html import DASH, link, mean, number, signed, strategy, table
from topicrawl_lab.results import Row
from topicrawl_lab.statistics import UNDECIDED, Pairing

JUDGE_NAMES = {
    "labels": "labels",
    "own": "own relevance",
    "similarity": "similarity",
}


def scores(gathered: Gathered, evidence: Evidence | None) -> str:
    """The share of the oracle: over all tasks, then by task, each number linked to the folder of its logs."""
    heads = ["Task", *(strategy(gathered.strategies, name) for name in gathered.strategies)]
    rows = _overall(evidence) if evidence else []
    for task in gathered.tasks:
        values = [gathered.mean(task, name, lambda run: run.row.oracle_share) for name in gathered.strategies]
        best = max((value for value in values if value is not None), default=None)
        cells = [
            link(
                _folder(gathered.of(task, name)),
                f"<b>{number(value)}</b>" if value == best else number(value),
            )
            for name, value in zip(gathered.strategies, values, strict=True)
        ]
        rows.append([safe(task), *cells])
    return table("Share of the oracle", heads, rows)


def per_request(gathered: Gathered) -> str:
    """The same when as many requests are made as the budget has pages; nothing for results of older versions."""
    heads = ["Task", *(strategy(gathered.strategies, name) for name in gathered.strategies)]
    rows = [
        [safe(task), *(number(gathered.per_request([task], name)) for name in gathered.strategies)]
        for task in gathered.tasks
    ]
    means = [gathered.per_request(gathered.tasks, name) for name in gathered.strategies]
    if all(value is None for value in means):
        return ""
    overall = ["<b>mean over tasks</b>", *(f"<b>{number(value)}</b>" for value in means)]
    return table("Share of the oracle by requests", heads, [overall, *rows])


def _overall(evidence: Evidence) -> list[list[str]]:
    means = evidence.means()
    spans = (f"<small>{low:.3f} – {high:.3f}</small>" for low, high in evidence.intervals)
    return [
        ["<b>mean over tasks</b>", *(f"<b>{number(means[name])}</b>" for name in evidence.strategies)],
        ["95 % interval", *spans],
        ["average rank", *(f"{rank:.2f}" for rank in evidence.friedman.ranks)],
    ]


def pairs(label: str, evidence: Evidence, tested: Sequence[Pairing]) -> str:
    """Tests of the leader against others; undecided ones in grey."""
    heads = ["Where", "Better?", "against", "difference", "95 % interval", "p", "p, Holm", "effect"]
    return table(label, heads, [_pair(pair, evidence.verdict(pair)) for pair in tested], words=3)


def _pair(pair: Pairing, verdict: str) -> list[str]:
    low, high = pair.interval
    shown = f"<b>{safe(verdict)}</b>" if verdict != UNDECIDED else '<span class="none">undecided</span>'
    return [
        f"{safe(pair.task)} <small>{amount(pair.pairs, 'pair')}</small>",
        shown,
        safe(f"{pair.first} – {pair.second}"),
        signed(pair.difference),
        f"{signed(low)} to {signed(high)}" if pair.pairs > 1 else DASH,
        short_p(pair.p),
        short_p(pair.corrected),
        f"{pair.effect:+.2f}",
    ]


def nemenyi(gathered: Gathered, evidence: Evidence) -> str:
    """p-values of all pairs of strategies over tasks."""
    heads = ["", *(strategy(gathered.strategies, name) for name in evidence.strategies)]
    rows = []
    for row, name in enumerate(evidence.strategies):
        cells = [
            DASH if row == column else _significant(float(p))
            for column, p in enumerate(evidence.p[row].tolist())
        ]
        rows.append([strategy(gathered.strategies, name), *cells])
    return table("Nemenyi's p-values", heads, rows)


def _significant(p: float) -> str:
    shown = short_p(p)
    return f"<b>{shown}</b>" if p < ALPHA else shown


def judges(gathered: Gathered, by_judge: dict[str, dict[str, Opinion]]) -> str:
    """The verdict of each judge on each strategy."""
    heads = ["Strategy", *(f"{JUDGE_NAMES[judge]} {what}" for judge in by_judge for what in ("HR", "rank"))]
    names = next(iter(by_judge.values()), {})
    rows = []
    for name in names:
        cells = [
            cell
            for judge in by_judge
            for cell in (f"{by_judge[judge][name].harvest_rate:.3f}", f"{by_judge[judge][name].rank:.2f}")
        ]
        rows.append([strategy(gathered.strategies, name), *cells])
    return table("Judges", heads, rows)


def disagreements(gathered: Gathered, differing: Mapping[str, Mapping[str, str]]) -> str:
    """The best strategy by each judge, in the tasks where they disagree."""
    heads = ["Task", *(f"best by {JUDGE_NAMES[judge]}" for judge in gathered.judges)]
    rows = [
        [safe(task), *(strategy(gathered.strategies, best[judge]) for judge in gathered.judges)]
        for task, best in differing.items()
    ]
    return table("Where the judges disagree", heads, rows, words=len(heads))


def caps(gathered: Gathered) -> str:
    """The share of the oracle under each per-host cap, where several were run."""
    by_cap: dict[str, dict[str, list[float]]] = {}
    for row in (*gathered.other_caps, *(run.row for run in gathered.runs)):
        by_cap.setdefault(row.cap, {}).setdefault(row.strategy, []).append(row.oracle_share)
    if len(by_cap) < 2:
        return ""
    order = sorted(by_cap, key=lambda cap: math.inf if cap == "none" else int(cap))
    heads = ["Strategy", *(f"{safe(cap)} a host" if cap != "none" else "no cap" for cap in order)]
    rows = [
        [
            strategy(gathered.strategies, name),
            *(number(mean(by_cap[cap][name])) if name in by_cap[cap] else DASH for cap in order),
        ]
        for name in gathered.strategies
    ]
    return table("Per-host caps", heads, rows)


def cells(gathered: Gathered) -> str:
    """Every cell with its numbers and its log."""
    heads = [
        "Task",
        "Strategy",
        "seed set",
        "M",
        "of oracle",
        "by requests",
        "HR",
        "recall",
        "AR",
        "SD",
        "AS",
        "pages",
        "hosts",
        "time",
        "log",
    ]
    return table("Cells", heads, [_cell(gathered, run) for run in gathered.runs])


def _cell(gathered: Gathered, run: Run) -> list[str]:
    row = run.row
    seeds = (
        str(row.seed_set) if row.rng_seed == row.seed_set else f"{row.seed_set}, random seed {row.rng_seed}"
    )
    measured = (row.harvest_rate, row.recall, row.average_relevance, row.standard_deviation)
    log = link(run.log, safe(run.log.rpartition("/")[2])) if run.log else DASH
    return [
        safe(row.task),
        strategy(gathered.strategies, row.strategy),
        seeds,
        amount(row.relevant_truth),
        number(row.oracle_share),
        number(row.share_per_request),
        *(f"{value:.3f}" for value in (*measured, row.average_similarity_relevant)),
        f"{amount(row.fetches)}{' ' + safe(row.stop_reason) if row.stop_reason not in {'', 'pages'} else ''}",
        amount(row.hosts),
        duration(row.seconds),
        log,
    ]


def failures(rows: Iterable[Row]) -> str:
    """Cells that ended in an error."""
    return table(
        "Failed",
        ["Task", "Strategy", "seed set", "error"],
        [[safe(r.task), safe(r.strategy), str(r.seed_set), safe(r.error)] for r in rows],
    )


def _folder(runs: Sequence[Run]) -> str:
    return runs[0].log.rpartition("/")[0] + "/" if runs and runs[0].log else ""
