"""One crawl of an experiment: on an invented web, judged by the subject's topic whatever topic it was steered by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from topicrawl.crawling.offline import OfflinePages
from topicrawl.model import Outcome, Page, Topic
from topicrawl.page.relevance import PageRelevance
from topicrawl.setup.inputs import open_topic
from topicrawl.strategies.mcoa import lambdas
from topicrawl.strategies.weights.learn import FEWEST
from topicrawl.strategies.weights.membranes import Membranes
from topicrawl.topic.matcher import Matcher
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl_lab.cell import Cell, crawl
from topicrawl_lab.reproduce.design import Subject
from topicrawl_lab.reproduce.experiment import Job, Scaled, file_name
from topicrawl_lab.reproduce.folder import Finished, Folder
from topicrawl_lab.reproduce.topic_pages import PageTopics, learned_weights
from topicrawl_lab.tasks import Task
from topicrawl_lab.training import learns_from_others


@dataclass
class Crawls:
    """Makes the crawls of `scaled` in one process; the web of the last one and the counts of its pages are kept."""

    scaled: Scaled
    folder: Folder
    _open: dict[str, tuple[InventedWeb, OfflinePages]] = field(default_factory=dict)
    _pages: dict[str, PageTopics] = field(default_factory=dict)

    def __call__(self, job: Job) -> Finished:
        """Make one, and keep its log."""
        web, shelf = self._web(job.web)
        if self.scaled.setup.topic_pages:
            return self._by_pages(job, web)
        judge = open_topic(topic_spec(job.subject, web))
        cell = Cell(_task(self.scaled, job.subject, web), job.spec, seed_set=0, rng_seed=job.repeat)
        if job.topic:
            witness = Verifier(web, _relevance(judge))
            done = crawl(cell, witness, open_topic(job.topic))
            relevances = [witness.relevance[visit.url] for visit in done.visits if visit.fetched]
        else:
            done = crawl(cell, shelf, judge)
            relevances = [visit.relevance for visit in done.visits if visit.fetched]
        self.folder.write_log(job, done.visits, relevances)
        return Finished(*job.key, job.strategy, self.scaled.budget, round(done.cpu_seconds, 3))

    def _by_pages(self, job: Job, web: InventedWeb) -> Finished:
        """A crawl for a topic that is pages, judged by similarity to them."""
        setup, topics = self.scaled.setup, self._topics(job.web)
        cell = Cell(_task(self.scaled, job.subject, web), job.spec, seed_set=0, rng_seed=job.repeat)
        weights = None
        if learns_from_others(job.spec):
            links = max(FEWEST, round(setup.training * self.scaled.scale))
            generations = max(1, round(Membranes().generations * self.scaled.scale))
            weights = lambdas(
                learned_weights(setup, job.subject, job.spec, job.repeat + 1, links, generations)
            )
        witness = Verifier(web, topics.similarity(job.subject))
        strategy = job.spec.strategy(cell.task.budget, weights)
        done = crawl(cell, witness, topics.topic(job.subject), strategy)
        similarities = [witness.relevance[visit.url] for visit in done.visits if visit.fetched]
        self.folder.write_log(job, done.visits, similarities)
        return Finished(*job.key, job.strategy, self.scaled.budget, round(done.cpu_seconds, 3))

    def _topics(self, web: str) -> PageTopics:
        """The topics of a web; those of the last one are kept."""
        if web not in self._pages:
            self._pages = {web: PageTopics(self.scaled.setup, *self._web(web))}
        return self._pages[web]

    def close(self) -> None:
        for _, shelf in self._open.values():
            shelf.close()

    def _web(self, name: str) -> tuple[InventedWeb, OfflinePages]:
        if name not in self._open:
            self.close()
            web = invented_web(name)
            self._open = {name: (web, OfflinePages(web))}
        return self._open[name]


class Verifier(OfflinePages):
    """A shelf that notes what a judge thinks of each page."""

    def __init__(self, web: InventedWeb, judge: Callable[[Page], float]) -> None:
        super().__init__(web)
        self._judge = judge
        self.relevance: dict[str, float] = {}

    def outcome(self, url: str) -> Outcome:
        outcome = super().outcome(url)
        if outcome.page is not None:
            self.relevance[outcome.url] = self._judge(outcome.page)
        return outcome


def _relevance(topic: Topic) -> Callable[[Page], float]:
    """How relevant pages are by the words of a topic."""
    count, relevance = Matcher(topic.terms).count, PageRelevance(topic)
    return lambda page: relevance(count(page))


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
