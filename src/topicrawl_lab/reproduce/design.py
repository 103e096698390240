"""The data of a paper's experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from topicrawl_lab.reproduce.published import Table


@dataclass(frozen=True, slots=True)
class Crawler:
    """A crawler of a paper's tables; the first of `specs` that exists here is run."""

    name: str
    specs: tuple[str, ...] = ()
    words: bool = False
    """Whether it crawls with the subject's words, if any, instead of its ontology."""
    ours: bool = False
    """Whether it is not in the paper."""
    peeks_are_free: bool = False
    """Whether budget and measures count the pages it takes, not those it only peeks at: the N of FCWSEO Eq. (16)."""
    trained: bool = False
    """Whether it begins with the set-up's training set."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A topic of the experiment: its name in the paper, and the topic of the invented web that replaces it."""

    name: str
    invented: str
    threshold: float
    """Relevance above which a page counts as relevant."""
    spec: str = ""
    """The topic in the notation of `--topic`; where empty, that of the invented web. It judges all crawlers."""
    words: str = ""
    """The topic for crawlers without ontology; where empty, `spec` is used."""
    domain: str = ""
    """Value of the parameter `domain` (the paper's thresholds for this topic), for strategies that have it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """`crawler` is better by `measure` than each of `others`, after the share `after` of the budget.

    A claim about one crawler alone has no others; its measure is compared with the number `least` instead.
    """

    text: str
    crawler: str
    others: tuple[str, ...]
    measure: str
    after: float = 1.0
    subject: str = ""
    """Empty: for all subjects together."""
    less: bool = False
    """Whether less of the measure is claimed: SD, and time where a crawler is said to be fast."""
    ours: bool = False
    """Whether it is not in the paper."""
    search: bool = False
    """Whether it is about the values of a parameter, whose crawls are those of a grid."""
    reaching: bool = False
    """Whether it is only about crawlers that reach the budget in every crawl."""
    since: float = 0.0
    """The share of the budget from which on pages count."""
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class Grid:
    """A crawler run with several values of a parameter (columns), its harvest rate counted with several page
    thresholds (rows)."""

    title: str
    axes: tuple[str, str]
    """Labels of rows and columns."""
    crawlers: tuple[Crawler, ...]
    columns: tuple[str, ...]
    """The parameter's value of each crawler."""
    thresholds: tuple[float, ...]
    printed: tuple[tuple[float | None, ...], ...] = ()
    """The paper's values, for the first columns; None where the budget was not reached. Empty where it prints none."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A paper's experiment."""

    paper: str
    title: str
    subjects: tuple[Subject, ...]
    crawlers: tuple[Crawler, ...]
    seeds: int
    budget: int
    repeats: int
    """Crawls of each kind: as in the paper, ten where it does not say, so that tests have enough pairs."""
    rows: tuple[int, ...]
    """Pages fetched at which the paper's table has rows."""
    measures: tuple[str, ...]
    claims: tuple[Claim, ...]
    published: tuple[Table, ...] = ()
    topic_pages: int = 0
    """Pages of a topic, where topics are sets of pages; crawls are then judged by similarity to them."""
    by_terms: bool = False
    """Whether similarity is the cosine of item terms with the first of these pages, as in SemXDM."""
    training: int = 0
    """Links for learning weights before the crawls of such a topic; half of them are used for training."""
    training_items: int = 0
    """Pages of the training set with which trained crawlers by example begin."""
    rounds: int = 0
    """Rounds of the crawls, where the paper measures each round by itself; the budget is divided evenly."""
    inclusive: bool = False
    """Whether a page exactly at the threshold is relevant."""
    grids: tuple[Grid, ...] = ()
    ranks: bool = False
    """Whether the paper reports average ranks over its measures."""
    independent: Literal["", "ontology", "words"] = ""
    """What steers the crawls that an independent judge values (see independent.py); empty: there are none."""
    notes: tuple[str, ...] = field(default=())
    """Differences from the paper's experiment, and what the paper does not specify."""


def values(
    name: str, spec: str, column: Sequence[str], published: str, *, subject: str = "", symbol: str = ""
) -> tuple[tuple[Crawler, ...], Claim]:
    """The crawlers of a parameter search, one for each value, and the claim that the published value is best."""
    crawlers = {value: Crawler(f"{name} {symbol}={value}", (spec.format(value),)) for value in column}
    others = tuple(crawler.name for value, crawler in crawlers.items() if value != published)
    where = f" in {subject}" if subject else ""
    claim = Claim(
        f"{symbol} = {published} is the best value tried{where}",
        crawlers[published].name,
        others,
        "HR",
        subject=subject,
        search=True,
    )
    return tuple(crawlers.values()), claim
