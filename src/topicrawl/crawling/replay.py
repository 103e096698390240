"""Repeats the events of a stored log in a crawl.

The log decides what happened. What this version would decide is computed as well, because a strategy's state and the
random generator advance by it; where it differs, that is counted and the log is followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from topicrawl.crawling.entering import accept
from topicrawl.errors import ReplayError
from topicrawl.model import (
    Accepted,
    Ask,
    Event,
    Instruction,
    Learned,
    Postponed,
    Received,
    Revisit,
    Told,
    Turn,
    Turned,
    Version,
)
from topicrawl.strategies import Choice

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl

REMEDY = "the run is damaged: see `topicrawl doctor RUN`"


@dataclass
class Agreement:
    """How often a replay decided as the log says; `first` is where it did not."""

    choices: int = 0
    visits: int = 0
    other_choices: int = 0
    other_visits: int = 0
    first: str = ""

    @property
    def exact(self) -> bool:
        """Whether everything replayed as it was logged."""
        return not self.first

    def differ(self, where: str) -> None:
        """Record a difference."""
        self.first = self.first or where


def repeat(crawl: Crawl, event: Event) -> None:
    """Repeat one event; `ReplayError` where it makes no sense after those before it."""
    if crawl.selected is not None and not isinstance(event, Accepted):
        crawl.agreement.differ(f"after visit {crawl.tally.visits} a peeked page would be accepted")
        crawl.selected = None
    match event:
        case Ask():
            _repeat_ask(crawl, event)
        case Told():
            _repeat_told(crawl, event)
        case Postponed():
            _repeat_postponed(crawl, event)
        case Accepted():
            _repeat_accepted(crawl, event)
        case Version():
            crawl.logs_accepted = True
        case Instruction():
            crawl.instruct(event)
        case Received():
            crawl.receive(event)
        case Learned():
            crawl.take_model(event)
        case Revisit():
            if crawl.revisit(event) is None:
                raise ReplayError(f"the log asks anew for {event.url}, which is unknown; {REMEDY}")
        case Turn() | Turned():
            crawl.turn(event)


def _repeat_ask(crawl: Crawl, event: Ask) -> None:
    """Ask as the log did. The strategy chooses first, so that its state and the generator advance as they did."""
    own = crawl.strategy.choose(crawl.frontier, crawl.rng)
    link = crawl.frontier.number(event.url)
    if link is None:
        link = int(crawl.frontier.add([event.url], event.depth, -1)[0])
    if event.link != link:
        crawl.renumbered[event.link] = link
    choice, ask = Choice(link, event.walker, event.peek), msgspec.structs.replace(event, link=link)
    crawl.agreement.choices += 1
    if own is None or crawl.ask_of(own) != ask:
        crawl.agreement.other_choices += 1
        chosen = "nothing" if own is None else crawl.frontier.urls[own.link]
        how = f"with priority {event.priority:g}" if own == choice else f"where {chosen} would be chosen"
        crawl.agreement.differ(f"after visit {crawl.tally.visits} the log asks for {event.url} {how}")
    if own != choice:
        crawl.strategy.chose(choice, crawl.frontier)
    crawl.expect(ask)


def _repeat_told(crawl: Crawl, event: Told) -> None:
    link = crawl.frontier.number(event.ask.url)
    if link is None or link not in crawl.pending:
        raise ReplayError(f"the log answers {event.ask.url}, which was not asked; {REMEDY}")
    crawl.tell(crawl.pending[link], event.outcome, event.visit)


def _repeat_postponed(crawl: Crawl, event: Postponed) -> None:
    """Postpone a link; topicrawl 0.1 logged its number alone."""
    known = crawl.renumbered.get(event.link, event.link)
    link = crawl.frontier.number(event.url) if event.url else known
    if link is None or not crawl.postpone(link):
        raise ReplayError(f"the log postpones link {event.link}, which is not waited for; {REMEDY}")


def _repeat_accepted(crawl: Crawl, event: Accepted) -> None:
    link = crawl.frontier.number(event.url)
    if link != crawl.selected:
        crawl.agreement.differ(f"after visit {crawl.tally.visits} the log accepts {event.url}, peeked at")
    if link is not None and link in crawl.peeked:  # else this version accepted it where 0.1 logged nothing
        accept(crawl, link)
