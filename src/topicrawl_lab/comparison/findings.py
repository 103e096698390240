"""The findings of a comparison as sentences; a strategy is called better only where the tests show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from topicrawl.errors import ConfigError
from topicrawl.strategies.parameters import PUBLISHED_PAGES
from topicrawl_lab.comparison.evidence import ALPHA, ENOUGH_TASKS, Evidence
from topicrawl_lab.comparison.gather import NO_CAP, Gathered
from topicrawl_lab.spec import Spec, parse_specs
from topicrawl_lab.statistics import UNDECIDED


def headline(evidence: Evidence | None) -> str:
    """The finding in one sentence."""
    if evidence is None:
        return "There is nothing to compare yet: no task was crawled by two strategies."
    best = evidence.better_than()
    others = len(evidence.strategies) - 1
    if not best:
        return f"No strategy is shown to be better. {evidence.leader} ranks first on average."
    if len(best) == others:
        return f"{evidence.leader} is better than {_listed(best, others)}."
    rest = [name for name in evidence.strategies if name not in {evidence.leader, *best}]
    unclear = f"its difference from {_listed(rest, others)} is not significant"
    return f"{evidence.leader} is better than {_listed(best, others)}; {unclear}."


def _listed(names: list[str], others: int) -> str:
    if len(names) == others > 3:
        return f"the other {others}"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}"


def support(evidence: Evidence) -> list[str]:
    """The statistics behind the headline, as sentences."""
    tested, tasks = evidence.friedman, len(evidence.tasks)
    means = evidence.means()
    low, high = evidence.intervals[evidence.strategies.index(evidence.leader)]
    sentences = [
        f"Over {_tasks(tasks)}, {evidence.leader} finds {means[evidence.leader]:.1%} of what the oracle finds "
        f"(95 % interval over tasks {low:.1%} to {high:.1%}).",
        f"Ranks that differ this much by chance alone: {p_text(tested.p_iman_davenport)} (Friedman, Iman–Davenport); "
        f"the critical difference of average ranks is {evidence.difference:.2f} (Nemenyi); only where "
        "the paired test agrees is one called better.",
        _within(evidence),
    ]
    if unproved := evidence.untestable():
        sentences.append(
            f"Too few different starts to prove anything within {_some(unproved)}: give more seed sets."
        )
    if tasks < ENOUGH_TASKS:
        sentences.append(
            f"With fewer than {ENOUGH_TASKS} tasks (here {tasks}) real differences easily stay unproven."
        )
    if evidence.left_out:
        sentences.append(f"Left out, because not every strategy ran them: {_some(evidence.left_out)}.")
    return sentences


def weights(gathered: Gathered) -> list[str]:
    """The sources of learned weights of link texts, a sentence for each source."""
    sources: dict[str, dict[str, None]] = {}
    for run in gathered.runs:
        if source := run.row.weights_from:
            sources.setdefault(source, {})[run.row.strategy] = None
    return [f"Weights of links' texts in {', '.join(names)}: {source}." for source, names in sources.items()]


def _some(names: Sequence[str], most: int = 4) -> str:
    """The first names of a list that may be long."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _within(evidence: Evidence) -> str:
    clauses = []
    for name in evidence.strategies:
        if name == evidence.leader:
            continue
        verdicts = Counter(pair.verdict(ALPHA) for pair in evidence.within if pair.second == name)
        clauses.append(
            f"{name} in {verdicts[evidence.leader]}, worse in {verdicts[name]}, undecided in {verdicts[UNDECIDED]}"
        )
    return f"Within single tasks {evidence.leader} is better than " + "; ".join(clauses) + "."


def scope(gathered: Gathered) -> str:
    """The size of the comparison."""
    cells, tasks, names = len(gathered.runs), len(gathered.tasks), len(gathered.strategies)
    cap = "" if gathered.cap == NO_CAP else f", at most {gathered.cap} pages a host"
    failed = f"; {len(gathered.failed)} failed" if gathered.failed else ""
    strategies = "1 strategy" if names == 1 else f"{names} strategies"
    return f"{cells:,} crawls of {_tasks(tasks)} by {strategies}{cap}{failed}."


def scaled(gathered: Gathered) -> list[str]:
    """The parameters that were scaled to the budget, a sentence for each."""
    sentences = []
    for name in gathered.strategies:
        spec = _installed(name)
        budgets = sorted({gathered.budgets[task] for task in gathered.tasks if gathered.of(task, name)})
        for parameter, published in spec.scaled(PUBLISHED_PAGES).items() if spec else ():
            used = list(dict.fromkeys(spec.scaled(budget)[parameter] for budget in budgets)) if spec else []
            span = (
                f"{used[0]:,}"
                if len(used) == 1
                else f"{used[0]:,} to {used[-1]:,}, as the budget of the task"
            )
            sentences.append(
                f"{name}: {parameter} {span} (published {published:,} in {PUBLISHED_PAGES:,} pages)."
            )
    return sentences


def _installed(name: str) -> Spec | None:
    """The spec of a strategy named in results; None where it is not installed."""
    try:
        return parse_specs(name)[0]
    except ConfigError:
        return None


def p_text(p: float) -> str:
    """A p-value in a sentence.

    >>> p_text(0.00001), p_text(0.0312)
    ('p < .001', 'p = .031')
    """
    return f"p {short_p(p)}" if p < 0.001 else f"p = {short_p(p)}"


def short_p(p: float) -> str:
    """A p-value in a table.

    >>> short_p(0.00001), short_p(0.0312), short_p(1)
    ('< .001', '.031', '1')
    """
    if p >= 0.9995:
        return "1"
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count} tasks"
