"""summary.md: the verdict on each claim by each judge, and the tables at the end of the crawls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topicrawl_lab.comparison.html import DASH
from topicrawl_lab.reproduce.claims import Judgement
from topicrawl_lab.reproduce.experiment import GRIDS, TABLES, Crawled, Scaled
from topicrawl_lab.reproduce.page import headline
from topicrawl_lab.reproduce.recorded import Recorded
from topicrawl_lab.reproduce.tables import (
    TextTable,
    by_both_judges,
    by_people,
    judged_twice,
    search,
    times,
    ways,
)


def summary(
    scaled: Scaled, crawls: Sequence[Crawled], judged: Sequence[Judgement], recorded: Recorded | None = None
) -> str:
    """The file as text."""
    return "\n".join(_lines(scaled, crawls, judged, recorded)) + "\n"


def _lines(
    scaled: Scaled, crawls: Sequence[Crawled], judged: Sequence[Judgement], recorded: Recorded | None
) -> Iterator[str]:
    setup = scaled.setup
    yield f"# {setup.title}\n"
    yield f"{headline(judged)} {scaled.budget:,} pages, {scaled.times} repeats.\n"
    yield from _markdown(_verdicts(judged))
    if recorded:
        yield "\n## Recorded webs, by people's labels\n"
        yield from _markdown(by_people(scaled, recorded))
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
    """The verdicts, a column for each way of measuring that there is."""
    columns = ways(judged)
    lines = zip(judged, *columns.values(), strict=True)
    rows = [[_text(claim), *(_shown(each) if each else DASH for each in line)] for claim, *line in lines]
    return TextTable(["claim", *columns], rows, words=1 + len(columns))


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
