"""Which shard crawls which site."""

from __future__ import annotations

from topicrawl.frontier.route import Route


def test_a_site_is_in_one_shard_the_same_on_every_machine() -> None:
    route = Route(4)
    owners = {route.owner(f"http://{host}.example.org/x") for host in ("www", "a", "b.c")}
    assert owners == {route.owner("https://example.org/")}
    assert [Route(16).owner(f"http://site{n}.org/") for n in range(4)] == [
        "006",
        "008",
        "003",
        "013",
    ]  # b2sum -l 64


def test_sites_spread_over_all_shards() -> None:
    route = Route(8)
    counts = [0] * 8
    for number in range(4_000):
        counts[int(route.owner(f"http://s{number}.com/"))] += 1
    assert min(counts) > 400


def test_a_site_that_is_split_has_a_shard_for_each_host() -> None:
    route = Route(16, split=("uci.edu",))
    assert len({route.owner(f"http://{host}.uci.edu/") for host in ("ics", "math", "www", "bio", "lib")}) > 1
    assert route.owner("http://ics.uci.edu/a") == route.owner("http://ics.uci.edu/b")
