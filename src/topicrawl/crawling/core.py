"""The crawl itself, without input or output: `ask` for the next link, `tell` its outcome.

The state of a `Crawl` depends only on its arguments and the sequence of calls, so a stored log replays to the same
crawl. `live.py` drives it over sockets, experiments over a recorded web: both run the same code.

The log decides what happened, not the algorithm: `replay` follows the choices and visits of the log and only counts
where this version, on this machine, would have decided otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol, cast

import msgspec
import numpy as np

from topicrawl.errors import ReplayError
from topicrawl.frontier import ASKED, FAILED, LEFT, OUTSIDE, PEEKED, VISITED, WAITING, Frontier, Ids
from topicrawl.frontier.hosts import BUSY
from topicrawl.frontier.scope import Scope, sites
from topicrawl.frontier.traps import Traps
from topicrawl.model import (
    NOFOLLOW,
    REFUSED,
    Accepted,
    Ask,
    Event,
    Instruction,
    Learned,
    Links,
    Outcome,
    Page,
    Postponed,
    Received,
    Revisit,
    Told,
    Topic,
    Version,
    Visit,
)
from topicrawl.page.context import spans
from topicrawl.page.relevance import PageRelevance
from topicrawl.strategies import Choice, Observation, Strategy
from topicrawl.urls import host as host_of
from topicrawl.urls import site as site_of
from topicrawl.value.judges import Judge, OwnJudge, Seen
from topicrawl.value.judges.terms import ByTerms

NO_LINKS: Ids = np.empty(0, dtype=np.int64)
DIGITS = 9
"""Decimals of relevance and priority in the log."""
EXAMPLE_DEPTH = 1
"""An example page counts as one link away from a seed: it was chosen for its text, not as a start."""
UNAVAILABLE = frozenset({"retry-later", "robots-unreachable"})
"""Errors that close a host: it asked for a pause, and the wait for it took too long."""
OUT_OF_SCOPE = "scope"
"""The error of a visit that the scope excludes."""
SCOPE = tuple(each.name for each in fields(Scope))
REMEDY = "the run is damaged: see `topicrawl doctor RUN`"


class Past(Protocol):
    """The visits of the log, for instructions that look back."""

    def visits(self) -> Iterator[Visit]:
        """Every visit, in order."""
        ...

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        """Every visit with its outcome, in order."""
        ...


class NoPast:
    """The past of a crawl that is not stored."""

    def visits(self) -> Iterator[Visit]:
        """No visits."""
        return iter(())

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        """No visits."""
        return iter(())


@dataclass
class Tally:
    """Counts of the crawl so far."""

    visits: int = 0
    fetched: int = 0
    relevant: int = 0
    failed: int = 0
    needs_script: int = 0
    """Pages with almost no text without JavaScript."""
    bytes: int = 0


@dataclass
class Agreement:
    """How often a replay decided as the log says; `first` is where it did not."""

    choices: int = 0
    visits: int = 0
    other_choices: int = 0
    other_visits: int = 0
    first: str = ""

    @property
    def exact(self) -> bool:
        """Whether everything replayed as it was logged."""
        return not self.first

    def differ(self, where: str) -> None:
        """Record a difference."""
        self.first = self.first or where


@dataclass
class Crawl:
    """A focused crawl as a deterministic state machine.

    `ahead` is how many links of one host may be pending. At this limit the host is held until half of them are
    answered, so that the links in flight spread over hosts. This depends on asks and tells only, never on a clock;
    half, because holding a host touches all its links and would be too slow for every page.
    """

    topic: Topic
    strategy: Strategy
    seeds: Sequence[str]
    scope: Scope = field(default_factory=Scope)
    rng_seed: int = 0
    threshold: float = 0.62
    ahead: int | None = None
    traps: Traps | None = None
    """Detects parts of sites without new text; None to follow every link, as in the published algorithms."""
    frontier: Frontier = field(default_factory=Frontier)
    tally: Tally = field(default_factory=Tally)
    pending: dict[int, Ask] = field(default_factory=dict)
    """Links asked and not answered, in the order asked."""
    postponed: set[int] = field(default_factory=set)
    """Pending links that do not count towards `ahead`."""
    judge: Judge = field(default_factory=ByTerms)
    past: Past = field(default_factory=NoPast)
    agreement: Agreement = field(default_factory=Agreement)
    paused: bool = False
    """Whether a person said to ask for nothing."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.rng_seed)
        self._relevance = PageRelevance(self.topic)
        self._peeked: dict[int, Observation] = {}
        self._selected: int | None = None
        """While replaying: the peeked link that the strategy selected just now."""
        self._logs_accepted = False
        """While replaying: whether the log tells which peeked pages were accepted (topicrawl 0.1 did not)."""
        self._renumbered: dict[int, int] = {}
        """While replaying: links that the log numbers otherwise."""
        self._revisited: set[int] = set()
        """Pending links that are asked anew."""
        self.accepted: list[Accepted] = []
        """The peeked pages that the strategy took at the last `tell`, to be logged with it."""
        self._is_outside = not isinstance(self.judge, OwnJudge)
        self.teach = self.judge.learn
        """How the judge is told what it may learn. A driver that asks it in another thread replaces this."""
        self._leads: dict[int, tuple[str, str]] = {}
        """For a judge from outside: anchor and context of each link that is not answered."""
        self._seed_sites = sites(self.seeds) if self.scope.same_site else frozenset[str]()
        self.strategy.judge = self.judge
        ids = self.frontier.add(list(dict.fromkeys(self.seeds)), depth=0, parent=-1)
        self.strategy.start(self.topic, self.frontier, ids, self.rng)
        self.shown = self._enter_examples(self.topic.examples)
        """Example pages whose links are in the frontier from the start."""
        for page in self.shown:
            self._observe_example(page)

    def ask(self) -> Ask | None:
        """The strategy's next link; None if there is none now, or if no links are pending, none at all."""
        choice = self.strategy.choose(self.frontier, self.rng)
        if choice is None:
            return None
        ask = self._ask_of(choice)
        self._await(ask)
        return ask

    def tell(
        self, ask: Ask, outcome: Outcome, logged: Visit | None = None, said: float | None = None
    ) -> Visit:
        """Process the outcome of an ask. Outcomes may come in any order. A `logged` visit is repeated as it was.

        `said` is what a judge from outside said of the page, where it was asked before.
        """
        del self.pending[ask.link]
        self.accepted = []
        if ask.link in self._revisited:
            return self._tell_revisit(ask, outcome, logged, said)
        link, outcome = self._settle_final(ask, outcome, logged)
        shown = self.seen(ask.link, outcome)
        visit = self._visit(ask, outcome, shown, self._judged(shown, logged, said))
        if logged is not None:
            visit = self._compare(visit, logged)
        if shown is not None:
            self.teach(shown, None)
        self._leads.pop(ask.link, None)
        self._remove_pending(ask.link)
        self.postponed.discard(ask.link)
        self._count(link, visit, outcome.page)
        if self.traps and self.traps.tell(visit, outcome):
            self._drop_trapped(site_of(host_of(ask.url)))
        seen = Observation(link, visit, outcome, NO_LINKS, walker=ask.walker, peek=ask.peek)
        if outcome.page is not None:
            seen = self._store_peeked(seen, outcome.page) if ask.peek else self._add_links(seen, outcome.page)
        self._selected = self.strategy.observe(seen, self.frontier, self.rng)
        if logged is None or not self._logs_accepted:
            while self._selected is not None:
                self._accept(self._selected)
        return visit

    def seen(self, link: int, outcome: Outcome) -> Seen | None:
        """The page of an outcome as a judge sees it; None if there is no page. It changes nothing."""
        if outcome.page is None:
            return None
        by_terms = self._relevance(outcome.counts) if outcome.counts else 0.0
        return Seen(outcome.page, by_terms, *self._leads.get(link, ()))

    def postpone(self, link: int) -> bool:
        """Do not count a pending link towards `ahead` any more; False if it was not counted anyway."""
        if link in self.postponed or link not in self.pending:
            return False
        self._remove_pending(link)
        self.postponed.add(link)
        return True

    def instruct(self, instruction: Instruction) -> None:
        """Do what a person said. Pending links that it puts out of scope are in `withdrawn`."""
        settings = instruction.settings
        for url in instruction.seeds:
            self._seed_sites |= sites([url]) if self.scope.same_site else frozenset()
        scope = replace(self.scope, **_scope_settings(settings))
        if instruction.seeds:
            self._enter(instruction.seeds, depth=0)
        if scope != self.scope or (instruction.seeds and scope.same_site):
            self._change_scope(scope)
        if "threshold" in settings and settings["threshold"] != self.threshold:
            self.threshold = settings["threshold"]
            self._recount()
        if instruction.examples:
            self._show_examples(instruction.examples)
        for mark in instruction.marks:
            self.teach(Seen(mark.page), mark.relevant)
        if instruction.pause is not None:
            self.paused = instruction.pause

    def withdrawn(self) -> list[Ask]:
        """The pending links that are out of scope by now, in the order asked."""
        return [ask for ask in self.pending.values() if self._out_of_scope(ask.link, ask.url)]

    def receive(self, received: Received) -> Ids:
        """Enter the links that another shard found, those that are unknown and in scope; returns them."""
        entered = list[int]()
        for found in received.links:
            if self.frontier.number(found.url) is None and not self.refusal(found.url, found.depth):
                link = self.frontier.add([found.url], found.depth, -1)
                self.frontier.contained(link, found.relevance)
                entered += link.tolist()
        links = np.array(entered, dtype=np.int64)
        self.strategy.enter(links, self.frontier, self.rng)
        return links

    def take_model(self, learned: Learned) -> None:
        """Use a model that was fitted elsewhere."""
        if learned.model == "strategy":
            self.strategy.take_model(learned.data)
        elif learned.model == "judge" and (load := getattr(self.judge, "load", None)):
            load(learned.data)

    def revisit(self, revisit: Revisit) -> Ask | None:
        """Ask for a known page anew; the strategy is not asked. None if it is unknown or pending."""
        link = self.frontier.number(revisit.url)
        if link is None or link in self.pending:
            return None
        ask = Ask(link, revisit.url, priority=0.0, depth=int(self.frontier.columns["depth"][link]))
        self._revisited.add(link)
        self._await(ask)
        return ask

    def replay(self, event: Event) -> None:
        """Repeat one event of a stored log. What this version decides otherwise is counted in `agreement`."""
        if self._selected is not None and not isinstance(event, Accepted):
            self.agreement.differ(f"after visit {self.tally.visits} a peeked page would be accepted")
            self._selected = None
        match event:
            case Ask():
                self._replay_ask(event)
            case Told():
                self._replay_told(event)
            case Postponed():
                link = self.frontier.number(event.url) if event.url else self._number(event.link)
                if link is None or not self.postpone(link):
                    raise ReplayError(
                        f"the log postpones link {event.link}, which is not waited for; {REMEDY}"
                    )
            case Accepted():
                self._replay_accepted(event)
            case Version():
                self._logs_accepted = True
            case Instruction():
                self.instruct(event)
            case Received():
                self.receive(event)
            case Learned():
                self.take_model(event)
            case Revisit():
                if self.revisit(event) is None:
                    raise ReplayError(f"the log asks anew for {event.url}, which is unknown; {REMEDY}")

    def _replay_ask(self, event: Ask) -> None:
        """Ask as the log did. The strategy chooses first, so that its state and the generator advance as they did."""
        own = self.strategy.choose(self.frontier, self.rng)
        link = self.frontier.number(event.url)
        if link is None:
            link = int(self.frontier.add([event.url], event.depth, -1)[0])
        choice = Choice(link, event.walker, event.peek)
        ask = msgspec.structs.replace(event, link=link)
        if event.link != link:
            self._renumbered[event.link] = link
        self.agreement.choices += 1
        if own is None or self._ask_of(own) != ask:
            self.agreement.other_choices += 1
            chosen = "nothing" if own is None else self.frontier.urls[own.link]
            self.agreement.differ(
                f"after visit {self.tally.visits} the log asks for {event.url} "
                + (
                    f"with priority {event.priority:g}"
                    if own == choice
                    else f"where {chosen} would be chosen"
                )
            )
        if own != choice:
            self.strategy.chose(choice, self.frontier)
        self._await(ask)

    def _number(self, logged: int) -> int:
        """The number here of a link that topicrawl 0.1 logged by its number alone."""
        return self._renumbered.get(logged, logged)

    def _replay_told(self, event: Told) -> None:
        link = self.frontier.number(event.ask.url)
        if link is None or link not in self.pending:
            raise ReplayError(f"the log answers {event.ask.url}, which was not asked; {REMEDY}")
        self.tell(self.pending[link], event.outcome, event.visit)

    def _replay_accepted(self, event: Accepted) -> None:
        link, selected = self.frontier.number(event.url), self._selected
        if link != selected:
            self.agreement.differ(f"after visit {self.tally.visits} the log accepts {event.url}, peeked at")
        if (
            link is not None and link in self._peeked
        ):  # else this version accepted it where 0.1 logged nothing
            self._accept(link)

    def _compare(self, own: Visit, logged: Visit) -> Visit:
        """The logged visit; counts whether this version's is the same."""
        self.agreement.visits += 1
        if logged.term_relevance is None:
            own = msgspec.structs.replace(own, term_relevance=None)
        if own != logged:
            self.agreement.other_visits += 1
            self.agreement.differ(f"visit {logged.n} ({logged.url}) replays differently")
        return logged

    def _ask_of(self, choice: Choice) -> Ask:
        link, columns = choice.link, self.frontier.columns
        return Ask(
            link=link,
            url=self.frontier.urls[link],
            priority=round(float(columns["priority"][link]), DIGITS) + 0.0,  # no −0
            depth=int(columns["depth"][link]),
            walker=choice.walker,
            peek=choice.peek,
        )

    def _await(self, ask: Ask) -> None:
        """Settle a link as asked, and wait for its outcome."""
        self.frontier.settle(ask.link, ASKED)
        self.pending[ask.link] = ask
        self._add_pending(int(self.frontier.columns["host"][ask.link]))

    def refusal(self, url: str, depth: int) -> str | None:
        """Why scope or traps exclude a link at this depth, or None."""
        if self.traps and self.traps.refuses(url):
            return "a part of its site that had nothing new to say"
        return self.scope.refusal(url, depth, self._seed_sites)

    def _enter_examples(self, examples: Sequence[Page]) -> list[Page]:
        """The examples that the strategy starts from, entered as visited pages without a fetch or a log line.

        Left out are those without URL or links, those outside the scope, and seeds, which are fetched.
        """
        if not self.strategy.from_examples:
            return []
        pages = {page.url: page for page in examples if page.url and page.links.urls}
        wanted = [url for url in pages if not self.scope.refusal(url, EXAMPLE_DEPTH, self._seed_sites)]
        shown = [url for url in wanted if self.frontier.number(url) is None]
        for link in self.frontier.add(shown, depth=EXAMPLE_DEPTH, parent=-1).tolist():
            self.frontier.settle(link, VISITED)
        return [pages[url] for url in shown]

    def _observe_example(self, page: Page) -> None:
        """Add the links of an example and pass it to the strategy."""
        link, outcome = self.frontier.number(page.url), Outcome(page.url, page=page)
        assert link is not None
        ask = Ask(link, page.url, priority=0.0, depth=EXAMPLE_DEPTH)
        visit = self._visit(ask, outcome, Seen(page, 1.0), 1.0)
        seen = self._add_links(Observation(link, visit, outcome, NO_LINKS), page)
        self.strategy.show(seen, self.frontier)

    def _settle_final(self, ask: Ask, outcome: Outcome, logged: Visit | None) -> tuple[int, Outcome]:
        """Settle the link and its redirect target; a page is counted once, under its final URL."""
        if outcome.page is None:
            if self.frontier.columns["state"][ask.link] == ASKED:
                self.frontier.settle(ask.link, FAILED)
            return ask.link, outcome
        link = self.frontier.number(outcome.url)
        reason = self._reason_to_drop(ask, outcome.url, link) if logged is None else _logged_reason(logged)
        if reason == OUT_OF_SCOPE:
            self.frontier.settle(ask.link, VISITED)
            return ask.link, _without_page(outcome, reason)
        if link is None:
            parent = int(self.frontier.columns["parent"][ask.link])
            link = int(self.frontier.add([outcome.url], ask.depth, parent)[0])
        self.frontier.settle(ask.link, VISITED)
        if reason is not None:
            return link, _without_page(outcome, reason)
        self.frontier.settle(link, PEEKED if ask.peek else VISITED)
        return link, outcome

    def _reason_to_drop(self, ask: Ask, url: str, link: int | None) -> str | None:
        """Why a page at `url` (link `link`, if known) is not taken: out of scope, or known already."""
        if self._is_full(url) or (link is None and self.refusal(url, ask.depth)):
            return OUT_OF_SCOPE
        if link is not None and self.frontier.columns["state"][link] in {PEEKED, VISITED}:
            return "duplicate"
        return None

    def _tell_revisit(self, ask: Ask, outcome: Outcome, logged: Visit | None, said: float | None) -> Visit:
        """Process a page fetched anew: its new links are entered; the strategy has observed the page before."""
        self._revisited.discard(ask.link)
        self.frontier.settle(ask.link, VISITED)
        shown = self.seen(ask.link, outcome)
        visit = self._visit(ask, outcome, shown, self._judged(shown, logged, said))
        if logged is not None:
            visit = self._compare(visit, logged)
        self._remove_pending(ask.link)
        self.postponed.discard(ask.link)
        self._count(ask.link, visit, outcome.page)
        if outcome.page is not None:
            self._enter_more(Observation(ask.link, visit, outcome, NO_LINKS), outcome.page)
        return visit

    def _judged(self, seen: Seen | None, logged: Visit | None, said: float | None) -> float:
        """What the judge says of a page, or has said. Only our own judges are asked again in a replay."""
        if seen is None:
            return 0.0
        if said is not None:
            return said
        if logged is not None and self._is_outside:
            return logged.relevance
        return self.judge.judge([seen])[0]

    def _visit(self, ask: Ask, outcome: Outcome, seen: Seen | None, relevance: float) -> Visit:
        parent = int(self.frontier.columns["parent"][ask.link])
        return Visit(
            n=self.tally.visits + 1,
            url=outcome.url,
            asked=ask.url,
            status=outcome.status,
            fetched=outcome.page is not None,
            peek=ask.peek,
            relevance=round(relevance, DIGITS),
            priority=ask.priority,
            host=host_of(outcome.url),
            depth=ask.depth,
            parent=self.frontier.urls[parent] if parent >= 0 else None,
            title=outcome.page.title if outcome.page else "",
            bytes=outcome.size,
            error=outcome.error,
            term_relevance=round(seen.term_relevance, DIGITS) if seen else 0.0,
        )

    def _count(self, link: int, visit: Visit, page: Page | None) -> None:
        tally = self.tally
        tally.visits += 1
        tally.bytes += visit.bytes
        tally.fetched += visit.fetched
        tally.failed += not visit.fetched
        tally.needs_script += page is not None and page.needs_script
        tally.relevant += visit.fetched and visit.relevance > self.threshold
        columns, host = self.frontier.hosts.columns, int(self.frontier.columns["host"][link])
        columns["fetched"][host] += visit.fetched
        columns["failed"][host] += not visit.fetched
        columns["relevance_sum"][host] += visit.relevance
        columns["closed"][host] |= visit.error in UNAVAILABLE
        if not columns["held"][host] & BUSY and not self._has_slot(host, self.ahead):
            self.frontier.hold(host)

    def _accept(self, peeked: int) -> None:
        """Add the links of a peeked page, and pass it to the strategy again."""
        self.accepted.append(Accepted(self.frontier.urls[peeked]))
        self.frontier.settle(peeked, VISITED)
        kept = self._peeked.pop(peeked)
        assert kept.outcome.page is not None
        page = _with_blank_texts(kept.outcome.page)
        outcome = msgspec.structs.replace(kept.outcome, page=page)
        seen = self._add_links(replace(kept, outcome=outcome), page)
        self._selected = self.strategy.observe(seen, self.frontier, self.rng)

    def _add_links(self, seen: Observation, page: Page) -> Observation:
        """Add a page's links to the frontier: those that may be followed, each once, in document order."""
        rows = self._admit(seen.link, page)
        known = dict.fromkeys(rows)
        for not_taken in (-1, seen.link):
            known.pop(not_taken, None)
        links = np.array(list(known), dtype=np.int64)
        if self._is_outside:
            self._keep_leads(rows, page)
        self.frontier.contained(links, seen.visit.relevance)
        self.frontier.graph.add(seen.link, links, out_degree=len(set(page.links.urls)))
        return Observation(seen.link, seen.visit, seen.outcome, links, rows, walker=seen.walker)

    def _keep_leads(self, rows: Sequence[int], page: Page) -> None:
        """Keep anchor and context of the links that wait, those of their first occurrence."""
        states = self.frontier.columns["state"]
        starts, ends = (places.tolist() for places in spans(page))
        for row, link in enumerate(rows):
            if link >= 0 and states[link] <= ASKED and link not in self._leads:
                self._leads[link] = page.links.anchors[row], page.text[starts[row] : ends[row]]

    def _enter_more(self, seen: Observation, page: Page) -> None:
        """Enter the links of a page observed earlier that were not known or not admitted then."""
        before = len(self.frontier)
        rows = [row if row >= before else -1 for row in self._admit(seen.link, page)]
        links = np.array(list(dict.fromkeys(row for row in rows if row >= 0)), dtype=np.int64)
        if len(links):
            if self._is_outside:
                self._keep_leads(rows, page)
            self.frontier.contained(links, seen.visit.relevance)
            self.frontier.graph.add(seen.link, links, out_degree=len(set(page.links.urls)))
            more = Observation(seen.link, seen.visit, seen.outcome, links, rows)
            self.strategy.enter(links, self.frontier, self.rng, more)

    def _enter(self, urls: Sequence[str], depth: int) -> None:
        """Enter links that were found on no page, those that are unknown."""
        fresh = [url for url in dict.fromkeys(urls) if self.frontier.number(url) is None]
        self.strategy.enter(self.frontier.add(fresh, depth, parent=-1), self.frontier, self.rng)

    def _change_scope(self, scope: Scope) -> None:
        """Withdraw waiting links that the new scope excludes; enter those that only the old one excluded."""
        old, self.scope = self.scope, scope
        states = self.frontier.columns["state"]
        for link in np.flatnonzero(states <= PEEKED).tolist():
            if self._out_of_scope(link, self.frontier.urls[link]):
                self.frontier.settle(link, OUTSIDE)
        if scope.max_per_host != old.max_per_host:
            for host in range(len(self.frontier.hosts)):
                self._hold_or_release(host)
        if not scope.is_within(old):
            self._readmit()
            for visit, outcome in self.past.outcomes():
                page = self.frontier.number(visit.url) if visit.n <= self.tally.visits else None
                if visit.fetched and outcome.page and page is not None and self._is_visited(page):
                    self._enter_more(Observation(page, visit, outcome, NO_LINKS), outcome.page)

    def _readmit(self) -> None:
        """Let links wait again that an earlier change of scope withdrew, and that the scope admits now."""
        outside = np.flatnonzero(self.frontier.columns["state"] == OUTSIDE).tolist()
        back = [link for link in outside if not self._out_of_scope(link, self.frontier.urls[link])]
        for link in back:
            self.frontier.reopen(link, PEEKED if link in self._peeked else WAITING)
        links = np.array(back, dtype=np.int64)
        self.frontier.prioritise(links, self.frontier.columns["priority"][links])
        self.strategy.enter(links, self.frontier, self.rng)

    def _is_visited(self, link: int) -> bool:
        return bool(self.frontier.columns["state"][link] == VISITED)

    def _out_of_scope(self, link: int, url: str) -> bool:
        return bool(self.scope.refusal(url, int(self.frontier.columns["depth"][link]), self._seed_sites))

    def _hold_or_release(self, host: int) -> None:
        """Hold a host that may give no more pages by a new limit; release one that may again."""
        busy = bool(self.frontier.hosts.held[host] & BUSY)
        if busy == self._has_slot(host, self.ahead):
            self.frontier.release(host) if busy else self.frontier.hold(host)

    def _recount(self) -> None:
        """Count the relevant pages by a new threshold."""
        visits = (visit for visit in self.past.visits() if visit.n <= self.tally.visits)
        self.tally.relevant = sum(visit.fetched and visit.relevance > self.threshold for visit in visits)

    def _show_examples(self, examples: Sequence[Page]) -> None:
        """Add examples of the topic; where the strategy starts from examples, their links too."""
        self.topic = replace(self.topic, examples=(*self.topic.examples, *examples))
        for page in examples:
            self.teach(Seen(page), True)
        shown = self._enter_examples(examples)
        self.shown += shown
        for page in shown:
            self._observe_example(page)

    def _store_peeked(self, seen: Observation, page: Page) -> Observation:
        """Store the links of a peeked page, without its text, until the strategy selects it."""
        links = Links(urls=page.links.urls, flags=page.links.flags)
        kept = msgspec.structs.replace(
            seen.outcome, page=Page(page.url, page.title, links=links, nofollow=page.nofollow)
        )
        self._peeked[seen.link] = replace(seen, outcome=kept)
        return seen

    def _admit(self, page_link: int, page: Page) -> list[int]:
        """The link number of each row of the page's links, −1 for rows that are not followed."""
        urls, nofollow = page.links.urls, 0 if self.scope.follow_nofollow else NOFOLLOW
        if page.nofollow and nofollow:
            return [-1] * len(urls)
        rows = self.frontier.numbers(urls)
        if any(page.links.flags):
            refused = nofollow | REFUSED
            rows = [-1 if flags & refused else row for row, flags in zip(rows, page.links.flags, strict=True)]
        if None not in rows:
            return cast(list[int], rows)
        depth = int(self.frontier.columns["depth"][page_link]) + 1
        unknown = dict.fromkeys(url for url, row in zip(urls, rows, strict=True) if row is None)
        fresh = [url for url in unknown if not self.scope.refusal(url, depth, self._seed_sites)]
        if self.traps and self.traps.watched:
            fresh = [url for url in fresh if self.traps.admits(url)]
        added = dict(zip(fresh, self.frontier.add(fresh, depth, page_link).tolist(), strict=True))
        return [added.get(url, -1) if row is None else row for url, row in zip(urls, rows, strict=True)]

    def _drop_trapped(self, site: str) -> None:
        """Drop the waiting links of a site that lead into a trap just detected, except seeds."""
        assert self.traps is not None
        states, parents = self.frontier.columns["state"], self.frontier.columns["parent"]
        for host, name in enumerate(self.frontier.hosts.names):
            if site_of(name) != site:
                continue
            for link in self.frontier.hosts.links(host).tolist():
                waits = states[link] == WAITING and parents[link] >= 0
                if waits and not self.traps.admits(self.frontier.urls[link]):
                    self.frontier.settle(link, LEFT)

    def _add_pending(self, host: int) -> None:
        self.frontier.hosts.columns["asked"][host] += 1
        if not self._has_slot(host, self.ahead):
            self.frontier.hold(host)

    def _remove_pending(self, link: int) -> None:
        """Subtract a link from the pending ones of its host; release the host when half are answered."""
        if link in self.postponed:
            return
        columns, host = self.frontier.hosts.columns, int(self.frontier.columns["host"][link])
        columns["asked"][host] -= 1
        if columns["held"][host] & BUSY and self._has_slot(host, self.ahead and self.ahead // 2 + 1):
            self.frontier.release(host)

    def _has_slot(self, host: int, ahead: int | None) -> bool:
        """Whether one more link of this host may be asked: fewer than `ahead` pending, not closed, not full."""
        columns = self.frontier.hosts.columns
        asked, most = int(columns["asked"][host]), self.scope.max_per_host
        if columns["closed"][host] or (ahead is not None and asked >= ahead):
            return False
        return most is None or asked + int(columns["fetched"][host]) < most

    def _is_full(self, url: str) -> bool:
        """Whether `max_per_host` pages of the host of `url` have been fetched."""
        if self.scope.max_per_host is None:
            return False
        host = self.frontier.hosts.number(host_of(url))
        return host is not None and self.frontier.hosts.columns["fetched"][host] >= self.scope.max_per_host

    @property
    def waiting(self) -> int:
        """Number of known links that are neither asked nor settled."""
        return self.frontier.waiting


def _logged_reason(logged: Visit) -> str | None:
    """Why the log has not taken a page that was fetched."""
    return None if logged.fetched else logged.error or OUT_OF_SCOPE


def _scope_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Those of some settings that belong to the scope."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in settings.items()
        if name in SCOPE
    }


def _with_blank_texts(page: Page) -> Page:
    """A stored page of which only the links are left, with texts and positions for each, all empty."""
    count = len(page.links.urls)
    blank, zeros = [""] * count, bytes(4 * count)
    links = Links(page.links.urls, blank, blank, zeros, zeros, page.links.flags)
    return msgspec.structs.replace(page, links=links)


def _without_page(outcome: Outcome, error: str) -> Outcome:
    return Outcome(outcome.url, outcome.status, outcome.size, error)
