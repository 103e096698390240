"""Parts of a site that could be crawled for ever and say nothing new: noticed by what they yield, and left.

Three things are watched by one rule: the *template* of a URL (its site, the first folder, the number of folders,
whether it has a query), the *host* and the *site*. Each begins with a little credit. A page costs 1 (2 when it says
nothing at all) and earns `GAIN` times its worth, up to a bound: a host that was worth it for years is left soon once
it has nothing new to say.

    worth = the share of its text that is new on its site
    nothing: failures, pages met before, pages stuffed with the topic's words,
             and new sentences in old words only, which no person writes for long

A template without credit is closed: its links are dropped, and new ones are not taken in. A host or site without
credit is *strict*: only templates that proved their worth stay open, and a few new ones get two pages to do so.
All of it follows from the visits in their order, so a replayed crawl closes the same things at the same moments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from topicrawl.frontier.novelty import Novelty
from topicrawl.model import GROUPS, Outcome, TermCounts, Visit, ints
from topicrawl.topic.letters import OR
from topicrawl.urls import host as host_of
from topicrawl.urls import site as site_of

GAIN = 16.0
"""Pages an entirely new one pays for: a template lives while a sixteenth of its text is new."""
TEMPLATE, HOST, SITE = (8.0, 40.0), (30.0, 150.0), (40.0, 300.0)
"""Credit at the beginning, and at most."""
NOTHING, FINE = 0.02, 1.0
"""Worth below which a page says nothing, and what it costs beyond the page."""
TRIAL_CREDIT = 2.0
ALL_NEW, OLD_WORDS = 0.8, 0.02
"""Text as new as this without more new words than that is a machine's; real sites never fall below 0.13 of them."""
MEMORY = 5
"""Pages that the share of new words looks back on."""
CHANCES = 20
"""Templates that a strict host or site, not having seen them before, still tries with `TRIAL_CREDIT` pages each."""
STUFFED = 0.5
"""Share of the topic's words in a page's letters above which nobody wrote it to be read; real pages stay below 0.25."""
LETTERS = 300
"""Shorter pages are not judged by that."""
WORTHLESS = frozenset({"http", "duplicate", "scope", "redirects"})
"""Errors that a trap makes in numbers; what is wrong with the network is no fault of a template."""

OPEN, CLOSED = "open", "closed"
_NUMBER = re.compile(r"[0-9a-f]*\d[0-9a-f]{7,}|\d+")


@dataclass(slots=True)
class Credit:
    """How a template, host or site is doing."""

    limit: float
    left: float
    pages: int = 0
    worth: float = 0.0
    words: float = 1.0
    """Share of new words in its pages, the last ones weighing most."""
    chances: int = CHANCES

    @property
    def proven(self) -> bool:
        """Whether its pages paid for themselves on the whole."""
        return self.pages > 0 and GAIN * self.worth >= self.pages

    @property
    def on_trial(self) -> bool:
        """Whether it is being tried on a strict host."""
        return self.limit == TRIAL_CREDIT

    def spend(self, worth: float) -> bool:
        """Count a page; whether the credit ran out with it."""
        had = self.left > 0
        self.pages += 1
        self.worth += worth
        self.left = min(self.limit, self.left + GAIN * worth - 1 - (FINE if worth < NOTHING else 0.0))
        return had and self.left <= 0


@dataclass
class Traps:
    """The watch over all sites of a crawl."""

    terms: Sequence[str] = ()
    """The topic's words."""
    templates: dict[str, Credit] = field(default_factory=dict)
    hosts: dict[str, Credit] = field(default_factory=dict)
    sites: dict[str, Credit] = field(default_factory=dict)
    watched: set[str] = field(default_factory=set)
    """Sites of which some template is closed: only their links need a closer look."""
    closed: int = 0
    """Templates closed so far."""

    def __post_init__(self) -> None:
        self._novelty = Novelty()
        spaced, running = zip(*map(_lengths, self.terms), strict=True) if self.terms else ((), ())
        self._spaced, self._running = np.array(spaced), np.array(running)

    def refuses(self, url: str) -> bool:
        """Whether a link is not worth following, as far as its template, host and site tell."""
        return self._judge(url) == CLOSED

    def admits(self, url: str) -> bool:
        """The opposite, for a link about to be taken in: an unseen template of a strict host takes its chance."""
        judged = self._judge(url)
        if isinstance(judged, Chance):
            judged.take(self.templates)
        return judged != CLOSED

    def tell(self, visit: Visit, outcome: Outcome) -> bool:
        """Take in a visit; whether that closed something, so that the links that wait must be looked at again."""
        if outcome.page is None and visit.error not in WORTHLESS:
            return False
        host = host_of(visit.asked)
        site = site_of(host)
        credit = _credit(self.templates, template(site, visit.asked), TEMPLATE)
        worth = self._worth(site, credit, outcome)
        spent = [
            credit.spend(worth),
            _credit(self.hosts, host, HOST).spend(worth),
            _credit(self.sites, site, SITE).spend(worth),
        ]
        self.closed += spent[0]
        if any(spent):
            self.watched.add(site)
        return any(spent)

    def _worth(self, site: str, credit: Credit, outcome: Outcome) -> float:
        if outcome.page is None or self._stuffed(outcome.counts, len(outcome.page.text)):
            return 0.0
        text, words = self._novelty.of(site, outcome.page)
        credit.words += (words - credit.words) / MEMORY
        return 0.0 if text > ALL_NEW and credit.words < OLD_WORDS else text

    def _stuffed(self, counts: TermCounts | None, letters: int) -> bool:
        if counts is None or letters < LETTERS or not self.terms:
            return False
        times = ints(counts.groups).reshape(-1, GROUPS).sum(axis=1)
        lengths = self._running if letters < 2 * counts.length else self._spaced
        return float(times @ lengths[ints(counts.terms)]) > STUFFED * letters

    def _judge(self, url: str) -> str | Chance:
        host = host_of(url)
        site = site_of(host)
        if site not in self.watched:
            return OPEN
        name = template(site, url)
        known = self.templates.get(name)
        if known is not None and known.left <= 0:
            return CLOSED
        strict = [
            credit for credit in (self.hosts.get(host), self.sites.get(site)) if credit and credit.left <= 0
        ]
        if not strict or (known is not None and (known.proven or known.on_trial)):
            return OPEN
        if known is not None or any(credit.chances <= 0 for credit in strict):
            return CLOSED
        return Chance(name, strict)


@dataclass(frozen=True, slots=True)
class Chance:
    """A template nobody has seen, on a host or site that gives few of them a try."""

    name: str
    givers: list[Credit]

    def take(self, templates: dict[str, Credit]) -> None:
        """Begin the trial."""
        for giver in self.givers:
            giver.chances -= 1
        templates[self.name] = Credit(TRIAL_CREDIT, TRIAL_CREDIT)


def _lengths(term: str) -> tuple[float, float]:
    """Letters of a term, on the mean of its spellings in scripts that part their words, and in those that do not."""
    spellings = term.split(OR)
    spaced = [len(each) for each in spellings if each.isascii()] or [len(each) for each in spellings]
    running = [len(each) for each in spellings if not each.isascii()] or spaced
    return sum(spaced) / len(spaced), sum(running) / len(running)


def template(site: str, url: str) -> str:
    """What a URL has in common with those a machine would make beside it.

    >>> template("h.test", "http://www.h.test/cal/2026/11?view=day")
    'h.test/cal/3?'
    """
    path, question, _ = url.split("/", 3)[3].partition("?")
    first, slash, rest = path.partition("/")
    folders = 1 + slash.count("/") + rest.count("/")
    return f"{site}/{_NUMBER.sub('#', first.lower()) if slash else ''}/{folders}{question}"


def _credit(kept: dict[str, Credit], name: str, bounds: tuple[float, float]) -> Credit:
    credit = kept.get(name)
    if credit is None:
        begin, most = bounds
        credit = kept[name] = Credit(most, begin)
    return credit
