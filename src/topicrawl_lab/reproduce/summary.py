"""summary.md: the verdict on each claim by each judge, and the tables at the end of the crawls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topicrawl_lab.comparison.html import DASH
from topicrawl_lab.reproduce.claims import Judgement
from topicrawl_lab.reproduce.experiment import GRIDS, TABLES, Crawled, Scaled
from topicrawl_lab.reproduce.page import headline
from topicrawl_lab.reproduce.tables import (
    INDEPENDENT_WAY,
    PUBLISHED_WAY,
    TextTable,
    by_both_judges,
    judged_twice,
    search,
    times,
)


def summary(scaled: Scaled, crawls: Sequence[Crawled], judged: Sequence[Judgement]) -> str:
    """The file as text."""
    return "\n".join(_lines(scaled, crawls, judged)) + "\n"


def _lines(scaled: Scaled, crawls: Sequence[Crawled], judged: Sequence[Judgement]) -> Iterator[str]:
    setup = scaled.setup
    yield f"# {setup.title}\n"
    yield f"{headline(judged)} {scaled.budget:,} pages, {scaled.times} repeats.\n"
    yield from _markdown(_verdicts(judged))
    for name, mine in judged_twice(scaled, crawls):
        yield f"\n## {name}\n"
        yield from _markdown(by_both_judges(scaled, mine, name))
    for subject in (each.name for each in setup.subjects):
        if scaled.has(TABLES) and setup.independent:
            yield f"\n## Time, {subject}\n"
            yield from _markdown(times(scaled, crawls, subject))
        for grid in setup.grids if scaled.has(GRIDS) else ():
            yield f"\n## {grid.title}, {subject}\n"
            yield from _markdown(search(grid, scaled, crawls, subject))


def _verdicts(judged: Sequence[Judgement]) -> TextTable:
    """The verdicts; a column for the second judge only where there is one."""
    heads = ["claim", PUBLISHED_WAY, INDEPENDENT_WAY]
    rows = [
        [_text(each), _shown(each), _shown(each.independent) if each.independent else DASH] for each in judged
    ]
    if not any(each.independent for each in judged):
        heads, rows = heads[:2], [row[:2] for row in rows]
    return TextTable(heads, rows, words=len(heads))


def _text(judged: Judgement) -> str:
    return f"{judged.claim.text} (ours)" if judged.claim.ours else judged.claim.text


def _shown(judged: Judgement) -> str:
    if judged.missing:
        return f"{judged.verdict} (no {', '.join(judged.missing)})"
    if judged.unevolved:
        return f"{judged.verdict} ({', '.join(judged.unevolved)} had not evolved)"
    return judged.verdict


def _markdown(table: TextTable) -> Iterator[str]:
    yield f"| {' | '.join(table.heads)} |"
    yield "|" + "|".join(["---"] * table.words + ["--:"] * (len(table.heads) - table.words)) + "|"
    for row in table.rows:
        yield f"| {' | '.join(row)} |"
