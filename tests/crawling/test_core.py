"""The pure machine: identities, redirects, scope, nofollow, and replay that notices a changed log."""

from __future__ import annotations

import msgspec
import pytest

from contracts.small_web import TOPIC
from topicrawl.crawling.core import Crawl
from topicrawl.errors import ReplayError
from topicrawl.frontier.scope import Scope
from topicrawl.model import (
    NOFOLLOW,
    Accepted,
    Ask,
    Instruction,
    Links,
    Outcome,
    Page,
    Postponed,
    TermCounts,
    Told,
    pack_ints,
)
from topicrawl.strategies.registry import make_strategy


def crawl(*seeds: str, strategy: str = "ops", **settings: object) -> Crawl:
    return Crawl(TOPIC, make_strategy(strategy), seeds, **settings)  # type: ignore[arg-type]


def page(
    url: str, *links: str, flags: bytes | None = None, words: tuple[int, ...] = (), **facts: object
) -> Outcome:
    """A page with links; `words` gives one topic term per link anchor, −1 for none."""
    rows = [row for row, term in enumerate(words) if term >= 0]
    counts = TermCounts(
        terms=pack_ints([0]),
        groups=pack_ints([1, 0, 0, 2, 0]),
        anchor_rows=pack_ints(rows),
        anchor_terms=pack_ints([words[row] for row in rows]),
        anchor_counts=pack_ints([1] * len(rows)),
        length=10,
    )
    blank = [""] * len(links)
    columns = Links(
        list(links), blank, blank, bytes(4 * len(links)), bytes(4 * len(links)), flags or bytes(len(links))
    )
    return Outcome(url, 200, 500, page=Page(url, title="T", links=columns, **facts), counts=counts)  # type: ignore[arg-type]


def step(machine: Crawl, outcome: Outcome | None = None) -> Told:
    ask = machine.ask()
    assert ask is not None
    outcome = outcome or Outcome(ask.url, 404, error="http")
    return Told(ask, outcome, machine.tell(ask, outcome))


def test_a_visit_carries_where_it_came_from_and_what_it_is_worth() -> None:
    machine = crawl("http://a.test/")
    step(machine, page("http://a.test/", "http://b.test/x", words=(0,)))
    visit = step(machine, page("http://b.test/x")).visit
    assert (visit.n, visit.host, visit.depth, visit.parent) == (2, "b.test", 1, "http://a.test/")
    assert visit.fetched
    assert 0 < visit.relevance <= 1
    assert 0 < visit.priority <= 1


def test_links_with_better_anchors_come_first() -> None:
    machine = crawl("http://a.test/")
    step(
        machine,
        page("http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/", words=(-1, 2, 0)),
    )
    assert [step(machine).visit.asked for _ in range(3)] == [
        "http://d.test/",
        "http://c.test/",
        "http://b.test/",
    ]


def test_a_link_seen_again_on_a_dull_page_falls_back() -> None:
    machine = crawl("http://a.test/", "http://dull.test/")
    step(machine, page("http://a.test/", "http://b.test/", "http://c.test/"))
    dull = page("http://dull.test/", "http://b.test/")
    step(machine, msgspec.structs.replace(dull, counts=TermCounts(length=5)))
    assert step(machine).visit.asked == "http://c.test/"


def test_a_redirect_is_known_by_where_it_led() -> None:
    machine = crawl("http://old.test/", "http://new.test/")
    visit = step(machine, page("http://new.test/")).visit
    assert (visit.asked, visit.url, visit.host) == ("http://old.test/", "http://new.test/", "new.test")
    assert machine.ask() is None, "the place it led to is not fetched again"


def test_two_links_in_flight_to_one_page_count_once() -> None:
    machine = crawl("http://a.test/", "http://b.test/")
    first, second = machine.ask(), machine.ask()
    assert isinstance(first, Ask)
    assert isinstance(second, Ask)
    assert machine.tell(first, page("http://b.test/")).fetched
    again = machine.tell(second, page("http://b.test/"))
    assert (again.fetched, again.error) == (False, "duplicate")
    assert machine.tally.fetched == 1


def test_a_redirect_out_of_scope_is_not_counted() -> None:
    machine = crawl("http://a.test/", scope=Scope(allow_domain=("a.test",)))
    visit = step(machine, page("http://elsewhere.test/", "http://a.test/more")).visit
    assert (visit.fetched, visit.error) == (False, "scope")
    assert machine.ask() is None


def test_a_link_whose_redirect_was_not_followed_is_not_asked_again_when_the_scope_changes() -> None:
    machine = crawl("http://a.test/", scope=Scope(allow_domain=("a.test",)))
    visit = step(machine, Outcome("http://a.test/", 302, error="scope")).visit
    assert (visit.fetched, visit.error, visit.status) == (False, "scope", 302)
    machine.instruct(Instruction(settings={"allow_domain": []}))
    assert machine.ask() is None


def test_nofollow_links_and_pages_are_respected_unless_told_otherwise() -> None:
    outcome = page("http://a.test/", "http://b.test/", "http://c.test/", flags=bytes([NOFOLLOW, 0]))
    polite, bold = crawl("http://a.test/"), crawl("http://a.test/", scope=Scope(follow_nofollow=True))
    step(polite, outcome)
    step(bold, outcome)
    assert polite.waiting == 1
    assert bold.waiting == 2
    whole = crawl("http://a.test/")
    step(whole, page("http://a.test/", "http://b.test/", nofollow=True))
    assert whole.waiting == 0


def test_links_too_deep_are_left_out() -> None:
    machine = crawl("http://a.test/", scope=Scope(max_depth=1))
    step(machine, page("http://a.test/", "http://b.test/"))
    step(machine, page("http://b.test/", "http://c.test/"))
    assert machine.ask() is None


def test_a_page_that_links_to_itself_is_not_its_own_parent() -> None:
    machine = crawl("http://a.test/", strategy="bfs")
    step(machine, page("http://a.test/", "http://a.test/", "http://b.test/"))
    assert machine.frontier.columns["parents_count"].tolist() == [0, 1]


def test_the_log_decides_where_replaying_would_choose_otherwise() -> None:
    machine = crawl("http://a.test/", "http://b.test/")
    own = machine.ask()
    assert own is not None
    logged = msgspec.structs.replace(own, link=7, url="http://b.test/")
    other = crawl("http://a.test/", "http://b.test/")
    other.replay(logged)
    assert [ask.url for ask in other.pending.values()] == ["http://b.test/"]
    assert other.agreement.other_choices == 1
    assert "http://a.test/ would be chosen" in other.agreement.first
    assert other.ask() == own, "what it chose itself is still there"


def test_a_logged_link_that_replaying_does_not_know_is_entered_with_its_depth() -> None:
    machine = crawl("http://a.test/")
    machine.replay(Ask(5, "http://new.test/", priority=0.25, depth=3, walker=9))
    [ask] = machine.pending.values()
    assert (ask.url, ask.depth, ask.priority, ask.walker) == ("http://new.test/", 3, 0.25, 9)


def test_the_logged_visit_wins() -> None:
    machine = crawl("http://a.test/", "http://b.test/")
    ask = machine.ask()
    assert ask is not None
    visit = machine.tell(ask, page(ask.url, "http://c.test/"))
    changed = msgspec.structs.replace(visit, relevance=0.75, priority=0.5, title="another")
    dropped = msgspec.structs.replace(visit, fetched=False, error="duplicate")
    other, third = crawl("http://a.test/", "http://b.test/"), crawl("http://a.test/", "http://b.test/")
    for again, logged in ((other, changed), (third, dropped)):
        again.replay(ask)
        again.replay(Told(ask, page(ask.url, "http://c.test/"), logged))
        assert again.agreement.other_visits == 1
        assert "visit 1" in again.agreement.first
    assert other.frontier.columns["parents_sum"].max() == 0.75
    assert other.tally.relevant == 1
    assert third.tally.fetched == 0
    assert third.frontier.number("http://c.test/") is None


def test_a_postponed_link_of_0_1_is_found_by_the_number_that_the_log_gave_it() -> None:
    machine = crawl("http://a.test/", "http://b.test/")
    machine.replay(Ask(7, "http://b.test/", priority=0.5, depth=0))
    machine.replay(Postponed(7))
    assert [machine.frontier.urls[link] for link in machine.postponed] == ["http://b.test/"]


def test_a_logged_acceptance_of_a_page_that_is_not_peeked_at_now_is_a_difference_only() -> None:
    machine = crawl("http://a.test/")
    machine.replay(Accepted("http://a.test/"))
    assert "accepts http://a.test/" in machine.agreement.first


def test_an_answer_to_a_link_that_was_not_asked_is_damage() -> None:
    machine = crawl("http://a.test/", "http://b.test/")
    ask = machine.ask()
    assert ask is not None
    told = Told(ask, page(ask.url), machine.tell(ask, page(ask.url)))
    with pytest.raises(ReplayError, match="was not asked"):
        crawl("http://a.test/", "http://b.test/").replay(told)


def test_seeds_given_twice_are_fetched_once() -> None:
    machine = crawl("http://a.test/", "http://a.test/")
    step(machine)
    assert machine.ask() is None


def test_a_page_counts_for_the_host_where_redirects_led() -> None:
    machine = crawl("http://a.test/1", "http://b.test/1", "http://b.test/2", scope=Scope(max_per_host=1))
    assert step(machine, page("http://b.test/9")).visit.fetched
    assert machine.ask() is None, "b.test has given its one page"


def test_a_redirect_to_a_full_host_is_out_of_scope() -> None:
    machine = crawl("http://a.test/1", "http://b.test/1", "http://c.test/", scope=Scope(max_per_host=1))
    asks = [machine.ask() for _ in range(3)]
    told = [machine.tell(ask, page("http://b.test/" + ask.url[-2])) for ask in asks if ask]
    assert [visit.fetched for visit in told] == [True, False, False]
    assert told[1].error == "scope"


def test_a_host_that_wants_to_be_left_alone_is_left_alone_and_keeps_its_links() -> None:
    machine = crawl("http://a.test/1", "http://a.test/2", "http://b.test/")
    ask = machine.ask()
    assert ask is not None
    machine.tell(ask, Outcome(ask.url, 429, error="retry-later"))
    assert step(machine).visit.asked == "http://b.test/"
    assert machine.ask() is None
    assert machine.waiting == 1


def test_pages_that_need_javascript_are_counted() -> None:
    machine = crawl("http://a.test/")
    step(machine, page("http://a.test/", needs_script=True))
    assert machine.tally.needs_script == 1
