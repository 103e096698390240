"""A sample of inferred labels to be checked by hand: `python -m bench.label_sample draw TASKS WEBS FILE [WEB …]`.

Crawls each task (of these webs, if any is named) from its second seed set with `semxdm[query=first]` and draws 200
pairs of a page and a label that a rule or a narrower label gave it, not its own term; the same pairs every time. FILE
has a line for each: task, URL, label, kind of proof, verdict. A reader opens the page and writes yes or no: is the page
about this, or does it treat it? `python -m bench.label_sample score FILE` prints the precision and its
95 % interval (Wilson).
"""

from __future__ import annotations

import csv
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from topicrawl.knowledge.classify import OWN, Classifier
from topicrawl.strategies.semxdm import SemXdm
from topicrawl_lab.cell import Cell, crawl
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task, read_tasks

SPEC = "semxdm[query=first]"
SIZE, SEED, SEED_SET = 200, 20, 1
COLUMNS = ("task", "url", "label", "proof", "verdict")
YES, NO = "yes", "no"


def main() -> None:
    """Draw a sample or score one."""
    command, *arguments = sys.argv[1:]
    if command == "draw":
        draw(*map(Path, arguments[:3]), only=arguments[3:])
    else:
        score(Path(arguments[0]))


def draw(tasks: Path, webs: Path, out: Path, only: list[str]) -> None:
    """Write the sample, without verdicts."""
    runner = CellRunner(webs, read_tasks(tasks))
    pairs = [pair for task in runner.tasks if not only or task.web in only for pair in inferred(runner, task)]
    chosen = sorted(random.Random(SEED).sample(pairs, min(SIZE, len(pairs))))
    with out.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *((*pair, "") for pair in chosen)])
    print(f"{out}: {len(chosen)} of {len(pairs)} inferred labels")


def inferred(runner: CellRunner, task: Task) -> Iterator[tuple[str, str, str, str]]:
    """Task, URL, label and kind of proof of every label of a crawl that is no term describing its page."""
    cell = Cell(task, parse_specs(SPEC)[0], SEED_SET, 0)
    strategy = cell.spec.strategy(task.budget)
    assert isinstance(strategy, SemXdm)
    offline = runner.offline(task)
    visits = crawl(cell, offline, runner.topic(cell), strategy).visits
    learner = strategy.learner
    learner.close()
    asked, names = Classifier(learner.model), learner.items.names()
    fetched = [visit.url for visit in visits if visit.fetched and visit.url != task.examples[0]]
    urls = [url for url in fetched if offline.outcome(url).page is not None]
    for item, url in zip(range(learner.first + learner.queries, len(learner.items)), urls, strict=True):
        held = learner.items.rows.terms(item).tolist(), learner.items.mentioned.terms(item).tolist()
        for label in sorted(asked.labels(*held)):
            proof = asked.proof(label, *held)
            if proof and proof.kind != OWN:
                yield task.name, url, names[label], proof.kind


def score(path: Path) -> None:
    """Print the precision of a sample, and of each kind of proof."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if unread := [row for row in rows if row["verdict"] not in (YES, NO)]:
        raise SystemExit(
            f"{path}: {len(unread)} lines have no verdict (yes or no), the first: {unread[0]['url']}"
        )
    for kind in ("all", *sorted({row["proof"] for row in rows})):
        verdicts = [row["verdict"] == YES for row in rows if kind in ("all", row["proof"])]
        low, high = wilson(sum(verdicts), len(verdicts))
        share = sum(verdicts) / len(verdicts)
        print(f"{kind:9} {sum(verdicts):4} of {len(verdicts):4}  {share:.3f}  ({low:.3f} to {high:.3f})")


def wilson(right: int, size: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    share, spread = right / size, z * z / size
    middle = share + spread / 2
    half = z * math.sqrt(share * (1 - share) / size + spread / (4 * size))
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


if __name__ == "__main__":
    main()
