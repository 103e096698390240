from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from topicrawl_lab.oracle import greedy_oracle

graphs = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefgh"), max_size=5), max_size=8
)


def links(graph: dict[str, str] | dict[str, list[str]]) -> Callable[[str], Sequence[str]]:
    return lambda page: list(graph.get(page, ()))


def test_relevant_pages_are_fetched_before_others() -> None:
    graph = {"a": "xbyc"}
    assert greedy_oracle("a", links(graph), "abc".__contains__, 10) == [1, 2, 3, 3, 3]


def test_without_a_relevant_link_the_oracle_goes_to_the_nearest_relevant_page() -> None:
    graph = {"s": "xyz", "x": "u", "u": "v", "v": "R", "z": "Q"}
    assert greedy_oracle("s", links(graph), str.isupper, 3) == [0, 0, 1]


def test_a_relevant_page_found_on_the_path_is_fetched_at_once() -> None:
    graph = {"s": "x", "x": "u", "u": "RQ", "R": "T"}
    assert greedy_oracle("s", links(graph), str.isupper, 10) == [0, 0, 0, 1, 2, 3]


def test_seeds_are_fetched_first_and_once() -> None:
    assert greedy_oracle(["a", "b", "a"], links({"a": "R"}), str.isupper, 10) == [0, 0, 1]


def test_the_budget_ends_the_crawl() -> None:
    assert greedy_oracle("A", links({"A": "BCDEF"}), str.isupper, 3) == [1, 2, 3]
    assert greedy_oracle("A", links({}), str.isupper, 0) == []


def test_beyond_the_horizon_links_are_fetched_in_order_of_discovery() -> None:
    graph = {"s": "wx", "x": "u", "u": "R"}
    assert greedy_oracle("s", links(graph), str.isupper, 10, horizon=1) == [0, 0, 0, 0, 1]


def test_an_endless_web_without_relevant_pages_does_not_trap_the_search() -> None:
    curve = greedy_oracle("0", lambda page: [str(int(page) + 1)], str.isupper, 50, horizon=100)
    assert curve == [0] * 50


@given(graphs, st.sets(st.sampled_from("abcdefgh")), st.integers(0, 10))
def test_the_oracle_finds_every_reachable_relevant_page_when_the_budget_allows(
    graph: dict[str, list[str]], wanted: set[str], budget: int
) -> None:
    curve = greedy_oracle("a", links(graph), wanted.__contains__, budget)
    reached, waiting = {"a"}, ["a"]
    while waiting:
        new = set(graph.get(waiting.pop(), ())) - reached
        reached |= new
        waiting += new
    assert len(curve) == min(budget, len(reached))
    assert curve == sorted(curve)
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(curve))
    if budget >= len(reached):
        assert curve[-1] == len(reached & wanted)


def test_no_more_pages_of_a_host_than_the_cap_are_fetched() -> None:
    graph = {"http://a/0": ["http://a/R1", "http://a/R2", "http://b/R3", "http://a/x"]}
    relevant = "R".__contains__
    for cap, expected in ((1, [0, 1]), (2, [0, 1, 2]), (None, [0, 1, 2, 3, 3])):
        found = greedy_oracle(
            ["http://a/0"],
            lambda page: graph.get(page, []),
            lambda page: any(map(relevant, page)),
            10,
            cap=cap,
        )
        assert found == expected


def test_a_cap_holds_for_seeds_and_paths_too() -> None:
    graph = {"http://a/0": ["http://a/1", "http://b/1"], "http://a/1": ["http://c/R"], "http://b/1": []}
    found = greedy_oracle(
        ["http://a/0", "http://a/9"], lambda page: graph.get(page, []), lambda page: "R" in page, 10, cap=1
    )
    assert found == [0, 0]
