"""What the results of searches are worth: the judge of the crawl on title and snippet, before any page is fetched."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain, zip_longest

from topicrawl.finding.answers import Result
from topicrawl.judge import Judge, Seen
from topicrawl.judge.registry import EXAMPLES, PYTHON, make_judge
from topicrawl.model import Page, Topic
from topicrawl.page.html import read_html
from topicrawl.page.relevance import PageRelevance
from topicrawl.topic.matcher import Matcher
from topicrawl.urls import host

_WORDS = re.compile(r"[^\W_]+")


@dataclass
class Candidate:
    """A page that may become a seed, and where it was found."""

    url: str
    title: str = ""
    snippet: str = ""
    sources: dict[str, int] = field(default_factory=dict)
    """The best rank in each source, from 1."""
    relevance: float | None = None
    """What the judge says of title and snippet; None without a topic."""

    @property
    def votes(self) -> float:
        """The sum of 1 / (rank + 10) over its sources: what several sources rank high comes first."""
        return sum(1 / (rank + 10) for rank in self.sources.values())


class Candidates:
    """Gathers results: a page found twice is one candidate."""

    def __init__(self) -> None:
        self._found: dict[str, Candidate] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, results: Iterable[Result], source: str) -> None:
        """Add results in the order of their rank."""
        for rank, result in enumerate(results, 1):
            known = self._found.setdefault(result.url, Candidate(result.url))
            known.sources.setdefault(source, rank)
            if len(known.title + known.snippet) < len(result.title + result.snippet):
                known.title, known.snippet = result.title, result.snippet

    def weighed(self, topic: Topic | None, judge: str) -> list[Candidate]:
        """All candidates, the best first: by the judge, then by rank and number of sources."""
        found = list(self._found.values())
        if topic is not None and found:
            for candidate, relevance in zip(found, judged(found, topic, judge), strict=True):
                candidate.relevance = relevance
        return sorted(found, key=lambda each: (-(each.relevance or 0.0), -each.votes))


def judged(candidates: Sequence[Candidate], topic: Topic, name: str) -> list[float]:
    """How likely each candidate is relevant. A judge that is Python code of the caller is replaced by `examples`."""
    judge: Judge = make_judge(EXAMPLES if not name or name == PYTHON else name, topic)
    count, relevance = Matcher(topic.terms).count, PageRelevance(topic)
    pages = [_page(candidate) for candidate in candidates]
    seen = [
        Seen(page, relevance(count(page)), (candidate.title,) if candidate.title else (), is_seed=True)
        for page, candidate in zip(pages, candidates, strict=True)
    ]
    return [float(value) for value in judge.judge(seen)]


def spread(
    candidates: Sequence[Candidate], per_host: int | None = None, most: int | None = None
) -> list[Candidate]:
    """The best of each host first, then the second of each, and so on; `per_host` of a host and `most` in all."""
    by_host: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_host[host(candidate.url)].append(candidate)
    rounds = zip_longest(*(of_host[:per_host] for of_host in by_host.values()))
    return [each for each in chain.from_iterable(rounds) if each is not None][:most]


def url_words(url: str) -> str:
    """The words of an address: what is known of a page in an index."""
    return " ".join(_WORDS.findall(url.partition("://")[2]))


def _page(candidate: Candidate) -> Page:
    title, snippet = escape(candidate.title), escape(candidate.snippet or url_words(candidate.url))
    return read_html(
        candidate.url, f"<html><head><title>{title}</title></head><body><p>{snippet}</p></body></html>"
    )
