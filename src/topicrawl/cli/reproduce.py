"""`topicrawl reproduce`: a paper's own experiment on an invented web."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from topicrawl.evaluate.reproduce.experiment import Crawled

EXAMPLES = """\
[bold]topicrawl reproduce ielp --out repro/[/]                 the paper's 15,000 pages, ten times

[bold]topicrawl reproduce ielp --out repro/ --scale 0.1[/]     a tenth of them

Papers: fcwseo, fcits_oh, svsm_mcoa, semxdm, ielp
"""


def reproduce(
    paper: Annotated[
        str, typer.Argument(metavar="PAPER", help="fcwseo, fcits_oh, svsm_mcoa, semxdm or ielp.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to keep what came of it.")],
    scale: Annotated[
        float, typer.Option("--scale", metavar="X", help="Share of the paper's budget, up to 1.")
    ] = 1.0,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", metavar="N", help="Crawls of each kind; 0: as set up for the paper.", min=0
        ),
    ] = 0,
) -> None:
    """Run a paper's own experiment on an invented web; ends in its tables, figures and claims, ours beside theirs."""
    from topicrawl.evaluate.reproduce.experiment import Scaled
    from topicrawl.evaluate.reproduce.page import headline
    from topicrawl.evaluate.reproduce.papers import setup_of
    from topicrawl.evaluate.reproduce.write import reproduce as run

    def told(crawled: Crawled) -> None:
        rate = f"{crawled.own.found:,} of {len(crawled.own.values):,} pages relevant"
        print(f"{crawled.subject}, {crawled.crawler}, repeat {crawled.repeat + 1}: {rate}", flush=True)

    judged = run(Scaled(setup_of(paper), scale, repeats), out, told)
    print(headline(judged))
    for each in judged:
        print(f"  {each.verdict}: {each.claim.text}")
    print(f"report: {out / 'report.html'}")
