"""How well each measure separates pages on a topic from others: `python -m bench.semantics TASKS WEBS [FIRST [LAST]]`.

For each task, area under the ROC curve over labelled pages that are no examples, of the similarity of full texts and of
titles to the example pages. With FIRST and LAST only the tasks from number FIRST (of the first: 0) to before LAST.
Prints CSV with a line for each task.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from topicrawl.model import Page, Topic
from topicrawl.topic.pages import topic_pages
from topicrawl.topic.wordnet import WordNet
from topicrawl.value.page_texts import PageTexts
from topicrawl_lab.auc import page_auc
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.labels import targets
from topicrawl_lab.tasks import Task, read_tasks
from topicrawl_lab.topics import example_pages

GOOD, OTHER = 40, 120
MEASURES = {"vsm": 0.0, "ssrm": 0.0, "svsm": 0.0, "whole svsm": 0.8}
"""Measures with the least similarity of words (`least_alike`)."""


def main(tasks: Path, webs: Path, first: int = 0, last: int | None = None) -> None:
    """A line for each task."""
    everything = read_tasks(tasks)
    runner = CellRunner(webs, everything)
    print("task", *(f"{text} {name}" for name in MEASURES for text in ("page", "title")), sep=",")
    for task in everything[first:last]:
        topic, pages = drawn(task, runner)
        areas = [area for name, least in MEASURES.items() for area in measured(topic, pages, name, least)]
        print(task.name, *(f"{area:.4f}" for area in areas), sep=",", flush=True)


def drawn(task: Task, runner: CellRunner) -> tuple[Topic, list[tuple[Page, bool]]]:
    """The topic of a task, and pages with their truth."""
    offline, wanted = runner.offline(task), targets(runner.labels(task), task)
    texts = [page.text for page in example_pages(task, offline)]
    urls = sorted(runner.labels(task).keys() - set(task.examples))
    random.Random(task.name).shuffle(urls)
    good = [url for url in urls if url in wanted][:GOOD]
    sample = [*good, *[url for url in urls if url not in wanted][:OTHER]]
    random.Random(0).shuffle(sample)
    pages = [(page, url in wanted) for url in sample if (page := offline.outcome(url).page)]
    return Topic(task.name, ("topic",), (1.0,), pages=topic_pages(texts)), pages


def measured(topic: Topic, pages: list[tuple[Page, bool]], name: str, least: float) -> tuple[float, float]:
    """The areas of full texts and of titles; all pages are observed once before, so that all words are known."""
    texts = PageTexts(topic, name, None if name == "vsm" else WordNet.load(), least_alike=least)
    for page, _ in pages:
        texts.observe(page, [])
    found = [texts.observe(page, []) for page, _ in pages]
    truth = [about for _, about in pages]
    return page_auc([each.full for each in found], truth), page_auc([each.title for each in found], truth)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))
