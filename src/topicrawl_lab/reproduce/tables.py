"""Tables at the end of the crawls as plain text, for the report and for summary.md: both judges, and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topicrawl.report.tables import duration
from topicrawl_lab.comparison.findings import short_p
from topicrawl_lab.comparison.html import DASH, mean, number, signed
from topicrawl_lab.reproduce.claims import Judgement
from topicrawl_lab.reproduce.design import Crawler, Grid
from topicrawl_lab.reproduce.experiment import TIME, Crawled, Scaled
from topicrawl_lab.reproduce.figures import ALL, MANY, printed_row, together
from topicrawl_lab.reproduce.recorded import Recorded

PUBLISHED_WAY, INDEPENDENT_WAY, PEOPLES_WAY = "as the paper measures", "independent judge", "people's labels"


def ways(judged: Sequence[Judgement]) -> dict[str, list[Judgement | None]]:
    """The verdicts of each way of measuring that there is, one for each claim or None."""
    found: dict[str, list[Judgement | None]] = {
        PUBLISHED_WAY: list(judged),
        INDEPENDENT_WAY: [each.independent for each in judged],
        PEOPLES_WAY: [each.by_people for each in judged],
    }
    return {way: each for way, each in found.items() if any(each)}


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of plain text; the first `words` columns are words, the others numbers."""

    heads: list[str]
    rows: list[list[str]]
    words: int = 1


def by_people(scaled: Scaled, recorded: Recorded) -> TextTable:
    """Each crawler's mean share of the oracle in recorded webs, by labels of people."""
    heads = ["", f"share of the oracle, {len({each.subject for each in recorded.crawls})} tasks"]
    rows = [[_name(crawler), number(recorded.share(crawler.name))] for crawler in scaled.setup.crawlers]
    return TextTable(heads, rows)


def judged_twice(scaled: Scaled, crawls: Sequence[Crawled]) -> list[tuple[str, Sequence[Crawled]]]:
    """Subjects whose crawls have two judges, with the crawls; all subjects together where there are many."""
    if not any(each.independent for each in crawls):
        return []
    if len(scaled.setup.subjects) >= MANY:
        return [(ALL, together(crawls))]
    return [(subject.name, crawls) for subject in scaled.setup.subjects]


def by_both_judges(scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> TextTable:
    """The measures of a subject's crawls by both judges, and by the truth of the web."""
    measures = scaled.setup.measures
    ways = ((PUBLISHED_WAY, False), (INDEPENDENT_WAY, True))
    heads = ["", *(f"{measure}, {way}" for way, _ in ways for measure in (*measures, "HR by truth"))]
    rows = []
    for crawler in scaled.setup.crawlers:
        mine = [each for each in crawls if (each.crawler, each.subject) == (crawler.name, subject)]
        cells = [
            cell
            for _, apart in ways
            for cell in _means(scaled, [each for each in mine if each.independent == apart], measures)
        ]
        rows.append([_name(crawler), *cells])
    return TextTable(heads, rows)


def _name(crawler: Crawler) -> str:
    return f"{crawler.name} (ours)" if crawler.ours else crawler.name


def _means(scaled: Scaled, crawls: Sequence[Crawled], measures: Sequence[str]) -> list[str]:
    if not crawls:
        return [DASH] * (len(measures) + 1)
    own = [number(mean(each.at(measure, scaled.budget) for each in crawls), measure) for measure in measures]
    return [*own, number(mean(each.true_rate(scaled.budget) for each in crawls))]


def times(scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> TextTable:
    """Published times beside ours, each also as a multiple of the first crawler's."""
    names = [crawler.name for crawler in scaled.setup.crawlers]
    printed = {name: printed_row(scaled, subject, scaled.setup.budget, name).get(TIME, 0.0) for name in names}
    ours: dict[str, tuple[float, float]] = {}
    for name in names:
        mine = [
            each
            for each in crawls
            if (each.crawler, each.subject) == (name, subject) and not each.independent
        ]
        ours[name] = (mean(each.own_seconds for each in mine), mean(each.seconds for each in mine))
    first = names[0]
    rows = [
        [
            name,
            duration(printed[name]) if printed[name] else DASH,
            _multiple(printed[name], printed[first]),
            duration(ours[name][0]) if ours[name][0] else DASH,
            _multiple(ours[name][0], ours[first][0]),
            duration(ours[name][1]) if ours[name][1] else DASH,
        ]
        for name in names
    ]
    heads = ["", "printed", f"× {first}", "valuing and choosing links", f"× {first}", "with pages"]
    return TextTable(heads, rows)


def _multiple(value: float, unit: float) -> str:
    return f"{value / unit:.2f}" if value and unit else DASH


def search(grid: Grid, scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> TextTable:
    """Harvest rates of a parameter search: a row for each page threshold, the last by the truth of the web."""
    groups = [
        [each for each in crawls if (each.crawler, each.subject) == (crawler.name, subject)]
        for crawler in grid.crawlers
    ]
    rows = [
        [f"{threshold:g}", *(number(rate(scaled, group, threshold)) for group in groups)]
        for threshold in grid.thresholds
    ]
    truth = [mean(each.true_rate(scaled.budget) for each in group) if group else None for group in groups]
    rows.append(["by truth", *map(number, truth)])
    return TextTable([f"{grid.axes[0]} \\ {grid.axes[1]}", *grid.columns], rows)


def rate(scaled: Scaled, crawls: Sequence[Crawled], threshold: float) -> float | None:
    """The mean harvest rate with a page threshold; None where some crawl did not reach the budget."""
    rates = [each.rate_above(threshold, scaled.budget) for each in crawls]
    known = [each for each in rates if each is not None]
    return mean(known) if known and len(known) == len(rates) else None


def why(judged: Judgement) -> list[str]:
    """The comparisons a verdict follows from, a line each."""
    if judged.missing:
        return [f"no {', '.join(judged.missing)} here yet"]
    if judged.unevolved:
        return [f"{', '.join(judged.unevolved)} had not evolved in every crawl: take a larger --scale"]
    tested = [
        f"{signed(pair.difference)} against {pair.second}, {pair.pairs} pairs, p (Holm) {short_p(pair.corrected)}"
        for pair in judged.pairings
    ]
    return [*tested, *(f"{name} did not reach the budget in every crawl" for name in judged.short)]
