"""Does main text make judge and topics better? `python -m bench.main_text_judge TASKS WEBS [STRATEGY]`.

Crawls each task from its first seed set twice: the judge `examples` reads all text of a page, or its main text (of the
examples too). Prints, for all tasks and by web, the share of the oracle and the area under the ROC curve of the judge
at the visit, and paired permutation tests over tasks. Scout reads links in all text both times. Then the area of
relevance by the terms that are found in all text or in the main text of the examples, over every tenth page of the web.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from bench.examples import row
from bench.in_flight import Job, Windowed
from topicrawl.crawling.offline import OfflinePages
from topicrawl.judge import examples
from topicrawl.model import Page
from topicrawl.page.main.extract import main_text
from topicrawl.page.normalize import nfkc
from topicrawl.page.read import html_of
from topicrawl.web.recorded import RecordedWeb
from topicrawl_lab.auc import page_auc, topic_auc
from topicrawl_lab.labels import labels_path, read_labels, targets, web_path
from topicrawl_lab.spec import Spec, parse_specs
from topicrawl_lab.statistics import pairing
from topicrawl_lab.tasks import Task, read_tasks
from topicrawl_lab.topics import example_pages, topic_from_examples


class MainTexts:
    """The main text of each page of recorded webs, made when first asked for."""

    def __init__(self, folder: Path, webs: set[str]) -> None:
        self._webs = [RecordedWeb(web_path(folder, web)) for web in sorted(webs)]
        self.of = cache(self._of)

    def _of(self, url: str) -> str | None:
        web = next((each for each in self._webs if url in each.answers), None)
        if web is None:
            return None
        answer = web.exchange(url)
        html = html_of(answer.content, answer.header("content-type"))
        return None if html is None else nfkc(main_text(url, html).text)


@contextmanager
def judged_by(texts: MainTexts) -> Iterator[None]:
    """Have the judge read main texts; a page without one is read whole."""
    usual = examples.document

    def document(tokens: Any, page: Page, text: Any) -> Any:
        main = texts.of(page.url)
        return usual(tokens, page, tokens.words(f"{page.title}\n{main}").tokens if main else text)

    examples.document = document
    try:
        yield
    finally:
        examples.document = usual


def measured(
    crawls: Windowed, tasks: list[Task], spec: Spec, folder: Path
) -> tuple[list[float], list[float]]:
    """The share of the oracle in each task, and the area under the ROC curve."""
    shares, areas = [], []
    for done, task in enumerate(tasks, 1):
        wanted = targets(read_labels(labels_path(folder, task.web)), task)
        visits = [visit for visit in crawls.visits(Job(task, spec, 0, 1)) if visit.fetched]
        truth = [visit.url in wanted for visit in visits]
        shares.append(sum(truth) / task.oracle_at_budget[0])
        areas.append(page_auc([visit.relevance for visit in visits], truth))
        print(f"\r{done}/{len(tasks)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return shares, areas


def topic_areas(tasks: list[Task], folder: Path, texts: MainTexts) -> tuple[list[float], list[float]]:
    """The area of relevance by the terms of the examples, found in all text and in main text."""
    webs = {web: OfflinePages(web_path(folder, web)) for web in {task.web for task in tasks}}
    pages = {
        web: [offline.outcome(url).page for url in offline.urls()[::10]] for web, offline in webs.items()
    }
    areas: tuple[list[float], list[float]] = [], []
    for task in tasks:
        labels = read_labels(labels_path(folder, task.web))
        wanted, examples = targets(labels, task), example_pages(task, webs[task.web])
        judged = [
            (page, page.url in wanted)
            for page in pages[task.web]
            if page is not None and page.url in labels and page.url not in task.examples
        ]
        main = [msgspec.structs.replace(page, text=texts.of(page.url) or page.text) for page in examples]
        for found, documents in zip(areas, (examples, main), strict=True):
            found.append(topic_auc(topic_from_examples(documents, task.name), judged))
    return areas


def main() -> None:
    """Crawl and print a table."""
    tasks, folder = read_tasks(Path(sys.argv[1])), Path(sys.argv[2])
    (spec,) = parse_specs(sys.argv[3] if len(sys.argv) > 3 else "scout")
    webs = sorted({task.web for task in tasks})
    crawls = Windowed(folder)
    whole = measured(crawls, tasks, spec, folder)
    texts = MainTexts(folder, set(webs))
    with judged_by(texts):
        main_only = measured(crawls, tasks, spec, folder)
    topics = topic_areas(tasks, folder, texts)
    print(f"| | {len(tasks)} tasks | {' | '.join(webs)} | less all text | p |")
    print("|---|--:|" + "--:|" * len(webs) + "--:|--:|")
    pairs = [*zip(("share of the oracle", "area at the visit"), whole, main_only, strict=True)]
    for name, before, after in [*pairs, ("area by terms of the examples", *topics)]:
        pair = pairing("", "", "", (after, before))
        print(row(f"{name}, all text", before, tasks, webs) + " | | |")
        print(row(f"{name}, main text", after, tasks, webs) + f" | {pair.difference:+.3f} | {pair.p:.3f} |")


if __name__ == "__main__":
    main()
