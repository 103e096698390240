"""Letters between the shards of a crawl: what one tells another of links to the other's sites.

A shard knows links to the sites of others, but never asks for them: their state is FOREIGN. A page with such links is
cut for each of their owners, and sent as a letter. Letters of one shard to another are numbered from 1 and follow from
the log of the sender alone; what was taken is in the log of the receiver (event `Received`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

import msgspec
import numpy as np

from topicrawl.crawling.entering import admit, contain, different
from topicrawl.errors import ReplayError
from topicrawl.frontier import FOREIGN, PEEKED
from topicrawl.frontier.observation import Observation
from topicrawl.model import Ask, Letter, Links, Outcome, Page, Received, Visit
from topicrawl.strategies import Choice
from topicrawl.urls import host as host_of
from topicrawl.value.cut_pages import CutPage

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl

MOST_PARENTS = 10
"""Pages that contain a link and are told to its owner, the first ones: links of a menu are on every page."""

_encode = msgspec.msgpack.Encoder().encode


class Post:
    """The letters of one shard: which sites are whose, what is to be sent, and how much was taken."""

    not_stored: ClassVar[tuple[str, ...]] = ("owner",)

    def __init__(self, shard: str, owner: Callable[[str], str]) -> None:
        self.shard = shard
        self.owner = owner
        """The shard that crawls the site of a canonical URL."""
        self.sent: dict[str, int] = {}
        """The number of the last letter to each other shard."""
        self.taken: dict[str, int] = {}
        """The number of the last letter from each."""
        self.handed_over = self.got = 0
        """Pages that were handed over to others, and that others handed over to this shard."""
        self._kept: dict[str, deque[bytes]] = {}
        """The last letters to each, packed: those that it may not have."""

    def is_mine(self, url: str) -> bool:
        """Whether this shard crawls the site of a URL."""
        return self.owner(url) == self.shard

    def send(self, shard: str, letter: Letter) -> None:
        """Add a letter."""
        self.sent[shard] = self.sent.get(shard, 0) + 1
        self._kept.setdefault(shard, deque()).append(_encode(letter))

    def letters(self, shard: str, after: int, most: int | None = None) -> list[bytes]:
        """The letters to a shard with a number above `after`, packed, in order; those it has are kept no more."""
        kept = self._kept.get(shard, deque())
        first = self.sent.get(shard, 0) - len(kept)
        if after < first:
            raise ValueError(f"letter {after + 1} to shard {shard} is not kept: it was acknowledged")
        skipped = after - first
        return list(kept)[skipped : None if most is None else skipped + most]

    def forget(self, shard: str, taken: int) -> None:
        """Keep no letters up to number `taken`: the receiver has them in its log."""
        kept = self._kept.get(shard, deque())
        while kept and self.sent[shard] - len(kept) < taken:
            kept.popleft()


def tell_owners(crawl: Crawl, seen: Observation, page: Page) -> None:
    """Send the links of a page that belong to other shards to these."""
    assert crawl.post is not None
    columns, rows = crawl.frontier.columns, np.array(seen.rows, dtype=np.int64)
    wanted = (columns["state"][rows] == FOREIGN) & (columns["parents_count"][rows] <= MOST_PARENTS)
    wanted &= (rows >= 0) & (rows != seen.link)
    by_owner: dict[str, list[int]] = {}
    for row in np.flatnonzero(wanted).tolist():
        by_owner.setdefault(crawl.post.owner(page.links.urls[row]), []).append(row)
    if not by_owner:
        return
    start, worth = start_of(crawl, seen.link), crawl.strategy.worth(seen, crawl.frontier)
    depth, whole = int(columns["depth"][seen.link]), CutPage(page, seen.outcome.counts)
    for owner in sorted(by_owner):
        chosen = by_owner[owner]
        crawl.post.send(owner, Letter(whole.cut(chosen), worth, depth, start, whole.counts(chosen)))


def hand_over(crawl: Crawl, ask: Ask, outcome: Outcome) -> None:
    """Send a page to the shard of its site, where a redirect led."""
    assert crawl.post is not None
    columns = crawl.frontier.columns
    parent = int(columns["parent"][ask.link])
    on = crawl.frontier.urls[parent] if parent >= 0 else ""
    page = Page(on, links=_blank_links([outcome.url]))
    relevance = float(crawl.frontier.parents_mean(np.array([ask.link]))[0])
    start = start_of(crawl, ask.link)
    letter = Letter(page, relevance, ask.depth - 1, start, whole=outcome)
    crawl.post.send(crawl.post.owner(outcome.url), letter)
    crawl.post.handed_over += 1


def start_of(crawl: Crawl, link: int) -> str:
    """The URL of the seed or example from which a link was reached."""
    parents = crawl.frontier.columns["parent"]
    while (parent := int(parents[link])) >= 0:
        link = parent
    return crawl.frontier.urls[link]


def take_letters(crawl: Crawl, received: Received) -> list[tuple[Ask, Outcome]]:
    """Enter the links of letters; returns the pages that were handed over, each with its ask, which is pending."""
    if crawl.post is None:
        raise ReplayError("the log has letters of other shards, but this crawl is no shard")
    handed, group = list[tuple[Ask, Outcome]](), list[Letter]()
    for letter in _taken(crawl.post, received):
        group.append(letter)
        if letter.whole is None:
            continue
        _enter(crawl, group)
        group = []
        crawl.post.got += 1
        if (ask := _ask_for(crawl, letter.whole.url)) is not None:
            handed.append((ask, letter.whole))
    _enter(crawl, group)
    return handed


def _taken(post: Post, received: Received) -> Iterator[Letter]:
    """The letters of an event, as they are counted."""
    for part in (received, *received.others):
        before = post.taken.get(part.shard, 0)
        if part.first != before + 1:
            raise ReplayError(
                f"the log has letter {part.first} of shard {part.shard}, expected is {before + 1}"
            )
        post.taken[part.shard] = before + len(part.letters)
        yield from part.letters


def _enter(crawl: Crawl, letters: Sequence[Letter]) -> None:
    """Enter the links of letters; priorities are computed once for all of them."""
    pages = (page for letter in letters if (page := _entered(crawl, letter)) is not None)
    crawl.strategy.enter_pages(pages, crawl.frontier, crawl.rng)


def _entered(crawl: Crawl, letter: Letter) -> Observation | None:
    """Enter the links of a letter into the frontier: the page that contains them, if there are any."""
    frontier, page = crawl.frontier, letter.page
    if not page.url:  # seeds that were redirected
        fresh = [url for url in page.links.urls if frontier.number(url) is None]
        fresh = [url for url in fresh if not crawl.refusal(url, letter.depth + 1)]
        links = crawl.add_links(fresh, letter.depth + 1, -1)
        crawl.strategy.enter(links, frontier, crawl.rng)
        return None
    link = _page_link(crawl, letter)
    rows = admit(crawl, link, page)
    links = different(rows, link)
    if not len(links):
        return None
    contain(crawl, link, links, page, letter.relevance)
    visit = Visit(
        n=0,
        url=page.url,
        asked=page.url,
        status=None,
        fetched=True,
        peek=False,
        relevance=letter.relevance,
        priority=0.0,
        host=host_of(page.url),
        depth=letter.depth,
        parent=None,
        title=page.title,
        bytes=0,
        error=None,
        term_relevance=letter.relevance,
    )
    outcome = Outcome(page.url, page=page, counts=letter.counts)
    return Observation(link, visit, outcome, links, rows)


def _page_link(crawl: Crawl, letter: Letter) -> int:
    """The number of the page that a letter is about; its parent is the start that it was reached from."""
    frontier = crawl.frontier
    link = frontier.number(letter.page.url)
    if link is not None:
        return link
    start = frontier.number(letter.start) if letter.start else None
    added = frontier.add([letter.page.url], letter.depth, -1 if start is None else start)
    frontier.leave(added)
    return int(added[0])


def _ask_for(crawl: Crawl, url: str) -> Ask | None:
    """Make the link of a page that was handed over pending; None where it is known, or not wanted."""
    link = crawl.frontier.number(url)
    if link is None or crawl.frontier.columns["state"][link] > PEEKED:
        return None
    choice = Choice(link)
    crawl.strategy.chose(choice, crawl.frontier)
    ask = crawl.ask_of(choice)
    if not np.isfinite(ask.priority):
        ask = msgspec.structs.replace(ask, priority=0.0)
    crawl.expect(ask)
    return ask


def _blank_links(urls: Sequence[str]) -> Links:
    """Links without texts."""
    blank, zeros = [""] * len(urls), bytes(4 * len(urls))
    return Links(list(urls), blank, blank, zeros, zeros, bytes(len(urls)))
