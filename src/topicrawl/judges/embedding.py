"""The judge `embedding[:FOLDER]`: how near a page is to the topic by vectors of meaning.

A page's similarity with the topic (its examples, and its words) is put between two marks: that of the pages of the
crawl, and that of the examples with each other. Half way is a probability of 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from topicrawl.judge import Seen
from topicrawl.judges.vectors import Embed, Vectors, open_vectors
from topicrawl.model import Page, Topic
from topicrawl.topic.letters import OR

STEEPNESS = 6.0
FEWEST = 5
"""Pages of the crawl below which their similarity is not trusted alone."""
LOW = 0.35
"""Similarity of pages that are not about the topic, relative to that of the examples, before there are any."""
LEAST_GAP = 0.05


class Learned(msgspec.Struct, array_like=True):
    """What `ByVectors` has learned."""

    marked: dict[str, tuple[Page, bool]]
    sum: float
    count: int
    waiting: list[Page]


class ByVectors:
    """Judges by similarity; learns where the pages of the crawl are, and what a person said of pages."""

    def __init__(self, topic: Topic, argument: str = "") -> None:
        self._topic, self._folder = topic, argument
        self._embed: Embed | None = None
        self._marked: dict[str, tuple[Page, bool]] = {}
        self._sum, self._count = 0.0, 0
        """Of the similarities of the pages of the crawl."""
        self._waiting: list[Page] = []
        """Pages learned and not embedded yet."""

    @staticmethod
    def check(argument: str) -> str:
        """The full path of the folder that a crawl keeps; `ConfigError` if it cannot be used."""
        open_vectors(argument)
        return str(Path(argument).resolve()) if argument else ""

    def judge(self, seen: Sequence[Seen]) -> list[float]:
        """The probability of each page."""
        direction, high = self._prepared()
        if self._waiting:
            similar = self._rows(self._waiting) @ direction
            self._sum, self._count = self._sum + float(similar.sum()), self._count + len(similar)
            self._waiting = []
        low = (self._sum + FEWEST * LOW * high) / (self._count + FEWEST)
        places = (self._rows([each.page for each in seen]) @ direction - low) / max(high - low, LEAST_GAP)
        said = 1 / (1 + np.exp(-STEEPNESS * np.clip(places - 0.5, -5, 5)))
        marks = [self._marked.get(each.page.url) for each in seen]
        return [float(mark[1]) if mark else float(p) for mark, p in zip(marks, said, strict=True)]

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Learn a page of the crawl, or a person's verdict."""
        if verdict is not None:
            self._marked[seen.page.url] = seen.page, verdict
            self._direction = None
        elif self._marked.pop(seen.page.url, None) is None:
            self._waiting.append(seen.page)
        else:
            self._direction = None

    def save(self) -> bytes:
        """What it has learned, for a snapshot."""
        return msgspec.msgpack.encode(Learned(self._marked, self._sum, self._count, self._waiting))

    def load(self, data: bytes) -> None:
        """Go on from what `save` gave."""
        learned = msgspec.msgpack.decode(data, type=Learned)
        self._marked, self._waiting = learned.marked, learned.waiting
        self._sum, self._count, self._direction = learned.sum, learned.count, None

    _direction: tuple[Vectors, float] | None = None

    def _prepared(self) -> tuple[Vectors, float]:
        """The direction of the topic, and the similarity of its examples with it."""
        if self._direction is None:
            words = self._rows_of([" ".join(term.replace(OR, " ") for term in self._topic.terms)])[0]
            wanted = [*self._topic.examples, *(page for page, said in self._marked.values() if said)]
            unwanted = [*self._topic.unwanted, *(page for page, said in self._marked.values() if not said)]
            direction = words if not wanted else words / 2 + self._rows(wanted).mean(axis=0)
            if unwanted:
                direction = direction - self._rows(unwanted).mean(axis=0) / 2
            direction = direction / max(float(np.linalg.norm(direction)), 1e-9)
            high = (
                float((self._rows(wanted) @ direction).mean()) if wanted else float(words @ direction) * 0.6
            )
            self._direction = direction, max(high, LEAST_GAP)
        return self._direction

    def _rows(self, pages: Sequence[Page]) -> Vectors:
        return self._rows_of([f"{page.title}\n{page.text}" for page in pages])

    def _rows_of(self, texts: Sequence[str]) -> Vectors:
        if self._embed is None:
            self._embed = open_vectors(self._folder)
        return self._embed(texts)
