"""The ant colony: steps of ants, pheromone, and where cycles start."""

from __future__ import annotations

import numpy as np
import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events, visits
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import WAITING
from topicrawl.strategies import Choice
from topicrawl.strategies.moaco import AntColony, transition
from topicrawl.strategies.registry import make_strategy

WEB = SmallWeb(fails=0)


def start(web: SmallWeb = WEB, **settings: object) -> tuple[Crawl, AntColony]:
    strategy = make_strategy("moaco", settings)
    assert isinstance(strategy, AntColony)
    return Crawl(TOPIC, strategy, web.seeds(3), rng_seed=1), strategy


def test_transition_probabilities_are_the_heuristic_squared_times_pheromone() -> None:
    chances = transition(np.array([0.5, 0.3, 0.2]), np.array([1.0, 1.0, 2.0]))
    assert chances.tolist() == pytest.approx([0.595238, 0.214286, 0.190476], abs=1e-6)


def test_links_of_heuristic_0_have_equal_probabilities() -> None:
    assert transition(np.zeros(4), np.ones(4)).tolist() == [0.25] * 4


def test_pheromone_evaporates_and_is_added_to_the_best_links() -> None:
    crawl, strategy = start(ants=2, steps=2, kept=1)
    while strategy.cycle < 1:
        ask = crawl.ask()
        assert ask is not None
        crawl.tell(ask, WEB.answer(ask))
    pheromone = crawl.frontier.columns["pheromone"]
    pheromone[:3] = (1.0, 1.0, 2.0)
    strategy._found = [0]
    points = strategy.objectives(crawl.frontier, np.array([0]))
    assert strategy._end_cycle(crawl.frontier, crawl.rng) == [0]
    assert pheromone[:3].tolist() == pytest.approx([0.9 + points.mean(), 0.9, 1.8], abs=1e-6)


def test_pheromone_stays_within_its_bounds() -> None:
    crawl, strategy = start(evaporation=0.9, most_pheromone=0.5, least_pheromone=0.2)
    list(events(crawl, WEB, most=150))
    assert strategy.cycle > 1
    pheromone = crawl.frontier.columns["pheromone"]
    known_before = pheromone[pheromone < 1.0]
    assert len(known_before) > 50
    assert known_before.min() >= np.float32(0.2)
    assert known_before.max() <= 0.5


def test_every_ant_makes_a_step_before_any_makes_the_next() -> None:
    crawl, strategy = start(ants=3, steps=4, link_threshold=-1)
    log = visits(list(events(crawl, WEB, most=3 + 3)))
    assert [visit.asked for visit in log[:3]] == WEB.seeds(3)
    assert [ant.steps for ant in strategy.colony] == [1, 1, 1]
    assert len({visit.parent for visit in log[3:]}) == 3


def test_a_cycle_ends_when_no_ant_can_move_and_ants_start_from_the_kept_links() -> None:
    crawl, strategy = start(ants=3, steps=2, kept=2, link_threshold=-1)
    while strategy.cycle < 2:
        ask = crawl.ask()
        assert ask is not None
        crawl.tell(ask, WEB.answer(ask))
    kept = {link for link, (_, _, is_kept) in strategy._fates.items() if is_kept}
    assert len(kept) == 2
    assert all(front == 0 for _, front, is_kept in strategy._fates.values() if is_kept)
    stories = [strategy.story(crawl.frontier, link)[0] for link in kept]
    assert all("ants started from it" in story for story in stories)


def test_an_ant_whose_page_fails_stays_where_it_is() -> None:
    failing = SmallWeb(fails=0.5)
    crawl, strategy = start(web=failing)
    for _ in events(crawl, failing, most=60):
        assert all(ant.page is None or crawl.frontier.graph.out_degree(ant.page) for ant in strategy.colony)


def test_the_learned_colony_differs_in_its_topic_only() -> None:
    assert type(make_strategy("olmoaco")).topic_model == "learned"
    one = visits(list(events(start()[0], WEB)))
    other = visits(list(events(Crawl(TOPIC, make_strategy("olmoaco"), WEB.seeds(3), rng_seed=1), WEB)))
    assert one == other


def test_an_ant_whose_choice_is_not_made_has_the_step_again() -> None:
    """A log of another version may have another choice: see `Strategy.chose`."""
    crawl, strategy = start(ants=2, steps=3, link_threshold=-1)
    list(events(crawl, WEB, most=3 + 2))
    own = strategy.choose(crawl.frontier, crawl.rng)
    assert own is not None
    ant = strategy.colony[own.walker]
    assert (ant.steps, ant.waiting) == (2, True)
    assert ant.page is not None
    other = next(
        link
        for link in crawl.frontier.graph.targets(ant.page).tolist()
        if link != own.link and crawl.frontier.columns["state"][link] == WAITING
    )
    strategy.chose(Choice(other, own.walker), crawl.frontier)
    assert (ant.steps, ant.waiting) == (2, True), "the step was taken back, and made to the other link"
    strategy.chose(Choice(other, 99), crawl.frontier)
    strategy.retract(Choice(other, own.walker), crawl.frontier)
    assert (ant.steps, ant.waiting) == (1, False)


def test_all_links_begin_with_the_same_pheromone_and_why_shows_it() -> None:
    crawl, strategy = start()
    list(events(crawl, WEB, most=3))
    assert set(crawl.frontier.columns["pheromone"].tolist()) == {1.0}
    crawl.frontier.columns["pheromone"][1] = 0.25
    told = strategy.explain(crawl.frontier, 1)
    assert told["pheromone"] == 0.25
    assert told.keys() > strategy.valuation.explain(crawl.frontier, 1).keys() > set()


def test_an_ant_makes_no_more_steps_in_a_cycle_than_it_may() -> None:
    crawl, strategy = start(ants=3, steps=1, link_threshold=-1)
    list(events(crawl, WEB, most=3 + 2))
    assert strategy.cycle == 1
    assert sorted(ant.steps for ant in strategy.colony) == [0, 1, 1]
    list(events(crawl, WEB, most=3 + 3))
    assert strategy.cycle == 2
    assert [ant.steps for ant in strategy.colony] == [0, 0, 0]


def test_what_became_of_a_link_in_its_cycle() -> None:
    crawl, strategy = start()
    strategy._fates = {0: (2, 0, True), 1: (2, 0, False), 2: (3, 1, False)}
    assert [strategy.story(crawl.frontier, link) for link in range(4)] == [
        ["cycle 2: front 1; it got pheromone, ants started from it"],
        ["cycle 2: front 1; no ant started from it (others of that front were sampled)"],
        ["cycle 3: front 2; no ant started from it"],
        [],
    ]
