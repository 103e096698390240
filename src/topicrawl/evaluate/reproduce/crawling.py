"""One crawl of an experiment: on an invented web, judged by the subject's topic whatever topic it was steered by."""

from __future__ import annotations

from dataclasses import dataclass, field

from topicrawl.evaluate.cell import Cell, crawl
from topicrawl.evaluate.reproduce.experiment import Job, Scaled, file_name
from topicrawl.evaluate.reproduce.folder import Finished, Folder
from topicrawl.evaluate.reproduce.setup import Subject
from topicrawl.evaluate.shelf import Shelf
from topicrawl.evaluate.tasks import Task
from topicrawl.inputs import open_topic
from topicrawl.model import Outcome, Topic
from topicrawl.relevance.page import PageRelevance
from topicrawl.topic.matcher import Matcher
from topicrawl.web.invented import InventedWeb, invented_web


@dataclass
class Crawls:
    """Makes the crawls of `scaled` in one process; the web of the last one and the counts of its pages are kept."""

    scaled: Scaled
    folder: Folder
    _open: dict[str, tuple[InventedWeb, Shelf]] = field(default_factory=dict)

    def __call__(self, job: Job) -> Finished:
        """Make one, and keep its log."""
        web, shelf = self._web(job.web)
        judge = open_topic(topic_spec(job.subject, web))
        cell = Cell(_task(self.scaled, job.subject, web), job.spec, seed_set=0, rng_seed=job.repeat)
        if job.topic:
            witness = Witness(web, judge)
            done = crawl(cell, witness, open_topic(job.topic))
            relevances = [witness.relevance[visit.url] for visit in done.visits if visit.fetched]
        else:
            done = crawl(cell, shelf, judge)
            relevances = [visit.relevance for visit in done.visits if visit.fetched]
        self.folder.write_log(job, done.visits, relevances)
        return Finished(*job.key, job.strategy, self.scaled.budget, round(done.seconds, 3))

    def close(self) -> None:
        for _, shelf in self._open.values():
            shelf.close()

    def _web(self, name: str) -> tuple[InventedWeb, Shelf]:
        if name not in self._open:
            self.close()
            web = invented_web(name)
            self._open = {name: (web, Shelf(web))}
        return self._open[name]


class Witness(Shelf):
    """A shelf that notes how relevant each page is to a topic of its own."""

    def __init__(self, web: InventedWeb, topic: Topic) -> None:
        super().__init__(web)
        self._count = Matcher(topic.terms).count
        self._judge = PageRelevance(topic)
        self.relevance: dict[str, float] = {}

    def outcome(self, url: str) -> Outcome:
        outcome = super().outcome(url)
        if outcome.page is not None:
            self.relevance[outcome.url] = self._judge(self._count(outcome.page))
        return outcome


def topic_spec(subject: Subject, web: InventedWeb) -> str:
    """The topic that a subject's crawls are judged by, as `--topic` reads it."""
    return subject.spec or web.topic_spec(subject.invented)


def _task(scaled: Scaled, subject: Subject, web: InventedWeb) -> Task:
    return Task(
        name=file_name(subject.name),
        web=web.name,
        relevant_label=subject.invented,
        topic_words=topic_spec(subject, web),
        budget=scaled.budget,
        relevant=0,
        examples=(),
        seed_sets=(tuple(web.seeds(subject.invented, scaled.seeds)),),
        oracle_at_budget=(0,),
    )
