"""Runs a paper's experiment on invented webs: every crawler that exists here, the same seeds for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from topicrawl.errors import ConfigError
from topicrawl.evaluate.cell import Cell, crawl
from topicrawl.evaluate.judges import Verdict, by_own_relevance
from topicrawl.evaluate.metrics import Floats, average_curve, deviation_curve
from topicrawl.evaluate.reproduce.setup import Crawler, Setup, Subject
from topicrawl.evaluate.shelf import Shelf
from topicrawl.evaluate.spec import Spec, make_spec, parse_specs
from topicrawl.evaluate.tasks import Task
from topicrawl.inputs import open_topic
from topicrawl.model import Topic, Visit
from topicrawl.strategies.parameters import parameters
from topicrawl.strategies.registry import strategy_class
from topicrawl.web.invented import InventedWeb, invented_web

MOST_SEEDS = 10
"""At most one page in so many of a shortened crawl may be a seed."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """A set-up shortened: budget and rows by `scale`, seeds only where they would fill the budget."""

    setup: Setup
    scale: float = 1.0
    repeats: int = 0

    @property
    def budget(self) -> int:
        return max(1, round(self.setup.budget * self.scale))

    @property
    def seeds(self) -> int:
        return max(1, min(self.setup.seeds, self.budget // MOST_SEEDS))

    @property
    def rows(self) -> list[int]:
        """Pages fetched at which tables have rows, beside those of the paper."""
        return [max(1, round(row * self.scale)) for row in self.setup.rows]

    @property
    def times(self) -> int:
        return self.repeats or self.setup.repeats


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl of the experiment and how it is judged: as the paper does, and by the truth of the invented web."""

    subject: str
    crawler: str
    repeat: int
    own: Verdict
    true: Verdict
    seconds: float

    def curve(self, measure: str) -> Floats:
        """A measure after one page, two pages, … all pages; M, HR and AS as the paper counts them."""
        values = self.own.values
        if measure == "AR":
            return average_curve(values)
        if measure == "SD":
            return deviation_curve(values)
        found = np.cumsum(self.own.relevant, dtype=np.float64)
        if measure == "M":
            return found
        if measure == "HR":
            return self.own.harvest
        summed = np.cumsum(np.where(self.own.relevant, values, 0.0))
        average: Floats = np.divide(summed, found, out=np.zeros_like(summed), where=found > 0)
        return average

    def at(self, measure: str, pages: int) -> float:
        """A measure after so many pages, or after all where there are fewer."""
        return _after(self.curve(measure), pages)

    def true_rate(self, pages: int) -> float:
        """The harvest rate by the truth of the invented web, after so many pages."""
        return _after(self.true.harvest, pages)


def _after(curve: Floats, pages: int) -> float:
    return float(curve[min(pages, curve.size) - 1]) if curve.size else 0.0


def specs(setup: Setup) -> dict[str, Spec | None]:
    """How each crawler of the paper is spelt here; None for those that are not there yet."""
    return {crawler.name: _spec(crawler) for crawler in setup.crawlers}


def _spec(crawler: Crawler) -> Spec | None:
    for spelling in crawler.specs:
        try:
            return parse_specs(spelling)[0]
        except ConfigError:
            continue
    return None


def in_domain(spec: Spec, domain: str) -> Spec:
    """The spec with the thresholds published for a domain, where its strategy has such presets."""
    known = {each.name for each in parameters(strategy_class(spec.name))}
    if not domain or "domain" not in known:
        return spec
    return make_spec(spec.name, {**dict(spec.settings), "domain": domain}, spec.topic)


def run(scaled: Scaled) -> Iterator[tuple[Crawled, list[Visit]]]:
    """All crawls of an experiment with their logs, each as it ends; repeat r is crawled in the web of seed r + 1."""
    known = {name: spec for name, spec in specs(scaled.setup).items() if spec is not None}
    for repeat in range(scaled.times):
        web = invented_web(f"invented:scale:{repeat + 1}")
        with closing(Shelf(web)) as shelf:
            for subject in scaled.setup.subjects:
                topic = open_topic(subject.spec or web.topic_spec(subject.invented))
                task = _task(scaled, subject, web)
                for name, spec in known.items():
                    cell = Cell(task, in_domain(spec, subject.domain), seed_set=0, rng_seed=repeat)
                    yield _crawl(scaled.setup, subject, name, cell, shelf, web, topic)


def _task(scaled: Scaled, subject: Subject, web: InventedWeb) -> Task:
    return Task(
        name=file_name(subject.name),
        web=web.name,
        relevant_label=subject.invented,
        topic_words=subject.spec or web.topic_spec(subject.invented),
        budget=scaled.budget,
        relevant=0,
        examples=(),
        seed_sets=(tuple(web.seeds(subject.invented, scaled.seeds)),),
        oracle_at_budget=(0,),
    )


def _crawl(
    setup: Setup, subject: Subject, name: str, cell: Cell, shelf: Shelf, web: InventedWeb, topic: Topic
) -> tuple[Crawled, list[Visit]]:
    done = crawl(cell, shelf, topic)
    threshold = np.nextafter(subject.threshold, -1) if setup.inclusive else subject.threshold
    hits = np.array([web.relevant(v.url, subject.invented) for v in done.visits if v.fetched], dtype=bool)
    crawled = Crawled(
        subject=subject.name,
        crawler=name,
        repeat=cell.rng_seed,
        own=by_own_relevance(done.visits, float(threshold)),
        true=Verdict(hits.astype(np.float64), hits),
        seconds=done.seconds,
    )
    return crawled, done.visits


def log_folder(subject: str, crawler: str) -> str:
    """Where the logs of a crawler lie, as seen from the report."""
    return f"visits/{file_name(subject)}/{crawler}"


def file_name(subject: str) -> str:
    """A subject as files are named."""
    return subject.replace(" ", "-")
