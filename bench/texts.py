"""The cost of comparing texts: each measure per page and link, a crawl by svsm_mcoa, and MCOA by generations.

Pages are those of the recorded encyclopedia, read before the measurement. `fresh` is the first pass over the pages,
with empty caches of words; `known` is the second pass.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from bench.whole_web import WEBS
from topicrawl.crawling.offline import OfflinePages
from topicrawl.model import Page, Topic
from topicrawl.strategies.weights.membranes import Membranes, optimise
from topicrawl.strategies.weights.samples import Samples
from topicrawl.topic.pages import topic_pages
from topicrawl.topic.wordnet import WordNet
from topicrawl.value.page_texts import PageTexts
from topicrawl_lab.cell import Cell, crawl
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task

WEB = WEBS / "wikispeedia.warc.gz"
PAGES, EXAMPLES = 1_000, 20


def main() -> None:
    """Run all measurements."""
    offline = OfflinePages(WEB)
    urls = offline.urls()[:: max(1, len(offline.urls()) // (PAGES + EXAMPLES))]
    pages = [page for url in urls if (page := offline.outcome(url).page)]
    topic = Topic("bench", ("bench",), (1.0,), pages=topic_pages(page.text for page in pages[:EXAMPLES]))
    for measure in ("vsm", "ssrm", "svsm"):
        print(f"{measure}: {compared(topic, measure, pages[EXAMPLES:])}")
    print(
        f"a crawl by svsm_mcoa: {crawled(offline, topic, urls[EXAMPLES : EXAMPLES + 3]):.0f} pages a second"
    )
    for generations in (30, 100, 300, 1_000, 3_000):
        print(f"MCOA, {generations} generations in 3 rounds: {searched(generations):.2f} s")


def compared(topic: Topic, measure: str, pages: list[Page]) -> str:
    """Processor time of comparing all texts of all pages."""
    texts = PageTexts(topic, measure, None if measure == "vsm" else WordNet.load())
    rows = [range(len(page.links.urls)) for page in pages]
    links = sum(map(len, rows))
    results = []
    for state in ("fresh", "known"):
        began = time.process_time()
        for page, each in zip(pages, rows, strict=True):
            texts.observe(page, each)
        spent = time.process_time() - began
        results.append(
            f"{state} {spent / len(pages) * 1e3:.2f} ms a page, {spent / links * 1e6:.0f} µs a link"
        )
    return "; ".join(results)


def crawled(offline: OfflinePages, topic: Topic, seeds: list[str]) -> float:
    """Pages per second of processor time, from the cache, in this process."""
    (spec,) = parse_specs("svsm_mcoa")
    task = Task("bench", "", "", "bench", PAGES, 0, (), (tuple(seeds),), (0,))
    done = crawl(Cell(task, spec, seed_set=0, rng_seed=0), offline, replace(topic, terms=("storm",)))
    return sum(visit.fetched for visit in done.visits) / done.cpu_seconds


def searched(generations: int) -> float:
    """Seconds of processor time for the published membranes over 500 training links."""
    rng = np.random.default_rng(1)
    texts = rng.random((500, 4))
    began = time.process_time()
    optimise(Samples(texts, texts @ np.array((0.6, 0.1, 0.2, 0.1))), Membranes(generations=generations))
    return time.process_time() - began


if __name__ == "__main__":
    main()
