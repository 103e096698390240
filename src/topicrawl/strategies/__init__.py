"""Which link to fetch next: a file for each paper, one shared base class.

A strategy is a dataclass whose fields are the paper's parameters. It sees link numbers and the frontier's columns, does
no input or output, reads no clock and draws randomness only from the generator it is passed; its state follows from
the calls, in order. With one fetch in flight it is the paper's algorithm, but for what its docstring says after
`Differs` and docs/papers.md declares.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.observation import Marked, Observation
from topicrawl.model import Page, Topic

if TYPE_CHECKING:
    from topicrawl.judge import Judge
    from topicrawl.knowledge.training import Training

__all__ = ["Choice", "Marked", "Observation", "Strategy", "is_query"]

SEED = 1.0
"""Priority that `enter` gives to seeds by default: no mean relevance exceeds it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to fetch, and the walker that chose it: with n fetches in flight a search has n walkers."""

    link: int
    walker: int = 0
    peek: bool = False
    """Fetch it for its relevance only; it stays choosable, and the links of its page are not added yet."""


class Strategy(ABC):
    """The base class of strategies. Links are passed by number.

    A strategy implements `start`, `choose`, `observe` and `explain`. Everything else the crawl may use is declared here
    with its default.
    """

    gone: ClassVar[frozenset[str]] = frozenset()
    """Parameters of earlier versions: left out where a run is read that has them."""

    behaviour: ClassVar[int] = 1
    """Raised by each change of what the strategy would choose; runs keep it in their log."""
    topic_model: ClassVar[str] = "words"
    """The paper's topic model: `words`, an `ontology`, one `learned` from documents, or example `pages`."""
    presets: ClassVar[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {}
    """Parameters that a choice sets: parameter ─► its value ─► the others it sets."""
    uses_wordnet: ClassVar[bool] = False
    """Whether it compares words by WordNet; the user is warned where WordNet is not installed."""
    by_example: ClassVar[bool] = False
    """Whether it searches for pages similar to given ones; then `training` and `rounds` are set before `start`."""
    judged_by: ClassVar[str] = "terms"
    """The judge of its crawls where none is given."""
    unranked: ClassVar[str] = "discarded"
    """What a priority of −inf means, in words."""
    from_examples: bool = False
    """Whether the links of the examples are known from the start, and no example is fetched again; see `show`."""
    judge: Judge | None = None
    """The judge of the crawl, set before `start`. What it said of a page is the relevance in its `Visit`."""
    training: Training | None = None
    """What its classifier was trained with before the crawl."""
    rounds: int | None = None
    """Rounds after which to stop."""
    not_stored: ClassVar[tuple[str, ...]] = ("training",)
    """Attributes that are no state of the crawl (crawling/state); a subclass adds its own in the same way."""

    @abstractmethod
    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        """Start the crawl: give the seeds their priorities."""

    @abstractmethod
    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        """The next link, choosable in `frontier`; None when there is none now.

        Choices are in the log and None is not, so an answer of None may change nothing and draw no randomness.
        """

    @abstractmethod
    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        """Process a visit, a failure included: prioritise the links concerned and update the state.

        A strategy that peeks may return a peeked link: its links are then added without a fetch, and it is
        observed again. When a log is replayed, that happens to the pages that the log names, whatever is returned.
        """

    @abstractmethod
    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        """The factors behind a link's priority now, each under the paper's name for it."""

    def chose(self, choice: Choice, frontier: Frontier) -> None:
        """Accept a choice of the log which `choose`, called just before, did not make; it may have made none.

        The link is fetched and observed like one of its own. It may be any link that waits, also one without priority;
        walker and peek may be such as this strategy never gives. The choice that `choose` made is not fetched, and
        must be possible again. Strategies whose `choose` only reads the frontier have nothing to do.
        """
        return

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        """Give priorities to links that became known outside `observe`; they are in the frontier.

        With `seen` they are on that page, which was observed before and is not to be counted again: a wider scope
        admits them now, and the graph has their edges, added in the order of `links`. Without it they are further
        seeds (see `Frontier.seeds`), links on pages that this crawl has not read, or links that were withdrawn before
        and may keep their priority. Override this where priorities have another scale than relevance.
        """
        self.prioritise_unknown(frontier, links, SEED, frontier.parents_mean(links))

    def enter_pages(self, pages: Iterable[Observation], frontier: Frontier, rng: random.Random) -> None:
        """The same for the links of several pages, which another shard read.

        Each page is in the frontier when it is drawn from `pages`, not earlier. Override this where it costs less to
        read all of them at once.
        """
        for seen in pages:
            self.enter(seen.links, frontier, rng, seen)

    def prioritise_unknown(self, frontier: Frontier, links: Ids, seed: float, other: Floats | float) -> None:
        """Give seeds and other links these priorities, unless they have one."""
        known = frontier.columns["priority"][links]
        fresh = np.where(frontier.seeds(links), seed, other)
        frontier.prioritise(links, np.where(np.isfinite(known), known, fresh))

    def queries(self, topic: Topic) -> tuple[Page, ...]:
        """The pages that a crawl by example is asked about; no result of it (`is_query`)."""
        return topic.examples if self.by_example else ()

    def keep_peeked(self, seen: Observation, frontier: Frontier) -> None:
        """For strategies that never peek: keep a page that the log peeked at choosable, to be fetched again."""
        known = frontier.columns["priority"][seen.link]
        priority = next((value for value in (known, seen.visit.priority) if np.isfinite(value)), 0.0)
        frontier.prioritise(np.array([seen.link]), np.array([priority]))

    @property
    def done(self) -> bool:
        """Whether the strategy is finished although links are left."""
        return False

    def at_once(self, pages: int) -> int | None:
        """How many fetches may be in flight when so many pages have been fetched; None if the strategy does not care.

        One that learns may ask for little before it has learned something.
        """
        return None

    @property
    def in_shards(self) -> bool:
        """Whether each shard of a crawl may choose among its own links: by priorities that all shards can compare."""
        return False

    def worth(self, seen: Observation, frontier: Frontier) -> float:
        """What a page that was observed is worth to links on it, in [0, 1]: told to the shards of these links."""
        return seen.visit.relevance

    def lessons(self, after: int, frontier: Frontier) -> tuple[bytes, int]:
        """What a teacher of all shards learns from the next pages after number `after`, and the number of the last."""
        return b"", after

    def take_model(self, data: bytes, frontier: Frontier) -> None:
        """Use a model that was fitted elsewhere (event `Learned`)."""
        return

    def show(self, seen: Observation, frontier: Frontier) -> None:
        """Process an example before the first choice, where `from_examples`: prioritise its links."""
        return

    @property
    def uses_marks(self) -> bool:
        """Whether its choices follow from what people say of pages: whether it has `mark`."""
        return False

    def mark(self, marks: Sequence[Marked], frontier: Frontier, rng: random.Random) -> None:
        """Learn what a person said of pages that were observed, and prioritise the links concerned.

        The judge has learned it, and the frontier has the new relevance for the links on these pages and for hosts.
        """
        return

    def story(self, frontier: Frontier, link: int) -> list[str]:
        """What happened to a link after it was fetched: a sentence for each event, in order."""
        return []

    def evolution(self) -> list[dict[str, Any]] | None:
        """Figures of each generation, for the report; None where there are no generations. Plain data."""
        return None

    def meanings(self) -> dict[str, str]:
        """What the factors of `explain` are, by their names; those whose name says it are left out."""
        return {}

    def link_words(self) -> list[tuple[str, float]]:
        """Words of links, each with what it adds to the predicted relevance of the page behind, the largest first.

        None where no words are learned.
        """
        return []

    def learned(self) -> dict[str, Any] | None:
        """What was learned, for summary and report; None where nothing is. Plain data."""
        return None


def is_query(url: str, text: str, queries: Iterable[Page]) -> bool:
    """Whether the page with this URL and text is one of `queries`, or a copy of one at another URL."""
    return any(url == page.url or (text and text == page.text) for page in queries)
