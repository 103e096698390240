"""`topicrawl tasks`: make and check the tasks that `compare` runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from topicrawl.terminal import messages, say

CHECK = "[bold]topicrawl tasks check tasks.json[/]"
MAKE = "[bold]topicrawl tasks make some.warc.gz some.labels.csv --out tasks.json[/]"
app = typer.Typer(name="tasks", help="Make and check tasks for compare.", no_args_is_help=True)


@app.command(epilog=CHECK)
def check(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="A tasks file, as `tasks make` writes it.")],
    webs: Annotated[
        Path | None,
        typer.Option("--webs", metavar="DIR", help="Folder of webs and labels. Default: beside TASKS."),
    ] = None,
) -> None:
    """Check tasks against their webs and labels; print one line for each fault."""
    from topicrawl_lab.check_tasks import faults
    from topicrawl_lab.tasks import TaskError, read_tasks

    read = read_tasks(tasks)
    found = list(faults(read, webs or tasks.parent))
    for fault in found:
        say(fault)
    if found:
        raise TaskError(
            f"{tasks}: {len(found)} {'fault' if len(found) == 1 else 'faults'}; they are listed above"
        )
    say(f"{tasks}: {len(read)} tasks, all sound")


@app.command(epilog=MAKE)
def make(
    web: Annotated[Path, typer.Argument(metavar="WARC", help="A recorded web, NAME.warc.gz.")],
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="CSV with the columns url and label.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The tasks file to write.")],
    least: Annotated[int, typer.Option("--least", metavar="N", help="Fewest pages of a label.", min=1)] = 40,
    largest_share: Annotated[
        float,
        typer.Option(
            "--largest-share",
            metavar="X",
            help="Largest share of the web's pages with a label.",
            min=0,
            max=1,
            show_default="1/6",
        ),
    ] = 1 / 6,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the random draws.")] = 0,
) -> None:
    """Make a task of every label of useful size: draw examples and seeds, set the budget, compute the oracle."""
    from topicrawl_lab.cell_runner import TaskWeb
    from topicrawl_lab.make_tasks import Sizes, make_tasks
    from topicrawl_lab.tasks import write_tasks

    task_web = TaskWeb(web, labels)
    made = []
    with messages().status("reading the web …") as status:
        for task in make_tasks(task_web, sizes=Sizes(least, largest_share), seed=seed):
            made.append(task)
            status.update(f"{len(made)} tasks · {task.name}")
    task_web.close()
    write_tasks(made, out)
    say(f"{out}: {len(made)} tasks")
