"""Idle and busy walkers."""

from __future__ import annotations

from topicrawl.strategies.walkers import Walkers


def test_with_one_in_flight_there_is_one_walker() -> None:
    walkers = Walkers(list[int])
    for step in range(3):
        number = walkers.idle()
        assert number == 0
        walkers.send(number)
        walkers.back(number).append(step)
    assert walkers[0] == [0, 1, 2]


def test_a_busy_walker_is_not_sent_again_and_the_first_idle_one_is() -> None:
    walkers = Walkers(list[int])
    numbers = []
    for _ in range(3):
        numbers.append(walkers.idle())
        walkers.send(numbers[-1])
    assert numbers == [0, 1, 2]
    walkers.back(1)
    walkers.back(2)
    assert walkers.idle() == 1


def test_a_walker_of_any_number_may_be_sent_and_come_back() -> None:
    walkers = Walkers(list[int])
    walkers.send(40)
    assert walkers.idle() == 0
    walkers.back(40).append(7)
    walkers.back(41).append(8)
    assert (walkers[40], walkers[41]) == ([7], [8])
