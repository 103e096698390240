"""What people say of pages: the state that a crawl keeps of it, and what a mark changes.

| the page | relevant | irrelevant | taken back |
|---|---|---|---|
| visited | its relevance is 1 | its relevance is 0 | its relevance is what the judge said |
| a link that waits | it becomes a seed, asked first | it is given up | a link that was given up waits again |
| an unknown URL | it is entered as a seed, if in scope | it is never entered | it may be entered |
| of another shard | the judge learns it | the judge learns it | the judge forgets it |

A verdict on a page that was not visited counts from its visit on, as if it had been said right after it. The log keeps
the word of the judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from topicrawl.crawling.entering import revise_peeked
from topicrawl.frontier import LEFT, PEEKED, WAITING, Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.frontier.observation import Marked
from topicrawl.judge import Seen
from topicrawl.model import Mark, Page, Visit

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl

EXAMPLE = 1.0
"""The relevance of an example that the crawl starts from."""


class Verdict(NamedTuple):
    """What a person said of a page."""

    relevant: bool
    visit: int
    """Visits made when it was said."""
    time: float
    """Seconds since 1970; 0 where that is unknown."""


class Verdicts:
    """The verdicts of people by URL, and what the judge said of each page that was fetched."""

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self._by_url: dict[str, Verdict] = {}
        self._pages = Columns(allocator, link=(np.int32, -1), said=(np.float64, 0.0))
        """The pages fetched, in order."""

    def __len__(self) -> int:
        return len(self._by_url)

    def of(self, url: str) -> Verdict | None:
        """What a person said of the page at `url`."""
        return self._by_url.get(url)

    def refuses(self, url: str) -> bool:
        """Whether a person called the page at `url` irrelevant."""
        verdict = self._by_url.get(url)
        return verdict is not None and not verdict.relevant

    def set(self, url: str, verdict: Verdict | None) -> None:
        """Keep a verdict, or (None) forget it."""
        self._by_url.pop(url, None)
        if verdict is not None:
            self._by_url[url] = verdict

    def add(self, link: int, said: float) -> None:
        """Record what the judge said of a page just fetched."""
        row = self._pages.grow(1)
        self._pages["link"][row], self._pages["said"][row] = link, said

    def said(self, link: int) -> Floats:
        """What the judge said of a page, at each of its visits."""
        words: Floats = self._pages["said"][self._pages["link"] == link]
        return words

    def relevances(self, numbers: Sequence[int | None]) -> Floats:
        """The relevance of every page fetched; `numbers` are the links of `urls`."""
        found: Floats = self._pages["said"].copy()
        for verdict, link in zip(self._by_url.values(), numbers, strict=True):
            if link is not None:
                found[self._pages["link"] == link] = float(verdict.relevant)
        return found

    @property
    def urls(self) -> list[str]:
        """The URLs with a verdict."""
        return list(self._by_url)

    def revised(self, visit: Visit) -> Visit:
        """A visit with the relevance that counts."""
        verdict = self._by_url.get(visit.url)
        return visit if verdict is None else msgspec.structs.replace(visit, relevance=float(verdict.relevant))


def mark_pages(crawl: Crawl, marks: Sequence[Mark]) -> None:
    """Do what marks say. Judge and strategy learn all of them at once."""
    done = [_mark(crawl, mark) for mark in marks]
    if known := [(Seen(each.page), each.relevant) for each in done if each and each.page]:
        crawl.teach_marks(known)
    marked = [each.marked for each in done if each and each.marked]
    if marked or (known and crawl.post is not None):  # pages of other shards: the judge has changed
        crawl.strategy.mark(marked, crawl.frontier, crawl.rng)


def visited(crawl: Crawl, visit: Visit, link: int, page: Page | None) -> None:
    """Apply an earlier verdict to a page that was visited just now; one on a link is one on where it redirects."""
    said = visit.relevance
    verdict = crawl.verdicts.of(visit.url) or crawl.verdicts.of(visit.asked)
    if verdict is None:
        return
    crawl.verdicts.set(visit.asked, None)
    crawl.verdicts.set(visit.url, verdict)
    if page is not None:
        crawl.teach(Seen(page), verdict.relevant)
    marked = Marked(link, page, verdict.relevant, said, float(verdict.relevant))
    _count(crawl, link, np.array([said]), np.array([marked.relevance]))
    _revise(crawl, marked)
    crawl.strategy.mark([marked], crawl.frontier, crawl.rng)


def revisited(crawl: Crawl, link: int, said: float) -> None:
    """Count another visit of a page as the verdict on it says; its links count so already."""
    verdict = crawl.verdicts.of(crawl.frontier.urls[link])
    if verdict is not None:
        _count(crawl, link, np.array([said]), np.array([float(verdict.relevant)]))


def recount(crawl: Crawl) -> None:
    """Count the relevant pages by a new threshold."""
    found = crawl.verdicts.relevances(crawl.frontier.numbers(crawl.verdicts.urls))
    crawl.tally.relevant = int(np.count_nonzero(found > crawl.threshold))


class _Done(NamedTuple):
    """A mark that changed something: the page for the judge, and for the strategy if it was visited."""

    page: Page | None
    relevant: bool | None
    marked: Marked | None


def _mark(crawl: Crawl, mark: Mark) -> _Done | None:
    """Do what a mark says, but for judge and strategy; None if it says nothing new."""
    url, earlier = mark.of, crawl.verdicts.of(mark.of)
    if mark.relevant == (earlier.relevant if earlier else None):
        return None
    link = crawl.frontier.number(url)
    said = np.zeros(0) if link is None else _said(crawl, link)
    page = mark.page or (_page_of(crawl, url) if len(said) else None)
    verdict = None if mark.relevant is None else Verdict(mark.relevant, crawl.tally.visits, mark.time)
    crawl.verdicts.set(url, verdict)
    if link is None or not len(said):
        _withdraw_or_enter(crawl, url, link, mark.relevant)
        return _Done(page, mark.relevant, None)
    before, after = _counting(said, earlier), _counting(said, verdict)
    visits = len(crawl.verdicts.said(link))  # none of an example
    _count(crawl, link, before[:visits], after[:visits])
    marked = Marked(link, page, mark.relevant, float(before[-1]), float(after[-1]))
    _revise(crawl, marked)
    return _Done(page, mark.relevant, marked)


def _counting(said: Floats, verdict: Verdict | None) -> Floats:
    """The relevance that counts, for each visit of a page: what the judge said, or the verdict."""
    return said if verdict is None else np.full(len(said), float(verdict.relevant))


def _said(crawl: Crawl, link: int) -> Floats:
    """What the judge said of a page at each visit; an example that was not fetched is relevant."""
    words = crawl.verdicts.said(link)
    is_example = not len(words) and any(page.url == crawl.frontier.urls[link] for page in crawl.shown)
    return np.array([EXAMPLE]) if is_example else words


def _page_of(crawl: Crawl, url: str) -> Page | None:
    """The page at `url`, visited since the mark was made."""
    pages = [outcome.page for visit, outcome in crawl.past.outcomes() if visit.url == url]
    return pages[-1] if pages else None


def _count(crawl: Crawl, link: int, before: Floats, after: Floats) -> None:
    """Count the visits of a page with their new relevance, instead of the old one."""
    hosts, host = crawl.frontier.hosts.columns, crawl.frontier.columns["host"][link]
    crawl.tally.relevant += int((after > crawl.threshold).sum()) - int((before > crawl.threshold).sum())
    hosts["relevance_sum"][host] += float((after - before).sum())


def _revise(crawl: Crawl, marked: Marked) -> None:
    """Correct what the links on a page know of its relevance."""
    crawl.frontier.revise(marked.link, marked.relevance - marked.before)
    revise_peeked(crawl, marked.link, marked.relevance)


def _withdraw_or_enter(crawl: Crawl, url: str, link: int | None, relevant: bool | None) -> None:
    """Enter a page that was not visited and is relevant; give it up if it is not; take it up again."""
    frontier = crawl.frontier
    state = WAITING if link is None else int(frontier.columns["state"][link])
    if link is None:
        is_mine = crawl.post is None or crawl.post.is_mine(url)
        if relevant and is_mine and not crawl.scope.refusal(url, 0, crawl.seed_hosts):
            crawl.strategy.enter(frontier.add([url], depth=0, parent=-1), frontier, crawl.rng)
        return
    one: Ids = np.array([link])
    if relevant is False and state == WAITING:
        frontier.settle(link, LEFT)
    elif (
        relevant is not False
        and state == LEFT
        and not crawl.refusal(url, int(frontier.columns["depth"][link]))
    ):
        frontier.reopen(link, WAITING)
        state = WAITING
        if relevant is None:
            frontier.prioritise(one, frontier.columns["priority"][one])
            crawl.strategy.enter(one, frontier, crawl.rng)
    if relevant and state <= PEEKED:
        make_seeds(crawl, one)


def make_seeds(crawl: Crawl, links: Ids) -> None:
    """Have links that wait asked first, as seeds are."""
    crawl.frontier.columns["depth"][links] = 0
    crawl.frontier.prioritise(links, np.full(len(links), -np.inf))
    crawl.strategy.enter(links, crawl.frontier, crawl.rng)
