"""Time to choose among 1,000, 10,000 and 100,000 links, and its order of growth, against the orders FCITS_OH claims.

The paper gives tabu search O(m²) and improved tabu search O(m³) in the length m of the waiting queue. Pages of 40
links, most of them new, are generated until the queue has m links. Then links are chosen and answered with pages of one
new link, and only choosing is timed (the median, so that a rescore does not count).
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Iterator

from topicrawl.crawling.core import Crawl
from topicrawl.model import Outcome, Topic
from topicrawl.page.read import read
from topicrawl.setup.inputs import open_topic
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.matcher import Matcher

STRATEGIES = ("fcts", "fcits", "ops", "fcsa", "ielp")
LENGTHS = (1_000, 10_000, 100_000)
CHOICES = 300
LINKS = 40
HOSTS = 200
WORDS = ("rainstorm", "disaster", "rainfall", "weather", "football", "garden", "market", "letter")
TOPIC = "rainstorm-words"


def main() -> None:
    """A line for each strategy."""
    for name in STRATEGIES:
        micros = [chosen(name, length) * 1e6 for length in LENGTHS]
        order = math.log(micros[-1] / micros[0]) / math.log(LENGTHS[-1] / LENGTHS[0])
        times = ", ".join(f"{m:,} links {each:.0f} us" for m, each in zip(LENGTHS, micros, strict=True))
        print(f"{name}: {times}; grows as m^{order:.2f}", flush=True)


def chosen(strategy: str, waiting: int) -> float:
    """Seconds of one choice among `waiting` links."""
    topic = open_topic(TOPIC)
    crawl = Crawl(topic, make_strategy(strategy), ["http://host0.example/"])
    pages, spent = GeneratedPages(topic, crawl), []
    while crawl.waiting < waiting:
        pages.answer(new=LINKS - 4)
    for _ in range(CHOICES):
        spent.append(pages.answer(new=1))
    return statistics.median(spent)


class GeneratedPages:
    """Generated pages for a crawl: some links are new, the others known; text and anchors have topic words."""

    def __init__(self, topic: Topic, crawl: Crawl) -> None:
        self._count = Matcher(topic.terms).count
        self._crawl = crawl
        self._rng = random.Random(1)
        self._made = 0

    def answer(self, new: int) -> float:
        """Let the crawl choose a link and answer it; returns the seconds of choosing."""
        began = time.perf_counter()
        ask = self._crawl.ask()
        spent = time.perf_counter() - began
        assert ask is not None
        page = read(ask.url, self._html(new).encode(), "text/html")
        assert page is not None
        self._crawl.tell(ask, Outcome(ask.url, 200, 2_000, page=page, counts=self._count(page)))
        return spent

    def _html(self, new: int) -> str:
        anchors = "".join(f'<a href="{url}">{self._word()} {self._word()}</a> ' for url in self._urls(new))
        return f"<title>{self._word()}</title><p>{self._word()} {self._word()}</p>{anchors}"

    def _urls(self, new: int) -> Iterator[str]:
        known = self._crawl.frontier.urls
        for number in range(LINKS):
            if number < new:
                self._made += 1
                yield f"http://host{self._made % HOSTS}.example/page-{self._made}.html"
            else:
                yield self._rng.choice(known)

    def _word(self) -> str:
        return self._rng.choice(WORDS)


if __name__ == "__main__":
    main()
