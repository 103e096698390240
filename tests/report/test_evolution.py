"""The charts of an evolution, which only reports of such strategies have."""

from __future__ import annotations

from typing import Any

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events
from topicrawl.crawling.core import Crawl
from topicrawl.report.evolution import evolution_panel, front_chart, host_chart, radius_chart
from topicrawl.report.page import WIDE, both
from topicrawl.strategies.registry import make_strategy


def generation(number: int, **more: Any) -> dict[str, Any]:
    plain = {
        "number": number, "radius": 2.0 ** (number - 1), "hosts": {"a.test": 2, "b.test": 1}, "restarted": False,
        "downloads": 10, "fronts": [4, 3, 2], "cases": {"neither": 3}, "replaced": 1, "front_count": 3, "sorted": 9,
    }  # fmt: skip
    return plain | more


THREE = [generation(1, cases={"farther": 2}), generation(2), generation(3, hosts={"c.test": 3})]


def test_a_strategy_that_evolves_reports_what_the_charts_need() -> None:
    web = SmallWeb()
    crawl = Crawl(TOPIC, make_strategy("fcwseo", {"bank_size": 5}), web.seeds(), rng_seed=1)
    list(events(crawl, web, most=200))
    told = crawl.strategy.evolution()
    assert told is not None
    assert len(told) > 2
    assert told[0].keys() == generation(1).keys()
    page = evolution_panel(told, both, WIDE)
    assert "How the seeds evolved" in page
    assert page.count("<svg") == 6


def test_other_strategies_do_not_evolve() -> None:
    assert make_strategy("ops").evolution() is None
    assert evolution_panel((), both, WIDE) == ""


def test_an_unfinished_generation_is_not_drawn() -> None:
    assert evolution_panel([generation(1, downloads=0)], both, WIDE) == ""
    assert "2 generations" in evolution_panel([*THREE[:2], generation(3, downloads=0)], both, WIDE)


def test_a_dot_marks_a_test_link_outside_the_radius() -> None:
    assert radius_chart(THREE, 600, 200).count("<circle") == 1


def test_the_radius_is_drawn_even_when_it_has_grown_beyond_all_distances() -> None:
    assert "2^30" in radius_chart([generation(1), generation(2, radius=2.0**31)], 600, 200)


def test_bars_have_a_part_for_each_host_and_tooltips() -> None:
    drawn = host_chart(THREE, 600, 200)
    assert drawn.count("<rect") == 5
    assert "generation 3: 3 seeds on 1 host" in drawn


def test_fronts_are_stacked_up_to_five_and_the_number_taken_is_a_line() -> None:
    drawn = front_chart([generation(1, fronts=[9, 8, 7, 6, 5])], 600, 200)
    assert drawn.count("<rect") == 5
    assert 'class="threshold"' in drawn


def test_more_generations_than_fit_are_thinned() -> None:
    assert host_chart([generation(n) for n in range(1, 400)], 350, 200).count("<rect") <= 2 * 41


def test_names_of_hosts_cannot_become_markup() -> None:
    hostile = "<script>x</script>.test"
    assert hostile not in evolution_panel([generation(1, hosts={hostile: 3})], both, WIDE)
