"""What a paper's experiment is made of, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from topicrawl_lab.reproduce.published import Table


@dataclass(frozen=True, slots=True)
class Crawler:
    """A row of a paper's tables, and how we spell it: the first of `specs` that exists is run."""

    name: str
    specs: tuple[str, ...] = ()
    words: bool = False
    """Whether it crawls with the subject's words, where the subject has such, instead of its ontology."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A topic of the experiment: what the paper calls it, which topic of the invented web stands in for it."""

    name: str
    invented: str
    threshold: float
    """Relevance above which the paper calls a page relevant."""
    spec: str = ""
    """The topic as `--topic` reads it, where the paper gives one; else the invented web's own. All crawlers are
    judged by it."""
    words: str = ""
    """The topic without ontology, for the crawlers that have none; where empty, they too have the topic above."""
    domain: str = ""
    """The paper's thresholds for this topic, given to those strategies that have a parameter `domain`."""


@dataclass(frozen=True, slots=True)
class Claim:
    """`who` does better by `measure` than each of `than`, once `after` (a share of the budget) is fetched."""

    text: str
    who: str
    than: tuple[str, ...]
    measure: str
    after: float = 1.0
    subject: str = ""
    """Empty: for all subjects together."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A crawler run with several values of a parameter (columns), its harvest rate counted with several page
    thresholds (rows)."""

    title: str
    axes: tuple[str, str]
    """What rows and columns are called."""
    crawlers: tuple[Crawler, ...]
    columns: tuple[str, ...]
    """The parameter's value of each crawler."""
    thresholds: tuple[float, ...]
    printed: tuple[tuple[float | None, ...], ...]
    """The paper's values, for the first columns; None where the budget was not reached."""


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
    """Crawls of each kind: as the paper has them, ten where it says nothing, so that a test can decide."""
    rows: tuple[int, ...]
    """Pages fetched at which the paper's table has rows."""
    measures: tuple[str, ...]
    claims: tuple[Claim, ...]
    published: tuple[Table, ...] = ()
    topic_pages: int = 0
    """Pages that make a topic, where it is made of pages: then crawls are judged by similarity to them."""
    by_terms: bool = False
    """Whether that is the cosine of the terms that describe items, as SemXDM has it, with the first of them."""
    training: int = 0
    """Links whose pages are known before the crawls of such a topic: half of them teach weights."""
    inclusive: bool = False
    """Whether a page exactly at the threshold is relevant."""
    grid: Grid | None = None
    ranks: bool = False
    """Whether the paper gives average ranks over its measures."""
    notes: tuple[str, ...] = field(default=())
    """Where our experiment is not the paper's, and what the paper leaves open."""
