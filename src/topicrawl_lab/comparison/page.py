"""report.html of a comparison: one self-contained page, light and dark, for wide and narrow screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from string import Template

from topicrawl.report.page import HALF, WIDE, both, policy, stylesheet
from topicrawl.report.tables import amount, safe
from topicrawl.report.templates import template
from topicrawl_lab import templates
from topicrawl_lab.comparison import figures, paper_tables, score_tables
from topicrawl_lab.comparison import html as markup
from topicrawl_lab.comparison.evidence import Evidence, agreement, disagreements, opinions
from topicrawl_lab.comparison.findings import headline, scaled, scope, support, weights
from topicrawl_lab.comparison.gather import LABELS, OWN, SIMILARITY, Gathered
from topicrawl_lab.comparison.html import FOOTER, panel
from topicrawl_lab.comparison.sweeps import Sweep, best_settings, drawing
from topicrawl_lab.plots.curves import curves

SENTENCE = 3_000
"""Most characters of a finding, which may name every strategy."""
PANEL = 300
"""Width at which small multiples are drawn."""


def render(gathered: Gathered, evidence: Evidence | None, sweeps: Sequence[Sweep] = ()) -> str:
    """The report as HTML text."""
    style = stylesheet(template("report.css"), template("comparison.css", templates.__name__))
    sections = [
        _ranks(evidence),
        _scores(gathered, evidence),
        _curves(gathered),
        _judges(gathered),
        _tests(gathered, evidence),
        _sweeps(sweeps),
        _papers(gathered),
        _tasks(gathered),
        _cells(gathered),
    ]
    return Template(template("comparison.html", templates.__name__)).substitute(
        policy=policy(style),
        style=style,
        kicker="comparison of strategies",
        headline=safe(headline(evidence)),
        scope=safe(scope(gathered)),
        support="".join(
            f"<li>{safe(sentence, SENTENCE)}</li>"
            for sentence in (*(support(evidence) if evidence else ()), *weights(gathered))
        ),
        key=markup.key(gathered.strategies),
        sections="\n".join(section for section in sections if section),
        footer=FOOTER,
    )


def _ranks(evidence: Evidence | None) -> str:
    if evidence is None:
        return ""
    return panel(
        "Average ranks",
        f"Average ranks over {len(evidence.tasks)} tasks by share of the oracle; 1 is best. "
        "A bar joins strategies that do not differ significantly (Nemenyi, α = 0.05).",
        both(partial(_at_width, partial(figures.ranks, evidence)), WIDE, 0, 0),
    )


def _scores(gathered: Gathered, evidence: Evidence | None) -> str:
    return panel(
        "Share of the oracle",
        "Relevant pages by labels within the budget, divided by those that the oracle finds; mean over "
        "seed sets. Each number links to its logs.",
        score_tables.scores(gathered, evidence),
        _per_request(gathered),
        score_tables.caps(gathered),
    )


def _per_request(gathered: Gathered) -> str:
    shown = score_tables.per_request(gathered)
    about = (
        "The same when as many requests are made as the budget has pages: a failure costs as much as a page."
    )
    return f'<h3>By requests</h3><p class="about">{about}</p>{shown}' if shown else ""


def _curves(gathered: Gathered) -> str:
    drawn = figures.measures(gathered)
    if not drawn:
        return ""
    charts = []
    for measure in drawn:
        chart = both(partial(figures.overall, gathered, measure), HALF, 300, 250)
        caption = f"{measure.letter} <span>{measure.overall or measure.name}</span>"
        charts.append(f"<figure><figcaption>{caption}</figcaption>{chart}</figure>")
    return panel(
        "Measures during the crawl",
        "The mean of all tasks, against the share of the budget; median over seed sets, quartiles as band. M and HR "
        "are by labels, AR and SD by the crawler's own relevance, AS by similarity to the example pages. A crawl that "
        "ran out of links keeps its last value.",
        f'<div class="charts">{"".join(charts)}</div>',
    )


def _judges(gathered: Gathered) -> str:
    by_judge = opinions(gathered)
    if len(by_judge) < 2:
        return ""
    lines = [_agreeing(gathered, other) for other in (OWN, SIMILARITY) if {LABELS, other} <= by_judge.keys()]
    differing = disagreements(gathered)
    where = (
        f"<h3>Where they disagree</h3>{score_tables.disagreements(gathered, differing)}" if differing else ""
    )
    return panel(
        "Three judges",
        "Harvest rate and average rank by each judge. Labels were given by people and do not depend on a crawler. "
        "Own relevance is the one that steers the crawler, as in most papers. Similarity is that to the nearest "
        "example page, the same for all crawlers, as in SVSM-MCOA.",
        score_tables.judges(gathered, by_judge),
        f'<ul class="findings">{"".join(lines)}</ul>',
        where,
    )


def _agreeing(gathered: Gathered, other: str) -> str:
    hits, others = agreement(gathered, LABELS, other)
    name = score_tables.JUDGE_NAMES[other]
    shares = f"{hits:.0%} are relevant by {name}; of the other pages {others:.0%}"
    return f"<li>Of the pages that are relevant by labels, {shares}.</li>"


def _tests(gathered: Gathered, evidence: Evidence | None) -> str:
    if evidence is None:
        return ""
    tested = evidence.friedman
    return panel(
        "Tests",
        f"Friedman over {tested.blocks} tasks: χ² = {tested.chi_square:.2f}, p = {tested.p:.4f}; Iman–Davenport "
        f"p = {tested.p_iman_davenport:.4f}; Kendall's W = {tested.agreement:.2f}.",
        f"<h3>{safe(evidence.leader)} against every other</h3>"
        '<p class="about">Paired permutation tests: over tasks, then within each task over different starts (all '
        "sign patterns up to 12 pairs). Holm's correction holds for all tests over tasks together, and for those of "
        "each task together. Over tasks a strategy is called better only where Friedman's, Nemenyi's and the paired "
        "test all show it, here as in the headline. Effect is the rank-biserial correlation. The leader was chosen on "
        "the same crawls, and tasks are taken as independent, which those of one web are only in part.</p>",
        score_tables.pairs("Over tasks", evidence, evidence.across),
        f"<details><summary>Within {amount(len(evidence.tasks), 'task')}</summary>"
        f"{score_tables.pairs('Within tasks', evidence, evidence.within)}</details>",
        "<h3>All pairs over tasks</h3>",
        '<p class="about">Nemenyi\'s p-values, corrected for the number of pairs.</p>',
        score_tables.nemenyi(gathered, evidence),
    )


def _sweeps(sweeps: Sequence[Sweep]) -> str:
    parts = []
    for sweep in sweeps:
        draw = drawing(sweep)
        shown = both(partial(_at_width, draw), HALF, 0, 0) if draw else best_settings(sweep)
        parts.append(f"<h3>{safe(sweep.strategy)}</h3>{shown}")
    about = "Share of the oracle, mean over tasks; a dash where the budget of some task was not reached by any crawl."
    return panel("Sweeps", about, *parts) if parts else ""


def _at_width(draw: Callable[[int], str], width: int, _height: int) -> str:
    return draw(width)


def _papers(gathered: Gathered) -> str:
    drawn = figures.measures(gathered)
    tables = [
        f"<details><summary>{safe(task)}</summary>{paper_tables.table_3(gathered, task, drawn)}</details>"
        for task in (gathered.tasks if drawn else ())
    ]
    printed = paper_tables.beside_published(gathered)
    return panel(
        "As in the papers",
        "As in FCITS_OH: the average rank over M, HR, AR (larger is better) and SD (smaller is better), of means over "
        "all crawls. This is not a test: four measures of the same crawls are not independent.",
        paper_tables.paper_ranks(gathered),
        "<h3>Published beside ours</h3>"
        '<p class="about">Other webs, topics and thresholds: for orientation only.</p>' + printed
        if printed
        else "",
        f"<h3>N against the measures</h3>{''.join(tables)}" if tables else "",
    )


def _tasks(gathered: Gathered) -> str:
    drawn = figures.measures(gathered)
    groups = []
    for place, measure in enumerate(drawn):
        panels = "".join(
            f"<figure><figcaption>{safe(task)}</figcaption>"
            f"{curves(task, figures.task_bands(gathered, task, measure), PANEL, 180, named=False)}</figure>"
            for task in gathered.tasks
        )
        opened = " open" if place == 0 else ""
        title = f"{measure.letter}, {measure.name}"
        groups.append(
            f'<details{opened}><summary>{title}</summary><div class="multiples">{panels}</div></details>'
        )
    if not groups:
        return ""
    about = "Median and quartiles over seed sets, against pages fetched; each task has its own scale."
    return panel("Task by task", about, markup.key(gathered.strategies), *groups)


def _cells(gathered: Gathered) -> str:
    listed = (
        f"<details><summary>{len(gathered.runs):,} crawls</summary>{score_tables.cells(gathered)}</details>"
    )
    failed = f"<h3>Failed</h3>{score_tables.failures(gathered.failed)}" if gathered.failed else ""
    notes = "".join(f"<li>{safe(note)}</li>" for note in scaled(gathered))
    shortened = f'<h3>Parameters scaled to the crawls</h3><ul class="findings">{notes}</ul>' if notes else ""
    return panel("Every crawl", "Its measures and its log.", listed, shortened, failed)
