"""Real webs in two scripts: `python -m bench.two_alphabets TASKS WEBS [STRATEGY …]`.

Of recorded webs that are written in Latin letters (the folder WEBS), half of the pages are rewritten in Cyrillic ones,
letter by letter: text, title and anchors, not URLs. So both halves are real, and share no word. Every word of a task is
given in both spellings; seeds and examples stay in Latin letters. Crawls the tasks of the file TASKS with all examples,
one, and none, from the first two seed sets, and prints the share of the oracle by labels for the web as it is and for
that in two scripts, and for this the share of Cyrillic pages among the relevant ones found. For scout it prints too how
many pages the last judgement calls relevant, divided by those that are, and of what share of the pages it is right: of
Latin and of Cyrillic ones.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import isnan, nan
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec
import numpy as np

from bench.in_flight import Job, Windowed
from topicrawl.judge import Judge
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.reconsidered import reconsidered
from topicrawl.judge.terms import ByTerms
from topicrawl.model import Outcome, Page, Topic, by_terms
from topicrawl.topic.letters import OR
from topicrawl_lab.labels import targets
from topicrawl_lab.spec import Spec, parse_specs
from topicrawl_lab.tasks import Task, read_tasks

LATIN = "abcdefghijklmnopqrstuvwxyz"
CYRILLIC = "абцдефгхийклмнопярстувщжыз"
LETTERS = str.maketrans(LATIN + LATIN.upper(), CYRILLIC + CYRILLIC.upper())
SCOUT = "scout"
NOT_LATIN = ("zhdocs",)
EXAMPLES = (None, 1, 0)
SEED_SETS = 2


def is_rewritten(url: str) -> bool:
    """Whether a page is one of the half that is rewritten."""
    return blake2b(url.encode(), digest_size=1).digest()[0] % 2 == 1


def rewritten(page: Page) -> Page:
    """The page in Cyrillic letters."""
    links = page.links
    anchors, titles = ([text.translate(LETTERS) for text in texts] for texts in (links.anchors, links.titles))
    return msgspec.structs.replace(
        page,
        title=page.title.translate(LETTERS),
        text=page.text.translate(LETTERS),
        links=msgspec.structs.replace(links, anchors=anchors, titles=titles),
    )


class Crawled(NamedTuple):
    """What a crawl found."""

    share: float
    """Of the oracle."""
    cyrillic: float
    """The share of Cyrillic pages among the relevant ones."""
    called: float
    """Pages called relevant at the end, divided by those that are: in Latin letters, and in Cyrillic ones."""
    called_cyrillic: float
    right: float
    """The share of pages of which the last judgement is right: the same two."""
    right_cyrillic: float


@dataclass
class TwoAlphabets(Windowed):
    """Crawls of webs as they are, or in two scripts."""

    examples: int | None = None
    in_two: bool = False
    by_examples: bool = True
    """Whether pages are judged by examples, and else by terms."""
    _latin: set[str] = field(default_factory=set)
    """Seeds and examples of the task."""
    _by_examples: ByExamples | None = None

    def crawled(self, job: Job) -> Crawled:
        """Crawl; of the last judgement where pages are judged by examples."""
        self._latin = {*job.task.seed_sets[job.seed_set], *job.task.examples}
        wanted = targets(self._task_web(job.task.web).labels, job.task)
        visits = [visit for visit in self.visits(job) if visit.fetched]
        relevant = np.array([visit.url in wanted for visit in visits])
        cyrillic = np.array([self._is_cyrillic(visit.url) for visit in visits])
        share = relevant.sum() / job.task.oracle_at_budget[job.seed_set]
        of_cyrillic = (relevant & cyrillic).sum() / max(relevant.sum(), 1)
        if not self.by_examples or not self._by_examples:
            return Crawled(share, of_cyrillic, nan, nan, nan, nan)
        called = reconsidered(self._by_examples, np.array([by_terms(visit) for visit in visits])) >= 0.5
        figures = list[float]()
        for half in (~cyrillic, cyrillic):
            figures.append(called[half].sum() / max(relevant[half].sum(), 1))
        for half in (~cyrillic, cyrillic):
            figures.append(float((called == relevant)[half].mean()) if half.any() else 1.0)
        return Crawled(share, of_cyrillic, *figures)

    def _judge(self, topic: Topic) -> Judge:
        self._by_examples = ByExamples(topic)
        return self._by_examples if self.by_examples else ByTerms()

    def _is_cyrillic(self, url: str) -> bool:
        return url not in self._latin and is_rewritten(url)

    def _changed(self, outcome: Outcome) -> Outcome:
        if not self.in_two or outcome.page is None or not self._is_cyrillic(outcome.url):
            return outcome
        return msgspec.structs.replace(outcome, page=rewritten(outcome.page))

    def _topic(self, job: Job) -> Topic:
        topic = super()._topic(job)
        if self.in_two:
            both = tuple(f"{term}{OR}{term.translate(LETTERS)}" for term in topic.terms)
            topic = replace(topic, terms=both)
        return replace(topic, examples=topic.examples[: self.examples])


def row(crawls: TwoAlphabets, tasks: list[Task], spec: Spec) -> list[str]:
    """The means over tasks and seed sets: of the webs as they are, and of those in two scripts."""
    jobs = [Job(task, spec, seed_set, 1) for task in tasks for seed_set in range(SEED_SETS)]
    cells = list[str]()
    for crawls.in_two in (False, True):
        found = Crawled(*(fmean(column) for column in zip(*map(crawls.crawled, jobs), strict=True)))
        if crawls.in_two:
            cells += [f"{found.share:.3f}", f"{found.cyrillic:.0%}"]
            cells += map(_shown, found[2:])
        else:
            cells += [f"{found.share:.3f}", _shown(found.called), _shown(found.right)]
    return cells


def _shown(figure: float) -> str:
    return "–" if isnan(figure) else f"{figure:.2f}"


def main(tasks: str, webs: str, *strategies: str) -> None:
    """Crawl and print the table."""
    known = [task for task in read_tasks(Path(tasks)) if task.web not in NOT_LATIN]
    crawls, names = TwoAlphabets(Path(webs)), sorted({task.web for task in known})
    heads = (
        "as it is",
        "called",
        "right",
        "in two scripts",
        "Cyrillic",
        "called",
        "Cyrillic",
        "right",
        "Cyrillic",
    )
    print(
        f"| strategy | examples | web | tasks | {' | '.join(heads)} |\n|---|--:|---|--:{'|--:' * len(heads)}|"
    )
    for spec in parse_specs(",".join(strategies or (SCOUT, "ops"))):
        crawls.by_examples = spec.name == SCOUT
        for crawls.examples in EXAMPLES:
            for web in names:
                mine = [task for task in known if task.web == web]
                given = "all" if crawls.examples is None else str(crawls.examples)
                cells = [str(spec), given, web, str(len(mine)), *row(crawls, mine, spec)]
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
