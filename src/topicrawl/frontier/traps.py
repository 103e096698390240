"""Crawler traps: parts of a site that could be crawled for ever without new content, detected by their yield.

One rule applies to three things: the *template* of a URL (its site, the first folder, the number of folders,
whether it has a query), the *host* and the *site*. Each starts with some credit. A page costs 1 (2 when it has
nothing new) and earns `GAIN` times its worth, up to a bound, so that a good host is left soon after its new content
ends.

    worth = the share of its text that is new on its site
    0 for: failures, duplicates, pages stuffed with the topic's words,
           and new sentences made of known words only (generated text)

A template without credit is closed: its links are dropped, and new ones are not added. A host or site without
credit is *strict*: only templates that paid for themselves stay open, and a few new ones get two pages to do so.
All of it follows from the visits in their order, so a replay closes the same things at the same visits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from topicrawl.floats import dot
from topicrawl.frontier.novelty import Novelty
from topicrawl.model import GROUPS, Outcome, TermCounts, Visit, ints
from topicrawl.topic.letters import OR
from topicrawl.urls import host as host_of
from topicrawl.urls import site as site_of

GAIN = 16.0
"""Credit earned by an entirely new page: a template stays open while a sixteenth of its text is new."""
TEMPLATE, HOST, SITE = (8.0, 40.0), (30.0, 150.0), (40.0, 300.0)
"""Credit at the start, and its upper bound."""
NOTHING, FINE = 0.02, 1.0
"""Worth below which a page has nothing new, and what that costs besides the page."""
TRIAL_CREDIT = 2.0
ALL_NEW, OLD_WORDS = 0.8, 0.02
"""Text with at least this share new but at most this share of new words is generated; real sites stay above 0.13."""
MEMORY = 5
"""Time constant, in pages, of the moving average of new words."""
CHANCES = 20
"""Unknown templates that a strict host or site still tries, with `TRIAL_CREDIT` pages each."""
STUFFED = 0.5
"""Share of a page's letters in topic words above which it counts as stuffed; real pages stay below 0.25."""
LETTERS = 300
"""Length, in letters, below which a page is not tested for stuffing."""
WORTHLESS = frozenset({"http", "duplicate", "scope", "redirects"})
"""Errors that traps produce; network errors do not count against a template."""

OPEN, CLOSED = "open", "closed"
_NUMBER = re.compile(r"[0-9a-f]*\d[0-9a-f]{7,}|\d+")


@dataclass(slots=True)
class Credit:
    """The account of a template, host or site."""

    limit: float
    left: float
    pages: int = 0
    worth: float = 0.0
    words: float = 1.0
    """Share of new words in its pages, a moving average."""
    chances: int = CHANCES

    @property
    def proven(self) -> bool:
        """Whether its pages earned their cost in total."""
        return self.pages > 0 and GAIN * self.worth >= self.pages

    @property
    def on_trial(self) -> bool:
        """Whether it is being tried on a strict host."""
        return self.limit == TRIAL_CREDIT

    def spend(self, worth: float) -> bool:
        """Count a page; True when the credit ran out with it."""
        had = self.left > 0
        self.pages += 1
        self.worth += worth
        self.left = min(self.limit, self.left + GAIN * worth - 1 - (FINE if worth < NOTHING else 0.0))
        return had and self.left <= 0


@dataclass
class Traps:
    """Trap detection for all sites of a crawl."""

    terms: Sequence[str] = ()
    """The topic's words."""
    templates: dict[str, Credit] = field(default_factory=dict)
    hosts: dict[str, Credit] = field(default_factory=dict)
    sites: dict[str, Credit] = field(default_factory=dict)
    watched: set[str] = field(default_factory=set)
    """Sites where a template is closed, or a host or the site is strict: only their links need checking."""
    closed: int = 0
    """Templates closed so far."""

    def __post_init__(self) -> None:
        self._novelty = Novelty()
        spaced, running = zip(*map(_lengths, self.terms), strict=True) if self.terms else ((), ())
        self._spaced, self._running = np.array(spaced), np.array(running)

    def refuses(self, url: str) -> bool:
        """Whether the template of a link is closed, or not open on its strict host or site."""
        return self._judge(url) == CLOSED

    def admits(self, url: str) -> bool:
        """Whether a link may be added; an unknown template of a strict host or site begins its trial."""
        judged = self._judge(url)
        if isinstance(judged, Chance):
            judged.take(self.templates)
        return judged != CLOSED

    def tell(self, visit: Visit, outcome: Outcome) -> bool:
        """Record a visit; True when that closed something, so that waiting links must be checked again."""
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
        return float(dot(times, lengths[ints(counts.terms)])) > STUFFED * letters

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
    """An unknown template on a strict host or site, which allows a limited number of trials."""

    name: str
    givers: list[Credit]

    def take(self, templates: dict[str, Credit]) -> None:
        """Begin the trial."""
        for giver in self.givers:
            giver.chances -= 1
        templates[self.name] = Credit(TRIAL_CREDIT, TRIAL_CREDIT)


def _lengths(term: str) -> tuple[float, float]:
    """Mean letters of a term's spellings: in scripts that separate words, and in those that do not."""
    spellings = term.split(OR)
    spaced = [len(each) for each in spellings if each.isascii()] or [len(each) for each in spellings]
    running = [len(each) for each in spellings if not each.isascii()] or spaced
    return sum(spaced) / len(spaced), sum(running) / len(running)


def template(site: str, url: str) -> str:
    """The pattern that a URL shares with URLs generated from the same path.

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
