"""summary.md: the findings of a comparison as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from topicrawl_lab.comparison.evidence import Evidence
from topicrawl_lab.comparison.findings import headline, scaled, scope, short_p, support, weights
from topicrawl_lab.comparison.gather import Gathered
from topicrawl_lab.comparison.html import number


def summary(gathered: Gathered, evidence: Evidence | None) -> str:
    """Headline, supporting statistics, the share of the oracle by task, and the tests."""
    lines = [f"# {_plain(headline(evidence))}", "", scope(gathered), ""]
    if evidence is not None:
        lines += [f"* {_plain(sentence)}" for sentence in support(evidence) + weights(gathered)] + [""]
    lines += ["## Share of the oracle", "", *_scores(gathered, evidence), ""]
    if rows := _per_request(gathered):
        lines += ["## Share of the oracle by requests", "", *rows, ""]
    if evidence is not None:
        lines += [f"## {_plain(evidence.leader)} against the others", "", *_pairs(evidence), ""]
    if notes := scaled(gathered):
        lines += ["## Parameters scaled to the crawls", "", *(f"* {_plain(note)}" for note in notes), ""]
    if gathered.failed:
        lines += ["## Failed cells", ""]
        lines += [
            f"* {_plain(f'{row.task}, {row.strategy}, {row.seed_set}: {row.error}')}"
            for row in gathered.failed
        ]
    return "\n".join(lines).rstrip() + "\n"


def _scores(gathered: Gathered, evidence: Evidence | None) -> list[str]:
    rows = [
        [
            task,
            *(
                number(gathered.mean(task, name, lambda run: run.row.oracle_share))
                for name in gathered.strategies
            ),
        ]
        for task in gathered.tasks
    ]
    if evidence is not None:
        means = evidence.means()
        rows.append(["mean", *(number(means[name]) for name in evidence.strategies)])
        rows.append(["average rank", *(f"{rank:.2f}" for rank in evidence.friedman.ranks)])
    return _table(["task", *gathered.strategies], rows)


def _per_request(gathered: Gathered) -> list[str]:
    """The share when as many requests are made as the budget has pages; nothing for results of older versions."""
    named = {task: [task] for task in gathered.tasks} | {"mean": list(gathered.tasks)}
    values = {
        name: [gathered.per_request(tasks, each) for each in gathered.strategies]
        for name, tasks in named.items()
    }
    if all(value is None for value in values["mean"]):
        return []
    return _table(
        ["task", *gathered.strategies], [[name, *map(number, cells)] for name, cells in values.items()]
    )


def _pairs(evidence: Evidence) -> list[str]:
    heads = ["where", "against", "pairs", "difference", "p", "p (Holm)", "better"]
    rows = [
        [
            *(pair.task, pair.second, str(pair.pairs), f"{pair.difference:+.3f}"),
            *(short_p(p) for p in (pair.p, pair.corrected)),
            evidence.verdict(pair),
        ]
        for pair in (*evidence.across, *evidence.within)
    ]
    return _table(heads, rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---", *("--:" for _ in heads[1:])]
    return ["| " + " | ".join(map(_plain, row)) + " |" for row in (heads, rule, *rows)]


def _plain(text: str) -> str:
    """Text escaped for a Markdown table, HTML included."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
