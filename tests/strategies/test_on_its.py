"""On-ITS: the improved tabu search over FCWSEO's links, pages predicted or peeked at."""

from __future__ import annotations

from contracts.small_web import TOPIC, SmallWeb
from topicrawl.crawling.core import Crawl
from topicrawl.model import Visit
from topicrawl.strategies.fcwseo_links import FCWSEO
from topicrawl.strategies.on_its import OnIts


def crawl_of(strategy: OnIts, window: int = 1) -> list[Visit]:
    web, seen = SmallWeb(pages=120), list[Visit]()
    crawl = Crawl(TOPIC, strategy, web.seeds(), rng_seed=2)
    while True:
        while len(crawl.pending) < window and crawl.ask():
            pass
        if not crawl.pending:
            return seen
        ask = next(iter(crawl.pending.values()))
        seen.append(crawl.tell(ask, web.answer(ask)))


def test_links_are_valued_as_in_fcwseo() -> None:
    assert OnIts().weights == FCWSEO


def test_it_may_peek_and_reaches_the_same_pages() -> None:
    predicted = {visit.url for visit in crawl_of(OnIts())}
    peeked = crawl_of(OnIts(target_relevance="peek"))
    assert {visit.url for visit in peeked} == predicted
    assert [visit.peek for visit in peeked[:2]] == [False, True]
    assert len(peeked) == len(predicted), "no page is fetched twice"


def test_it_may_peek_with_many_in_flight() -> None:
    one = {visit.url for visit in crawl_of(OnIts(target_relevance="peek"))}
    many = crawl_of(OnIts(target_relevance="peek"), window=8)
    assert {visit.url for visit in many} == one
    assert len(many) == len(one)
