"""Explains a link: its present from the state of the crawl, the history of its priority by a replay of the log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.verdicts import Verdict
from topicrawl.frontier import ASKED, FAILED, FOREIGN, LEFT, OUTSIDE, PEEKED, VISITED, WAITING
from topicrawl.frontier.hosts import TABU
from topicrawl.model import Ask, Event, Told, Visit

STATES = {
    WAITING: "waiting",
    PEEKED: "peeked at, waiting",
    ASKED: "asked for, not answered yet",
    VISITED: "visited",
    FAILED: "failed",
    LEFT: "given up: its part of the site had nothing new to say",
    OUTSIDE: "out of scope since the scope was narrowed",
    FOREIGN: "on a site that another shard crawls",
}
GIVEN_UP = "given up: you said it is irrelevant"
EXAMPLE = "an example of the topic: in hand from the start, so it was not fetched"


@dataclass(frozen=True, slots=True)
class Change:
    """Priority (−inf: `Why.unranked`) and factors of the link after a visit that changed them.

    Visit 0 is an example page. The page is empty where a snapshot tells the priority as of a visit.
    """

    visit: int
    page: str
    priority: float
    factors: dict[str, float]


@dataclass
class Why:
    """The history of a link in one crawl."""

    url: str
    state: str = "unknown"
    found_on: list[str] = field(default_factory=list)
    origin: str = ""
    """Source of the link, if no page is known that has it."""
    history: list[Change] = field(default_factory=list)
    chosen_before: int | None = None
    """Number of visits made when the strategy chose it; None also where that was before a snapshot."""
    visit: Visit | None = None
    rank: int | None = None
    """Rank by priority among the waiting links, from 1."""
    waiting: int = 0
    fate: list[str] = field(default_factory=list)
    """How the strategy used the fetched page, if it records that."""
    unranked: str = "discarded"
    """The strategy's word for a priority of −inf."""
    verdict: Verdict | None = None
    """What a person said of it."""
    asked: bool = False
    """Whether it was chosen at some time."""
    refusal: str | None = None
    """Why the link never entered the frontier, or why its host is closed or held."""


def why(crawl: Crawl, events: Iterable[Event], url: str, visit: Visit | None = None) -> Why:
    """The story of the link with this canonical URL: replays `events` into `crawl`.

    Of a new crawl that is its whole history, of one restored from a snapshot the present and what came after; `visit`
    is then the link's own, if it is in the log.
    """
    story, since = Why(url, unranked=crawl.strategy.unranked, visit=visit), crawl.tally.visits
    if since:
        _begin_with_present(story, crawl)
    else:
        _begin_with_examples(story, crawl)
    for event in events:
        crawl.replay(event)
        if isinstance(event, Ask):
            if event.url == url:
                story.chosen_before = crawl.tally.visits
            continue
        if not isinstance(event, Told):
            continue
        visit = event.visit
        if url in (visit.asked, visit.url) and story.visit is None:
            story.visit = visit
        page = event.outcome.page
        is_on_page = page is not None and visit.fetched and url in page.links.urls
        if is_on_page:
            story.found_on.append(visit.url)
        _note_change(story, crawl, visit.n, visit.url, is_on_page=is_on_page)
    _add_final_state(story, crawl)
    story.origin = "" if story.found_on else _origin(story, crawl, since)
    return story


def _begin_with_examples(story: Why, crawl: Crawl) -> None:
    for example in crawl.shown:
        if story.url in example.links.urls:
            story.found_on.append(example.url)
            _note_change(story, crawl, 0, example.url, is_on_page=False)


def _begin_with_present(story: Why, crawl: Crawl) -> None:
    link = crawl.frontier.number(story.url)
    if link is not None:
        story.found_on = [crawl.frontier.urls[page] for page in reversed(crawl.frontier.graph.sources(link))]
    _note_change(story, crawl, crawl.tally.visits, "", is_on_page=False)


def _note_change(story: Why, crawl: Crawl, visit: int, page: str, *, is_on_page: bool) -> None:
    """Record the priority if it changed or the page has the link. Changes of factors alone are left out."""
    link = crawl.frontier.number(story.url)
    if link is None or crawl.frontier.columns["state"][link] > PEEKED:
        return
    priority = float(crawl.frontier.columns["priority"][link])
    factors = crawl.strategy.explain(crawl.frontier, link)
    last = story.history[-1] if story.history else None
    if last is None or is_on_page or last.priority != priority:
        story.history.append(Change(visit, page, priority, factors))


def _add_final_state(story: Why, crawl: Crawl) -> None:
    frontier = crawl.frontier
    story.waiting = frontier.waiting
    story.verdict = crawl.verdicts.of(story.visit.url if story.visit and story.visit.fetched else story.url)
    link = frontier.number(story.url)
    story.asked = story.visit is not None or story.chosen_before is not None
    if link is None:
        story.refusal = _refusal(story, crawl) if story.found_on else crawl.refusal(story.url, depth=0)
        return
    is_example = any(story.url == example.url for example in crawl.shown)
    story.state = EXAMPLE if is_example else STATES[int(frontier.columns["state"][link])]
    story.asked |= bool(frontier.columns["state"][link] == ASKED)
    if story.verdict and not story.verdict.relevant and frontier.columns["state"][link] == LEFT:
        story.state = GIVEN_UP
    page = frontier.number(story.visit.url) if story.visit else None
    story.fate = crawl.strategy.story(frontier, link if page is None else page)
    if frontier.columns["state"][link] <= PEEKED:
        priorities = frontier.columns["priority"]
        ahead = (priorities > priorities[link]) & (frontier.columns["state"] <= PEEKED)
        story.rank = int(ahead.sum()) + 1
        hosts, host = frontier.hosts.columns, int(frontier.columns["host"][link])
        if hosts["closed"][host]:
            story.refusal = "its host asked to be left alone"
        elif crawl.slots.is_full(story.url):
            story.refusal = f"its host has given {crawl.scope.max_per_host:,} pages, as many as it may"
        elif hosts["held"][host] & TABU:
            story.refusal = "the strategy leaves its host aside for now"


def _origin(story: Why, crawl: Crawl, since: int) -> str:
    """Where a link comes from that no known page has; what came before visit `since` is told by the state only."""
    link = crawl.frontier.number(story.url)
    if link is None:
        return "no page of this run" + (", as far as its newest snapshot tells" if since else "")
    if story.state == EXAMPLE:
        return "no page: it is an example"
    if crawl.frontier.columns["depth"][link] <= 0:
        return "no page: it is a seed"
    if story.visit is not None and story.visit.asked != story.url:
        return f"no page: {story.visit.asked} led to it"
    return "no page of this run"


def _refusal(story: Why, crawl: Crawl) -> str:
    """Why a link that was seen on a page never entered the frontier."""
    depths = [
        int(crawl.frontier.columns["depth"][crawl.frontier.number(page) or 0]) + 1 for page in story.found_on
    ]
    return (
        crawl.refusal(story.url, min(depths))
        or "every page that has it says nofollow, or filter_link refused it"
    )
