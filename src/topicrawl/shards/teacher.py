"""One teacher for all shards: judge and regression of scout, fitted to the pages of all of them.

A shard alone has few pages to learn from. Each sends what a fit needs of its pages, with words as text, because shards
number words differently; the teacher sends a model back, also by words (scout/lessons.py). It keeps the latest pages of
all shards together, as many as a crawl without shards, so that its cost does not grow with the crawl. All that it knows
can be sent again: it may be replaced at any time.
"""

from __future__ import annotations

import math
from collections import Counter

import msgspec
import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Frontier, Ids
from topicrawl.frontier.columns import Columns
from topicrawl.judge.page_documents import MEMORY as JUDGED_TOGETHER
from topicrawl.judge.rocchio import FIELDS
from topicrawl.model import Topic
from topicrawl.scout.features import Features
from topicrawl.scout.hosts import Hosts
from topicrawl.scout.lessons import Lesson, Lessons, Model, documents_of, gathered
from topicrawl.scout.link_words import MEMORY
from topicrawl.scout.strategy import Scout
from topicrawl.strategies import Strategy
from topicrawl.topic.wordnet import WordNet

FEW, GROWTH = 8, 20
"""A model is sent after so many more pages, and when pages have grown by 1 / GROWTH: shards rescore all links then."""
FREQUENT = 2
"""Pages that contain a word, for it to be told by that alone: all rarer words have the same idf."""
MOST_HOSTS = 5_000
"""Hosts of which the teacher says where they led, those that led to most."""

_decode = msgspec.msgpack.Decoder(Lessons).decode


class Teacher:
    """Fits models to the lessons of all shards."""

    def __init__(self, topic: Topic, strategy: Strategy) -> None:
        assert isinstance(strategy, Scout)
        self._features = Features(topic, Frontier(), WordNet.load())
        self._pages = Columns(judged=(np.float64, 0.0), host=(np.int32, 0))
        """The relevance of each page, and its host."""
        self._hosts: dict[str, int] = {}
        self._rows: dict[str, list[int]] = {}
        """For each shard the places of its pages among all of them; −1 for one that was not learned."""
        self._reached: Counter[str] = Counter()
        self._shown: Counter[str] = Counter()
        self._numbers: Ids = np.empty(0, dtype=np.int64)
        self._words = ""
        """The words that models name."""
        self._told_at = self._judged_at = 0
        """Pages at the last model, and when the judge was fitted last."""

    @staticmethod
    def teaches(strategy: Strategy) -> bool:
        """Whether a strategy has anything to learn."""
        return isinstance(strategy, Scout)

    def known(self, shard: str) -> int:
        """The number of the last page of a shard that was learned."""
        return len(self._rows.get(shard, ()))

    def learn(self, shard: str, lessons: bytes) -> None:
        """Learn the lessons of a shard; those that are known are left out, and those after a gap."""
        told, rows = _decode(lessons), self._rows.setdefault(shard, [])
        if told.first > len(rows) + 1:
            return
        for lesson in told.pages[len(rows) + 1 - told.first :]:
            rows.append(-1 if lesson is None else self._learn(lesson))

    def model(self) -> bytes | None:
        """A model to be sent to all shards, if there is a new one."""
        words, pages = self._features.link_words_fit, self._pages.size
        is_due = pages - self._told_at >= min(max(FEW, pages // GROWTH), pages)
        if not pages or not is_due or self._features.model.is_guessing:
            return None
        self._judge()
        if words.due(pages):
            latest = np.arange(max(pages - MEMORY, 0), pages)
            rows = self._features.documents.rows(latest, self._features.tokens, words.names)
            words.fit(pages, rows, self._pages["judged"][latest])
        self._told_at = pages
        return msgspec.msgpack.encode(self._model())

    def _judge(self) -> None:
        """Fit the judge to all pages, and take over what it says of the latest."""
        self._features.model.fit()
        latest, self._judged_at = self._features.model.strengths, self._pages.size
        self._pages["judged"][self._pages.size - len(latest) :] = latest

    def _learn(self, lesson: Lesson) -> int:
        """Learn a page; returns its place."""
        model, row = self._features.model, self._pages.grow(1)
        document, tokens, places = documents_of(lesson, self._features)
        said = math.nan if lesson.said is None else lesson.said
        model.note(document, lesson.by_terms, said, is_chosen=lesson.is_chosen)
        self._features.documents.add(np.full(len(tokens), row), tokens, places)
        if self._pages.size - self._judged_at == JUDGED_TOGETHER:
            self._judge()
        is_new_host = lesson.host not in self._hosts
        self._pages["host"][row] = self._hosts.setdefault(lesson.host, len(self._hosts))
        self._reached[lesson.start] += 1
        if is_new_host and lesson.found_on and lesson.found_on != lesson.host:
            self._shown[lesson.found_on] += 1
        return row

    def _model(self) -> Model:
        features, words = self._features, self._features.link_words_fit
        direction, borders, others = features.model.given
        (high, *highs), (low, *lows) = borders.high.tolist(), borders.low.tolist()
        mean = float(self._pages["judged"].mean())
        hosts = Hosts()
        hosts.grow(len(self._hosts))
        hosts.count(self._pages["host"].astype(np.int64), self._pages["judged"], mean)
        level, concentration = hosts.says
        frequency = features.vocabulary.frequency()
        self._add_words(frequency)
        numbers = self._numbers
        fields = np.zeros((features.tokens, len(FIELDS)))
        fields.reshape(-1)[: len(direction)] = direction
        return Model(
            self._words,
            frequency[numbers].astype(np.int32).tobytes(),
            fields[numbers].astype(np.float32).tobytes(),
            gathered(features.model.company[:-1], numbers),
            gathered(words.relevance[:-1], numbers),
            high,
            low,
            features.model.unchosen,
            self._pages.size,
            features.vocabulary.pages,
            mean,
            level,
            concentration,
            dict(self._reached),
            dict(self._shown.most_common(MOST_HOSTS)),
            dict(zip(others, zip(highs, lows, strict=True), strict=True)),
        )

    def _add_words(self, frequency: npt.NDArray[np.int32]) -> None:
        """Add words to those that models name."""
        weights, told = self._features.link_words_fit.relevance, frequency >= FREQUENT
        known = min(len(weights) - 1, len(told))
        told[:known] |= weights[:known] != 0
        told[0] = False
        told[self._numbers] = False
        more = np.flatnonzero(told)
        self._numbers = np.append(self._numbers, more)
        self._words += "".join(f"{name}\n" for name in self._features.names.of(more))
