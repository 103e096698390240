"""A paper's experiment at a scale, its crawls, and their measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from topicrawl.errors import ConfigError, UsageError
from topicrawl.knowledge.history import Round
from topicrawl.report.metrics import Floats, average_curve, deviation_curve
from topicrawl.strategies.parameters import parameters
from topicrawl.strategies.registry import strategy_class
from topicrawl.strategies.weights.learn import Learned
from topicrawl_lab.judges import Verdict
from topicrawl_lab.reproduce.design import Crawler, Setup, Subject
from topicrawl_lab.spec import Spec, make_spec, parse_specs

TABLES, INDEPENDENT, GRIDS, LABELS = PARTS = ("tables", "independent", "grids", "labels")
"""The parts of an experiment: the paper's tables, the same crawlers before an independent judge, parameter searches,
the same crawlers on recorded webs with labels of people."""
PAGES_PER_SEED = 10
"""Fewest pages of the budget for each seed of a scaled crawl."""
TIME = "seconds"
"""The measure of claims on time: `Crawled.own_seconds`."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """A set-up at a scale: budget and table rows are multiplied by `scale`; seeds only for small budgets."""

    setup: Setup
    scale: float = 1.0
    repeats: int = 0
    only: tuple[str, ...] = ()
    """The crawlers to run, by the paper's names; all if empty."""
    only_parts: tuple[str, ...] = ()
    """Those of `PARTS` to run; all if empty."""

    def __post_init__(self) -> None:
        known = [crawler.name for crawler in all_crawlers(self.setup)]
        if unknown := [name for name in self.only if name not in known]:
            raise UsageError(f"the paper has no crawler {unknown[0]!r}; it has {', '.join(known)}")
        if unknown := [part for part in self.only_parts if part not in PARTS]:
            raise UsageError(f"an experiment has no part {unknown[0]!r}; it has {', '.join(PARTS)}")
        if not 0 < self.scale <= 1:
            raise UsageError(f"--scale {self.scale:g} is no share of the paper's budget; give 0.01 to 1")

    @property
    def budget(self) -> int:
        return max(1, round(self.setup.budget * self.scale))

    @property
    def seeds(self) -> int:
        return max(1, min(self.setup.seeds, self.budget // PAGES_PER_SEED))

    @property
    def rows(self) -> list[int]:
        """Pages fetched at which tables have rows, beside those of the paper."""
        return [max(1, round(row * self.scale)) for row in self.setup.rows]

    def has(self, part: str) -> bool:
        """Whether a part is run."""
        return part in (self.only_parts or PARTS) and (part != INDEPENDENT or bool(self.setup.independent))

    @property
    def parts(self) -> list[tuple[int, int]]:
        """What each row of a table measures: pages from … to; from the first on, unless rounds are measured."""
        begins = [0, *self.rows[:-1]] if self.setup.rounds else [0] * len(self.rows)
        return list(zip(begins, self.rows, strict=True))

    @property
    def times(self) -> int:
        """Repeats of each crawl."""
        return self.repeats or self.setup.repeats


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl of the experiment, judged by terms (`own`) and by the truth of the invented web (`true`).

    `own` is the paper's judge, or the independent one where that judged the crawl. The values of `true` are the shares
    of a page's text that are about the subject.
    """

    subject: str
    crawler: str
    repeat: int
    own: Verdict
    true: Verdict
    seconds: float
    generations: int = -1
    """Generations that ended; −1 where there are none to count."""
    own_seconds: float = 0.0
    """Part of `seconds` for valuing and choosing links, where crawlers differ; 0 where it was not noted."""
    independent: bool = False
    learned: Learned | None = None
    """The weights learned before the crawl, and their errors."""
    rounds: tuple[Round, ...] = ()
    """What a crawl by example had learned after each round; the first is before the crawl."""

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

    def at(self, measure: str, pages: int, since: int = 0) -> float:
        """A measure of the pages from `since` to `pages`, or to the last where there are fewer; the time of all."""
        if measure == TIME:
            return self.own_seconds
        part = replace(self, own=self.own.part(since)) if since else self
        return _after(part.curve(measure), pages - since)

    def rate_above(self, threshold: float, pages: int) -> float | None:
        """The harvest rate with another page threshold; None if there were fewer pages."""
        values = self.own.values
        return float((values[:pages] > threshold).mean()) if values.size >= pages else None

    def true_rate(self, pages: int, since: int = 0) -> float:
        """The harvest rate by the truth of the invented web, of the pages from `since` to `pages`."""
        return _after(self.true.part(since).harvest, pages - since)


def by_labels_of_the_web(crawls: Sequence[Crawled]) -> list[Crawled]:
    """The same crawls, judged by the labels of the invented web."""
    return [replace(each, own=each.true, independent=True) for each in crawls]


def _after(curve: Floats, pages: int) -> float:
    return float(curve[min(pages, curve.size) - 1]) if curve.size else 0.0


def all_crawlers(setup: Setup) -> tuple[Crawler, ...]:
    """The crawlers of the tables and of the grids."""
    return (*setup.crawlers, *(crawler for grid in setup.grids for crawler in grid.crawlers))


def specs(setup: Setup) -> dict[str, Spec | None]:
    """The spec of each crawler of the paper; None for those not implemented."""
    return {crawler.name: _spec(crawler) for crawler in all_crawlers(setup)}


def _spec(crawler: Crawler) -> Spec | None:
    for spec in crawler.specs:
        try:
            return parse_specs(spec)[0]
        except ConfigError:
            continue
    return None


def for_subject(spec: Spec, subject: Subject) -> Spec:
    """The spec with the thresholds of a subject: its `domain` where the strategy has such presets, else its page
    threshold where the strategy has one, because a table has one threshold for all its crawlers."""
    known = {each.name for each in parameters(strategy_class(spec.name))}
    settings = dict(spec.settings)
    if "domain" in known:
        settings |= {"domain": subject.domain} if subject.domain else {}
    elif "page_threshold" in known:
        settings.setdefault("page_threshold", f"{subject.threshold:g}")
    return make_spec(spec.name, settings, spec.topic)


def in_rounds(spec: Spec, scaled: Scaled) -> Spec:
    """The spec with rounds that divide the budget as the paper's do, for strategies that crawl in rounds."""
    if not scaled.setup.rounds or not strategy_class(spec.name).by_example:
        return spec
    settings = {"per_round": str(ceil(scaled.budget / scaled.setup.rounds))} | dict(spec.settings)
    return make_spec(spec.name, settings, spec.topic)


@dataclass(frozen=True, slots=True)
class Job:
    """One crawl to run; repeat r uses the web of seed r + 1. `independent` names the topic of `Setup.independent`, if
    the crawl is one for the independent judge."""

    subject: Subject
    crawler: Crawler
    spec: Spec
    repeat: int
    independent: str = ""

    @property
    def key(self) -> tuple[str, str, int, bool]:
        return (self.subject.name, self.crawler.name, self.repeat, bool(self.independent))

    @property
    def topic(self) -> str:
        """The topic that steers it; empty where it is the one that judges it."""
        return self.subject.words if self.crawler.words else ""

    @property
    def strategy(self) -> str:
        """Strategy, parameters and topic; a finished crawl with another value here is run again."""
        topic = f"{self.independent} of documents" if self.independent else self.topic
        return f"{self.spec} on {topic}" if topic else str(self.spec)

    @property
    def web_seed(self) -> int:
        return self.repeat + 1

    @property
    def web(self) -> str:
        return f"invented:scale:{self.web_seed}"

    @property
    def log(self) -> str:
        """The path of its log, relative to the report."""
        below = f"{INDEPENDENT}/" if self.independent else ""
        return f"{below}{log_folder(self.subject.name, self.crawler.name)}/{self.repeat}.jsonl"


def jobs(scaled: Scaled) -> Iterator[Job]:
    """All crawls of an experiment whose crawlers are implemented, grouped by web."""
    known, setup = specs(scaled.setup), scaled.setup
    grids = [crawler for grid in setup.grids for crawler in grid.crawlers]
    parts = {TABLES: setup.crawlers, GRIDS: grids, INDEPENDENT: setup.crawlers}
    wanted = [
        (part, crawler)
        for part, crawlers in parts.items()
        for crawler in crawlers
        if scaled.has(part) and (crawler.name in scaled.only or not scaled.only)
    ]
    for repeat in range(scaled.times):
        for subject in setup.subjects:
            for part, crawler in wanted:
                if known_spec := known[crawler.name]:
                    model = "words" if crawler.words else setup.independent
                    independent = model if part == INDEPENDENT else ""
                    spec = in_rounds(for_subject(known_spec, subject), scaled)
                    yield Job(subject, crawler, spec, repeat, independent)


def log_folder(subject: str, crawler: str) -> str:
    """The folder of a crawler's logs, relative to the report."""
    return f"visits/{file_name(subject)}/{crawler}"


def file_name(subject: str) -> str:
    """A subject in file names."""
    return subject.replace(" ", "-")
