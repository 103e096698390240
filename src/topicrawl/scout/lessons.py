"""What scout learns from its pages and what it has learned, with words as text: for a teacher of many shards.

Shards number words differently, so a lesson names the words of a page and of the link that led to it, and a model names
the words that it has weights for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.judge.page_documents import Document
from topicrawl.judge.rocchio import FIELDS
from topicrawl.model import ints, pack_ints
from topicrawl.text.new_words import NO_WORD

if TYPE_CHECKING:
    from topicrawl.scout.features import Features


class Lesson(msgspec.Struct, frozen=True, array_like=True):
    """A visited page, and the link that led to it."""

    words: list[str]
    columns: bytes
    """The document of the judge: places in `words` × 4, plus the field; and how often each occurs."""
    counts: bytes
    by_terms: float
    is_chosen: bool
    link_words: list[str]
    places: bytes
    """The document of the link: its words, and the place of each (link_documents.py)."""
    host: str
    start: str
    """The host of the seed or example from which it was reached."""
    found_on: str = ""
    """The host of the page where the link was first found."""
    said: float | None = None
    """Word of a judge from outside on the page."""


class Lessons(msgspec.Struct, frozen=True):
    """Pages of one shard, numbered from `first` on; None for one whose text is not at hand any more."""

    first: int
    pages: list[Lesson | None] = []

    @property
    def last(self) -> int:
        """The number of the last page that is told."""
        return self.first + len(self.pages) - 1


class Model(msgspec.Struct, frozen=True):
    """A model learned from the pages of all shards. Arrays are float32, one number for each word, unless told."""

    words: str
    """Each ends with a new line. Later models begin with the same words."""
    frequency: bytes
    """Pages that contain each word (int32)."""
    direction: bytes
    """Direction of the judge: four numbers for each word."""
    company: bytes
    relevance: bytes
    """Weights of the regression over link words."""
    high: float
    low: float
    """Projections of relevant pages, and of others."""
    unchosen: float
    pages: int
    documents: int
    """Pages and examples that `frequency` counts."""
    mean: float
    """Mean relevance of all pages."""
    level: float
    concentration: float
    """Level and concentration of hosts, see hosts.py."""
    reached: dict[str, int]
    """Pages reached from each start."""
    shown: dict[str, int]
    """Other hosts that pages of a host led to."""
    others: dict[int, tuple[float, float]] = {}
    """For groups of pages in other scripts (direction.py): their `high` and `low`."""


def lesson(features: Features, frontier: Frontier, row: int) -> Lesson | None:
    """The lesson of a visited page, by its place among these."""
    link, number = int(features.visited["link"][row]), int(features.visited["number"][row])
    kept = features.model.page_at(number)
    if kept is None:
        return None
    document, by_terms, said, is_chosen = kept
    columns = document.columns.astype(np.int64)
    tokens, places = np.unique(columns // len(FIELDS), return_inverse=True)
    link_tokens, link_places = features.documents.of(link)
    parent = int(frontier.columns["parent"][link])
    return Lesson(
        features.names.of(tokens),
        pack_ints(places * len(FIELDS) + columns % len(FIELDS)),
        pack_ints(document.counts),
        by_terms,
        is_chosen,
        features.names.of(link_tokens.astype(np.int64)),
        link_places.tobytes(),
        frontier.hosts.names[int(frontier.columns["host"][link])],
        features.start_name(frontier, link),
        frontier.hosts.names[int(frontier.columns["host"][parent])] if parent >= 0 else "",
        None if np.isnan(said) else said,
    )


def documents_of(told: Lesson, features: Features) -> tuple[Document, Ids, Ids]:
    """The documents of a lesson, in the numbers of `features`: of the page, and tokens and places of the link."""
    tokens = features.names.tokens(told.words)
    packed = ints(told.columns).astype(np.int64)
    columns = tokens[packed // len(FIELDS)] * len(FIELDS) + packed % len(FIELDS)
    known = tokens[packed // len(FIELDS)] != NO_WORD
    order = np.argsort(columns[known], kind="stable")
    document = Document(
        columns[known][order].astype(np.int32), ints(told.counts)[known][order].astype(np.int32)
    )
    link_tokens = features.names.tokens(told.link_words)
    places = np.frombuffer(told.places, np.uint8).astype(np.int64)
    kept = link_tokens != NO_WORD
    return document, link_tokens[kept], places[kept]


def spread(values: bytes, numbers: Ids, size: int) -> Floats:
    """Weights of words by number, with a last one, 0, for later words."""
    spread_out: Floats = np.zeros(size + 1)
    spread_out[numbers] = np.frombuffer(values, np.float32)
    return spread_out


def gathered(values: Floats, numbers: Ids) -> bytes:
    """The weights of words, those of words that came later are 0."""
    found = np.zeros(len(numbers), np.float32)
    known = numbers < len(values)
    found[known] = values[numbers[known]]
    return found.tobytes()
