"""The harvest of a strategy with up to 200 examples: `python -m bench.many_examples WEBS [STRATEGY]`.

STRATEGY is scout where none is named. For every label of a recorded web with at least 400 pages and at most a quarter
of all, 200 pages are drawn; the other pages are the targets, three of them the seeds. A crawl gets the first 1, 5, 20,
50 or all drawn pages as examples and fetches twice as many pages as there are targets. Drawn pages count neither as
fetches nor as targets. Prints the share of targets found.
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.setup.inputs import open_topic
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.make_tasks import Sizes, useful_groups
from topicrawl_lab.spec import Spec, parse_specs

KINDS = {"webkb": "class:", "wikispeedia": "subject:"}
"""The prefix of the labels used in each web."""
SIZES = Sizes(least=400, largest_share=1 / 4)
DRAWN, SHOWN = 200, (1, 5, 20, 50, 200)
SEEDS = 3


def share(
    task_web: TaskWeb, spec: Spec, words: str, drawn: list[str], wanted: list[str], examples: int
) -> float:
    """The share of `wanted` found by a crawl with the first `examples` pages of `drawn` as examples."""
    pages = [task_web.offline.outcome(url).page for url in drawn[:examples]]
    topic = replace(open_topic(words), examples=tuple(page for page in pages if page is not None))
    budget, found, fetched, missing = 2 * len(wanted), 0, 0, set(wanted)
    crawl = Crawl(topic, spec.strategy(budget), wanted[:SEEDS])
    count = task_web.offline.counter(topic)
    while fetched < budget and (ask := crawl.ask()):
        outcome = task_web.offline.outcome(ask.url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        visit = crawl.tell(ask, outcome)
        fetched += visit.fetched and visit.url not in drawn
        found += visit.fetched and visit.url in missing
    return found / len(wanted)


def main() -> None:
    """Crawl and print a table."""
    webs = Path(sys.argv[1])
    (spec,) = parse_specs(sys.argv[2] if len(sys.argv) > 2 else "scout")
    print("| label | to be found | " + " | ".join(map(str, SHOWN)) + " |")
    print("|---|--:|" + "--:|" * len(SHOWN))
    rows = []
    for web, kind in KINDS.items():
        task_web = TaskWeb(web_path(webs, web), labels_path(webs, web))
        groups = useful_groups(task_web, SIZES)
        for label, pages in sorted(each for each in groups.items() if each[0].startswith(kind)):
            drawn = random.Random(label).sample(pages, DRAWN)
            wanted = random.Random(label).sample(sorted(set(pages) - set(drawn)), len(pages) - DRAWN)
            words = " ".join(re.findall(r"[^\W\d_]+", re.split(r"[.:]", label)[-1])).lower()
            rows.append([share(task_web, spec, words, drawn, wanted, number) for number in SHOWN])
            print(
                f"| {label} | {len(wanted)} | {' | '.join(f'{found:.3f}' for found in rows[-1])} |",
                flush=True,
            )
    print(f"| mean | | {' | '.join(f'{fmean(column):.3f}' for column in zip(*rows, strict=True))} |")


if __name__ == "__main__":
    main()
