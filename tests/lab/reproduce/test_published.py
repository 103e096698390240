"""The published numbers: complete and consistent, except for known misprints."""

from __future__ import annotations

import math

import pytest

from topicrawl.errors import UsageError
from topicrawl_lab.reproduce import published
from topicrawl_lab.reproduce.claims import OF_CRAWLS
from topicrawl_lab.reproduce.experiment import TIME, Scaled, all_crawlers
from topicrawl_lab.reproduce.figures import NAMES, printed_row
from topicrawl_lab.reproduce.papers import PAPERS, setup_of
from topicrawl_lab.reproduce.published import Table
from topicrawl_lab.statistics import rank_by_measures

FAULTY_RATES = {("FCWSEO, Table 3", 7000, "FCWSEO")}
"""Rows whose M and HR contradict each other beyond rounding."""
FAULTY_DEVIATIONS = {(1000, "On-ITS"), (3000, "On-ITS")}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_and_number_belongs_to_a_crawler_and_a_subject_of_the_set_up(paper: str) -> None:
    setup = setup_of(paper)
    crawlers = {crawler.name for crawler in all_crawlers(setup)}
    subjects = {subject.name for subject in setup.subjects}
    assert setup.paper == paper
    assert set(setup.measures) <= set(NAMES)
    assert max(setup.rows) == setup.budget
    for claim in setup.claims:
        assert {claim.crawler, *claim.others} <= crawlers
        assert claim.crawler not in claim.others
        assert claim.subject in {"", *subjects}
        assert claim.measure in {*setup.measures, TIME, *OF_CRAWLS}
        assert claim.less == (
            claim.measure == "SD" or "least time" in claim.text or "less time" in claim.text
        )
        assert claim.search == (claim.crawler not in {crawler.name for crawler in setup.crawlers})
        assert 0 < claim.after <= 1
    for table in setup.published:
        assert set(table.crawlers) <= crawlers
        assert set(table.rows) <= set(setup.rows)


@pytest.mark.parametrize("table", [published.FCWSEO, published.IELP, published.FCWSEO_ABLATION])
def test_printed_rates_are_printed_counts_divided_by_pages_except_for_known_misprints(table: Table) -> None:
    for pages, row in table.rows.items():
        for crawler, values in row.items():
            fits = abs(values["M"] / pages - values["HR"]) < 0.0006
            assert fits != ((table.source, pages, crawler) in FAULTY_RATES), (pages, crawler)


def test_printed_deviations_are_possible_except_for_known_misprints() -> None:
    for pages, row in published.FCWSEO.rows.items():
        for crawler, values in row.items():
            possible = values["SD"] <= math.sqrt(values["AR"] * (1 - values["AR"])) + 0.001
            assert possible != ((pages, crawler) in FAULTY_DEVIATIONS), (pages, crawler)


def test_the_printed_hours_of_fcwseo_stand_beside_its_other_figures() -> None:
    hours = {name: row["seconds"] / 3600 for name, row in published.FCWSEO_TIMES.last.items()}
    assert hours["FCWSEO"] == pytest.approx(11.64)
    assert hours["FCWSE"] == pytest.approx(11.35)
    assert min(hours, key=hours.__getitem__) == "BFS"
    assert printed_row(Scaled(setup_of("fcwseo")), "rainstorm disaster", 15_000, "OPS")["seconds"] == 33_012


def test_fcits_oh_ranks_first_by_its_own_ranking_in_both_domains() -> None:
    for table, rank in ((published.FCITS_OH_TOURISM, 1.25), (published.FCITS_OH_RAINSTORM, 1.75)):
        rows = {name: (v["M"], v["HR"], v["AR"], v["SD"]) for name, v in table.last.items()}
        assert next(iter(rank_by_measures(rows).items())) == ("FCITS_OH", rank)


def test_the_error_for_an_unknown_paper_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no paper 'shark'; choose one of fcwseo, fcits_oh"):
        setup_of("shark")
