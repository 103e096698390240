"""What a crawl loses when it is divided into shards: relevant pages found by 1, 4 and 16 of them.

    python -m bench.shards OUT.csv --tasks TASKS.json --webs WEBS [--strategies ops,scout] [--shards 1,4,16]
    python -m bench.shards OUT.csv --invented 7,8 [--hosts 500] …

Shards run in lockstep (topicrawl/shards/lockstep.py). The score of a recorded web is the share of the oracle, of an
invented one the share of relevant pages. `--by url` divides pages instead of hosts, as a stress: then nearly all links
lead to other shards. `--untaught` leaves the teacher out. `python -m bench.shards_table OUT.csv` makes the tables.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.letters import Post
from topicrawl.crawling.offline import OfflinePages
from topicrawl.frontier.route import Route, number_of, shard_name
from topicrawl.model import Outcome, Topic, Visit
from topicrawl.setup.inputs import open_topic
from topicrawl.shards.coordinator import Coordinator
from topicrawl.shards.lockstep import Lockstep
from topicrawl.shards.teacher import Teacher
from topicrawl.strategies import Strategy
from topicrawl.urls import host
from topicrawl.web.invented import InventedWeb
from topicrawl.web.invented.shape import SHAPES
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import read_tasks

OWNERS: dict[str, Callable[[int], Callable[[str], str]]] = {
    "site": lambda shards: Route(shards).owner,
    "host": lambda shards: lambda url: shard_name(number_of(host(url), shards)),
    "url": lambda shards: lambda url: shard_name(number_of(url, shards)),
}
INVENTED_TOPICS = ("rainstorm disaster", "tourism", "football")
INVENTED_PAGES, INVENTED_SEEDS = 300, 5


@dataclass(frozen=True)
class Job:
    """What is crawled, and how it is scored."""

    name: str
    topic: Topic
    seeds: Sequence[str]
    budget: int
    offline: OfflinePages
    strategy: Callable[[], Strategy]
    score: Callable[[list[Visit]], float]


def recorded(tasks: Path, webs: Path, strategy: str, only: str, seed_set: int) -> Iterator[Job]:
    """The tasks of a file."""
    runner = CellRunner(webs, chosen := [task for task in read_tasks(tasks) if only in task.name])
    for task in chosen:
        cell = Cell(task, parse_specs(strategy)[0], seed_set, 0)
        yield Job(
            f"{task.name} {seed_set}",
            runner.topic(cell),
            task.seed_sets[seed_set],
            task.budget,
            runner.offline(task),
            lambda cell=cell: cell.spec.strategy(cell.task.budget),
            lambda visits, cell=cell: runner.judge(cell, visits, []).oracle_share,
        )
    runner.close()


def invented(seeds: Sequence[str], hosts: int, strategy: str) -> Iterator[Job]:
    """Some topics of invented webs with so many hosts, and pages as many times more."""
    usual = SHAPES[""]
    times = hosts / usual.hosts
    shape = replace(usual, hosts=hosts, portals=int(usual.portals * times), pages=int(usual.pages * times))
    for seed in seeds:
        offline = OfflinePages(web := InventedWeb(int(seed), shape))
        for about in INVENTED_TOPICS:
            yield Job(
                f"invented:{seed}, {hosts} hosts, {about}",
                open_topic(web.topic_spec(about)),
                web.seeds(about, INVENTED_SEEDS),
                INVENTED_PAGES,
                offline,
                lambda: parse_specs(strategy)[0].strategy(INVENTED_PAGES),
                lambda visits, web=web, about=about: (
                    sum(visit.fetched and web.relevant(visit.url, about) for visit in visits) / INVENTED_PAGES
                ),
            )
        offline.close()


def crawl(job: Job, shards: int, by: str, at_once: int, *, taught: bool) -> list[str]:
    """One crawl in shards: its score, and what it cost."""
    count, owner = job.offline.counter(job.topic), OWNERS[by](shards)
    crawls = {
        name: Crawl(job.topic, job.strategy(), job.seeds, post=Post(name, owner))
        for name in map(shard_name, range(shards))
    }
    pages_cpu = 0.0

    def fetch(url: str) -> Outcome:
        nonlocal pages_cpu
        began = time.process_time()
        outcome = job.offline.outcome(url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        pages_cpu += time.process_time() - began
        return outcome

    strategy = job.strategy()
    teacher = Teacher(job.topic, strategy) if taught and Teacher.teaches(strategy) else None
    driver = Lockstep(crawls, Coordinator({"pages": job.budget}, at_once), fetch, teacher)
    began = time.process_time()
    visits = [visit for _, visit in driver.run()]
    spent = time.process_time() - began - pages_cpu
    sent = sum(sum(each.post.sent.values()) for each in crawls.values() if each.post)
    fetched = sum(visit.fetched for visit in visits)
    return [f"{job.score(visits):.6f}", str(fetched), str(sent), f"{1000 * spent / max(fetched, 1):.3f}"]


def main() -> None:
    reading = argparse.ArgumentParser(prog="python -m bench.shards", description=__doc__)
    reading.add_argument("out", type=Path)
    reading.add_argument("--tasks", type=Path)
    reading.add_argument("--webs", type=Path)
    reading.add_argument("--invented", default="", help="seeds of invented webs")
    reading.add_argument("--hosts", type=int, default=SHAPES[""].hosts, help="of each invented web")
    reading.add_argument("--strategies", default="ops,scout")
    reading.add_argument("--shards", default="1,4,16")
    reading.add_argument("--at-once", type=int, default=8)
    reading.add_argument("--by", default="host", choices=OWNERS)
    reading.add_argument("--untaught", action="store_true")
    reading.add_argument("--seed-set", type=int, default=0)
    reading.add_argument("--only", default="", help="part of the names of tasks")
    given = reading.parse_args()
    with given.out.open("a", newline="") as file:
        rows = csv.writer(file)
        for strategy in given.strategies.split(","):
            jobs = (
                invented(given.invented.split(","), given.hosts, strategy)
                if given.invented
                else recorded(given.tasks, given.webs, strategy, given.only, given.seed_set)
            )
            for job in jobs:
                for shards in map(int, given.shards.split(",")):
                    found = crawl(job, shards, given.by, given.at_once, taught=not given.untaught)
                    rows.writerow([job.name, strategy, shards, given.by, not given.untaught, *found])
                    print(job.name, strategy, shards, *found, flush=True)
                    file.flush()


if __name__ == "__main__":
    main()
