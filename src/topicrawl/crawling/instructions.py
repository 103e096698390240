"""What a person may change while a crawl is under way: scope, threshold, seeds, examples, marks, a pause.

An instruction is an event of the log. Its effect depends only on the crawl and its past visits, so it replays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from topicrawl.crawling.entering import enter_more
from topicrawl.crawling.verdicts import make_seeds, mark_pages, recount
from topicrawl.frontier import OUTSIDE, PEEKED, VISITED, WAITING, Ids
from topicrawl.frontier.observation import Observation
from topicrawl.frontier.scope import Scope, hosts_of
from topicrawl.judge import Seen
from topicrawl.model import Instruction, Outcome, Page, Visit

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl

SCOPE = tuple(each.name for each in fields(Scope))
"""The settings of the scope."""
NO_LINKS: Ids = np.empty(0, dtype=np.int64)


class Past(Protocol):
    """The visits of the log, for instructions that look back."""

    def visits(self) -> Iterator[Visit]:
        """Every visit, in order."""
        ...

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        """Every visit with its outcome, in order."""
        ...


class NoPast:
    """The past of a crawl that is not stored."""

    def visits(self) -> Iterator[Visit]:
        """No visits."""
        return iter(())

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        """No visits."""
        return iter(())


def carry_out(crawl: Crawl, instruction: Instruction) -> None:
    """Do what a person said."""
    settings = instruction.settings
    scope = replace(crawl.scope, **_scope_settings(settings))
    if instruction.seeds:
        crawl.seed_hosts |= hosts_of(instruction.seeds)
        _enter_seeds(crawl, instruction.seeds)
    if scope != crawl.scope or (instruction.seeds and scope.same_site):
        _change_scope(crawl, scope)
    if "threshold" in settings and settings["threshold"] != crawl.threshold:
        crawl.threshold = settings["threshold"]
        recount(crawl)
    if "rounds" in settings:
        crawl.strategy.rounds = settings["rounds"]
    if instruction.examples:
        _show_examples(crawl, instruction.examples)
    for page in instruction.unwanted:
        crawl.teach(Seen(page), False)
    if instruction.marks:
        mark_pages(crawl, instruction.marks)
    if instruction.pause is not None:
        crawl.paused = instruction.pause


def _enter_seeds(crawl: Crawl, seeds: Sequence[str]) -> None:
    """Enter further seeds; a link that waits already becomes one."""
    urls = list(dict.fromkeys(seeds))
    numbers = crawl.frontier.numbers(urls)
    known = np.array([link for link in numbers if link is not None], dtype=np.int64)
    fresh = [url for url, link in zip(urls, numbers, strict=True) if link is None]
    crawl.strategy.enter(crawl.add_links(fresh, depth=0, parent=-1), crawl.frontier, crawl.rng)
    waiting = known[crawl.frontier.columns["state"][known] <= PEEKED]
    if len(waiting):
        make_seeds(crawl, waiting)


def _change_scope(crawl: Crawl, scope: Scope) -> None:
    """Withdraw waiting links that the new scope excludes; enter those that only the old one excluded."""
    old, crawl.scope = crawl.scope, scope
    for link in np.flatnonzero(crawl.frontier.columns["state"] <= PEEKED).tolist():
        if crawl.is_outside(link):
            crawl.frontier.settle(link, OUTSIDE)
    if scope.max_per_host != old.max_per_host:
        crawl.slots.change_most(scope.max_per_host)
    if not scope.is_within(old) or scope.same_site:  # further seeds may have brought further sites
        _readmit(crawl)
        for seen, page in _visited_pages(crawl):
            enter_more(crawl, seen, page)


def _readmit(crawl: Crawl) -> None:
    """Let links wait again that an earlier change of scope withdrew, and that the scope admits now."""
    outside = np.flatnonzero(crawl.frontier.columns["state"] == OUTSIDE).tolist()
    back = [link for link in outside if not crawl.is_outside(link)]
    for link in back:
        crawl.frontier.reopen(link, PEEKED if link in crawl.peeked else WAITING)
    links = np.array(back, dtype=np.int64)
    crawl.frontier.prioritise(links, crawl.frontier.columns["priority"][links])
    crawl.strategy.enter(links, crawl.frontier, crawl.rng)


def _visited_pages(crawl: Crawl) -> Iterator[tuple[Observation, Page]]:
    """The pages visited so far whose links were added, in the order of the log."""
    for visit, outcome in crawl.past.outcomes():
        if visit.n > crawl.tally.visits:
            return
        link = crawl.frontier.number(visit.url)
        if outcome.page is None or not visit.fetched or link is None:
            continue
        if crawl.frontier.columns["state"][link] == VISITED:
            yield Observation(link, crawl.verdicts.revised(visit), outcome, NO_LINKS), outcome.page


def _show_examples(crawl: Crawl, examples: Sequence[Page]) -> None:
    """Add examples of the topic; where the strategy starts from examples, their links too."""
    crawl.topic = replace(crawl.topic, examples=(*crawl.topic.examples, *examples))
    for page in examples:
        crawl.teach(Seen(page), True)
    shown = crawl.enter_examples(examples)
    crawl.shown += shown
    for page in shown:
        crawl.observe_example(page)


def _scope_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Those of some settings that belong to the scope."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in settings.items()
        if name in SCOPE
    }
