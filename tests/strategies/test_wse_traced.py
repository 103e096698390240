"""Two generations and a restart of web space evolution, worked out on paper from FCWSEO §6 and Algorithm 1.

k = 2, so 2k = 4; τ = .4; P_t = .1. E = .3 F1 + .15 F2 + .35 F3 + .2 F4 (Eq. 10), and F4 = 1 everywhere. F1 is the
relevance of the page itself, as in the paper (`target_relevance=peek`).

Steps 3 and 4: S_seed = {s, t}. They are joined by the virtual page only: d_ave = 2, d_space = 1.

Generation 1: child-links of s and t.
    link on  F1   F2  F3   E (step 6)
    a    s   1.0  .5  .1   .3  + .075 + .035 + .2 = .610
    b    s   .5   .5  .5   .15 + .075 + .175 + .2 = .600
    c    s   .1   .5  .7   .03 + .075 + .245 + .2 = .550
    d    s   .1   .5  0    .03 + .075 + 0    + .2 = .305   at or below τ
    e    t   .8   .1  .3   .24 + .015 + .105 + .2 = .560
    f    t   .7   .1  .4   .21 + .015 + .14  + .2 = .565
    g    t   .2   .1  .4   .06 + .015 + .14  + .2 = .415
    Step 7: b dominates g (.5 > .2, .5 > .1, .5 > .4), so front 1 is a, b, c, e, f. Four of them are wanted: NFCS.
            The best by F1 is a, by F3 c; by F2 and F4 several are equal, of which a is the first. {a, c} are taken.
            Distance to the nearest of these (Eq. 15): b min(√.41, √.20) = .447, e min(√.24, √.81) = .490,
            f min(√.34, √.61) = .583. f is the farthest and taken. Then b min(.447, √.21) = .447, e √.02 = .141: b.
            S_evolve = {a, c, f, b}.
    Step 8: largest F3 of S_evolve: c .7, b .5. S_test = {c, b}, marked. (The largest E: a .610, b .600.)
    Step 9: c: nearest seed s, 1 ≤ 1. c (.1, .5, .7), s (.5, 0, 0): neither dominates. Drawn .3 < .5: c for s.
            b: D(b, c) = 2 over s, D(b, t) = 3; 2 > 1: outside. Of c (.1, .5, .7) and t (.1, 0, 0) the second is
            dominated, so it is the lowest layer: b for t. S_seed = {c, b}.
    Step 10: d_space = 2.

Generation 2: child-links of c (h, i) and of b (j, m); m is on f too, so its F2 is (.5 + .7) / 2.
    h    c   .6   .1  .4   .18 + .015 + .14  + .2 = .535
    i    c   .2   .1  .3   .06 + .015 + .105 + .2 = .380   at or below τ
    j    b   .3   .5  .5   .09 + .075 + .175 + .2 = .540
    m    b f .3   .6  0    .09 + .09  + 0    + .2 = .380   at or below τ
    Step 7: unmarked are a, e, f, g, h, j. f dominates h (.7 > .6, the rest equal), h dominates g. Front 1 is a, e, f,
            j: just 2k. S_evolve = {a, e, f, j}.
    Step 8: S_test = {j .5, f .4}, marked.
    Step 9: j: nearest b, 1 ≤ 2. b (.5, .5, .5) dominates j (.3, .5, .5). Drawn .1, not below P_t: b stays.
            f: D(f, b) = 2 over m, D(f, c) = 4. 2 ≤ 2: f (.7, .1, .4), b: neither. Drawn .4 < .5: f for b.
            S_seed = {c, f}.
    Step 10: d_space = 4.

Then the pages of c and f have no child-link above τ that is not fetched. That case is not in the paper (docs/papers.md,
E4): the bank is replaced by the best unmarked links, by front, then by F3. Unmarked are a (1, .5, .1), e (.8, .1, .3),
g (.2, .1, .4), h (.6, .1, .4); h dominates g, so h .4 and e .3 of front 1 are taken, though g has the same anchor as h.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from strategies.scripted import Scripted
from strategies.traced import Traced
from topicrawl.frontier import FAILED, PEEKED, VISITED
from topicrawl.frontier.distance import FAR
from topicrawl.strategies.fcwseo import Fcwseo
from topicrawl.strategies.pareto import best, nearest_and_farthest
from topicrawl.strategies.seed_bank import DOMINATED, FARTHER, NEITHER, Trial
from topicrawl.strategies.wse import MARKED, NOT_YET, RETRIEVED, WIDEST
from value.seen import observed

PAGES = {
    "s": (0.5, {"a": 0.1, "b": 0.5, "c": 0.7, "d": 0.0}),
    "t": (0.1, {"e": 0.3, "f": 0.4, "g": 0.4}),
    "a": (1.0, {"x": 0.7}),
    "b": (0.5, {"j": 0.5, "m": 0.0}),
    "c": (0.1, {"h": 0.4, "i": 0.3}),
    "d": (0.1, {}),
    "e": (0.8, {"p": 0.1}),
    "f": (0.7, {"m": 0.0}),
    "g": (0.2, {"y": 0.7}),
    "h": (0.6, {"n": 0.1}),
    "i": (0.2, {}),
    "j": (0.3, {}),
    "m": (0.3, {}),
    "n": (0.5, {}),
    "p": (0.5, {}),
}
DRAWN = (0.3, 0.1, 0.4)


def crawl() -> tuple[Traced, Fcwseo]:
    strategy = Fcwseo(
        bank_size=2, link_threshold=0.4, damping=0.0, target_relevance="peek", discarded="never"
    )
    return Traced(strategy, PAGES, "s t", *DRAWN), strategy


def trial(traced: Traced, strategy: Fcwseo, test: str) -> tuple[int, Trial]:
    return strategy.ledger._trials[traced.number(test)]


def test_step_6_takes_the_child_links_of_the_seeds_whose_priority_is_above_the_threshold() -> None:
    traced, strategy = crawl()
    assert traced.fetch(2 + 6) == "s t a b c d e f"
    assert strategy.radius == 1.0
    values = traced.column("value", "a b c d e f")
    assert values == pytest.approx([0.610, 0.600, 0.550, 0.305, 0.560, 0.565])
    traced.fetch(1)
    assert traced.column("value", "g") == pytest.approx([0.415])
    assert traced.column("retrieved", "d") == [NOT_YET]
    assert traced.crawl.tally.fetched == 9, "the page of d was read to know its priority"


def test_step_7_picks_twice_as_many_links_as_there_are_seeds_by_fronts_and_distance() -> None:
    names = "abcefg"
    points = np.array(
        [[1, 0.5, 0.1], [0.5, 0.5, 0.5], [0.1, 0.5, 0.7], [0.8, 0.1, 0.3], [0.7, 0.1, 0.4], [0.2, 0.1, 0.4]]
    )
    rows, fronts = best(points, 4, Scripted(), nearest_and_farthest)
    assert [names[row] for row in rows] == ["a", "c", "f", "b"]
    assert fronts.tolist() == [0, 0, 0, 0, 0, 1]


def test_the_first_generation() -> None:
    traced, strategy = crawl()
    traced.fetch(2 + 7)
    first = strategy.ledger.generations[0]
    assert (first.downloads, first.fronts) == (6, [5, 1])
    assert traced.column("retrieved", "c b") == [MARKED, MARKED]
    assert traced.column("retrieved", "a e f g") == [RETRIEVED] * 4, "only S_test is marked"
    s, t, c = (traced.number(name) for name in "stc")
    assert trial(traced, strategy, "c") == (1, Trial(s, 1, 1.0, NEITHER, s))
    assert trial(traced, strategy, "b") == (1, Trial(c, 2, 1.0, FARTHER, t))
    assert traced.names(strategy.bank.links) == "c b"
    assert strategy.radius == 2.0


def test_the_second_generation() -> None:
    traced, strategy = crawl()
    traced.fetch(2 + 7)
    assert traced.fetch(4) == "h i j m", "not x and y, which are on pages that are no seeds"
    assert traced.column("value", "h i j m") == pytest.approx([0.535, 0.380, 0.540, 0.380])
    second = strategy.ledger.generations[1]
    assert (second.number, second.radius, second.downloads, second.fronts) == (2, 2.0, 2, [4, 1, 1])
    assert traced.column("retrieved", "j f") == [MARKED, MARKED]
    assert traced.column("retrieved", "i m") == [NOT_YET, NOT_YET]
    b = traced.number("b")
    assert trial(traced, strategy, "j") == (2, Trial(b, 1, 2.0, DOMINATED, None))
    assert trial(traced, strategy, "f") == (2, Trial(b, 2, 2.0, NEITHER, b))
    assert not traced.rng.left


def test_when_the_rest_of_a_generation_is_taken_away_the_next_choice_ends_it() -> None:
    strategy = Fcwseo(bank_size=2, link_threshold=-1.0, damping=0.0, discarded="never")
    traced = Traced(strategy, PAGES, "s t", *[0.3] * 9)
    assert traced.fetch(4) == "s t a b"
    for name in "cdefg":
        traced.crawl.frontier.settle(traced.number(name), FAILED)
    assert [each.number for each in strategy.ledger.generations] == [1]
    assert traced.fetch(1) in ("x", "j"), "a link of a or b, which compete for the bank"
    assert strategy.ledger.generations[0].downloads == 2


def test_seeds_without_links_are_replaced_by_the_best_of_the_first_front() -> None:
    traced, strategy = crawl()
    traced.fetch(2 + 7 + 4)
    third = strategy.ledger.generations[2]
    assert (third.restarted, third.radius) == (True, 4.0)
    assert traced.names(strategy.bank.links) == "h e"
    assert traced.column("retrieved", "h e a g") == [MARKED, MARKED, RETRIEVED, RETRIEVED]
    assert strategy.bank.points[:, :3].tolist() == [
        pytest.approx([0.6, 0.1, 0.4]),
        pytest.approx([0.8, 0.1, 0.3]),
    ]
    assert strategy.story(traced.crawl.frontier, traced.number("e")) == [
        "generation 3: front 1",
        "generation 3: taken into the bank of seeds without a contest",
        "it is a seed now",
    ]
    assert traced.fetch(1) == "n"
    assert traced.ask().url == traced.web.url("p")


def test_what_became_of_the_links_of_two_generations() -> None:
    traced, strategy = crawl()
    traced.fetch(2 + 7 + 4)
    b, c, t, s = (traced.web.url(name) for name in "bcts")
    front = "generation {}: front 1"
    stories = {
        "c": [
            f"generation 1: 1 from the nearest seed {s}, radius 1: neither better nor worse; won its place by chance",
            "it is no seed any more",
        ],
        "b": [
            f"generation 1: 2 from the nearest seed {c}, radius 1: outside its circle; "
            f"won the place of {t}, of the last front",
            "it is no seed any more",
        ],
        "j": [f"generation 2: 1 from the nearest seed {b}, radius 2: worse than it; lost"],
    }
    for name, story in stories.items():
        first = front.format(2 if name == "j" else 1)
        assert strategy.story(traced.crawl.frontier, traced.number(name)) == [first, *story]
    assert strategy.story(traced.crawl.frontier, traced.number("g")) == [
        "generation 3: front 2",
        "not among the test links so far: other fronts or other anchors were better",
    ]
    assert strategy.story(traced.crawl.frontier, traced.number("d")) == [], "below the threshold"
    facts = strategy.explain(traced.crawl.frontier, traced.number("f"))
    assert [facts[name] for name in ("generation", "front", "distance to nearest seed")] == [2, 1, 2]


def test_the_figures_of_the_first_generation_in_the_report() -> None:
    traced, strategy = crawl()
    traced.fetch(2 + 7)
    assert strategy.evolution()[0] == {
        "number": 1,
        "radius": 1.0,
        "hosts": {"s.test": 1, "t.test": 1},
        "restarted": False,
        "downloads": 6,
        "fronts": [5, 1],
        "cases": {NEITHER: 1, FARTHER: 1},
        "replaced": 2,
        "front_count": 2,
        "sorted": 6,
    }


def test_step_5_takes_the_child_links_that_are_not_fetched_those_peeked_at_included() -> None:
    traced, strategy = crawl()
    traced.fetch(2 + 7)
    assert traced.names(strategy.bank.links) == "c b"
    frontier = traced.crawl.frontier
    frontier.columns["state"][traced.number("i")] = PEEKED
    frontier.columns["state"][traced.number("m")] = VISITED
    strategy._plan_children(frontier)
    assert traced.names(strategy.plan.tolist()) == "h i j"


def test_step_8_takes_the_most_relevant_anchors_of_equal_ones_the_largest_priority_then_the_first_url() -> (
    None
):
    traced, strategy = crawl()
    traced.fetch(2 + 7)
    columns, links = traced.crawl.frontier.columns, np.array([traced.number(name) for name in "gfecba"])
    columns["anchor"][links] = [0.4, 0.4, 0.4, 0.4, 0.3, 0.5]
    columns["value"][links] = [0.6, 0.6, 0.7, 0.5, 0.9, 0.1]
    for size, names in ((1, "a"), (2, "a e"), (3, "a e f"), (4, "a e f g"), (6, "a e f g c b")):
        strategy.bank_size = max(size, 2)
        found = strategy._most_relevant_anchors(traced.crawl.frontier, links).tolist()
        assert traced.names(found[:size]) == names
        assert len(found) == max(size, 2)


def test_the_links_of_a_seed_that_become_known_later_belong_to_its_generation() -> None:
    traced, strategy = crawl()
    ask = traced.ask()
    traced.tell(ask)
    traced.fetch(1)
    frontier = traced.crawl.frontier
    new = frontier.add(["http://z.test/z"], depth=1, parent=0)
    before = strategy.plan.tolist()
    seen = observed(frontier, traced.number("s"))
    strategy.enter(new, frontier, traced.rng, replace(seen, links=new))
    assert strategy.plan.tolist() == [*before, *new.tolist()]
    strategy.enter(new, frontier, traced.rng, replace(seen, link=traced.number("a"), links=new))
    assert strategy.plan.tolist() == [*before, *new.tolist()], "a is no seed"


def test_the_radius_never_contains_a_page_that_no_path_reaches() -> None:
    assert FAR - 1 <= WIDEST < FAR


def test_a_link_that_redirected_is_known_to_lead_to_its_page() -> None:
    traced, strategy = crawl()
    traced.fetch(2)
    frontier = traced.crawl.frontier
    seen = observed(frontier, traced.number("b"))
    visit = msgspec.structs.replace(seen.visit, asked=traced.web.url("a"))
    strategy.arrive(replace(seen, visit=visit), frontier)
    assert strategy._led_to == {traced.number("a"): traced.number("b")}
