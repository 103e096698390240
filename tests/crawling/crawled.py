"""A small crawl with its log in memory, for tests of what people say while it is under way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from contracts.small_web import TOPIC
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live import instructed
from topicrawl.frontier.scope import Scope
from topicrawl.judge.registry import TERMS, own_judge
from topicrawl.model import Event, Instruction, Outcome, Told, Visit
from topicrawl.page.read import read
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.matcher import Matcher

A, B = "http://a.test/", "http://b.test/"


@dataclass
class Log:
    """A log in memory: the past of a crawl, and what replays."""

    events: list[Event] = field(default_factory=list)

    def visits(self) -> Iterator[Visit]:
        return (event.visit for event in self.events if isinstance(event, Told))

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        return ((event.visit, event.outcome) for event in self.events if isinstance(event, Told))


COUNT = Matcher(TOPIC.terms).count


def page(url: str, *links: str) -> Outcome:
    anchors = "".join(f'<p>heavy rain <a href="{link}">rainstorm {link[-1]}</a>' for link in links)
    found = read(url, f"<title>rain</title><body>rainstorm of the day {anchors}".encode(), "text/html")
    assert found is not None
    return Outcome(url, 200, 10, page=found, counts=COUNT(found))


class Crawled:
    """A crawl and its log."""

    def __init__(
        self,
        *seeds: str,
        strategy: str = "bfs",
        scope: Scope | None = None,
        judge: str = TERMS,
        **parameters: object,
    ) -> None:
        self.log = Log()
        self._made = (strategy, parameters, seeds, scope or Scope(), judge)
        self.crawl = self.fresh()

    def fresh(self) -> Crawl:
        """The crawl before its first event."""
        strategy, parameters, seeds, scope, judge = self._made
        made = make_strategy(strategy, parameters)
        return Crawl(
            TOPIC, made, seeds, scope=scope, rng_seed=3, past=self.log, judge=own_judge(judge, TOPIC)
        )

    def step(self, *links: str) -> str:
        """Fetch the next page, which has these links."""
        ask = self.ask()
        outcome = page(ask, *links)
        return self.tell(ask, outcome)

    def ask(self) -> str:
        ask = self.crawl.ask()
        assert ask is not None
        self.log.events.append(ask)
        return ask.url

    def tell(self, url: str, outcome: Outcome) -> str:
        [ask] = [ask for ask in self.crawl.pending.values() if ask.url == url]
        visit = self.crawl.tell(ask, outcome)
        self.log.events += [Told(ask, outcome, visit), *self.crawl.accepted]
        return url

    def instruct(self, instruction: Instruction) -> Sequence[Event]:
        events = instructed(self.crawl, instruction)
        self.log.events += events
        return events

    def rest(self) -> list[str]:
        """What is chosen from here on, each without links."""
        chosen = []
        while self.crawl.waiting and (ask := self.crawl.ask()):
            chosen.append(ask.url)
            self.crawl.tell(ask, self.answer(ask.url))
        return chosen

    def answer(self, url: str) -> Outcome:
        """What a page without links says."""
        return page(url)

    def replayed(self) -> Self:
        """The same crawl, made from its log."""
        again = type(self).__new__(type(self))
        again.log, again._made = self.log, self._made
        again.crawl = again.fresh()
        for event in self.log.events:
            again.crawl.replay(event)
        assert again.crawl.agreement.exact, again.crawl.agreement.first
        return again
