"""The crawl itself, without input or output: `ask` for the next link, `tell` its outcome.

The state of a `Crawl` depends only on its arguments and the sequence of calls, so a stored log replays to the same
crawl. `live.py` drives it over sockets, experiments over a recorded web: both run the same code.

The log decides what happened, not the algorithm: `replay` follows the choices and visits of the log and only counts
where this version, on this machine, would have decided otherwise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import msgspec
import numpy as np

from topicrawl.crawling.entering import accept, drop_trapped, enter_links, enter_more, store_peeked
from topicrawl.crawling.host_slots import HostSlots
from topicrawl.crawling.instructions import NoPast, Past, carry_out
from topicrawl.crawling.letters import Post, hand_over, take_letters, tell_owners
from topicrawl.crawling.replay import Agreement, repeat
from topicrawl.crawling.revisits import Revisits
from topicrawl.crawling.verdicts import Verdicts, revisited, visited
from topicrawl.frontier import ASKED, FAILED, OUTSIDE, PEEKED, VISITED, Frontier, Ids
from topicrawl.frontier.scope import Scope, hosts_of
from topicrawl.frontier.traps import Traps
from topicrawl.judge import Judge, OwnJudge, Seen
from topicrawl.judge.terms import ByTerms
from topicrawl.model import (
    DEADLINE,
    NOT_RENDERED,
    QUIET,
    Accepted,
    Ask,
    Event,
    Instruction,
    Learned,
    Outcome,
    Page,
    Received,
    Revisit,
    Topic,
    Turn,
    Turned,
    Visit,
)
from topicrawl.page.context import spans
from topicrawl.page.relevance import PageRelevance
from topicrawl.strategies import Choice, Observation, Strategy, is_query
from topicrawl.urls import host as host_of
from topicrawl.urls import site as site_of

NO_LINKS: Ids = np.empty(0, dtype=np.int64)
DIGITS = 9
"""Decimals of relevance and priority in the log."""
EXAMPLE_DEPTH = 1
"""An example page counts as one link away from a seed: it was chosen for its text, not as a start."""
UNAVAILABLE = frozenset({"retry-later", "robots-unreachable"})
"""Errors that close a host: it asked for a pause, and the wait for it took too long."""
MOST_LEADS = 10
"""Links to one page whose anchors are kept for a judge from outside."""
OUT_OF_SCOPE = "scope"
"""The error of a visit that the scope excludes."""
ELSEWHERE = "elsewhere"
"""The error of a visit that a redirect led to the site of another shard, which gets the page."""


@dataclass
class Tally:
    """Counts of the crawl so far."""

    visits: int = 0
    fetched: int = 0
    relevant: int = 0
    failed: int = 0
    needs_script: int = 0
    """Pages with almost no text without JavaScript that were not rendered."""
    bytes: int = 0
    rendered: int = 0
    """Pages that a browser rendered."""
    cut_short: int = 0
    """Those of them that were still changing when their time was over."""
    not_rendered: int = 0
    """Pages that a browser could not render: they count as they came."""


@dataclass
class Crawl:
    """A focused crawl as a deterministic state machine.

    `ahead` is how many links of one host may be pending (host_slots.py).
    """

    not_stored: ClassVar[tuple[str, ...]] = ("past", "learn_later")
    """No state (state.py)."""

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
    judges_again: bool = False
    """Whether a replay asks our own judge again, to compare its word with the logged one."""
    paused: bool = False
    """Whether a person said to ask for nothing."""
    post: Post | None = None
    """The letters of a shard; None for a crawl of all sites."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.rng_seed)
        self._relevance = PageRelevance(self.topic)
        self.peeked: dict[int, Observation] = {}
        self.selected: int | None = None
        """While replaying: the peeked link that the strategy selected just now."""
        self.logs_accepted = False
        """While replaying: whether the log tells which peeked pages were accepted (topicrawl 0.1 did not)."""
        self.renumbered: dict[int, int] = {}
        """While replaying: links that the log numbers otherwise."""
        self._revisited: set[int] = set()
        """Pending links that are asked anew."""
        self.revisits: Revisits | None = None
        """What a watch knows of the pages; None before its first turn."""
        self.accepted: list[Accepted] = []
        """The peeked pages that the strategy took at the last `tell`, to be logged with it."""
        self.asks_outside = not isinstance(self.judge, OwnJudge)
        self.learn_later: Callable[[Seen, bool | None], None] | None = None
        """Set by a driver that calls the judge in another thread, where it also learns."""
        self._leads: dict[int, list[tuple[str, str]]] = {}
        """For a judge from outside: anchors and contexts of each link that is not answered."""
        self.verdicts = Verdicts(self.frontier.allocator)
        self.seed_hosts = hosts_of(self.seeds)
        self.slots = HostSlots(self.frontier, self.ahead, self.scope.max_per_host)
        self.strategy.judge = self.judge
        ids = self.add_links(list(dict.fromkeys(self.seeds)), depth=0, parent=-1)
        self.strategy.start(self.topic, self.frontier, ids, self.rng)
        self.shown = self.enter_examples(self.topic.examples)
        """Example pages whose links are in the frontier from the start."""
        for page in self.shown:
            self.observe_example(page)

    def ask(self) -> Ask | None:
        """The strategy's next link; None if there is none now, or if no links are pending, none at all."""
        choice = self.strategy.choose(self.frontier, self.rng)
        if choice is None:
            return None
        ask = self.ask_of(choice)
        self.expect(ask)
        return ask

    @property
    def at_once(self) -> float:
        """How many fetches the strategy would have in flight now, at most."""
        most = self.strategy.at_once(self.tally.fetched)
        return math.inf if most is None else most

    def ask_next(self) -> tuple[Ask, Ask | Revisit] | None:
        """What to fetch next, with the event to log: in a turn of a watch a known page, or the strategy's next link."""
        revisit = self.revisits.next(self) if self.revisits else None
        if revisit is None:
            ask = self.ask()
            if ask is not None:
                return ask, ask
            revisit = self.revisits.next(self, only=True) if self.revisits else None
        again = None if revisit is None else self.revisit(revisit)
        return None if again is None or revisit is None else (again, revisit)

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
        self._stop_waiting(ask.link)
        self._count(link, visit, outcome.page)
        if self.traps and self.traps.tell(visit, outcome):
            drop_trapped(self, site_of(host_of(ask.url)))
        seen = Observation(link, visit, outcome, NO_LINKS, walker=ask.walker, peek=ask.peek)
        if outcome.page is not None:
            seen = (store_peeked if ask.peek else enter_links)(self, seen, outcome.page)
        self.selected = self.strategy.observe(seen, self.frontier, self.rng)
        self.tell_owners(seen)
        if self.verdicts and visit.fetched:
            visited(self, visit, link, outcome.page)
        if self.revisits is not None:
            self.revisits.tell_new(self, link, visit, outcome)
        if logged is None or not self.logs_accepted:
            while self.selected is not None:
                accept(self, self.selected)
        return visit

    def seen(self, link: int, outcome: Outcome) -> Seen | None:
        """The page of an outcome as a judge sees it; None if there is no page. It changes nothing."""
        if outcome.page is None:
            return None
        by_terms = self._relevance(outcome.counts) if outcome.counts else 0.0
        leads = self._leads.get(link, [])
        return Seen(
            outcome.page,
            by_terms,
            tuple(anchor for anchor, _ in leads),
            tuple(words for _, words in leads),
            is_seed=bool(self.frontier.columns["depth"][link] == 0),
        )

    def teach(self, seen: Seen, verdict: bool | None) -> None:
        """Have the judge learn a page, and a person's verdict on it."""
        (self.learn_later or self.judge.learn)(seen, verdict)

    def teach_marks(self, verdicts: Sequence[tuple[Seen, bool | None]]) -> None:
        """Have the judge learn what a person said of pages; None: a verdict was taken back."""
        if isinstance(self.judge, OwnJudge):
            self.judge.mark(verdicts)
            return
        for seen, verdict in verdicts:
            self.teach(seen, verdict)

    def postpone(self, link: int) -> bool:
        """Do not count a pending link towards `ahead` any more; False if it was not counted anyway."""
        if link in self.postponed or link not in self.pending:
            return False
        self.slots.remove(link)
        self.postponed.add(link)
        return True

    def instruct(self, instruction: Instruction) -> None:
        """Do what a person said (instructions.py). Pending links that it puts out of scope are in `withdrawn`."""
        carry_out(self, instruction)

    def withdrawn(self) -> list[Ask]:
        """The pending links that are out of scope by now, in the order asked."""
        return [ask for ask in self.pending.values() if self.is_outside(ask.link)]

    def receive(self, received: Received) -> list[tuple[Ask, Outcome]]:
        """Enter what another shard found and is in scope; returns the pages that it handed over, to be told now."""
        if received.letters:
            return take_letters(self, received)
        entered = list[int]()
        for found in received.links:
            if self.frontier.number(found.url) is None and not self.refusal(found.url, found.depth):
                link = self.frontier.add([found.url], found.depth, -1)
                self.frontier.contained(link, found.relevance)
                entered += link.tolist()
        self.strategy.enter(np.array(entered, dtype=np.int64), self.frontier, self.rng)
        return []

    def add_links(self, urls: list[str], depth: int, parent: int) -> Ids:
        """Add links, all unknown so far; those of sites that other shards crawl do not wait."""
        links = self.frontier.add(urls, depth, parent)
        if self.post is not None:
            mine = np.array(list(map(self.post.is_mine, urls)), dtype=np.bool_)
            self.frontier.leave(links[~mine])
        return links

    def take_model(self, learned: Learned) -> None:
        """Use a model that was fitted elsewhere."""
        if learned.model == "strategy":
            self.strategy.take_model(learned.data, self.frontier)
        elif learned.model == "judge" and (load := getattr(self.judge, "load", None)):
            load(learned.data)

    def revisit(self, revisit: Revisit) -> Ask | None:
        """Ask for a known page anew; the strategy is not asked. None if it is unknown or pending."""
        link = self.frontier.number(revisit.url)
        if link is None or link in self.pending:
            return None
        ask = Ask(link, revisit.url, priority=0.0, depth=int(self.frontier.columns["depth"][link]))
        self._revisited.add(link)
        self.expect(ask)
        return ask

    def turn(self, turn: Turn | Turned) -> None:
        """Begin a turn of a watch, or end it."""
        if isinstance(turn, Turn):
            self.revisits = self.revisits or Revisits(self, turn)
            self.revisits.begin(self, turn)
        elif self.revisits is not None:
            self.revisits.end()

    def replay(self, event: Event) -> None:
        """Repeat one event of a stored log (replay.py). Where this version differs is counted in `agreement`."""
        repeat(self, event)

    def _compare(self, own: Visit, logged: Visit) -> Visit:
        """The logged visit; counts whether this version's is the same."""
        self.agreement.visits += 1
        if logged.term_relevance is None:
            own = msgspec.structs.replace(own, term_relevance=None)
        if own != logged:
            self.agreement.other_visits += 1
            self.agreement.differ(f"visit {logged.n} ({logged.url}) replays differently")
        return logged

    def ask_of(self, choice: Choice) -> Ask:
        link, columns = choice.link, self.frontier.columns
        return Ask(
            link=link,
            url=self.frontier.urls[link],
            priority=round(float(columns["priority"][link]), DIGITS) + 0.0,  # no −0
            depth=int(columns["depth"][link]),
            walker=choice.walker,
            peek=choice.peek,
        )

    def expect(self, ask: Ask) -> None:
        """Settle a link as asked, and wait for its outcome."""
        self.frontier.settle(ask.link, ASKED)
        self.pending[ask.link] = ask
        self.slots.add(ask.link)
        if self.revisits is not None:
            self.revisits.asked(ask.link, anew=ask.link in self._revisited)

    def refusal(self, url: str, depth: int) -> str | None:
        """Why scope, traps or a person exclude a link at this depth, or None."""
        if self.verdicts.refuses(url):
            return "you said it is irrelevant"
        if self.traps and self.traps.refuses(url):
            return "a part of its site that had nothing new to say"
        return self.scope.refusal(url, depth, self.seed_hosts)

    def may_redirect_to(self, url: str) -> bool:
        """Whether a redirect to a URL may be followed. A page at its end must be in scope in all respects."""
        return self.scope.is_passable(url, self.seed_hosts)

    def enter_examples(self, examples: Sequence[Page]) -> list[Page]:
        """The examples that the strategy starts from, entered as visited pages without a fetch or a log line.

        Left out are those without URL or links, those outside the scope, and seeds, which are fetched.
        """
        if not self.strategy.from_examples:
            return []
        pages = {page.url: page for page in examples if page.url and page.links.urls}
        wanted = [url for url in pages if not self.scope.refusal(url, EXAMPLE_DEPTH, self.seed_hosts)]
        shown = [url for url in wanted if self.frontier.number(url) is None]
        for link in self.frontier.add(shown, depth=EXAMPLE_DEPTH, parent=-1).tolist():
            self.frontier.settle(link, VISITED)
        return [pages[url] for url in shown]

    def observe_example(self, page: Page) -> None:
        """Add the links of an example and pass it to the strategy."""
        link, outcome = self.frontier.number(page.url), Outcome(page.url, page=page)
        assert link is not None
        ask = Ask(link, page.url, priority=0.0, depth=EXAMPLE_DEPTH)
        visit = self._visit(ask, outcome, Seen(page, 1.0), 1.0)
        seen = enter_links(self, Observation(link, visit, outcome, NO_LINKS), page)
        self.strategy.show(seen, self.frontier)

    def _settle_final(self, ask: Ask, outcome: Outcome, logged: Visit | None) -> tuple[int, Outcome]:
        """Settle the link and its redirect target; a page is counted once, under its final URL."""
        if outcome.page is None:
            if self.frontier.columns["state"][ask.link] == ASKED:
                self.frontier.settle(ask.link, _state_without_page(outcome))
            return ask.link, outcome
        link = self.frontier.number(outcome.url)
        reason = self._reason_to_drop(ask, outcome.url, link) if logged is None else _logged_reason(logged)
        if reason == ELSEWHERE:
            hand_over(self, ask, outcome)
        if reason in {OUT_OF_SCOPE, ELSEWHERE}:
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
        if self.slots.is_full(url) or (link is None and self.refusal(url, ask.depth)):
            return OUT_OF_SCOPE
        if self.post is not None and not self.post.is_mine(url):
            return ELSEWHERE
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
        self._stop_waiting(ask.link)
        self._count(ask.link, visit, outcome.page, again=True)
        if outcome.page is not None:
            seen = Observation(ask.link, self.verdicts.revised(visit), outcome, NO_LINKS)
            enter_more(self, seen, outcome.page)
        if self.verdicts and visit.fetched:
            revisited(self, ask.link, visit.relevance)
        if self.revisits is not None:
            self.revisits.tell_anew(self, ask.link, visit, outcome)
        return visit

    def _stop_waiting(self, link: int) -> None:
        """Subtract an answered link from the pending ones of its host."""
        if link in self.postponed:
            self.postponed.discard(link)
        else:
            self.slots.remove(link)

    def _judged(self, seen: Seen | None, logged: Visit | None, said: float | None) -> float:
        """What the judge says of a page, or has said. Replay takes the logged word, unless it `judges_again`."""
        if seen is None or self._is_query(seen.page, logged):
            return 0.0
        if said is not None:
            return said
        if logged is not None and (self.asks_outside or not self.judges_again):
            return logged.relevance
        return self.judge.judge([seen])[0]

    def _is_query(self, page: Page, logged: Visit | None) -> bool:
        """Whether a page is the query of a crawl by example; logs of topicrawl 0.2 and before gave it a relevance."""
        asked = is_query(page.url, page.text, self.strategy.queries(self.topic))
        return asked and (logged is None or not logged.relevance)

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

    def _count(self, link: int, visit: Visit, page: Page | None, *, again: bool = False) -> None:
        tally = self.tally
        tally.visits += 1
        tally.bytes += visit.bytes
        tally.fetched += visit.fetched
        tally.failed += not visit.fetched
        if page is not None:
            tally.needs_script += page.needs_script
            tally.rendered += page.rendered in (QUIET, DEADLINE)
            tally.cut_short += page.rendered == DEADLINE
            tally.not_rendered += page.rendered == NOT_RENDERED
        tally.relevant += visit.fetched and visit.relevance > self.threshold
        if visit.fetched:
            self.verdicts.add(link, visit.relevance)
        columns, host = self.frontier.hosts.columns, int(self.frontier.columns["host"][link])
        columns["fetched"][host] += visit.fetched
        columns["again"][host] += visit.fetched and again
        columns["failed"][host] += not visit.fetched
        columns["relevance_sum"][host] += visit.relevance
        columns["closed"][host] |= visit.error in UNAVAILABLE
        self.slots.hold_if_full(host)

    def tell_owners(self, seen: Observation) -> None:
        """Send the links of a page to the shards of their sites."""
        if self.post is not None and seen.outcome.page is not None and not seen.peek:
            tell_owners(self, seen, seen.outcome.page)

    def keep_leads(self, rows: Sequence[int], page: Page) -> None:
        """Keep anchor and context of the links that wait or are asked, of their first occurrences."""
        states = self.frontier.columns["state"]
        starts, ends = (places.tolist() for places in spans(page))
        for row, link in enumerate(rows):
            if link < 0 or states[link] > ASKED:
                continue
            lead = page.links.anchors[row], page.text[starts[row] : ends[row]]
            if any(lead) and len(leads := self._leads.setdefault(link, [])) < MOST_LEADS:
                leads.append(lead)

    def is_outside(self, link: int) -> bool:
        """Whether a known link is out of scope."""
        url, depth = self.frontier.urls[link], int(self.frontier.columns["depth"][link])
        return bool(self.scope.refusal(url, depth, self.seed_hosts))

    @property
    def waiting(self) -> int:
        """Number of known links that are neither asked nor settled."""
        return self.frontier.waiting


def _logged_reason(logged: Visit) -> str | None:
    """Why the log has not taken a page that was fetched."""
    return None if logged.fetched else logged.error or OUT_OF_SCOPE


def _state_without_page(outcome: Outcome) -> int:
    """The state of a link that led to no page: withdrawn by a person, redirected out of the scope, or failed."""
    if outcome.error != OUT_OF_SCOPE:
        return FAILED
    return VISITED if outcome.status else OUTSIDE


def _without_page(outcome: Outcome, error: str) -> Outcome:
    return Outcome(outcome.url, outcome.status, outcome.size, error)
