"""Run a paper's experiment into a folder: logs, results.csv, report.html, summary.md and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl_lab.plots.files import write_plot
from topicrawl_lab.process_pool import Failed, ProcessPool, keep_trace
from topicrawl_lab.reproduce.claims import Judgement, judge_both
from topicrawl_lab.reproduce.crawling import Crawls
from topicrawl_lab.reproduce.experiment import (
    GRIDS,
    INDEPENDENT,
    LABELS,
    TABLES,
    Crawled,
    Job,
    Scaled,
    by_labels_of_the_web,
    file_name,
    jobs,
)
from topicrawl_lab.reproduce.figures import ALL, MANY, figure, together
from topicrawl_lab.reproduce.folder import Folder
from topicrawl_lab.reproduce.page import render
from topicrawl_lab.reproduce.recorded import Recorded
from topicrawl_lab.reproduce.rounds import write_round_plots
from topicrawl_lab.reproduce.summary import summary
from topicrawl_lab.reproduce.weights import write_weight_plots

COLUMNS = ("M", "HR", "AR", "SD", "AS")


def reproduce(
    scaled: Scaled,
    out: Path,
    processes: int = 1,
    on_crawl: Callable[[Job, Failed | None, int], None] = lambda job, failed, left: None,
    recorded: Recorded | None = None,
) -> list[Judgement]:
    """Run the crawls that are not in `out` yet and write the results of all.

    `on_crawl` is called after each crawl, with its failure if any and the number of crawls left. `recorded` are the
    crawls of recorded webs, if any.
    """
    folder = Folder(out)
    finished = folder.finished(scaled)
    wanted = list(jobs(scaled))
    todo = [job for job in wanted if not folder.has(job, finished)]
    left = len(todo)
    for job, answer in ProcessPool(Crawls(scaled, folder), processes).work(todo):
        left -= 1
        keep_trace(answer, out / job.log)
        if isinstance(answer, Failed):
            on_crawl(job, answer, left)
        else:
            folder.append(answer)
            finished[job.key] = answer
            on_crawl(job, None, left)
    crawls = [folder.read(job, scaled, finished[job.key]) for job in wanted if folder.has(job, finished)]
    if scaled.setup.topic_pages:
        crawls += by_labels_of_the_web(crawls)
    return _write(out, scaled, crawls, recorded)


def _write(
    out: Path, scaled: Scaled, crawls: Sequence[Crawled], recorded: Recorded | None
) -> list[Judgement]:
    judged = [
        judge_both(claim, crawls, scaled)
        for claim in scaled.setup.claims
        if (scaled.has(GRIDS) if claim.search else any(map(scaled.has, (TABLES, INDEPENDENT, LABELS))))
    ]
    if recorded:
        judged = [replace(each, by_people=recorded.judge(each.claim, scaled)) for each in judged]
    written = {
        "results.csv": _table(scaled, crawls),
        "report.html": render(scaled, crawls, judged, recorded),
        "summary.md": summary(scaled, crawls, judged, recorded),
    }
    with disk_errors(out):
        for name, text in written.items():
            write_atomically(out / name, text.encode())
    _plots(out / "plots", scaled, [each for each in crawls if not each.independent])
    return judged


def _table(scaled: Scaled, crawls: Sequence[Crawled]) -> str:
    """A line for each crawl and number of pages; the paper's measures, and the harvest rate by truth.

    Where the paper measures rounds, a line is about the pages since the line before.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        (
            "subject",
            "crawler",
            "repeat",
            "judge",
            "pages",
            *COLUMNS,
            "harvest_rate_truth",
            "own_seconds",
            "seconds",
        )
    )
    for each in crawls:
        for since, pages in scaled.parts:
            measured = [each.at(measure, pages, since) for measure in COLUMNS]
            seconds = (each.own_seconds, each.seconds)
            rounded = [round(value, 6) for value in (*measured, each.true_rate(pages, since), *seconds)]
            judge = INDEPENDENT if each.independent else "paper"
            writer.writerow((each.subject, each.crawler, each.repeat, judge, pages, *rounded))
    return text.getvalue()


def _plots(folder: Path, scaled: Scaled, crawls: Sequence[Crawled]) -> None:
    write_weight_plots(folder, crawls)
    write_round_plots(folder, crawls)
    for subject in scaled.setup.subjects:
        for measure in scaled.setup.measures:
            drawn = figure(scaled, crawls, subject.name, measure, 980, 400)
            write_plot(folder, f"{file_name(subject.name)}-{measure}", drawn)
    if len(scaled.setup.subjects) >= MANY:
        for measure in scaled.setup.measures:
            drawn = figure(scaled, together(crawls), ALL, measure, 980, 400)
            write_plot(folder, f"{file_name(ALL)}-{measure}", drawn)
