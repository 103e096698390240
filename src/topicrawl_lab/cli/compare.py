"""`topicrawl compare`: compares strategies on recorded webs with labels."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from topicrawl.errors import ConfigError
from topicrawl.terminal import messages, say
from topicrawl_lab.cli import check_installed

if TYPE_CHECKING:
    from rich.console import Console

    from topicrawl_lab.compare import Comparison
    from topicrawl_lab.results import Results, Row
    from topicrawl_lab.spec import Spec
    from topicrawl_lab.sweep import Axis

EXAMPLES = """\
[bold]topicrawl compare tasks.json --strategies bfs,ops --repeats 10 --out results/[/]

[bold]topicrawl compare tasks.json --strategies "ops,ops\\[anchor_weight=0.7,topic=examples]" --out results/[/]

[bold]topicrawl compare tasks.json --sweep ops.anchor_weight=0.3,0.5,0.7 --out sweep/[/]

[bold]topicrawl compare tasks.json --strategies bfs,ops --out results/ --format latex > scores.tex[/]  for a paper

Run it again to resume: finished cells are not run again. Exit code 1: a cell failed.
"""
FORMATS = ("text", "latex")


def compare(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="A tasks file, as `tasks make` writes it.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder of results.")],
    strategies: Annotated[
        str, typer.Option("--strategies", metavar="LIST", help="As bfs,ops[anchor_weight=0.7]; or all.")
    ] = "",
    sweep: Annotated[
        list[str] | None,
        typer.Option("--sweep", metavar="S.P=V,V…", help="Also every value of a parameter; may be repeated."),
    ] = None,
    repeats: Annotated[
        int | None, typer.Option("--repeats", metavar="N", help="The first N seed sets. Default: all.", min=1)
    ] = None,
    rng_repeats: Annotated[
        int, typer.Option("--rng-repeats", metavar="M", help="Random seeds for each seed set.", min=1)
    ] = 1,
    only: Annotated[str, typer.Option("--only", metavar="TASK,TASK…", help="Only these tasks.")] = "",
    max_per_host: Annotated[
        str, typer.Option("--max-per-host", metavar="N,N,none", help="Caps on the pages of one host.")
    ] = "none",
    topic_from: Annotated[
        str, typer.Option("--topic-from", metavar="words|examples|ontology", help="Source of the topics.")
    ] = "words",
    webs: Annotated[
        Path | None,
        typer.Option("--webs", metavar="DIR", help="Folder of webs and labels. Default: beside TASKS."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", help="Processes. Default: one per core.", min=1)
    ] = None,
    rejudge: Annotated[
        bool, typer.Option("--rejudge", help="Judge the logs in --out again, without crawling.")
    ] = False,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", metavar="X", help="A page above this relevance counts as relevant."),
    ] = None,
    similarity: Annotated[
        float | None,
        typer.Option("--similarity", metavar="X", help="A page from this similarity on counts as relevant."),
    ] = None,
    format: Annotated[  # noqa: A002 - the name of the flag
        str,
        typer.Option(
            "--format",
            metavar="text|latex",
            help="How scores are printed; latex: booktabs with significance marks, also scores.tex, and plots as PDF.",
        ),
    ] = "text",
) -> None:
    """Run strategies on tasks and judge the pages they fetch; results.csv has a row for each crawl."""
    if format not in FORMATS:
        raise ConfigError(f"--format {format!r} is unknown; give {' or '.join(FORMATS)}")
    check_installed(for_paper=format == "latex")
    from topicrawl_lab.cell_runner import Thresholds
    from topicrawl_lab.compare import Comparison
    from topicrawl_lab.comparison import SCORES, write_comparison
    from topicrawl_lab.results import Results
    from topicrawl_lab.sweep import parse_axis
    from topicrawl_lab.tasks import read_tasks, select

    everything = read_tasks(tasks)
    axes = [parse_axis(each) for each in sweep or ()]
    defaults = Thresholds()
    comparison = Comparison(
        tasks=select(everything, filter(None, map(str.strip, only.split(",")))),
        specs=_specs(strategies, axes, topic_from),
        webs=webs or tasks.parent,
        all_tasks=everything,
        repeats=repeats,
        rng_repeats=rng_repeats,
        caps=_caps(max_per_host),
        thresholds=Thresholds(
            defaults.relevance if threshold is None else threshold,
            defaults.similarity if similarity is None else similarity,
        ),
        jobs=jobs or os.cpu_count() or 1,
    )
    console = messages()
    results = Results(out)
    try:
        rows = _run(comparison, results, console, rejudge)
    except KeyboardInterrupt:
        console.print("interrupted; run the same command again to resume")
        return
    if axes:
        _write_sweep(axes, rows, comparison, results)
    if format == "text" and not all(row.error for row in rows):
        _show(rows)
    report = write_comparison(out, comparison.webs, comparison.thresholds, for_paper=format == "latex")
    if format == "latex":
        say((out / SCORES).read_text("utf-8").rstrip())
    console.print(f"results: {results.table}\nreport: {report}", soft_wrap=True, markup=False)
    if failed := sum(bool(row.error) for row in rows):
        console.print(
            f"{failed:,} of {len(rows):,} cells failed; run the same command again to try them again"
        )
        raise typer.Exit(1)


def _specs(strategies: str, axes: Sequence[Axis], topic: str) -> list[Spec]:
    from topicrawl_lab.spec import parse_specs
    from topicrawl_lab.sweep import swept

    named = parse_specs(strategies, topic) if strategies or not axes else []
    return list(dict.fromkeys([*named, *swept(axes, topic)]))


def _caps(text: str) -> list[int | None]:
    caps: list[int | None] = []
    for entry in map(str.strip, text.split(",")):
        if entry != "none" and not (entry.isdecimal() and int(entry)):
            raise ConfigError(f"--max-per-host {entry!r} is no cap; give numbers from 1 on, or none")
        caps.append(None if entry == "none" else int(entry))
    return list(dict.fromkeys(caps))


def _run(comparison: Comparison, results: Results, console: Console, rejudge: bool) -> list[Row]:
    from topicrawl.cli.progress_bar import Countdown

    def remark(text: str) -> None:
        console.print(f"note: {text}", soft_wrap=True, markup=False)

    if rejudge:
        return comparison.rejudge(results, remark)
    budgets = {task.name: task.budget for task in comparison.tasks}
    reported: set[tuple[str, str]] = set()
    with Countdown(console) as progress:

        def on_row(row: Row, waiting: Sequence[str]) -> None:
            name = f"{row.strategy} on {row.task}"
            pages_left = sum(budgets[task] for task in waiting)
            progress.cell(name, budgets[row.task], bool(row.error), len(waiting), pages_left)
            if row.error and (row.strategy, row.error) not in reported:
                reported.add((row.strategy, row.error))
                remark(f"{name}, seed set {row.seed_set}: {row.error}")

        return comparison.run(results, remark, on_row)


def _write_sweep(axes: Sequence[Axis], rows: list[Row], comparison: Comparison, results: Results) -> None:
    from topicrawl_lab.sweep import sweep_table, swept

    wanted = {(spec.name, spec.settings) for spec in swept(axes, "words")}
    names = {str(spec) for spec in comparison.specs if (spec.name, spec.settings) in wanted}
    budgets = {task.name: task.budget for task in comparison.tasks}
    table = sweep_table(axes, [row for row in rows if row.strategy in names], budgets)
    results.write_table("sweep.csv", table)


def _show(rows: list[Row]) -> None:
    """Print the mean share of the oracle, by pages and by requests."""
    good = [row for row in rows if not row.error]
    _show_shares("share of the oracle, mean over cells", good, lambda row: row.oracle_share)
    if any(row.share_per_request is not None for row in good):
        label = "share of the oracle by requests: a failure costs as much as a page"
        _show_shares(label, good, lambda row: row.share_per_request)


def _show_shares(label: str, rows: Sequence[Row], share: Callable[[Row], float | None]) -> None:
    """Print a mean share: a row for each task, a column for each strategy."""
    from topicrawl.cli.tables import show_columns

    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        if (value := share(row)) is not None:
            shares[_row_name(row.task, row.cap), row.strategy].append(value)
    tasks, strategies = (list(dict.fromkeys(key[part] for key in shares)) for part in (0, 1))
    means = {key: fmean(values) for key, values in shares.items()}
    lines = [["task", *strategies]]
    for task in tasks:
        cells = (means.get((task, strategy)) for strategy in strategies)
        lines.append([task, *("—" if mean is None else f"{mean:.3f}" for mean in cells)])
    columns = ([means[task, name] for task in tasks if (task, name) in means] for name in strategies)
    lines.append(["mean", *(f"{fmean(column):.3f}" for column in columns)])
    say(label)
    show_columns(lines, right=range(1, len(lines[0])))


def _row_name(task: str, cap: str) -> str:
    return task if cap == "none" else f"{task}, {cap} a host"
