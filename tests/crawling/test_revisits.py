"""The turns of a watch in the pure machine: what is chosen, what is noticed, and that the log replays to the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from contracts.small_web import TOPIC
from crawling.test_core import crawl, page
from crawling.test_state import loaded, stored
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.known_pages import fingerprint
from topicrawl.crawling.revisits import MOST_TURNS
from topicrawl.frontier.scope import Scope
from topicrawl.model import Event, Links, Outcome, Page, Revisit, Told, Turn, Turned, pack_ints
from topicrawl.strategies.registry import make_strategy

DAY = 86400.0
HUB, A, B, C = (f"http://a.test/{name}" for name in ("", "a", "b", "c"))


class Watched:
    """A crawl of a little web that the test changes, turn by turn, with its log."""

    def __init__(self, web: dict[str, Outcome], *, seeds: Sequence[str] = (HUB,), **settings: object) -> None:
        self.web, self.log = web, list[Event]()
        self.crawl = crawl(*seeds, strategy="bfs", **settings)  # type: ignore[arg-type]

    def turn(self, day: float, fetches: int = 10, announced: Sequence[tuple[str, float]] = ()) -> list[str]:
        """A turn on a day; returns the URLs asked for."""
        return self.begun(Turn(DAY * day, DAY, fetches, announced=list(announced)), fetches)

    def begun(self, turn: Turn, fetches: int) -> list[str]:
        self.crawl.turn(turn)
        self.log.append(turn)
        asked = [self.fetch() for _ in range(fetches)]
        watch = self.crawl.revisits
        assert watch is not None
        self.noticed = [(each.change, each.url) for each in watch.noticed]
        ended = Turned(turn.time, noticed=watch.noticed)
        self.crawl.replay(ended)
        self.log.append(ended)
        return [url for url in asked if url]

    def fetch(self) -> str:
        chosen = self.crawl.ask_next()
        if chosen is None:
            return ""
        ask, event = chosen
        outcome = self.web.get(ask.url, Outcome(ask.url, 404, error="http"))
        visit = self.crawl.tell(ask, outcome, said=0.9 if outcome.page else None)
        self.log += [event, Told(ask, outcome, visit)]
        return ask.url


def assert_replays(watched: Watched) -> None:
    """That the log makes the same state again."""
    again = crawl(HUB, strategy="bfs")
    for event in watched.log:
        again.replay(event)
    assert again.agreement.exact
    again.agreement = watched.crawl.agreement
    assert stored(again) == stored(watched.crawl)


def small_web() -> dict[str, Outcome]:
    return {HUB: page(HUB, A, B, text="list"), A: page(A, text="rain"), B: page(B, text="snow")}


def test_the_first_turn_fetches_new_links_and_later_ones_known_pages_anew() -> None:
    watched = Watched(small_web())
    assert watched.turn(0) == [HUB, A, B]
    assert watched.noticed == [("new", HUB), ("new", A), ("new", B)]
    assert sorted(watched.turn(1)) == [HUB, A, B]
    assert watched.noticed == []


def test_a_page_that_says_something_else_is_noticed_as_changed() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    watched.web[A] = page(A, text="rain and hail")
    watched.turn(1)
    assert watched.noticed == [("changed", A)]


def test_a_page_that_only_links_otherwise_has_not_changed() -> None:
    assert fingerprint(linked("see rain or snow here", "rain")) == fingerprint(
        linked("see hail or snow here", "hail")
    )
    assert fingerprint(linked("see rain or snow here", "rain")) != fingerprint(
        linked("see rain or ice here", "rain")
    )


def linked(text: str, anchor: str) -> Page:
    at = text.index(anchor)
    links = Links([A], [anchor], [""], pack_ints([at]), pack_ints([at + len(anchor)]), bytes(1))
    return Page(HUB, text=text, links=links)


def test_new_links_on_a_known_page_are_fetched_in_the_same_turn() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    watched.web |= {HUB: page(HUB, A, B, C, text="list"), C: page(C, text="wind")}
    assert C in watched.turn(1)
    assert watched.noticed == [("new", C)]


def test_a_page_that_is_not_there_any_more_is_gone_once_and_asked_for_less() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    del watched.web[B]
    watched.turn(1)
    assert watched.noticed == [("gone", B)]
    days = []
    for day in range(2, 50):
        days += [day] * (B in watched.turn(day))
        assert watched.noticed == []
    assert days == [2, 3, 4, 6, 10, 18, 34], "less and less often"


@pytest.mark.parametrize("status", [503, 404])
def test_a_site_that_was_down_for_long_is_watched_again(status: int) -> None:
    watched = Watched(small_web())
    watched.turn(0)
    there = dict(watched.web)
    watched.web |= {url: Outcome(url, status, error="http") for url in there}
    for turn in range(1, 41):
        watched.turn(turn / 4)
    watched.web |= there
    first = next(day for day in range(11, 30) if watched.turn(day))
    assert first < 20
    assert {*watched.turn(first + 1), *watched.turn(first + 2)} >= {HUB, A, B}, (
        "once one answers, all are asked"
    )


def test_a_page_that_failed_is_asked_for_at_once_where_its_site_says_that_it_is_new() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    kept = watched.web.pop(B)
    for day in range(1, 12):
        watched.turn(day)
    watched.web[B] = kept
    assert B not in watched.turn(12)
    assert B in watched.turn(13, announced=[(B, 12.5 * DAY)])
    assert watched.noticed == [("new", B)]


def test_a_page_that_comes_back_is_new() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    kept = watched.web.pop(B)
    watched.turn(1)
    watched.web[B] = kept
    watched.turn(2)
    assert watched.noticed == [("new", B)]


def test_a_page_that_fails_for_a_while_is_not_gone() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    kept = watched.web[B]
    watched.web[B] = Outcome(B, 503, error="http")
    watched.turn(1)
    assert watched.noticed == []
    watched.web[B] = kept
    watched.turn(2)
    assert watched.noticed == []


def test_a_page_that_leads_elsewhere_has_moved() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    watched.web[B] = page(C, text="snow")
    watched.turn(1)
    assert watched.noticed == [("moved", B)]


def test_a_page_that_has_moved_is_watched_at_its_new_address() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    watched.web[B] = page(C, text="snow")
    watched.turn(1)
    watched.web[C] = page(C, text="sleet")
    assert C in watched.turn(2)
    assert watched.noticed == [("changed", C)]
    assert_replays(watched)


@pytest.mark.parametrize(("status", "error"), [(503, "http"), (None, "connect: refused")])
def test_a_new_link_that_is_not_answered_is_asked_for_again_and_is_then_new(
    status: int | None, error: str
) -> None:
    watched = Watched(small_web())
    there = watched.web.pop(B)
    watched.web[B] = Outcome(B, status, error=error)
    assert B in watched.turn(0)
    assert B in watched.turn(1)
    assert watched.noticed == []
    watched.web[B] = there
    assert B in watched.turn(2)
    assert watched.noticed == [("new", B)]
    watched.turn(3)
    assert watched.noticed == []
    assert_replays(watched)


def test_a_new_link_that_was_never_there_is_not_gone() -> None:
    watched = Watched(small_web())
    watched.web[B] = Outcome(B, 503, error="http")
    watched.turn(0)
    del watched.web[B]
    for day in range(1, 5):
        watched.turn(day)
        assert watched.noticed == []


def test_a_page_that_no_page_links_to_any_longer_is_noticed_once() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    watched.web[HUB] = page(HUB, A, text="list")
    watched.turn(1)
    assert watched.noticed == [("unlinked", B)]
    watched.turn(2)
    assert watched.noticed == []
    watched.web[A] = page(A, B, text="rain")
    watched.turn(3)
    watched.web[A] = page(A, text="rain")
    watched.turn(4)
    assert watched.noticed == [("unlinked", B)], "it was linked again in between"


def test_pages_that_change_often_are_fetched_more_often() -> None:
    web = {HUB: page(HUB, *(f"http://a.test/{n}" for n in range(20)), text="list")}
    web |= {f"http://a.test/{n}": page(f"http://a.test/{n}", text=f"page {n}") for n in range(20)}
    watched = Watched(web)
    watched.turn(0, 21)
    counts: dict[str, int] = {}
    for day in range(1, 41):
        for n in (3, 4):
            url = f"http://a.test/{n}"
            web[url] = page(url, text=f"page {n} of day {day}")
        for url in watched.turn(day, 4):
            counts[url] = counts.get(url, 0) + 1
    often = [counts[f"http://a.test/{n}"] for n in (3, 4)]
    others = [counts.get(f"http://a.test/{n}", 0) for n in range(20) if n not in (3, 4)]
    assert min(often) > 2 * max(others)
    assert min(others) > 0, "no page is forgotten"


def test_a_page_that_its_sitemap_says_has_changed_comes_first() -> None:
    web = {HUB: page(HUB, *(f"http://a.test/{n}" for n in range(20)), text="list")}
    web |= {f"http://a.test/{n}": page(f"http://a.test/{n}", text=f"page {n}") for n in range(20)}
    watched = Watched(web)
    watched.turn(0, 21)
    new = "http://a.test/new"
    web[new] = page(new, text="announced")
    asked = watched.turn(1, 3, [("http://a.test/17", DAY), (new, DAY), ("http://other.test/x", 0.5)])
    assert "http://a.test/17" in asked
    assert new in asked


def test_pages_out_of_scope_are_not_entered_from_a_sitemap() -> None:
    watched = Watched(small_web(), scope=Scope(same_site=True))
    watched.turn(0)
    watched.turn(1, 5, [("http://elsewhere.test/", DAY)])
    assert watched.crawl.frontier.number("http://elsewhere.test/") is None


@pytest.mark.parametrize("second", [-5.0, 0.0])
def test_a_clock_that_was_set_back_counts_as_no_time(second: float) -> None:
    watched = Watched(small_web())
    watched.turn(0)
    watched.turn(10)
    watched.web[A] = page(A, text="hail")
    watched.turn(second)
    assert watched.crawl.revisits is not None
    day = watched.crawl.revisits.day
    assert day == 10
    watched.turn(second + 1)
    assert watched.crawl.revisits.day == 11, "from then on the new clock counts"
    assert watched.noticed == [("changed", A)]


def test_a_clock_that_jumps_ahead_counts_as_a_hundred_turns_at_most() -> None:
    watched = Watched(small_web())
    watched.turn(0)
    watched.turn(36500)
    assert watched.crawl.revisits is not None
    assert watched.crawl.revisits.day == MOST_TURNS


def test_a_limit_of_pages_a_host_does_not_count_pages_twice() -> None:
    watched = Watched(small_web(), scope=Scope(max_per_host=3))
    watched.turn(0)
    for day in range(1, 4):
        assert len(watched.turn(day)) == 3
    watched.web |= {HUB: page(HUB, A, B, C, text="list"), C: page(C)}
    assert C not in watched.turn(5)


def test_a_host_that_was_closed_is_asked_again_in_the_next_turn() -> None:
    watched = Watched({HUB: page(HUB, A, B), A: Outcome(A, 503, error="retry-later")})
    watched.turn(0)
    assert watched.turn(0.5) != []


def eventful() -> Watched:
    """Some turns in which everything happens."""
    watched = Watched(small_web())
    watched.turn(0)
    watched.web |= {HUB: page(HUB, A, C, text="list"), C: page(C, text="wind"), A: page(A, text="hail")}
    watched.turn(1)
    del watched.web[A]
    watched.turn(3, announced=[(B, 2.5 * DAY)])
    return watched


def test_the_log_of_turns_replays_to_the_same_state() -> None:
    assert_replays(eventful())


def test_a_watch_restored_from_its_state_goes_on_alike() -> None:
    watched = eventful()
    other = Watched(dict(watched.web))
    other.crawl = loaded(crawl(HUB, strategy="bfs"), stored(watched.crawl))
    for day in (4, 5, 9):
        assert other.turn(day) == watched.turn(day)
        assert other.noticed == watched.noticed


def test_a_turn_that_was_cut_short_goes_on_where_it_was() -> None:
    watched = eventful()
    turn = Turn(9 * DAY, DAY, 10)
    watched.crawl.turn(turn)
    watched.log.append(turn)
    watched.fetch()
    again = Watched(dict(watched.web))
    for event in watched.log:
        again.crawl.replay(event)
    assert again.crawl.revisits is not None
    assert again.crawl.revisits.under_way
    assert [again.fetch() for _ in range(4)] == [watched.fetch() for _ in range(4)]


def test_a_mark_changes_what_a_page_is_worth() -> None:
    from topicrawl.model import Instruction, Mark

    watched = Watched(small_web())
    watched.turn(0)
    watched.crawl.instruct(Instruction(marks=[Mark(page(A).page, False, A)]))
    watched.turn(1)
    assert watched.crawl.revisits is not None
    pages = watched.crawl.revisits.pages
    row = pages.row(watched.crawl.frontier.number(A) or 0)
    assert row is not None
    assert pages.columns["relevance"][row] == 0


def test_a_page_asked_anew_outside_of_turns_changes_nothing_of_the_watch() -> None:
    machine = Crawl(TOPIC, make_strategy("bfs"), [HUB])
    ask = machine.ask()
    assert ask is not None
    machine.tell(ask, page(HUB))
    again = machine.revisit(Revisit(HUB, 1.0))
    assert again is not None
    machine.tell(again, page(HUB))
    assert machine.revisits is None
