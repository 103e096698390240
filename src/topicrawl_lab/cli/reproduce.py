"""`topicrawl reproduce`: runs the experiment of a paper on an invented web."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topicrawl.errors import UsageError
from topicrawl.terminal import messages, say
from topicrawl_lab.cli import check_installed

if TYPE_CHECKING:
    from rich.console import Console

    from topicrawl_lab.reproduce.claims import Judgement
    from topicrawl_lab.reproduce.experiment import Scaled
    from topicrawl_lab.reproduce.recorded import Recorded
    from topicrawl_lab.results import Row

EXAMPLES = """\
[bold]topicrawl reproduce ielp --out repro/[/]                 the paper's 15,000 pages, ten times

[bold]topicrawl reproduce ielp --out repro/ --scale 0.1[/]     a tenth of them

[bold]topicrawl reproduce ielp --out repro/ --scale 0.1 --parts tables,independent[/]   without the parameter searches

[bold]topicrawl reproduce ielp --out repro/ --scale 0.1 --tasks tasks.json[/]    also by people's labels, on their webs

Run it again to resume: finished crawls are not run again; more --repeats are added to them.
Exit code 1: a crawl failed.

Papers: fcwseo, fcits_oh, svsm_mcoa, semxdm, ielp
"""


def reproduce(
    paper: Annotated[
        str, typer.Argument(metavar="PAPER", help="fcwseo, fcits_oh, svsm_mcoa, semxdm or ielp.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder of results.")],
    scale: Annotated[
        float, typer.Option("--scale", metavar="X", help="Share of the paper's budget, up to 1.")
    ] = 1.0,
    repeats: Annotated[
        int,
        typer.Option("--repeats", metavar="N", help="Crawls of each kind; 0: as in the paper.", min=0),
    ] = 0,
    only: Annotated[
        str, typer.Option("--only", metavar="A,B…", help="Only these crawlers, by the paper's names.")
    ] = "",
    parts: Annotated[
        str,
        typer.Option(
            "--parts",
            metavar="A,B…",
            help="Only these: tables, independent (another judge), grids (parameters), labels (needs --tasks).",
        ),
    ] = "",
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", metavar="TASKS", help="Tasks on recorded webs, for the part labels."),
    ] = None,
    webs: Annotated[
        Path | None,
        typer.Option("--webs", metavar="DIR", help="Folder of these webs and labels. Default: beside TASKS."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", help="Processes. Default: one per core.", min=1)
    ] = None,
) -> None:
    """Run the experiment of a paper on an invented web; report its tables, figures and claims, ours beside theirs."""
    check_installed()
    from topicrawl_lab.reproduce.experiment import Scaled
    from topicrawl_lab.reproduce.page import headline
    from topicrawl_lab.reproduce.papers import setup_of

    console, failures = messages(), list[str]()
    scaled, processes = (
        Scaled(setup_of(paper), scale, repeats, _listed(only), _listed(parts)),
        jobs or os.cpu_count() or 1,
    )
    try:
        recorded = _recorded(scaled, out, tasks, webs, processes, console, failures)
        judged = _run(scaled, out, processes, console, failures, recorded)
    except KeyboardInterrupt:
        console.print("interrupted; run the same command again to resume")
        return
    say(headline(judged))
    for each in judged:
        others = {"the independent judge": each.independent, "people's labels": each.by_people}
        said = [f"{second.verdict} by {judge}" for judge, second in others.items() if second]
        say(f"  {each.verdict}: {each.claim.text}" + (f" ({', '.join(said)})" if said else ""))
    say(f"report: {out / 'report.html'}")
    if failures:
        console.print(f"{len(failures):,} crawls failed; run the same command again to try them again")
        raise typer.Exit(1)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


def _recorded(
    scaled: Scaled,
    out: Path,
    tasks: Path | None,
    webs: Path | None,
    processes: int,
    console: Console,
    failures: list[str],
) -> Recorded | None:
    """The crawls of recorded webs, where that part is wanted and there are tasks and webs."""
    from topicrawl.cli.progress_bar import Countdown
    from topicrawl_lab.compare import Comparison
    from topicrawl_lab.reproduce.experiment import LABELS
    from topicrawl_lab.reproduce.recorded import crawl_tasks
    from topicrawl_lab.tasks import read_tasks

    def remark(text: str) -> None:
        console.print(f"note: {text}", soft_wrap=True, markup=False)

    if not scaled.has(LABELS):
        if tasks:
            raise UsageError(
                "--tasks belongs to the part labels, which --parts leaves out; add labels to --parts"
            )
        return None
    if not tasks and LABELS in scaled.only_parts:
        raise UsageError("--parts labels has no tasks; name a file of tasks on recorded webs with --tasks")
    if not tasks:
        remark("the part labels is skipped; name a file of tasks on recorded webs with --tasks")
        return None
    comparison = Comparison(read_tasks(tasks), (), webs or tasks.parent, jobs=processes)
    budgets = {task.name: task.budget for task in comparison.tasks}
    with Countdown(console) as progress:

        def on_row(row: Row, waiting: Sequence[str]) -> None:
            name = f"{row.strategy} on {row.task}"
            left = sum(budgets[task] for task in waiting)
            progress.cell(name, budgets[row.task], bool(row.error), len(waiting), left)
            if row.error:
                failures.append(name)
                remark(f"{name}: {row.error}")

        return crawl_tasks(scaled, comparison, out / LABELS, remark, on_row)


def _run(
    scaled: Scaled,
    out: Path,
    processes: int,
    console: Console,
    failures: list[str],
    recorded: Recorded | None,
) -> list[Judgement]:
    from topicrawl.cli.progress_bar import Countdown
    from topicrawl.setup.strategy_inputs import wordnet_note
    from topicrawl_lab.process_pool import Failed, trace_file
    from topicrawl_lab.reproduce.experiment import Job, specs
    from topicrawl_lab.reproduce.run import reproduce

    if note := wordnet_note(spec.name for spec in specs(scaled.setup).values() if spec):
        console.print(f"note: {note}", soft_wrap=True, markup=False)
    with Countdown(console) as progress:

        def on_crawl(job: Job, failed: Failed | None, left: int) -> None:
            name = f"{job.crawler.name} on {job.subject.name}, repeat {job.repeat + 1}"
            progress.cell(name, scaled.budget, failed is not None, left, left * scaled.budget)
            if failed:
                failures.append(name)
                where = f"; its traceback is in {trace_file(out / job.log)}" if failed.trace else ""
                console.print(f"note: {name}: {failed.why}{where}", soft_wrap=True, markup=False)

        return reproduce(scaled, out, processes, on_crawl, recorded)
