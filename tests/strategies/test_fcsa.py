"""Simulated annealing without randomness."""

from __future__ import annotations

import random

import numpy as np
import pytest

from strategies.scripted import Scripted, at_page
from topicrawl.strategies.fcsa import SimulatedAnnealing, acceptance
from value.seen import observed


def test_the_temperature_falls_by_a_hundredth_a_page_down_to_its_floor() -> None:
    strategy, frontier = at_page(SimulatedAnnealing(), 0.5, [0.5], links=[])
    strategy.temperature = strategy.start_temperature
    for _ in range(100):
        strategy.arrive(observed(frontier, 0), frontier)
    assert strategy.temperature == pytest.approx(0.036603, abs=1e-6)
    for _ in range(1000):
        strategy.arrive(observed(frontier, 0), frontier)
    assert strategy.temperature == 1e-3


def test_the_probability_of_a_step_down() -> None:
    assert acceptance(-0.05, 0.1) == pytest.approx(0.606531, abs=1e-6)
    assert acceptance(-0.05, 0.0366032341) == pytest.approx(0.255126, abs=1e-6)
    assert acceptance(0.0, 0.1) == 1.0


def test_an_equally_good_link_is_accepted_without_a_random_draw() -> None:
    strategy, frontier = at_page(SimulatedAnnealing(), 0.5, [0.5], links=[])
    choice = strategy.choose(frontier, Scripted())
    assert choice is not None
    assert choice.link == 1


def test_after_twenty_rejections_the_best_link_is_taken() -> None:
    strategy, frontier = at_page(SimulatedAnnealing(), 0.5, [0.3, 0.31, 0.3], links=[])
    rejected = Scripted(*[0.999] * 20)
    choice = strategy.choose(frontier, rejected)
    assert choice is not None
    assert choice.link == 2
    with pytest.raises(AssertionError):
        rejected.random()


def test_links_anywhere_in_the_queue_are_drawn() -> None:
    drawn = set()
    for seed in range(60):
        strategy, frontier = at_page(SimulatedAnnealing(), 0.2, [0.5, 0.6, 0.7], links=[1])
        choice = strategy.choose(frontier, random.Random(seed))
        assert choice is not None
        drawn.add(choice.link)
    assert drawn == {1, 2, 3}


def test_a_tabu_host_is_visited_again_when_no_other_waits() -> None:
    strategy, frontier = at_page(SimulatedAnnealing(), 0.5, [0.5, 0.6], links=[])
    strategy.memory.trial = 1
    strategy.memory.observe(observed(frontier, 2), frontier)
    same_host = frontier.add(["http://h2.test/more"], depth=1, parent=2)
    frontier.prioritise(same_host, np.array([0.9]))
    strategy.queue.add(frontier, same_host)
    frontier.settle(1, 3)
    choice = strategy.choose(frontier, random.Random(1))
    assert choice is not None
    assert choice.link == same_host[0]
    assert strategy.memory.tabu == ()


def test_tabu_hosts_are_released_the_oldest_first_until_one_has_a_link() -> None:
    strategy, frontier = at_page(SimulatedAnnealing(), 0.5, [0.5, 0.6, 0.7], links=[])
    strategy.memory.trial = 1
    for link in (1, 2, 3):
        strategy.memory.observe(observed(frontier, link), frontier)
    more = frontier.add(["http://h2.test/more", "http://h3.test/more"], depth=1, parent=2)
    frontier.prioritise(more, np.array([0.8, 0.9]))
    strategy.queue.add(frontier, more)
    choice = strategy.choose(frontier, random.Random(1))
    assert choice is not None
    assert choice.link == more[0], "the host of link 1 has no other"
    assert strategy.memory.tabu == (int(frontier.columns["host"][3]),)
