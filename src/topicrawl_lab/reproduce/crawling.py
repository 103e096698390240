"""One crawl of an experiment on an invented web, judged by the subject's topic even where another topic steered it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from topicrawl.crawling.offline import OfflinePages
from topicrawl.knowledge.history import Round
from topicrawl.knowledge.training import Training
from topicrawl.model import Outcome, Page
from topicrawl.setup.inputs import open_topic
from topicrawl.strategies.cross_reference import CrossReference
from topicrawl.strategies.mcoa import lambdas
from topicrawl.strategies.weights.learn import FEWEST
from topicrawl.strategies.weights.membranes import Membranes
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl_lab.cell import Cell, Crawled, crawl
from topicrawl_lab.reproduce.design import Subject
from topicrawl_lab.reproduce.experiment import Job, Scaled, file_name
from topicrawl_lab.reproduce.folder import Finished, Folder
from topicrawl_lab.reproduce.independent import Independent, independent, relevance
from topicrawl_lab.reproduce.topic_pages import PageTopics, learned_weights, training_set
from topicrawl_lab.tasks import Task
from topicrawl_lab.training import learns_from_others


@dataclass
class Crawls:
    """The handler of the worker processes: runs crawls of `scaled`; caches the last web and its term counts."""

    scaled: Scaled
    folder: Folder
    _open: dict[str, tuple[InventedWeb, OfflinePages]] = field(default_factory=dict)
    _pages: dict[str, PageTopics] = field(default_factory=dict)
    _independent: dict[tuple[str, str], Independent] = field(default_factory=dict)
    _trainings: dict[str, Training] = field(default_factory=dict)

    def __call__(self, job: Job) -> Finished:
        """Run a crawl and write its log."""
        web, offline = self._web(job.web)
        if self.scaled.setup.topic_pages:
            return self._by_pages(job, web)
        if job.independent:
            return self._independently(job, web)
        judge = open_topic(topic_spec(job.subject, web))
        cell = Cell(_task(self.scaled, job.subject, web), job.spec, seed_set=0, rng_seed=job.repeat)
        free = job.crawler.peeks_are_free
        if job.topic:
            judged_pages = JudgedPages(web, relevance(judge))
            done = crawl(cell, judged_pages, open_topic(job.topic), peeks_are_free=free)
            visits = done.taken[: self.scaled.budget] if free else done.visits
            relevances = [judged_pages.relevance[visit.url] for visit in visits if visit.fetched]
        else:
            done = crawl(cell, offline, judge, peeks_are_free=free)
            visits = done.taken[: self.scaled.budget] if free else done.visits
            relevances = [visit.relevance for visit in visits if visit.fetched]
        self.folder.write_log(job, visits, relevances)
        return self._finished(job, done)

    def _independently(self, job: Job, web: InventedWeb) -> Finished:
        """A crawl by a topic found in documents, judged by other documents."""
        key = (job.web, job.subject.invented)
        if key not in self._independent:
            self._independent = {key: independent(job.web_seed, job.subject.invented)}
        found = self._independent[key]
        cell = Cell(_task(self.scaled, job.subject, web), job.spec, seed_set=0, rng_seed=job.repeat)
        judged_pages = JudgedPages(web, relevance(found.judge))
        done = crawl(cell, judged_pages, found.steering(job.independent))
        relevances = [judged_pages.relevance[visit.url] for visit in done.visits if visit.fetched]
        self.folder.write_topics(job, found)
        self.folder.write_log(job, done.visits, relevances)
        return replace(self._finished(job, done), threshold=found.threshold)

    def _finished(self, job: Job, done: Crawled) -> Finished:
        return Finished(
            job.subject.name,
            job.crawler.name,
            job.repeat,
            job.strategy,
            self.scaled.budget,
            round(done.cpu_seconds, 3),
            generations=-1 if done.generations is None else done.generations,
            own_seconds=round(done.own_seconds, 3),
            independent=bool(job.independent),
        )

    def _by_pages(self, job: Job, web: InventedWeb) -> Finished:
        """A crawl whose topic is a set of pages, judged by similarity to them."""
        setup, topics = self.scaled.setup, self._topics(job.web)
        cell = Cell(_task(self.scaled, job.subject, web), job.spec, seed_set=0, rng_seed=job.repeat)
        weights = None
        if learns_from_others(job.spec):
            links = max(FEWEST, round(setup.training * self.scaled.scale))
            generations = max(1, round(Membranes().generations * self.scaled.scale))
            learned = learned_weights(setup, job.subject, job.spec, job.repeat + 1, links, generations)
            self.folder.write_weights(job, learned)
            weights = lambdas(learned.weights)
        judged_pages = JudgedPages(web, topics.similarity(job.subject))
        strategy = job.spec.strategy(cell.task.budget, weights)
        if job.crawler.trained:
            strategy.training = self._training(job.subject)
        done = crawl(cell, judged_pages, topics.topic(job.subject), strategy)
        similarities = [judged_pages.relevance[visit.url] for visit in done.visits if visit.fetched]
        if isinstance(strategy, CrossReference):
            self.folder.write_rounds(job, _rounds(strategy))
        self.folder.write_log(job, done.visits, similarities)
        return self._finished(job, done)

    def _training(self, subject: Subject) -> Training:
        """The training set of a subject; the last one is cached."""
        if subject.name not in self._trainings:
            items = max(1, round(self.scaled.setup.training_items * self.scaled.scale))
            self._trainings = {subject.name: training_set(subject, items)}
        return self._trainings[subject.name]

    def _topics(self, web: str) -> PageTopics:
        """The topics of a web; those of the last web are cached."""
        if web not in self._pages:
            self._pages = {web: PageTopics(self.scaled.setup, *self._web(web))}
        return self._pages[web]

    def close(self) -> None:
        for _, offline in self._open.values():
            offline.close()

    def _web(self, name: str) -> tuple[InventedWeb, OfflinePages]:
        if name not in self._open:
            self.close()
            web = invented_web(name)
            self._open = {name: (web, OfflinePages(web))}
        return self._open[name]


class JudgedPages(OfflinePages):
    """Offline pages that record the judge's relevance of each page fetched."""

    def __init__(self, web: InventedWeb, judge: Callable[[Page], float]) -> None:
        super().__init__(web)
        self._judge = judge
        self.relevance: dict[str, float] = {}

    def outcome(self, url: str) -> Outcome:
        outcome = super().outcome(url)
        if outcome.page is not None:
            self.relevance[outcome.url] = self._judge(outcome.page)
        return outcome


def _rounds(strategy: CrossReference) -> list[Round]:
    """What was learned after each round; the one in which the budget was reached is ended here."""
    if strategy.learner.fresh:
        strategy.learner.close()
    return strategy.learner.rounds


def topic_spec(subject: Subject, web: InventedWeb) -> str:
    """The topic that judges a subject's crawls, in the notation of `--topic`."""
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
