"""The relevance of a run's pages by all that was learned: each page judged once more, when asked.

Only our own judges revise what they said. The word of a judge from outside is final, but for what a person said. Pages
of a shard are judged together with those of all shards. Judging all takes a while, so what was said of a crawl in
shards is kept in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

import msgspec
import numpy as np
import numpy.typing as npt

from topicrawl.crawling.core import DIGITS
from topicrawl.crawling.marks import marked, whole_run
from topicrawl.judge import Judge, OwnJudge, Seen
from topicrawl.judge.registry import EXAMPLES, own_judge
from topicrawl.model import Topic, Visit, by_terms
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import begun_config
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.relevance_file import read_relevance
from topicrawl.store.run import Run
from topicrawl.store.standing import Standing, standing
from topicrawl.strategies.registry import make_strategy

Now = npt.NDArray[np.float64]
"""The relevance of each visit by its number; that of a failure is 0."""


def relevance_now(run: Run, judge: Judge | None = None, known: Standing | None = None) -> Now:
    """The relevance of every visit by all that was learned.

    `judge` is that of the crawl, where it is at hand: it has the pages, which are not read again. `known` is what
    `standing` says of the run, where it was asked.
    """
    with whole_run(run) as whole:
        if whole is run and not isinstance(run, MergedRun):
            return _judged_now(run, judge, known)
        assert isinstance(whole, MergedRun)
        now = read_relevance(whole, whole.path)
        now = _judged_now(whole) if now is None else now
        return now if whole is run else _of_shard(run, now[[0, *whole.numbers_of(run.path.name)]])


def _of_shard(run: Run, now: Now) -> Now:
    """The relevance of the visits that `run` has: those of the whole crawl may have been read later, or before."""
    return np.append(now, np.zeros(max(run.last_n + 1 - len(now), 0)))[: run.last_n + 1]


def _judged_now(run: Run, judge: Judge | None = None, known: Standing | None = None) -> Now:
    now = np.zeros(run.last_n + 1)
    for visit in run.visits():
        now[visit.n] = visit.relevance
    config = begun_config(run)
    if config.judge == EXAMPLES:
        now = _judged_again(run, judge, now, known or standing(run))
    for visit in marked(run, run.visits()):
        now[visit.n] = visit.relevance
    if urls := query_urls(config):
        now[[visit.n for visit in run.visits() if visit.url in urls]] = 0.0
    return now


def query_urls(config: Config) -> frozenset[str]:
    """The URLs of the pages that a crawl by example was asked about: these are no results of it."""
    assert isinstance(config.topic, Topic)
    strategy = make_strategy(config.strategy, config.parameters)
    return frozenset(page.url for page in strategy.queries(config.topic) if page.url)


def _judged_again(run: Run, judge: Judge | None, now: Now, known: Standing) -> Now:
    """The relevance of visits by what the judge `examples` has learned."""
    from topicrawl.judge.calibration import reconsidered
    from topicrawl.judge.examples import ByExamples  # other runs do without it

    again = known.anew  # the judge learns a page once
    fetched = [visit for visit in run.visits() if visit.fetched and visit.n not in again]
    numbers = [visit.n for visit in fetched]
    at_hand = isinstance(judge, ByExamples) and judge.model.seen == len(numbers)
    final = judge if at_hand else _learned(run, again)
    assert isinstance(final, ByExamples)
    now[numbers] = reconsidered(final, np.array([by_terms(visit) for visit in fetched]))
    for visit in fetched:
        if (verdict := final.verdict(visit.url)) is not None:
            now[visit.n] = verdict
    return np.round(now, DIGITS)


def revised(visits: Iterable[Visit], now: Now) -> Iterator[Visit]:
    """The visits with the relevance that they have now."""
    return (msgspec.structs.replace(visit, relevance=float(now[visit.n])) for visit in visits)


def _learned(run: Run, again: Set[int] = frozenset()) -> OwnJudge:
    """A judge that has learned the pages of a run, and what people said about pages."""
    topic = begun_config(run).topic
    assert isinstance(topic, Topic)
    judge = own_judge(EXAMPLES, topic)
    for visit, seen in _seen(run):
        if visit.n not in again:
            judge.note(seen)
    for instruction in run.instructions():
        for page in instruction.examples:
            judge.learn(Seen(page), True)
        for page in instruction.unwanted:
            judge.learn(Seen(page), False)
        pages = [(mark.page or run.page(mark.of), mark.relevant) for mark in instruction.marks]
        judge.mark([(Seen(page), relevant) for page, relevant in pages if page is not None])
    return judge


def _seen(run: Run) -> Iterator[tuple[Visit, Seen]]:
    """The pages of a run as its judge saw them."""
    return ((visit, Seen(page, by_terms(visit), is_seed=visit.depth == 0)) for visit, page in run.pages())
