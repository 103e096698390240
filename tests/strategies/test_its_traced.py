"""The improved tabu search with host information, worked out on paper from FCITS_OH §4.3–4.8 and Eq. (9).

P = .55 R(A) + .25 mean R(p_i) + .2 PR, with PR = 1 everywhere; β = .36. A link is better only if P is higher. Every
page has a host of its own, but e is on the host of d, and g on that of f.

    fetched  Plink before  what is known then
    s        –             drawn from Qwait = {s}; P(s) = 0 + .25 · .8 + .2 = .4
             R(s) = .8: a .275 + .2 + .2 = .675, b 0 + .2 + .2 = .4, c likewise .4. Qwait = {a, b, c}.
    a        s             C(s) = {a, b, c}: a alone is better than .4. Hlink = a.
             R(a) = .4: b is now on two pages: .25 · .6 + .2 = .35, not above β: discarded.
             d .22 + .1 + .2 = .52; e .055 + .1 + .2 = .355, f, g, h, k 0 + .1 + .2 = .3: discarded. Qwait = {c, d}.
             Refill: fewer than 10 hosts. Discarded by P: e .355 (host of d, in Qwait: no), b .35, f .3, g .3 (host
             of f, in Qwait by now: no), h .3, k .3: the first three are b, f, h. Qwait = {b, c, d, f, h}.
    c        a             C(a) = {d}: .52 < .675, so a is tabu for 5 turns. E(a), on s without a, above β: c .4.
                           d, .52 in Qwait, is not in E(a).
             R(c) = .9: i .385 + .225 + .2 = .81; a .275 + .25 · .85 + .2 = .6875. Refill: k, alone.
    i        c             C(c) = {a, i}: a is tabu and not better than Hlink = a; i .81 > .4 is accepted. Hlink = i.
             R(i) = .1: j .055 + .025 + .2 = .28, discarded. Refill: j.
    d        i             C(i) is empty: i is tabu for 5 turns, a for 4. E(i) = {a}, tabu. So the best of Qwait: d .52.
             R(d) = .2, no links. Refill: the host of d is in Qwait no longer, so e. (g: that of f is.)
    e        d             C(d) is empty: d tabu for 5, i 4, a 3. E(d), on a without d, above β: none. The best of
                           Qwait is e .355, before b .35; both came back by the refill.
"""

from __future__ import annotations

import pytest

from strategies.traced import Traced
from topicrawl.frontier import PEEKED
from topicrawl.strategies.fcits_oh import FcitsOh

PAGES = {
    "s": (0.8, {"a": 0.5, "b": 0.0, "c": 0.0}),
    "a": (0.4, {"b": 0.0, "d": 0.4, "e": 0.1, "f": 0.0, "g": 0.0, "h": 0.0, "k": 0.0}),
    "c": (0.9, {"a": 0.5, "i": 0.7}),
    "i": (0.1, {"j": 0.1}),
    "d": (0.2, {}),
    "e": (0.5, {}),
}
HOSTS = {"e": "d", "g": "f"}


def crawl() -> tuple[Traced, FcitsOh]:
    strategy = FcitsOh(link_threshold=0.36, damping=0.0, discarded="never")
    return Traced(strategy, PAGES, "s", hosts=HOSTS), strategy


def tabu(traced: Traced, strategy: FcitsOh) -> dict[str, int]:
    return {traced.name(link): term for link, term in strategy.tabu.terms.items()}


def choosable(traced: Traced, names: str) -> str:
    keys = traced.column("key", names)
    return " ".join(name for name, key in zip(names.split(), keys, strict=True) if key > 0)


def test_the_pages_are_fetched_in_this_order() -> None:
    traced, _ = crawl()
    assert traced.fetch(6) == "s a c i d e"


def test_priorities_of_links_on_one_page_and_on_two() -> None:
    traced, _ = crawl()
    traced.fetch(1)
    assert traced.column("value", "s a b c") == pytest.approx([0.4, 0.675, 0.4, 0.4])
    traced.fetch(2)
    values = traced.column("value", "a b d e f i")
    assert values == pytest.approx([0.6875, 0.35, 0.52, 0.355, 0.3, 0.81])


def test_three_discarded_links_of_other_hosts_come_back_in_order_of_priority() -> None:
    traced, _ = crawl()
    traced.fetch(2)
    assert choosable(traced, "b c d e f g h k") == "b c d f h"
    traced.fetch(1)
    assert choosable(traced, "b d e f g h i k") == "b d f h i k"


def test_a_discarded_link_whose_page_was_only_peeked_at_can_come_back() -> None:
    traced, strategy = crawl()
    traced.fetch(2)
    traced.crawl.frontier.columns["state"][traced.number("k")] = PEEKED
    strategy.refill(traced.crawl.frontier)
    assert choosable(traced, "b c d e f g h k") == "b c d f h k"


def test_a_link_none_of_whose_links_is_better_becomes_tabu_for_five_turns() -> None:
    traced, strategy = crawl()
    traced.fetch(2)
    assert tabu(traced, strategy) == {}
    traced.ask()
    assert tabu(traced, strategy) == {"a": 5}


def test_a_tabu_link_is_not_taken_again_unless_it_is_better_than_the_best() -> None:
    traced, strategy = crawl()
    traced.fetch(3)
    assert traced.name(strategy.best or 0) == "a"
    assert traced.fetch(1) == "i"
    assert tabu(traced, strategy) == {"a": 5}, "no link became tabu, so no term fell"
    assert traced.name(strategy.best or 0) == "i"


def test_terms_fall_by_one_when_another_link_becomes_tabu() -> None:
    traced, strategy = crawl()
    traced.fetch(5)
    assert tabu(traced, strategy) == {"a": 4, "i": 5}
    traced.fetch(1)
    assert tabu(traced, strategy) == {"a": 3, "i": 4, "d": 5}
