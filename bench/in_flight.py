"""Harvest with several fetches in flight: `python -m bench.in_flight TASKS WEBS OUT [STRATEGIES [IN_FLIGHT]]`.

The tasks of the file TASKS, on the recorded webs of the folder WEBS, by each of STRATEGIES (with commas; else ten that
were published), with one fetch in flight, which is the paper's algorithm, and with eight or IN_FLIGHT, the same seed
sets and random seeds, answered in the order of the asks. Shares of the oracle by labels, mean over tasks; paired
permutation test over tasks, Holm-corrected over the strategies. OUT has a line for each crawl: when interrupted, the
complete tasks are shown; run it again to resume.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.judge.terms import ByTerms
from topicrawl.model import Topic, Visit
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import labels_path, targets, web_path
from topicrawl_lab.process_pool import Failed, ProcessPool
from topicrawl_lab.spec import Spec, parse_specs
from topicrawl_lab.statistics import corrected, pairing
from topicrawl_lab.tasks import Task, read_tasks
from topicrawl_lab.topics import task_topic

STRATEGIES = (
    "bfs,ops,fcsa,elp,ielp,fcts,fcits,fcoits[topic=ontology],on_its[topic=ontology],fcits_oh[topic=ontology]"
)
MANY = 8
SEED_SETS = 2


@dataclass(frozen=True, slots=True)
class Job:
    """One crawl."""

    task: Task
    spec: Spec
    seed_set: int
    in_flight: int

    @property
    def key(self) -> tuple[str, ...]:
        return (self.task.name, str(self.spec), str(self.seed_set), str(self.in_flight))


@dataclass
class Windowed:
    """Crawls with several fetches in flight; webs and topics are cached between jobs."""

    webs: Path
    _task_webs: dict[str, TaskWeb] = field(default_factory=dict)
    _topics: dict[tuple[str, str], Topic] = field(default_factory=dict)

    def __call__(self, job: Job) -> float:
        """The share of the oracle."""
        wanted = targets(self._task_web(job.task.web).labels, job.task)
        found = sum(visit.fetched and visit.url in wanted for visit in self.visits(job))
        return found / job.task.oracle_at_budget[job.seed_set]

    def visits(self, job: Job) -> Iterator[Visit]:
        """The crawl."""
        task, task_web = job.task, self._task_web(job.task.web)
        topic = self._topic(job)
        made, seeds = job.spec.strategy(task.budget), task.seed_sets[job.seed_set]
        crawl = Crawl(topic, made, seeds, rng_seed=job.seed_set, judge=ByTerms())
        count = task_web.offline.counter(topic)
        while True:
            while crawl.tally.fetched + len(crawl.pending) < task.budget and len(crawl.pending) < min(
                job.in_flight, crawl.at_once
            ):
                if crawl.ask() is None:
                    break
            ask = next(iter(crawl.pending.values()), None)
            if ask is None:
                return
            outcome = task_web.offline.outcome(ask.url)
            if outcome.page is not None:
                outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
            yield crawl.tell(ask, outcome)

    def close(self) -> None:
        for task_web in self._task_webs.values():
            task_web.offline.close()

    def _topic(self, job: Job) -> Topic:
        key = (job.task.name, job.spec.topic)
        if key not in self._topics:
            self._topics[key] = task_topic(job.task, job.spec.topic, self._task_web(job.task.web).offline)
        return self._topics[key]

    def _task_web(self, web: str) -> TaskWeb:
        if web not in self._task_webs:
            self._task_webs[web] = TaskWeb(web_path(self.webs, web), labels_path(self.webs, web))
        return self._task_webs[web]


def main() -> None:
    """Run the crawls that are not in the file yet, and print a table."""
    tasks, webs, out = read_tasks(Path(sys.argv[1])), Path(sys.argv[2]), Path(sys.argv[3])
    specs = parse_specs(sys.argv[4] if len(sys.argv) > 4 else STRATEGIES)
    many = int(sys.argv[5]) if len(sys.argv) > 5 else MANY
    jobs = [
        Job(task, spec, seed_set, in_flight)
        for task in tasks
        for spec in specs
        for seed_set in range(SEED_SETS)
        for in_flight in (1, many)
    ]
    shares = crawled(jobs, webs, out)
    complete = [task for task in tasks if all(job.key in shares for job in jobs if job.task is task)]
    means = {
        (spec, n, task.name): fmean(shares[Job(task, spec, number, n).key] for number in range(SEED_SETS))
        for task in complete
        for spec in specs
        for n in (1, many)
    }
    print(f"{len(complete)} tasks, {SEED_SETS} seed sets each")
    _show(means, specs, [task.name for task in complete], many)


def crawled(jobs: Sequence[Job], webs: Path, out: Path) -> dict[tuple[str, ...], float]:
    """The shares of crawls by the keys of their jobs: those in the file, and those that are made now."""
    shares = _read(out)
    with suppress(KeyboardInterrupt), out.open("a", encoding="utf-8", newline="") as file:
        for job, share in ProcessPool(Windowed(webs), os.cpu_count() or 1).work(
            job for job in jobs if job.key not in shares
        ):
            assert not isinstance(share, Failed), share.why
            shares[job.key] = share
            csv.writer(file).writerow((*job.key, share))
            file.flush()
    return shares


def _read(out: Path) -> dict[tuple[str, ...], float]:
    if not out.exists():
        return {}
    with out.open(encoding="utf-8", newline="") as file:
        return {tuple(key): float(share) for *key, share in csv.reader(file)}


def _show(shares: dict[tuple[Spec, int, str], float], specs: list[Spec], tasks: list[str], many: int) -> None:
    scores = {(spec, n): [shares[spec, n, task] for task in tasks] for spec in specs for n in (1, many)}
    tested = corrected(
        [pairing("all", str(spec), "", (scores[spec, many], scores[spec, 1])) for spec in specs]
    )
    print(
        f"| strategy | 1 in flight | {many} in flight | difference | p | p (Holm) |\n|---|--:|--:|--:|--:|--:|"
    )
    for spec, pair in zip(specs, tested, strict=True):
        means = f"{fmean(scores[spec, 1]):.3f} | {fmean(scores[spec, many]):.3f} | {pair.difference:+.3f}"
        print(f"| `{spec}` | {means} | {pair.p:.3f} | {pair.corrected:.3f} |")


if __name__ == "__main__":
    main()
