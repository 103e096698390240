"""The pages of a run that are worth asking a person about (value/questions.py says which)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

import numpy as np

from topicrawl.catalogue.snippet import snippet
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.make import now_of
from topicrawl.judge.calibration import reconsidered
from topicrawl.judge.examples import ByExamples
from topicrawl.knowledge.words import terms_of
from topicrawl.model import Page, Topic, Visit, by_terms
from topicrawl.store.main_texts import find_main_text
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.run import Run
from topicrawl.store.wishes import Marks, waiting
from topicrawl.value.questions import hanging, worth_asking

MANY = 20_000
"""Pages beyond which each is judged by itself: to compare it with those near it takes 0.15 ms a page."""
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
    Of a crawl in shards the best of each shard come in turn.
    """
    if isinstance(run, MergedRun):
        in_turn = zip_longest(*(questions_of(shard, count) for shard in run.shards.values()))
        return [question for question in chain.from_iterable(in_turn) if question is not None][:count]
    crawl = crawl or now_of(run)
    logged = islice(run.visits(), crawl.tally.visits)  # there may be more by now
    told = [visit for visit in logged if visit.fetched]
    settled = _settled(run, crawl)
    asked = {visit.url: (visit, now) for visit, now in zip(told, _now(crawl, told), strict=True)}
    numbers = crawl.frontier.numbers(list(asked))
    known = [
        (*asked[url], link)
        for url, link in zip(asked, numbers, strict=True)
        if link is not None and url not in settled
    ]
    links = np.array([link for *_, link in known], dtype=np.int64)
    now = np.array([probability for _, probability, _ in known])

    def read(place: int) -> Page | None:
        return run.page(known[place][0].url)

    links_waiting, wanted = hanging(crawl.frontier).links, _terms(crawl.topic)
    found = []
    for place in worth_asking(crawl.frontier, links, now, read, count, threshold=crawl.threshold):
        visit, probability, link = known[place]
        page, number = read(place), int(links_waiting[link])
        found.append(
            Question(
                url=visit.url,
                title=visit.title,
                probability=probability,
                links_waiting=number,
                reason=f"relevant with probability {probability:.2f}; {number:,} of its links wait",
                snippet=snippet(page, wanted, find_main_text(run, visit.n, page).main.text) if page else "",
            )
        )
    return found


def _settled(run: Run, crawl: Crawl) -> set[str]:
    """The pages that nobody needs to be asked about: those with a mark, also one that the crawl has not taken yet, and
    the query of a crawl by example.
    """
    said: dict[str, bool | None] = {url: mark.relevant for url, mark in run.marks().items()}
    for wish in waiting(run.path):
        said |= wish.body.verdicts if isinstance(wish.body, Marks) else {}
    query = {page.url for page in crawl.strategy.queries(crawl.topic)}
    return query | {url for url, relevant in said.items() if relevant is not None}


def _now(crawl: Crawl, told: Sequence[Visit]) -> list[float]:
    """How likely each fetched page is relevant: by all that was learned, or where that is unknown as of its visit."""
    judge = crawl.judge
    if not isinstance(judge, ByExamples) or judge.model.seen != len(told):
        return [visit.relevance for visit in told]
    terms = np.array([by_terms(visit) for visit in told])
    found = (
        reconsidered(judge, terms)
        if len(told) <= MANY
        else judge.concluded().again(judge.own_terms(terms)).relevance
    )
    probabilities: list[float] = found.tolist()
    return probabilities


def _terms(topic: Topic) -> set[str]:
    """The terms of a topic as a snippet has them."""
    words = _WORD.findall(" ".join(topic.terms).lower())
    return {term for term in terms_of("en").terms(words) if term}
