"""`topicrawl bundle`: a comparison in one file, and its check by repetition."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topicrawl.errors import ReplayError, UsageError
from topicrawl.terminal import messages, note, say

if TYPE_CHECKING:
    from topicrawl_lab.bundle import Bundle
    from topicrawl_lab.results import Row

MAKE = """\
[bold]topicrawl bundle make results/ --webs webs/ --out storms.bundle.zip[/]

[bold]topicrawl bundle make results/ --webs webs/ --with-webs --out storms.bundle.zip[/]  needs nothing else
"""
VERIFY = """\
[bold]topicrawl bundle verify storms.bundle.zip --webs webs/[/]  repeats every crawl and compares the logs

[bold]topicrawl bundle verify storms.bundle.zip --webs webs/ --cells 10[/]  repeats ten of them

[bold]topicrawl bundle verify storms.bundle.zip --cells 0[/]  checks the file alone

Exit code 4: something differs.
"""
app = typer.Typer(
    name="bundle", help="Keep a comparison in one file that can be repeated.", no_args_is_help=True
)
SHOWN = 20
"""Differences that are listed."""


@app.command(epilog=MAKE)
def make(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="The --out of a comparison.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The bundle to write.")],
    webs: Annotated[Path, typer.Option("--webs", metavar="DIR", help="Folder of webs and labels.")],
    tasks: Annotated[
        Path | None,
        typer.Option(
            "--tasks",
            metavar="FILE",
            help="The whole tasks file, where weights were learned on other tasks of it.",
            show_default="RESULTS/tasks.json",
        ),
    ] = None,
    with_webs: Annotated[
        bool, typer.Option("--with-webs", help="Put the webs in, not their digests alone.")
    ] = False,
    threshold: Annotated[
        float | None, typer.Option("--threshold", metavar="X", help="That of the comparison, if it had one.")
    ] = None,
    similarity: Annotated[
        float | None, typer.Option("--similarity", metavar="X", help="That of the comparison, if it had one.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier bundle.")] = False,
) -> None:
    """Put tasks, digests of webs, versions and results of a comparison into one file."""
    from topicrawl_lab.bundle import make_bundle
    from topicrawl_lab.cell_runner import Thresholds

    if out.exists() and not force:
        raise UsageError(f"--out {str(out)!r} exists; give another name, or --force to replace it")
    if not results.is_dir():
        raise UsageError(f"{results} is no folder; give the --out of a comparison")
    usual = Thresholds()
    chosen = Thresholds(
        usual.relevance if threshold is None else threshold,
        usual.similarity if similarity is None else similarity,
    )
    made = make_bundle(results, webs, out, chosen, tasks=tasks, with_webs=with_webs)
    logs = sum(name.endswith(".jsonl") for name in made.members)
    note(
        f"{out}: {logs:,} logs, {len(made.webs):,} files of webs by digest; check it: topicrawl bundle verify {out}"
    )


@app.command(epilog=VERIFY)
def verify(
    file: Annotated[Path, typer.Argument(metavar="BUNDLE", help="A bundle, as `bundle make` writes it.")],
    webs: Annotated[
        Path | None,
        typer.Option(
            "--webs", metavar="DIR", help="Folder of webs and labels.", show_default="those in the bundle"
        ),
    ] = None,
    cells: Annotated[
        int | None,
        typer.Option(
            "--cells",
            metavar="N",
            help="Repeat only N crawls; 0: none, check the file, and the webs if named.",
            min=0,
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", help="Processes. Default: one per core.", min=1)
    ] = None,
) -> None:
    """Check that a bundle is as it was made, and that its crawls give the same logs today."""
    from topicrawl_lab.bundle import Bundle, other_versions

    with Bundle(file) as bundle:
        _refuse(file, list(bundle.faults()))
        say(f"the file is as it was made: {len(bundle.manifest.members):,} members")
        for difference in other_versions(bundle.manifest):
            note(f"note: {difference}")
        if cells == 0:
            if webs is not None:
                _refuse_other_webs(bundle, webs)
            return
        with tempfile.TemporaryDirectory(prefix="topicrawl-bundle-") as work:
            _repeat(bundle, webs, Path(work), cells, jobs or os.cpu_count() or 1)


def _refuse_other_webs(bundle: Bundle, webs: Path) -> None:
    _refuse(bundle.path, list(bundle.web_faults(webs)))
    say(f"the webs are those of the bundle: {len(bundle.manifest.webs):,} files")


def _repeat(bundle: Bundle, webs: Path | None, work: Path, cells: int | None, jobs: int) -> None:
    from topicrawl.cli.progress_bar import Countdown
    from topicrawl_lab.bundle import WEBS
    from topicrawl_lab.bundle_check import repeat

    if webs is None:
        if not bundle.has_webs:
            raise UsageError(
                f"{bundle.path} has the digests of its webs alone; name their folder with --webs"
            )
        webs = work / WEBS
        bundle.unpack(WEBS, webs)
    _refuse_other_webs(bundle, webs)
    with Countdown(messages()) as progress:

        def on_row(row: Row, waiting: Sequence[str]) -> None:
            progress.cell(
                f"{row.strategy} on {row.task}", row.fetches, bool(row.error), len(waiting), len(waiting)
            )

        repeated = repeat(bundle, webs, work, most=cells, jobs=jobs, on_row=on_row)
    _refuse(bundle.path, list(repeated.differences))
    say(
        f"{repeated.cells:,} crawls were repeated: their logs are the same, byte for byte, and so are their results"
    )


def _refuse(file: Path, faults: Sequence[str]) -> None:
    for fault in faults[:SHOWN]:
        say(fault)
    if faults:
        raise ReplayError(f"{file}: {len(faults):,} differences; they are listed above")
