"""Tables on the terminal."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from topicrawl.errors import TopicrawlError
from topicrawl.report.progress import print_summary
from topicrawl.safe_text import for_terminal
from topicrawl.store import wishes
from topicrawl.store.lock import writer_of
from topicrawl.terminal import terminal

if TYPE_CHECKING:
    from topicrawl.crawling.explain import Why
    from topicrawl.crawling.verdicts import Verdict
    from topicrawl.store.run import Run


def show_run(run: Run, summary: Mapping[str, Any]) -> None:
    """Print the summary of a run and which process is writing to it."""
    console = terminal()
    print_summary(summary, console)
    rows = {"run": str(run.path), "written by": writer_of(run.path) or "no process"}
    if run.missing_count:
        from topicrawl.crawling.lifecycle import (
            missing_records,
        )  # with what crawls, which `why` does not need

        rows["missing"] = missing_records(run)
    if said := _wishes(run):
        rows["wishes"] = said
    show_rows(rows, console)


def _wishes(run: Run) -> str:
    """How many wishes of a run wait, or why they cannot be read; empty where none does."""
    try:
        waiting = len(wishes.waiting(run.path))
    except TopicrawlError as error:
        return str(error)
    return f"{waiting:,} wait to be carried out; see: topicrawl tell {run.path} --history" if waiting else ""


def show_rows(rows: Mapping[str, str], console: Console | None = None) -> None:
    """Print names and values; a value may have several lines."""
    lines = [
        ("" if place else name, line)
        for name, value in rows.items()
        for place, line in enumerate(value.split("\n"))
    ]
    show_columns(lines, console, style="bold")


def show_columns(
    rows: Sequence[Sequence[str]],
    console: Console | None = None,
    *,
    right: Collection[int] = (),
    style: str = "",
) -> None:
    """Print aligned columns, those in `right` flush right; the first column in `style`.

    Lines are not wrapped here, so that numbers and URLs can be copied whole; a narrow terminal wraps at its edge.
    Cells may come from the network and are never read as markup.
    """
    cells = [[for_terminal(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    out = console or terminal()
    for row in cells:
        line = Text()
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - cell_len(cell))
            line.append(gap + cell if place in right else cell + gap, "" if place else style)
            line.append("  ")
        line.rstrip()
        out.print(line, soft_wrap=True)


PAGES_SHOWN = 5
SMALLEST = 1e-6
"""Factors nearer to 0 are shown as 0."""


def show_why(story: Why, console: Console | None = None) -> None:
    """Print the history of a link: where it was found, its priorities, when it was chosen."""
    rows = {"link": story.url, "state": story.state}
    if story.refusal:
        rows["not followed"] = story.refusal
    if story.rank is not None:
        rows["place"] = f"{story.rank:,} of {story.waiting:,} that wait"
    if story.chosen_before is not None:
        rows["chosen"] = f"after {story.chosen_before:,} visits"
    elif story.visit is not None:
        rows["chosen"] = f"with priority {story.visit.priority:.4f}"
    if story.visit is not None:
        visit = story.visit
        rows["visit"] = (
            f"{visit.n:,}: relevance {visit.relevance:.3f}"
            if visit.fetched
            else f"{visit.n:,}: {visit.error}"
        )
    if story.verdict is not None:
        rows["mark"] = _said(story.verdict)
    if story.fate:
        rows["afterwards"] = "\n".join(story.fate)
    pages = story.found_on
    more = f"  (and {len(pages) - PAGES_SHOWN:,} more)" if len(pages) > PAGES_SHOWN else ""
    rows["found on"] = "\n".join(pages[:PAGES_SHOWN]) + more if pages else story.origin
    show_rows(rows, console)
    show_changes(story, console)


def _figure(value: float) -> str:
    """A factor in three digits; what is next to nothing is 0."""
    return f"{value:.3g}" if abs(value) >= SMALLEST else "0"


def _said(verdict: Verdict) -> str:
    """What a person said, and when."""
    day = f" on {datetime.fromtimestamp(verdict.time, UTC):%Y-%m-%d}" if verdict.time else ""
    return (
        f"you said it is {'relevant' if verdict.relevant else 'irrelevant'}{day}, at visit {verdict.visit:,}"
    )


def show_changes(story: Why, console: Console | None = None) -> None:
    """Print the priorities of a link over time, and their factors under the paper's symbols."""
    if not story.history:
        return
    factors = list(dict.fromkeys(name for change in story.history for name in change.factors))
    rows = [["visit", "priority", *factors, "page"]]
    for change in story.history:
        values = (_figure(change.factors[name]) if name in change.factors else "" for name in factors)
        priority = f"{change.priority:.4f}" if math.isfinite(change.priority) else story.unranked
        rows.append([f"{change.visit:,}", priority, *values, change.page or "(snapshot)"])
    show_columns(rows, console, right=range(len(factors) + 2))
