"""The harvest of a strategy with fewer examples: `python -m bench.examples TASKS WEBS [STRATEGY]`.

STRATEGY (else scout) crawls the tasks of the file TASKS on the webs of the folder WEBS. Share of the oracle by labels
with none, one, five and all example pages of each task, from its first seed set, mean over tasks and over those of each
web; paired permutation tests against all examples, Holm-corrected.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from bench.in_flight import Job, Windowed
from topicrawl.model import Topic
from topicrawl_lab.spec import Spec, parse_specs
from topicrawl_lab.statistics import corrected, pairing
from topicrawl_lab.tasks import Task, read_tasks

FEWER = (0, 1, 5)


class FewerExamples(Windowed):
    """Crawls with only the first `examples` of each task."""

    examples: int | None = None

    def _topic(self, job: Job) -> Topic:
        topic = super()._topic(job)
        return replace(topic, examples=topic.examples[: self.examples])


def shares(crawls: FewerExamples, tasks: list[Task], spec: Spec, examples: int | None) -> list[float]:
    """The share of the oracle in each task."""
    crawls.examples = examples
    found = []
    for done, task in enumerate(tasks, 1):
        found.append(crawls(Job(task, spec, 0, 1)))
        print(f"\r{examples} examples: {done}/{len(tasks)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def main() -> None:
    """Crawl and print a table."""
    tasks, crawls = read_tasks(Path(sys.argv[1])), FewerExamples(Path(sys.argv[2]))
    (spec,) = parse_specs(sys.argv[3] if len(sys.argv) > 3 else "scout")
    webs = sorted({task.web for task in tasks})
    every = shares(crawls, tasks, spec, None)
    found = {number: shares(crawls, tasks, spec, number) for number in FEWER}
    tested = corrected([pairing("all", str(number), "", (found[number], every)) for number in FEWER])
    print(f"| examples | {len(tasks)} tasks | {' | '.join(webs)} | less all | p (Holm) |")
    print("|---|--:|" + "--:|" * len(webs) + "--:|--:|")
    print(row("all", every, tasks, webs) + " | | |")
    for number, pair in zip(FEWER, tested, strict=True):
        print(
            row(str(number), found[number], tasks, webs)
            + f" | {pair.difference:+.3f} | {pair.corrected:.3f} |"
        )


def row(name: str, found: list[float], tasks: list[Task], webs: list[str]) -> str:
    """The mean of all tasks, and of those of each web."""
    means = [fmean(found)]
    for web in webs:
        means.append(fmean(share for share, task in zip(found, tasks, strict=True) if task.web == web))
    return f"| {name} | " + " | ".join(f"{mean:.3f}" for mean in means)


if __name__ == "__main__":
    main()
