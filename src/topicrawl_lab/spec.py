"""The notation for strategies in comparisons: `ops`, or with parameters `ops[anchor_weight=0.7,topic=examples]`.

Two keys are not parameters of the strategy. `topic` is the source of its topic: the task's words, the terms of its
example pages, or an ontology built from these, by formal concept analysis and WordNet or learned (topic/learned.py).
`train` is the folder of the training set that a strategy by example begins with, or of one for each web.
Specs are normalised (order, 0.70 to 0.7), so that results never have a cell twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from topicrawl.errors import ConfigError
from topicrawl.strategies import Strategy
from topicrawl.strategies.parameters import PUBLISHED_PAGES, read_settings, scaled
from topicrawl.strategies.registry import make_strategy, strategy_class, strategy_names

WORDS, EXAMPLES, ONTOLOGY, LEARNED = "words", "examples", "ontology", "learned"
TOPICS = (WORDS, EXAMPLES, ONTOLOGY, LEARNED)
"""The sources of a topic."""
_SPEC = re.compile(r"\s*(?P<name>[^\[\],\s]+)\s*(?:\[(?P<settings>[^\[\]]*)\])?\s*(?:,|$)")


@dataclass(frozen=True, slots=True, order=True)
class Spec:
    """A strategy with its parameters, sorted by name; parameters that are not given have their defaults."""

    name: str
    settings: tuple[tuple[str, str], ...] = ()
    topic: str = WORDS
    train: str = ""

    def __str__(self) -> str:
        given = ",".join(f"{key}={value}" for key, value in self._given())
        return f"{self.name}[{given}]" if given else self.name

    @property
    def folder(self) -> str:
        """The name of the folder of its logs: `NAME~a=1~b=2`."""
        return "~".join([self.name, *(f"{key}={quote(value, safe='+,')}" for key, value in self._given())])

    def strategy(self, budget: int = PUBLISHED_PAGES, learned: Mapping[str, str] | None = None) -> Strategy:
        """A new strategy for a crawl of `budget` pages; settings of this spec override learned ones."""
        return make_strategy(self.name, self.scaled(budget) | dict(learned or {}) | dict(self.settings))

    def scaled(self, budget: int) -> dict[str, int]:
        """The parameters that scale with the budget and are not set by this spec, at `budget` pages."""
        given = dict(self.settings)
        values = scaled(strategy_class(self.name), budget)
        return {name: value for name, value in values.items() if name not in given}

    def _given(self) -> list[tuple[str, str]]:
        extra = [("topic", self.topic if self.topic != WORDS else ""), ("train", self.train)]
        return sorted([*self.settings, *((key, value) for key, value in extra if value)])


def make_spec(name: str, settings: Mapping[str, str], topic: str = WORDS) -> Spec:
    """The spec of the strategy called `name`; `ConfigError` for unknown names and bad values."""
    own = {key: value for key, value in settings.items() if key not in ("topic", "train")}
    topic, train = settings.get("topic", topic), settings.get("train", "")
    if topic not in TOPICS:
        raise ConfigError(f"{name}.topic = {topic!r} is unknown; choose one of {', '.join(TOPICS)}")
    read = read_settings(name, strategy_class(name), own)
    spec = Spec(name, tuple(sorted((key, str(value)) for key, value in read.items())), topic, train)
    if train and not strategy_class(name).by_example:
        raise ConfigError(f"{name}.train = {train!r}: strategy {name!r} takes no training set; semxdm does")
    return spec


def parse_specs(text: str, topic: str = WORDS) -> list[Spec]:
    """The specs in a comma-separated list, without duplicates; `all` is every strategy.

    `topic` is the default for specs that do not set it.
    """
    if text.strip() == "all":
        return [make_spec(name, {}, topic) for name in strategy_names()]
    specs, at = [], 0
    while at < len(text):
        found = _SPEC.match(text, at)
        if not found:
            raise ConfigError(f"strategies {text[at:]!r} cannot be read; write bfs,ops[anchor_weight=0.7]")
        specs.append(make_spec(found["name"], _settings(found["settings"] or ""), topic))
        at = found.end()
    if not specs:
        raise ConfigError("no strategy is named; give --strategies bfs,ops or --strategies all")
    return list(dict.fromkeys(specs))


def _settings(text: str) -> dict[str, str]:
    pairs = [entry.partition("=") for entry in text.split(",") if entry.strip()]
    for name, equals, _ in pairs:
        if not equals:
            raise ConfigError(f"parameter {name.strip()!r} has no value; write {name.strip()}=VALUE")
    return {name.strip(): value.strip() for name, _, value in pairs}
