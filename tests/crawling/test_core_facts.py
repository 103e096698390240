"""What the pure machine counts, enters and rounds: one fact a test, worked out beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import msgspec
import pytest

from contracts.small_web import TOPIC
from crawling.test_core import crawl, page, step
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import FAILED, OUTSIDE, VISITED, Frontier
from topicrawl.frontier.scope import Scope
from topicrawl.judge import OwnJudge, Seen
from topicrawl.model import (
    DEADLINE,
    NOFOLLOW,
    NOT_RENDERED,
    QUIET,
    Ask,
    Found,
    Learned,
    Links,
    Outcome,
    Page,
    Received,
    Revisit,
    Told,
    Visit,
)
from topicrawl.strategies.bfs import BreadthFirst
from topicrawl.strategies.registry import make_strategy

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


def ask_of(machine: Crawl) -> Ask:
    ask = machine.ask()
    assert ask is not None
    return ask


def told(machine: Crawl, outcome: Outcome, relevance: float) -> Visit:
    return machine.tell(ask_of(machine), outcome, said=relevance)


def test_every_visit_is_counted_once_by_what_came_of_it() -> None:
    machine = crawl(A, B, C, strategy="bfs", threshold=0.5)
    told(machine, page(A), 0.6)
    told(machine, page(B, needs_script=True), 0.5)
    told(machine, Outcome(C, 404, 70, error="http"), 0.0)
    assert asdict(machine.tally) == {
        "visits": 3, "fetched": 2, "relevant": 1, "failed": 1, "needs_script": 1, "bytes": 1070,
        "rendered": 0, "cut_short": 0, "not_rendered": 0,
    }  # fmt: skip


def test_a_new_crawl_has_counted_nothing() -> None:
    assert set(asdict(crawl(A).tally).values()) == {0}
    assert (crawl(A).agreement.choices, crawl(A).agreement.visits) == (0, 0)


def test_each_host_has_its_pages_failures_and_relevance() -> None:
    machine = crawl("http://a.test/1", "http://a.test/2", "http://a.test/3", B, strategy="bfs")
    told(machine, page("http://a.test/1"), 0.25)
    told(machine, page("http://a.test/2"), 0.5)
    told(machine, Outcome("http://a.test/3", 500, error="http"), 0.0)
    hosts = machine.frontier.hosts
    row = hosts.number("a.test")
    assert row is not None
    assert [float(hosts.columns[name][row]) for name in ("fetched", "failed", "relevance_sum")] == [
        2,
        1,
        0.75,
    ]
    assert not hosts.columns["closed"][row]
    assert not hosts.columns["fetched"][hosts.number("b.test")]


@pytest.mark.parametrize("error", ["retry-later", "robots-unreachable"])
def test_a_host_stays_closed_whatever_comes_of_links_in_flight(error: str) -> None:
    machine = crawl("http://a.test/1", "http://a.test/2", "http://a.test/3")
    first, second = ask_of(machine), ask_of(machine)
    machine.tell(first, Outcome(first.url, 429, error=error))
    machine.tell(second, page(second.url))
    assert machine.ask() is None
    assert machine.waiting == 1


def test_a_failed_visit_has_no_relevance_and_no_title() -> None:
    visit = step(crawl(A)).visit
    assert (visit.relevance, visit.term_relevance, visit.title, visit.bytes) == (0.0, 0.0, "", 0)
    assert (visit.fetched, visit.error, visit.status, visit.parent, visit.depth) == (
        False,
        "http",
        404,
        None,
        0,
    )


def test_relevance_and_priority_have_nine_decimals() -> None:
    machine = crawl(A, strategy="ops")
    assert told(machine, page(A, B), 1 / 3).relevance == 0.333333333
    assert ask_of(machine).priority == pytest.approx(1 / 6, abs=1e-9)
    assert len(str(machine.pending[1].priority)) == len("0.166666667")


def test_what_was_fetched_failed_or_lies_outside_is_settled_so() -> None:
    machine = crawl(A, B, C, strategy="bfs")
    step(machine, page(A))
    step(machine, Outcome(B, 404, error="http"))
    step(machine, Outcome(C, 0, error="scope"))
    assert machine.frontier.columns["state"].tolist() == [VISITED, FAILED, OUTSIDE]


def test_a_redirect_has_the_depth_and_parent_of_the_link_that_led_there() -> None:
    machine = crawl(A, strategy="bfs")
    step(machine, page(A, B))
    step(machine, page(C, "http://d.test/"))
    number = machine.frontier.number(C)
    assert number is not None
    assert machine.frontier.columns["depth"][number] == 1
    assert machine.frontier.columns["parent"][number] == 0
    assert machine.frontier.columns["state"].tolist()[:3] == [VISITED] * 3, (
        "the link asked for is answered too"
    )
    assert ask_of(machine).depth == 2


def test_a_redirect_to_a_page_that_waits_takes_its_place() -> None:
    machine = crawl(A, B, strategy="bfs")
    assert step(machine, page(B)).visit.fetched
    assert machine.ask() is None


def test_the_links_of_a_page_are_one_deeper_and_each_is_entered_once() -> None:
    machine = crawl(A, strategy="bfs")
    step(machine, page(A, B, C, B, A))
    assert machine.frontier.urls[:] == [A, B, C]
    assert machine.frontier.columns["depth"].tolist() == [0, 1, 1]
    assert machine.frontier.columns["parents_count"].tolist() == [0, 1, 1]
    assert machine.frontier.graph.targets(0).tolist() == [1, 2]
    assert machine.frontier.graph.out_degree(0) == 3, "its own link counts where links are shared out"


def test_links_of_another_shard_are_entered_with_depth_and_relevance_if_in_scope_and_unknown() -> None:
    machine = crawl(A, strategy="ops", scope=Scope(max_depth=3))
    known = len(machine.frontier)
    machine.receive(
        Received(
            "other",
            [
                Found(A, 1, relevance=0.9),
                Found(B, 3, relevance=0.5),
                Found(C, 4, relevance=0.7),
                Found("http://d.test/", 2, relevance=0.25),
            ],
        )
    )
    entered = range(known, len(machine.frontier))
    assert [machine.frontier.urls[link] for link in entered] == [B, "http://d.test/"]
    assert machine.frontier.columns["depth"][entered].tolist() == [3, 2]
    assert machine.frontier.parents_mean(entered).tolist() == [0.5, 0.25]


class Modelled(BreadthFirst):
    """Breadth first, with a model."""

    model = b""

    def take_model(self, data: bytes, frontier: Frontier) -> None:
        self.model = data


@dataclass
class Saying(OwnJudge):
    """A judge that says the same of every page, and has a model."""

    word: float
    model: bytes = b""
    learned: int = 0

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        return [self.word] * len(seen)

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        self.learned += 1

    def load(self, data: bytes) -> None:
        self.model = data


def test_a_model_goes_to_the_part_that_it_is_for() -> None:
    strategy, judge = Modelled(), Saying(0.5)
    machine = Crawl(TOPIC, strategy, [A], judge=judge)
    machine.take_model(Learned("strategy", b"one"))
    assert (strategy.model, judge.model) == (b"one", b"")
    machine.take_model(Learned("judge", b"two"))
    assert (strategy.model, judge.model) == (b"one", b"two")


def test_a_judge_learns_every_page_and_no_failure() -> None:
    judge = Saying(0.5)
    machine = Crawl(TOPIC, BreadthFirst(), [A, B], judge=judge)
    step(machine, page(A))
    step(machine)
    assert judge.learned == 1


@pytest.mark.parametrize(("again", "differ"), [(False, 0), (True, 1)])
def test_a_replay_takes_the_logged_word_unless_it_judges_again(*, again: bool, differ: int) -> None:
    first = Crawl(TOPIC, BreadthFirst(), [A], judge=Saying(0.5))
    told = step(first, page(A))
    other = Crawl(TOPIC, BreadthFirst(), [A], judge=Saying(0.75), judges_again=again)
    other.replay(told.ask)
    other.replay(told)
    assert other.agreement.visits == 1
    assert other.agreement.other_visits == differ
    assert other.frontier.hosts.columns["relevance_sum"][0] == 0.5, "the log decides"


def test_visits_of_a_log_without_term_relevance_agree() -> None:
    told = step(crawl(A), page(A))
    logged = msgspec.structs.replace(told.visit, term_relevance=None)
    other = crawl(A)
    other.replay(told.ask)
    other.replay(Told(told.ask, told.outcome, logged))
    assert (other.agreement.visits, other.agreement.exact) == (1, True)


def test_a_page_asked_anew_frees_its_host_when_it_is_answered() -> None:
    machine = crawl("http://a.test/1", "http://a.test/2", strategy="bfs", ahead=1)
    step(machine, page("http://a.test/1"))
    again = machine.revisit(Revisit("http://a.test/1", 0.0))
    assert again is not None
    assert machine.revisit(Revisit("http://a.test/1", 0.0)) is None, "it is pending"
    assert machine.revisit(Revisit(C, 0.0)) is None, "it is unknown"
    assert machine.ask() is None, "one of its host is in flight"
    machine.tell(again, page("http://a.test/1", B))
    assert {ask_of(machine).url, ask_of(machine).url} == {"http://a.test/2", B}
    assert (machine.tally.visits, machine.tally.fetched) == (2, 2)


def test_a_postponed_link_frees_its_host_once() -> None:
    machine = crawl("http://a.test/1", "http://a.test/2", "http://a.test/3", strategy="bfs", ahead=1)
    first = ask_of(machine)
    assert machine.ask() is None
    assert [machine.postpone(link) for link in (first.link, first.link, 99)] == [True, False, False]
    second = ask_of(machine)
    machine.tell(first, page(first.url))
    assert machine.ask() is None, "the second is in flight still"
    machine.tell(second, page(second.url))
    assert ask_of(machine).url == "http://a.test/3"


def test_a_host_is_held_at_so_many_links_in_flight_until_half_are_answered() -> None:
    machine = crawl(*(f"http://a.test/{number}" for number in range(8)), strategy="bfs", ahead=4)
    flight = [ask_of(machine) for _ in range(4)]
    assert machine.ask() is None
    machine.tell(flight[0], page(flight[0].url))
    assert machine.ask() is None, "three are in flight"
    machine.tell(flight[1], page(flight[1].url))
    assert machine.ask() is not None
    assert machine.ask() is not None
    assert machine.ask() is None


def test_a_limit_of_pages_counts_those_in_flight() -> None:
    machine = crawl(*(f"http://a.test/{number}" for number in range(4)), scope=Scope(max_per_host=2))
    first, second = ask_of(machine), ask_of(machine)
    assert machine.ask() is None
    machine.tell(first, Outcome(first.url, 404, error="http"))
    third = ask_of(machine)
    machine.tell(second, page(second.url))
    machine.tell(third, page(third.url))
    assert machine.ask() is None
    assert machine.tally.fetched == 2


def test_a_peeked_page_is_kept_without_its_text_until_it_is_accepted() -> None:
    strategy = make_strategy("ops", {"priority": "fcwseo", "target_relevance": "peek"})
    machine = Crawl(TOPIC, strategy, [A])
    step(machine, page(A, B, C))
    ask = ask_of(machine)
    visit = machine.tell(ask, page(B, "http://d.test/", text="long"), said=0.9)
    assert (visit.peek, visit.fetched, machine.accepted) == (True, True, [])
    kept = machine.peeked[ask.link].outcome.page
    assert kept is not None
    assert (kept.text, kept.links.urls) == ("", ["http://d.test/"])
    assert machine.frontier.number("http://d.test/") is None
    machine.tell(ask_of(machine), page(C), said=0.1)
    assert [each.url for each in machine.accepted] == [B], "both were peeked at, and this one is better"
    assert machine.frontier.number("http://d.test/") == 3
    assert list(machine.peeked) == [2]


def test_an_example_counts_as_one_link_away_from_a_seed() -> None:
    example = Page(B, links=Links([C], ["storm"], [""], bytes(4), bytes(4), bytes(1)))
    topic = replace(TOPIC, examples=(example,))
    machine = Crawl(topic, make_strategy("scout"), [A])
    assert machine.frontier.urls[:] == [A, B, C]
    assert machine.frontier.columns["depth"].tolist() == [0, 1, 2]
    assert machine.frontier.columns["state"].tolist() == [0, VISITED, 0]
    assert machine.tally.visits == 0


def test_links_that_a_page_had_before_are_not_entered_again_when_it_is_fetched_anew() -> None:
    machine = crawl(A, strategy="bfs")
    step(machine, page(A, B, C))
    again = machine.revisit(Revisit(A, 0.0))
    assert again is not None
    machine.tell(again, page(A, B, "http://d.test/", C, "http://e.test/"))
    assert machine.frontier.urls[3:] == ["http://d.test/", "http://e.test/"]
    assert machine.frontier.columns["parents_count"].tolist() == [0, 1, 1, 1, 1]
    assert [machine.frontier.graph.sources(link) for link in range(1, 5)] == [[0]] * 4


class Outside:
    """A judge of another package: it keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, tuple[str, ...]]] = []

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        return [0.5] * len(seen)

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        self.shown.append((seen.page.url, seen.anchors))


def test_a_judge_from_outside_is_shown_the_anchors_of_all_links_in_the_order_found() -> None:
    judge = Outside()
    machine = Crawl(TOPIC, BreadthFirst(), [A, B], judge=judge)
    for url, anchors in ((A, {C: "first", B: "to a seed"}), (B, {C: "second", A: "back"}), (C, {})):
        blank, zeros = [""] * len(anchors), bytes(4 * len(anchors))
        links = Links([*anchors], [*anchors.values()], blank, zeros, zeros, bytes(len(anchors)))
        step(machine, Outcome(url, 200, 9, page=Page(url, links=links)))
    assert judge.shown == [(A, ()), (B, ("to a seed",)), (C, ("first", "second"))]
    assert machine._leads == {}, "no anchor is kept of a link that was answered"


def test_a_judge_is_shown_which_pages_are_seeds() -> None:
    machine = Crawl(TOPIC, BreadthFirst(), [A])
    step(machine, page(A, B))
    shown = [machine.seen(link, page(url)) for link, url in enumerate((A, B))]
    assert [each.is_seed for each in shown if each] == [True, False]


def test_links_of_an_accepted_page_have_no_anchor_for_a_judge_from_outside() -> None:
    judge = Outside()
    strategy = make_strategy("ops", {"priority": "fcwseo", "target_relevance": "peek"})
    machine = Crawl(TOPIC, strategy, [A], judge=judge)
    step(machine, page(A, B))
    machine.tell(ask_of(machine), page(B, C, "http://d.test/", "http://e.test/"))
    assert [each.url for each in machine.accepted] == [B]
    step(machine, page(C))
    assert judge.shown[-1] == (C, ())


def test_a_link_in_flight_is_judged_with_the_anchor_found_meanwhile() -> None:
    judge = Outside()
    machine = Crawl(TOPIC, BreadthFirst(), [A, B], judge=judge)
    first, second = ask_of(machine), ask_of(machine)
    links = Links([A], ["to the first"], [""], bytes(4), bytes(4), bytes(1))
    machine.tell(second, Outcome(B, 200, 9, page=Page(B, links=links)))
    machine.tell(first, Outcome(A, 200, 9, page=Page(A)))
    assert judge.shown == [(B, ()), (A, ("to the first",))]


def test_a_link_found_when_a_page_is_fetched_anew_is_judged_with_its_anchor() -> None:
    judge = Outside()
    machine = Crawl(TOPIC, BreadthFirst(), [A], judge=judge)
    step(machine, Outcome(A, 200, 9, page=Page(A)))
    again = machine.revisit(Revisit(A, 0.0))
    assert again is not None
    links = Links([B], ["new"], [""], bytes(4), bytes(4), bytes(1))
    machine.tell(again, Outcome(A, 200, 9, page=Page(A, links=links)))
    step(machine, Outcome(B, 200, 9, page=Page(B)))
    assert judge.shown[-1] == (B, ("new",))


def test_a_link_that_may_not_be_followed_is_no_edge_of_the_graph() -> None:
    machine = crawl(A, strategy="bfs")
    step(machine, page(A, B, C, flags=bytes([NOFOLLOW, 0])))
    assert machine.frontier.urls[:] == [A, C]
    assert machine.frontier.graph.targets(0).tolist() == [1]
    assert machine.frontier.columns["parents_count"].tolist() == [0, 1]


def test_rendered_pages_are_counted_by_how_rendering_ended() -> None:
    machine = crawl(A, B, C, strategy="bfs", threshold=0.5)
    for url, ended in ((A, QUIET), (B, DEADLINE), (C, NOT_RENDERED)):
        told(machine, page(url, rendered=ended), 0.0)
    tally = machine.tally
    assert (tally.rendered, tally.cut_short, tally.not_rendered) == (2, 1, 1)
