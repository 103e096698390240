"""A tiny web as a pure function: pages, links and term counts from a seed. No HTML, no sockets: for the pure core."""

from __future__ import annotations

import random
from dataclasses import dataclass

from topicrawl.model import Ask, Links, Outcome, Page, TermCounts, Topic, pack_ints

TOPIC = Topic("storms", ("rainstorm", "flood", "weather"), (1.0, 0.6, 0.2))


@dataclass(frozen=True)
class SmallWeb:
    """`pages` pages on `hosts` hosts with `out` links each; `fails` is the share of pages that cannot be fetched.

    With `dull` no page and no anchor has a topic word: every score is zero and all links tie.
    """

    pages: int = 300
    hosts: int = 12
    out: int = 6
    fails: float = 0.1
    dull: bool = False
    seed: int = 1

    def url(self, number: int) -> str:
        return f"http://h{number % self.hosts}.test/{number}"

    def seeds(self, count: int = 3) -> list[str]:
        return [self.url(number) for number in range(count)]

    def answer(self, ask: Ask) -> Outcome:
        """What fetching brings, the same every time."""
        number = int(ask.url.rpartition("/")[2])
        rng = random.Random(f"{self.seed}/{number}")
        if rng.random() < self.fails:
            return Outcome(ask.url, 404, error="http")
        targets = [rng.randrange(self.pages) for _ in range(self.out)]
        links = Links(
            urls=[self.url(target) for target in targets],
            anchors=["" for _ in targets],
            titles=["" for _ in targets],
            starts=pack_ints([0] * self.out),
            ends=pack_ints([0] * self.out),
            flags=bytes(self.out),
        )
        return Outcome(
            ask.url,
            200,
            100,
            page=Page(ask.url, title=f"page {number}", links=links),
            counts=self._counts(rng),
        )

    def _counts(self, rng: random.Random) -> TermCounts:
        if self.dull:
            return TermCounts(length=50)
        groups = [[rng.randrange(3) for _ in range(5)] for _ in TOPIC.terms]
        rows = sorted(rng.sample(range(self.out), k=min(3, self.out)))
        return TermCounts(
            terms=pack_ints(range(len(TOPIC.terms))),
            groups=pack_ints(groups),
            anchor_rows=pack_ints(rows),
            anchor_terms=pack_ints([rng.randrange(len(TOPIC.terms)) for _ in rows]),
            anchor_counts=pack_ints([1] * len(rows)),
            length=50,
        )
