"""Experiments whose topics are sets of pages: the pages, similarity to them, and weights learned beforehand.

The first results of a search engine are replaced by pages about the topic by the truth of the invented web. Weights are
learned as in the paper, for each topic and before its crawls, but on another invented web: no crawl sees its own links
in advance, and the training fetches are not part of a budget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from topicrawl.crawling.offline import OfflinePages
from topicrawl.knowledge.item_similarity import ItemSimilarity
from topicrawl.knowledge.terms import page_terms, read_terms
from topicrawl.knowledge.training import Training, trained
from topicrawl.model import Page, Topic
from topicrawl.setup.inputs import open_topic
from topicrawl.strategies.mcoa import McoaCrawler, lambdas
from topicrawl.strategies.weights.learn import Learned, learn_weights
from topicrawl.strategies.weights.membranes import Membranes
from topicrawl.strategies.weights.samples import Samples
from topicrawl.topic.pages import topic_pages
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl_lab.cell import Cell, crawl
from topicrawl_lab.example_similarity import ExampleSimilarity, Rarity
from topicrawl_lab.reproduce.design import Setup, Subject
from topicrawl_lab.spec import Spec
from topicrawl_lab.tasks import Task

TRAINING_OFFSET = 1000
"""Offset from the seed of a web to that of the web for learning."""


@dataclass
class PageTopics:
    """The topics of an experiment in one invented web, each of `setup.topic_pages` pages that are no seeds."""

    setup: Setup
    web: InventedWeb
    offline: OfflinePages
    _pages: dict[str, list[Page]] = field(default_factory=dict)

    def topic(self, subject: Subject) -> Topic:
        """The topic of a subject: its words, and its pages."""
        words, texts = open_topic(subject.spec or self.web.topic_spec(subject.invented)), self._texts(subject)
        return replace(words, pages=topic_pages(texts), examples=tuple(self._read(subject)))

    def similarity(self, subject: Subject) -> Callable[[Page], float]:
        """The similarity of a page to the nearest page of the topic, the same measure for all crawlers."""
        if self.setup.by_terms:
            return ItemSimilarity(page_terms(self._read(subject)[0]))
        similarity = ExampleSimilarity(self._texts(subject), self._rarity)
        return lambda page: similarity(page.text)

    @cached_property
    def _rarity(self) -> Rarity:
        return Rarity(text for each in self.setup.subjects for text in self._texts(each))

    def _texts(self, subject: Subject) -> list[str]:
        return [page.text for page in self._read(subject)]

    def _read(self, subject: Subject) -> list[Page]:
        if subject.name not in self._pages:
            urls = self.web.seeds(subject.invented, self.setup.seeds + self.setup.topic_pages)[
                self.setup.seeds :
            ]
            pages = (self.offline.outcome(url).page for url in urls)
            self._pages[subject.name] = [page for page in pages if page is not None]
        return self._pages[subject.name]


def learned_weights(
    setup: Setup, subject: Subject, spec: Spec, number: int, links: int, generations: int
) -> Learned:
    """What MCOA as published learns for a topic on another web, from half of `links` links; the others test it."""
    web = invented_web(f"invented:scale:{number + TRAINING_OFFSET}")
    offline = OfflinePages(web)
    topic = PageTopics(setup, web, offline).topic(subject)
    task = Task(
        name="training",
        web=web.name,
        relevant_label=subject.invented,
        topic_words=subject.invented,
        budget=links + setup.seeds,
        relevant=0,
        examples=(),
        seed_sets=(tuple(web.seeds(subject.invented, setup.seeds)),),
        oracle_at_budget=(0,),
    )
    strategy = spec.strategy(task.budget, lambdas((0.0, 0.0, 0.0, 0.0)))
    assert isinstance(strategy, McoaCrawler)
    crawl(Cell(task, spec, seed_set=0, rng_seed=number), offline, topic, strategy)
    samples = Samples.of(strategy.samples[:links])
    seed = search_seed(setup, subject, number)
    return learn_weights(samples, "mcoa", Membranes("literal", generations, seed=seed))


def search_seed(setup: Setup, subject: Subject, number: int) -> int:
    """The random seed of MCOA for a topic of web `number`: each topic of each web has its own."""
    return number * len(setup.subjects) + setup.subjects.index(subject)


def training_set(subject: Subject, items: int) -> Training:
    """Pages about a subject from another web, the same for all crawls."""
    web = invented_web(f"invented:scale:{TRAINING_OFFSET}")
    offline = OfflinePages(web)
    pages = (offline.outcome(url).page for url in web.seeds(subject.invented, items))
    return trained(read_terms(page) for page in pages if page is not None)
