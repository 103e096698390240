"""What a language model is worth that is asked about some pages: `python -m bench.llm WEBS OUT.csv [TASK …]`.

One crawl of a task with words alone (scout, the judge `examples`). Its pages are then judged again in their order by
`llm`, whose model is simulated: a server on loopback that knows the labels and answers rightly with a given
probability, by the text of the page, so that an answer is always the same. A row has precision, recall and F1 of what
was said at the visit, by the labels.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.doors.model_server import asked_pages, model_server

import topicrawl
from topicrawl.crawling.judged import by_terms
from topicrawl.judge import Seen
from topicrawl.judges.llm.judge import ByLanguageModel
from topicrawl.judges.llm.prompt import LONGEST
from topicrawl.judges.llm.settings import LlmSettings
from topicrawl.model import Topic
from topicrawl.setup.run_config import begun_config
from topicrawl.store.run import Run
from topicrawl_lab.labels import labels_path, read_labels, relevant_pages, web_path
from topicrawl_lab.tasks import Task, read_tasks, select

PAGES = 400
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
ACCURACIES = (0.8, 0.9, 0.97)


class Judged(NamedTuple):
    """A page as the judge sees it, and whether it is relevant by its labels."""

    seen: Seen
    is_relevant: bool


def main(webs: Path, out: Path, names: list[str]) -> None:
    """Measure all tasks named, and write the table as it grows."""
    with out.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["task", "accuracy", "share", "asked", "precision", "recall", "f1"])
        for task in select(read_tasks(webs / "tasks.json"), names):
            topic, pages = _crawled(webs, task)
            for accuracy in ACCURACIES:
                for share in SHARES:
                    row = _measured(topic, pages, accuracy, share)
                    rows.writerow([task.name, accuracy, share, *row])
                    file.flush()


def _crawled(webs: Path, task: Task) -> tuple[Topic, list[Judged]]:
    relevant = relevant_pages(read_labels(labels_path(webs, task.web)), task)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run")
        settings: dict[str, Any] = {
            "topic": task.topic_words,
            "seeds": list(task.seed_sets[0]),
            "pages": PAGES,
        }
        for _ in topicrawl.crawl_sync(
            web=str(web_path(webs, task.web)), out=str(path), warc=False, **settings
        ):
            pass
        with Run.open(path, writable=False) as run:
            found = [
                Judged(Seen(page, by_terms(visit), is_seed=visit.depth == 0), visit.url in relevant)
                for visit, page in run.pages()
            ]
            topic = begun_config(run).topic
    assert isinstance(topic, Topic)
    return topic, found


def _simulated(pages: list[Judged], accuracy: float) -> Callable[[dict[str, Any]], str]:
    truth = {each.seen.page.text[:LONGEST]: each.is_relevant for each in pages}

    def say(call: dict[str, Any]) -> str:
        answers = []
        for page in asked_pages(call):
            drawn = hashlib.sha256(page["text"].encode()).digest()[0] / 256
            said = truth[page["text"]] == (drawn < accuracy)
            answers.append({"page": page["page"], "relevant": said, "certainty": max(accuracy, 0.5)})
        return json.dumps({"answers": answers})

    return say


def _measured(
    topic: Topic, pages: list[Judged], accuracy: float, share: float
) -> tuple[int, float, float, float]:
    """Pages asked about, precision, recall and F1."""
    judge, words = ByLanguageModel(topic), []
    with model_server(_simulated(pages, accuracy)) as model:
        judge.configure(
            LlmSettings(url=model.url, model="simulated", share=share, calls=10**6, tokens=10**9), None
        )
        for each in pages:
            words.append(judge.judge([each.seen])[0])
            judge.learn(each.seen, None)
        asked = sum(len(asked_pages(call)) for call in model.calls)
    right = sum(each.is_relevant and said > 0.5 for each, said in zip(pages, words, strict=True))
    called, all_relevant = sum(said > 0.5 for said in words), sum(each.is_relevant for each in pages)
    precision, recall = right / max(called, 1), right / max(all_relevant, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return asked, round(precision, 3), round(recall, 3), round(f1, 3)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
