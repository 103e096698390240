"""Run a paper's experiment into a folder: logs, results.csv, report.html, summary.md and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from topicrawl.errors import UsageError
from topicrawl.evaluate.plots.files import write_plot
from topicrawl.evaluate.reproduce.experiment import Crawled, Scaled, file_name, log_folder, run
from topicrawl.evaluate.reproduce.figures import figure
from topicrawl.evaluate.reproduce.judgement import Judgement, judge
from topicrawl.evaluate.reproduce.page import headline, render
from topicrawl.model import Visit
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.store.followers import visit_line

COLUMNS = ("M", "HR", "AR", "SD", "AS")


def reproduce(
    scaled: Scaled, out: Path, told: Callable[[Crawled], None] = lambda crawled: None
) -> list[Judgement]:
    """Run everything and write it to `out`; `told` hears of each crawl as it ends."""
    if not 0 < scaled.scale <= 1:
        raise UsageError(f"--scale {scaled.scale:g} is no share of the paper's budget; give 0.01 to 1")
    crawls = []
    for crawled, visits in run(scaled):
        _keep(out, crawled, visits)
        crawls.append(crawled)
        told(crawled)
    judged = [judge(claim, crawls, scaled) for claim in scaled.setup.claims]
    written = {
        "results.csv": _table(scaled, crawls),
        "report.html": render(scaled, crawls, judged),
        "summary.md": _summary(scaled, judged),
    }
    with disk_errors(out):
        for name, text in written.items():
            write_atomically(out / name, text.encode())
    _plots(out / "plots", scaled, crawls)
    return judged


def _keep(out: Path, crawled: Crawled, visits: Sequence[Visit]) -> None:
    path = out / log_folder(crawled.subject, crawled.crawler) / f"{crawled.repeat}.jsonl"
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, b"".join(map(visit_line, visits)))


def _table(scaled: Scaled, crawls: Sequence[Crawled]) -> str:
    """A line for each crawl and number of pages; measures as the paper takes them, and the harvest rate by truth."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("subject", "crawler", "repeat", "pages", *COLUMNS, "harvest_rate_truth", "seconds"))
    for each in crawls:
        for pages in scaled.rows:
            measured = [each.at(measure, pages) for measure in COLUMNS]
            rounded = [round(value, 6) for value in (*measured, each.true_rate(pages), each.seconds)]
            writer.writerow((each.subject, each.crawler, each.repeat, pages, *rounded))
    return text.getvalue()


def _summary(scaled: Scaled, judged: Sequence[Judgement]) -> str:
    lines = [f"# {scaled.setup.title}", "", headline(judged), "", "| claim | judgement |", "| --- | --- |"]
    for each in judged:
        missing = f" (no {', '.join(each.missing)})" if each.missing else ""
        lines.append(f"| {each.claim.text} | {each.verdict}{missing} |")
    return "\n".join(lines) + "\n"


def _plots(folder: Path, scaled: Scaled, crawls: Sequence[Crawled]) -> None:
    for subject in scaled.setup.subjects:
        for measure in scaled.setup.measures:
            drawn = figure(scaled, crawls, subject.name, measure, 980, 400)
            write_plot(folder, f"{file_name(subject.name)}-{measure}", drawn)
