"""What the last judgement says of few pages, by labels: `python -m bench.judge_short WEBS TASKS…`.

Scout crawls each task of the files TASKS from its words, and from its words and five examples. The first 60 and 200
pages are judged with and without what follows from terms that nearly all pages contain (judge/shared_terms.py). Prints
for each web the pages called relevant relative to the relevant ones, precision, recall and area, mean over crawls.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.frontier import Floats
from topicrawl.judge import Seen
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.odds import ALL, Parts
from topicrawl.judge.reconsidered import reconsidered
from topicrawl.model import Topic
from topicrawl.scout.strategy import Scout
from topicrawl_lab.auc import page_auc
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import labels_path, relevant_pages, web_path
from topicrawl_lab.tasks import read_tasks
from topicrawl_lab.topics import task_topic

PAGES = (60, 200)
EXAMPLES = (0, 5)
WAYS = {"without": Parts(shared_terms=False), "with": ALL}
THRESHOLD = 0.5


def fetched(topic: Topic, seeds: tuple[str, ...], offline: OfflinePages, pages: int) -> list[Seen]:
    """The pages that a crawl fetches first."""
    crawl, count, seen = Crawl(topic, Scout(), seeds), offline.counter(topic), []
    while crawl.tally.fetched < pages and (ask := crawl.ask()):
        outcome = offline.outcome(ask.url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        visit = crawl.tell(ask, outcome)
        if visit.fetched and outcome.page is not None:
            seen.append(Seen(outcome.page, visit.term_relevance or 0.0, is_seed=visit.depth == 0))
    return seen


def said(topic: Topic, seen: list[Seen], parts: Parts) -> Floats:
    """The last judgement of these pages."""
    judge = ByExamples(topic, parts=parts)
    for each in seen:
        judge.note(each)
    return reconsidered(judge, np.array([each.term_relevance for each in seen]))


def rows(webs: Path, files: list[str]) -> Iterator[tuple[tuple[str, int, str], list[float]]]:
    """Web, pages and way, and the figures of one crawl."""
    task_webs: dict[str, TaskWeb] = {}
    for task in (task for file in files for task in read_tasks(Path(file))):
        web = task_webs.setdefault(task.web, TaskWeb(web_path(webs, task.web), labels_path(webs, task.web)))
        words, relevant = task_topic(task, "words", web.offline), relevant_pages(web.labels, task)
        for examples in EXAMPLES:
            topic = replace(words, examples=words.examples[:examples])
            seen = fetched(topic, task.seed_sets[0], web.offline, min(max(PAGES), task.budget))
            for pages, (way, parts) in ((pages, each) for pages in PAGES for each in WAYS.items()):
                truth = np.array([float(each.page.url in relevant) for each in seen[:pages]])
                if truth.any() and not truth.all():
                    yield (task.web, pages, way), figures(said(topic, seen[:pages], parts), truth)


def figures(values: Floats, truth: Floats) -> list[float]:
    """Pages called relevant relative to the relevant ones, precision, recall, area."""
    chosen, relevant = values > THRESHOLD, truth > 0
    called, hits = float(chosen.sum()), float((chosen & relevant).sum())
    return [called / truth.sum(), hits / max(called, 1), hits / truth.sum(), page_auc(values, relevant)]


def main() -> None:
    """Crawl, judge and print."""
    found = defaultdict(list)
    for key, row in rows(Path(sys.argv[1]), sys.argv[2:]):
        found[key].append(row)
    print("| web | pages | shared terms | crawls | called | precision | recall | area |")
    print("|---|--:|---|--:|--:|--:|--:|--:|")
    for (web, pages, way), some in sorted(found.items()):
        means = " | ".join(f"{fmean(column):.2f}" for column in zip(*some, strict=True))
        print(f"| {web} | {pages} | {way} | {len(some)} | {means} |")


if __name__ == "__main__":
    main()
