"""Finds seeds: makes queries, asks every endpoint, weighs what they name, and spreads it over hosts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topicrawl.errors import ConfigError
from topicrawl.finding.answers import Result
from topicrawl.finding.cdx import Index, Part
from topicrawl.finding.endpoint import Endpoint
from topicrawl.finding.search import search
from topicrawl.finding.weigh import Candidates, url_words
from topicrawl.model import Topic
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.ontology import Ontology
from topicrawl.topic.queries import make_queries

if TYPE_CHECKING:
    from topicrawl.web.http import HttpWeb

Say = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """What to ask, and whom."""

    searches: tuple[Endpoint, ...] = ()
    queries: tuple[str, ...] = ()
    indexes: tuple[Endpoint, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def requests(self) -> int:
        """Questions to ask altogether."""
        return len(self.searches) * len(self.queries) + len(self.indexes) * len(self.parts)


@dataclass
class Finder:
    """Asks through `web`; what it has found so far is in `found`, also when it is interrupted.

    `remark` is told of faults, `say` of progress in a long answer, `asked` of each question once it is asked.
    """

    web: HttpWeb
    remark: Say
    say: Say = lambda text: None
    asked: Say = lambda question: None
    found: Candidates = field(default_factory=Candidates)

    async def find(self, wanted: Wanted, topic: Topic | None = None) -> None:
        """Ask all that is wanted."""
        async with aclosing(search(self.web, wanted.searches, wanted.queries, self.remark)) as pages:
            async for page in pages:
                at = f" {page.endpoint.host}" if len(wanted.searches) > 1 else ""
                self.found.add(page.results, f"search{at}: {page.query}")
                self.asked(page.query)
        worth = _by_address(topic)
        for endpoint in wanted.indexes:
            index = Index(self.web, endpoint, self.remark, self.say, worth)
            async with aclosing(index.find(wanted.parts)) as parts:
                async for part, urls in parts:
                    self.found.add([Result(url, "", url_words(url)) for url in urls], f"cdx: {part.shown}")
                    self.asked(part.shown)


def queries_for(
    said: Sequence[str], topic: Topic | None, ontology: Ontology | None, most: int
) -> tuple[str, ...]:
    """The queries that a person said; where there are none, those made from the topic."""
    own = tuple(dict.fromkeys(" ".join(text.split()) for text in said if text.strip()))
    made = own or tuple(make_queries(topic, ontology, most))
    if not made:
        raise ConfigError(
            "--search-url: there is nothing to ask for; say it: --search 'flood warning', or give a --topic or "
            "--examples to make queries from"
        )
    return made


def _by_address(topic: Topic | None) -> Callable[[str], float]:
    """What an address is worth: the weights of the topic's terms in it."""
    if topic is None:
        return lambda url: 0.0
    count, weights = Matcher(topic.terms).count_text, topic.weights
    return lambda url: sum(weights[term] for term in count(url_words(url)))
