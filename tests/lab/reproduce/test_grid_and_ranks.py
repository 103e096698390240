"""FCWSEO's Table 5 and FCITS_OH's Table 3."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl_lab.judges import Verdict
from topicrawl_lab.reproduce import fcits_oh, fcwseo, svsm_mcoa
from topicrawl_lab.reproduce.experiment import Crawled, Scaled, all_crawlers
from topicrawl_lab.reproduce.figures import printed_row
from topicrawl_lab.reproduce.grid import grid_panels
from topicrawl_lab.reproduce.ranks import average_ranks, ranked

TINY = Scaled(fcwseo.SETUP, 0.001, repeats=1)


def crawled(crawler: str, values: list[float], subject: str = "rainstorm disaster") -> Crawled:
    own = Verdict(np.array(values), np.array(values) > 0.7)
    return Crawled(subject, crawler, 0, own=own, true=own, seconds=1.0)


def test_a_grid_shows_the_rate_at_each_threshold_and_a_dash_where_the_budget_was_not_reached() -> None:
    whole, short = [0.9] * 5 + [0.66] * 5 + [0.1] * 5, [0.9] * 14
    page = grid_panels(TINY, [crawled("FCWSEO τ=0.1", whole), crawled("FCWSEO τ=0.2", short)])
    assert page.count(">0.667<") == 4  # η = 0.6 and 0.65, drawn wide and narrow
    assert page.count(">0.333<") == 2
    assert page.count(">0.811<") == 4  # printed beside both grids
    assert ">1.000<" not in page


def test_table_5_at_the_published_thresholds_counts_pages_taken_and_not_peeks() -> None:
    table = fcwseo.SETUP.grids[0]
    assert table.columns[:4] == ("0.1", "0.15", "0.2", "0.25")
    assert table.thresholds == (0.6, 0.65, 0.7)
    assert all(crawler.peeks_are_free for crawler in table.crawlers)
    assert all("target_relevance=peek" in crawler.specs[0] for crawler in table.crawlers)


def test_a_paper_without_a_grid_has_no_grid_panel() -> None:
    assert grid_panels(Scaled(svsm_mcoa.SETUP), []) == ""
    assert grid_panels(Scaled(fcwseo.SETUP, only_parts=("tables",)), []) == ""


def test_a_grid_is_shown_for_each_subject_without_a_printed_one_where_none_is_published() -> None:
    values = [0.9] * 8 + [0.1] * 7
    page = grid_panels(Scaled(fcits_oh.SETUP, 0.001), [crawled("FCITS_OH β=0.1", values, "tourism")])
    assert page.count("<h2>The link threshold β, tourism</h2>") == 1
    assert page.count("<h2>The link threshold β, rainstorm disaster</h2>") == 1
    assert "printed" not in page
    assert page.count(">0.533<") == 2 * 6  # six page thresholds, drawn wide and narrow


def test_the_crawlers_of_the_grid_can_be_selected_by_name() -> None:
    assert "FCWSEO τ=0.25" in [crawler.name for crawler in all_crawlers(fcwseo.SETUP)]
    assert Scaled(fcwseo.SETUP, only=("FCWSEO τ=0.25",)).only


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("tourism", {"BFS": 6, "OPS": 5, "FCSA": 4, "FCWSEO": 2.5, "FCOITS": 2.25, "FCITS_OH": 1.25}),
        (
            "rainstorm disaster",
            {
                "BFS": 7,
                "OPS": 6,
                "FCSA": 5,
                "FCWSEO": 2.25,
                "OLMOACO": 2.75,
                "FCOITS": 3.25,
                "FCITS_OH": 1.75,
            },
        ),
    ],
)
def test_average_ranks_of_the_printed_measures(subject: str, expected: dict[str, float]) -> None:
    scaled = Scaled(fcits_oh.SETUP)
    assert average_ranks({name: printed_row(scaled, subject, 15_000, name) for name in expected}) == expected


def test_ranks_are_shown_for_crawlers_that_ran_and_for_those_printed() -> None:
    scaled = Scaled(fcits_oh.SETUP, 0.001, repeats=1)
    page = ranked(
        scaled, [crawled("BFS", [0.1, 0.2], "tourism"), crawled("FCTS", [0.9, 0.8], "tourism")], "tourism"
    )
    assert "Average ranks" in page
    assert ">6.000<" in page
