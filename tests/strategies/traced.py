"""A web given as a table, so that the values of its links can be worked out on paper.

The relevance of a page is the number in the table. Anchors are single words: the topic has five words, whose weights
.7, .5, .4, .3, .1 have length 1 (.49 + .25 + .16 + .09 + .01), so the cosine of an anchor that is one of them is that
word's weight, and 0 if it is none. With d = 0 the PageRank of every page is 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from strategies.scripted import Scripted
from topicrawl.crawling.core import Crawl
from topicrawl.model import Ask, Links, Outcome, Page, TermCounts, Topic, Visit, pack_ints
from topicrawl.strategies import Strategy

WORDS = (0.7, 0.5, 0.4, 0.3, 0.1)
TOPIC = Topic("storms", ("rainstorm", "flood", "hail", "gale", "rain"), WORDS)


@dataclass(frozen=True)
class TableWeb:
    """`pages`: name ─► relevance, and its links, each with the relevance of its anchor."""

    pages: Mapping[str, tuple[float, Mapping[str, float]]]
    hosts: Mapping[str, str]
    """Host of a page; those not named have their own name as host."""

    def url(self, name: str) -> str:
        return f"http://{self.hosts.get(name, name)}.test/{name}"

    def outcome(self, ask: Ask) -> Outcome:
        """The page that was asked for."""
        _, found = self.pages[name_of(ask.url)]
        urls = [self.url(name) for name in found]
        said = [(row, WORDS.index(value)) for row, value in enumerate(found.values()) if value]
        blank, zeros = [""] * len(urls), bytes(4 * len(urls))
        counts = TermCounts(
            anchor_rows=pack_ints([row for row, _ in said]),
            anchor_terms=pack_ints([term for _, term in said]),
            anchor_counts=pack_ints([1] * len(said)),
            length=50,
        )
        page = Page(ask.url, links=Links(urls, blank, blank, zeros, zeros, bytes(len(urls))))
        return Outcome(ask.url, 200, 100, page=page, counts=counts)


class Traced:
    """A crawl of a table; random numbers between 0 and 1 are those of a script."""

    def __init__(
        self,
        strategy: Strategy,
        pages: Mapping[str, tuple[float, Mapping[str, float]]],
        seeds: str,
        *drawn: float,
        hosts: Mapping[str, str] | None = None,
    ) -> None:
        self.web = TableWeb(pages, hosts or {})
        self.crawl = Crawl(TOPIC, strategy, [self.web.url(name) for name in seeds.split()])
        self.crawl.rng = self.rng = Scripted(*drawn)

    def ask(self) -> Ask:
        ask = self.crawl.ask()
        assert ask is not None
        return ask

    def tell(self, ask: Ask) -> Visit:
        return self.crawl.tell(ask, self.web.outcome(ask), said=self.web.pages[name_of(ask.url)][0])

    def fetch(self, pages: int) -> str:
        """Fetch so many pages, one after the other; returns their names."""
        names = []
        for _ in range(pages):
            ask = self.ask()
            names.append(name_of(ask.url))
            self.tell(ask)
        return " ".join(names)

    def number(self, name: str) -> int:
        found = self.crawl.frontier.number(self.web.url(name))
        assert found is not None
        return found

    def name(self, link: int) -> str:
        return name_of(self.crawl.frontier.urls[link])

    def names(self, links: list[int]) -> str:
        return " ".join(self.name(link) for link in links)

    def column(self, column: str, names: str) -> list[float]:
        """The column of links, in the order of their names."""
        values: list[float] = self.crawl.frontier.columns[column][
            [self.number(name) for name in names.split()]
        ].tolist()
        return values


def name_of(url: str) -> str:
    return url.rpartition("/")[2]
