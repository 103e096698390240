"""An ordinary CrawlSpider of Scrapy before and after: `python -m bench.scrapy_harvest WEBS [TASK …]`.

The same spider crawls the served wikispeedia with Scrapy's own scheduler, in both of its usual orders, and with ours,
from the seeds of a task, until the task's budget of pages is fetched. Printed is how many of them are relevant by the
labels, the mean of some seed sets, and their share of what an oracle finds. Examples of a task are not used, and count
for nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

from topicrawl.cli.demo import served
from topicrawl.urls import canonical
from topicrawl_lab.labels import labels_path, read_labels, targets, web_path
from topicrawl_lab.tasks import Task, read_tasks, select

WEB = "wikispeedia"
SEED_SETS = 3
FIFO = (
    "DEPTH_PRIORITY=1",
    "SCHEDULER_DISK_QUEUE=scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE=scrapy.squeues.FifoMemoryQueue",
)
FOCUSED = "SCHEDULER=topicrawl.scrapy.FocusedScheduler"
KINDS = ("Scrapy, last found first", "Scrapy, breadth first", "focused: ops", "focused: scout")


def main(webs: Path, names: list[str]) -> None:
    """The table of all tasks of the web."""
    labels = read_labels(labels_path(webs, WEB))
    tasks = [task for task in select(read_tasks(webs / "tasks.json"), names) if task.web == WEB]
    print("| task | pages |" + "".join(f" {kind} |" for kind in KINDS))
    print("|---|--:|" + "--:|" * len(KINDS))
    with served(str(web_path(webs, WEB))) as port, tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            cells = []
            for settings in _settings(task):
                wanted, found, shares = targets(labels, task), [], []
                for seeds, oracle in zip(task.seed_sets[:SEED_SETS], task.oracle_at_budget, strict=False):
                    got = _crawl(seeds, task.budget, settings, port, Path(folder))
                    found.append(len(wanted & set(got)))
                    shares.append(found[-1] / oracle)
                cells.append(f"{mean(found):.0f} ({mean(shares):.0%})")
            print(f"| {task.name} | {task.budget} | " + " | ".join(cells) + " |", flush=True)


def _settings(task: Task) -> list[tuple[str, ...]]:
    topic = f"TOPICRAWL_TOPIC={task.topic_words}"
    return [(), FIFO, (FOCUSED, topic, "TOPICRAWL_STRATEGY=ops"), (FOCUSED, topic)]


def _crawl(
    seeds: tuple[str, ...], budget: int, settings: tuple[str, ...], port: int, folder: Path
) -> list[str]:
    """The first pages that the spider got, as many as the budget allows, by canonical URL."""
    (folder / "seeds").write_text("\n".join(seeds))
    command = [sys.executable, "-m", "bench.crawl_spider", str(folder / "seeds"), str(folder / "list")]
    limits = (f"CLOSESPIDER_PAGECOUNT={budget}", "CONCURRENT_REQUESTS=8", "DOWNLOAD_DELAY=0")
    proxied = {**os.environ, "http_proxy": f"http://127.0.0.1:{port}", "no_proxy": ""}
    subprocess.run([*command, *limits, *settings], env=proxied, check=True)
    urls = dict.fromkeys(canonical(url) or url for url in (folder / "list").read_text().split())
    return list(urls)[:budget]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
