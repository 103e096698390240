"""What a crawl loses when it is divided into shards: the share of the oracle with 1, 4 and 16 of them.

    python -m bench.shards TASKS.json WEBS OUT.csv [--strategies ops,scout] [--shards 1,4,16] [--at-once 8]

Shards run in lockstep (topicrawl/shards/lockstep.py) over a recorded web. `--by url` divides pages instead of sites, as
a stress: then most links lead to other shards. `--untaught` leaves the teacher out.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.letters import Post
from topicrawl.frontier.route import Route, number_of, shard_name
from topicrawl.frontier.scope import Scope
from topicrawl.model import Outcome
from topicrawl.shards.coordinator import Coordinator
from topicrawl.shards.lockstep import Lockstep
from topicrawl.shards.teacher import Teacher
from topicrawl.urls import host
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import read_tasks

OWNERS: dict[str, Callable[[int], Callable[[str], str]]] = {
    "site": lambda shards: Route(shards).owner,
    "host": lambda shards: lambda url: shard_name(number_of(host(url), shards)),
    "url": lambda shards: lambda url: shard_name(number_of(url, shards)),
}


def crawl(runner: CellRunner, cell: Cell, shards: int, by: str, at_once: int, *, taught: bool) -> list[str]:
    """One crawl in shards: the share of the oracle, and what it cost."""
    task, topic, offline = cell.task, runner.topic(cell), runner.offline(cell.task)
    count, owner = offline.counter(topic), OWNERS[by](shards)
    crawls = {
        name: Crawl(
            topic,
            cell.spec.strategy(task.budget),
            task.seed_sets[cell.seed_set],
            scope=Scope(max_per_host=cell.cap),
            rng_seed=cell.rng_seed,
            post=Post(name, owner),
        )
        for name in map(shard_name, range(shards))
    }
    pages_cpu = 0.0

    def fetch(url: str) -> Outcome:
        nonlocal pages_cpu
        began = time.process_time()
        outcome = offline.outcome(url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        pages_cpu += time.process_time() - began
        return outcome

    strategy = cell.spec.strategy(task.budget)
    teacher = Teacher(topic, strategy) if taught and Teacher.teaches(strategy) else None
    driver = Lockstep(crawls, Coordinator({"pages": task.budget}, at_once), fetch, teacher)
    began = time.process_time()
    visits = [visit for _, visit in driver.run()]
    spent = time.process_time() - began - pages_cpu
    row = runner.judge(cell, visits, [])
    sent = sum(sum(each.post.sent.values()) for each in crawls.values() if each.post)
    return [
        f"{row.oracle_share:.6f}",
        str(row.fetches),
        str(sent),
        f"{1000 * spent / max(len(visits), 1):.3f}",
    ]


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("tasks", type=Path)
    reading.add_argument("webs", type=Path)
    reading.add_argument("out", type=Path)
    reading.add_argument("--strategies", default="ops,scout")
    reading.add_argument("--shards", default="1,4,16")
    reading.add_argument("--at-once", type=int, default=8)
    reading.add_argument("--by", default="site", choices=OWNERS)
    reading.add_argument("--untaught", action="store_true")
    reading.add_argument("--only", default="", help="part of the names of tasks")
    given = reading.parse_args()
    tasks = [task for task in read_tasks(given.tasks) if given.only in task.name]
    runner = CellRunner(given.webs, tasks)
    with given.out.open("a", newline="") as file:
        rows = csv.writer(file)
        for task in tasks:
            for strategy in given.strategies.split(","):
                for shards in map(int, given.shards.split(",")):
                    cell = Cell(task, parse_specs(strategy)[0], 0, 0)
                    found = crawl(runner, cell, shards, given.by, given.at_once, taught=not given.untaught)
                    rows.writerow([task.name, strategy, shards, given.by, not given.untaught, *found])
                    print(task.name, strategy, shards, *found, flush=True)
                    file.flush()
    runner.close()


if __name__ == "__main__":
    main()
