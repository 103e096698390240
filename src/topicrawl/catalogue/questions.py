"""The pages of a run that are worth asking a person about (value/questions.py says which)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from topicrawl.catalogue.snippet import snippet
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.judged import relevance_now
from topicrawl.crawling.make import present_of
from topicrawl.knowledge.words import terms_of
from topicrawl.model import Page, Topic
from topicrawl.store.run import Run
from topicrawl.value.questions import hanging, worth_asking

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Question:
    """A page that a person is asked about: is it relevant?"""

    url: str
    title: str
    probability: float
    """That it is relevant, by all that was learned."""
    links_waiting: int
    """Links of the page that wait."""
    reason: str
    snippet: str


def questions_of(run: Run, count: int, crawl: Crawl | None = None) -> list[Question]:
    """The pages of a run, at most `count`, that are worth asking about, the best first; none that has a mark.

    `crawl` is the crawl of the run after its last event, where it is at hand: else it is made from snapshot and log.
    """
    crawl = crawl or _present(run)
    marked = run.marks()
    visits = [visit for visit in run.visits() if visit.fetched and visit.url not in marked]
    visits = list({visit.url: visit for visit in visits}.values())
    numbers = crawl.frontier.numbers([visit.url for visit in visits])
    known = [(visit, link) for visit, link in zip(visits, numbers, strict=True) if link is not None]
    links = np.array([link for _, link in known], dtype=np.int64)
    now = relevance_now(run, crawl.judge)[[visit.n for visit, _ in known]]

    def read(place: int) -> Page | None:
        return run.page(known[place][0].url)

    waiting, wanted = hanging(crawl.frontier).links, _terms(crawl.topic)
    found = []
    for place in worth_asking(crawl.frontier, links, now, read, count, threshold=crawl.threshold):
        visit, link = known[place]
        page, number = read(place), int(waiting[link])
        found.append(
            Question(
                url=visit.url,
                title=visit.title,
                probability=float(now[place]),
                links_waiting=number,
                reason=f"relevant with probability {now[place]:.2f}; {number:,} of its links wait",
                snippet=snippet(page, wanted) if page else "",
            )
        )
    return found


def _present(run: Run) -> Crawl:
    """The crawl of a run after its last event."""
    begin = present_of(run)
    for event in run.replay(begin.seq):
        begin.crawl.replay(event)
    return begin.crawl


def _terms(topic: Topic) -> set[str]:
    """The terms of a topic as a snippet has them."""
    words = _WORD.findall(" ".join(topic.terms).lower())
    return {term for term in terms_of("en").terms(words) if term}
