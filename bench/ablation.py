"""What each part of scout is worth: `python -m bench.ablation WEBS OUT TASKS…`.

The tasks of the files TASKS are crawled from their first seed set by scout, and by scout without one part in turn
(`WITHOUT`). Prints the share of the oracle by labels, mean over tasks, its difference from the whole, in order of loss,
with paired permutation tests over tasks (p, and corrected by Holm over all parts), and the difference on each web.
OUT has a line for each crawl: when interrupted, the complete tasks are shown; run it again to resume.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from bench.in_flight import Job, crawled
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.statistics import corrected, pairing
from topicrawl_lab.tasks import Task, read_tasks

WITHOUT = {
    "words": "words=0",
    "pages": "pages=0",
    "hosts": "hosts=0",
    "failures": "failures=0",
    "links of the examples": "from_examples=no",
}
"""The parameters that switch each part off: its three questions, and what else has a switch. What is in flight at first
(`few_at_first`) is no part here, where one page is fetched after another; see `bench.in_flight`."""


def main() -> None:
    """Run the crawls that are not in the file yet, and print a table."""
    webs, out, *files = map(Path, sys.argv[1:])
    tasks = [task for file in files for task in read_tasks(file)]
    (whole,) = parse_specs("scout")
    parts = {name: parse_specs(f"scout[{parameters}]")[0] for name, parameters in WITHOUT.items()}
    jobs = [Job(task, spec, 0, 1) for task in tasks for spec in (whole, *parts.values())]
    shares = crawled(jobs, webs, out)
    complete = [task for task in tasks if all(job.key in shares for job in jobs if job.task is task)]
    if not complete:
        sys.exit("no task is complete yet")
    found = {
        spec: [shares[Job(task, spec, 0, 1).key] for task in complete] for spec in (whole, *parts.values())
    }
    print("\n".join(table(complete, found[whole], {name: found[spec] for name, spec in parts.items()})))


def table(tasks: Sequence[Task], whole: Sequence[float], without: Mapping[str, Sequence[float]]) -> list[str]:
    """The lines of the table: each part, in order of loss."""
    webs = list(dict.fromkeys(task.web for task in tasks))
    tested = corrected([pairing("all", name, "", (shares, whole)) for name, shares in without.items()])
    named = ", ".join(f"{web} {mean:.3f}" for web, mean in zip(webs, _means(tasks, whole), strict=True))
    lines = [
        f"The whole, {len(tasks)} tasks: {fmean(whole):.3f} ({named})",
        "",
        f"| without | share | difference | p | p (Holm) | {' | '.join(webs)} |",
        f"|---|{'--:|' * (4 + len(webs))}",
    ]
    for pair in sorted(tested, key=lambda pair: pair.difference):
        shares = without[pair.first]
        lost = [share - all_of_it for share, all_of_it in zip(shares, whole, strict=True)]
        each = " | ".join(f"{mean:+.3f}" for mean in _means(tasks, lost))
        figures = f"{fmean(shares):.3f} | {pair.difference:+.3f} | {pair.p:.3f} | {pair.corrected:.3f}"
        lines.append(f"| {pair.first} | {figures} | {each} |")
    return lines


def _means(tasks: Sequence[Task], values: Sequence[float]) -> list[float]:
    """The mean over the tasks of each web."""
    webs = dict.fromkeys(task.web for task in tasks)
    each = list(zip(tasks, values, strict=True))
    return [fmean(value for task, value in each if task.web == web) for web in webs]


if __name__ == "__main__":
    main()
