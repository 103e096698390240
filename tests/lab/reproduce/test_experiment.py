"""The strategies and thresholds for a paper's crawlers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from topicrawl.strategies.fcsa import SimulatedAnnealing
from topicrawl_lab.reproduce import fcits_oh, fcwseo, ielp
from topicrawl_lab.reproduce.design import Setup
from topicrawl_lab.reproduce.experiment import Scaled, for_subject, jobs, specs
from topicrawl_lab.spec import make_spec


@pytest.mark.parametrize(
    ("setup", "best_first"), [(ielp.SETUP, "ops[priority=ielp]"), (fcits_oh.SETUP, "ops[priority=fcits]")]
)
def test_a_papers_best_first_crawler_uses_the_link_priority_of_that_paper(
    setup: Setup, best_first: str
) -> None:
    assert str(specs(setup)["OPS"]) == best_first


TOURISM, RAINSTORM = fcits_oh.SETUP.subjects


def test_a_domain_is_set_only_for_strategies_that_have_presets() -> None:
    assert str(for_subject(make_spec("fcits_oh", {}), TOURISM)) == "fcits_oh[domain=tourism]"
    assert str(for_subject(make_spec("bfs", {}), TOURISM)) == "bfs"


def test_a_subject_without_domain_leaves_the_spec_unchanged() -> None:
    assert str(for_subject(make_spec("fcits_oh", {}), replace(TOURISM, domain=""))) == "fcits_oh"


@pytest.mark.parametrize(
    ("setup", "subject", "alpha"),
    [
        (fcwseo.SETUP, "rainstorm disaster", 0.7),  # η, §7.2
        (fcits_oh.SETUP, "tourism", 0.7),  # α, §5
        (fcits_oh.SETUP, "rainstorm disaster", 0.62),
        (ielp.SETUP, "rainstorm disaster", 0.62),  # r1, §4
    ],
)
def test_the_host_memory_of_fcsa_has_the_page_threshold_of_the_experiment(
    setup: Setup, subject: str, alpha: float
) -> None:
    made = {(job.subject.name, job.crawler.name): job.spec for job in jobs(Scaled(setup, repeats=1))}
    strategy = made[subject, "FCSA"].strategy(100)
    assert isinstance(strategy, SimulatedAnnealing)
    assert strategy.page_threshold == alpha


def test_crawlers_without_ontology_are_steered_by_words_and_the_others_by_the_ontology() -> None:
    steered = {job.crawler.name: job.topic for job in jobs(Scaled(fcits_oh.SETUP, repeats=1))}
    assert steered["FCITS"] == steered["FCTS"] == steered["FCSA"] == "rainstorm-words"
    assert steered["FCOITS"] == steered["FCITS_OH"] == steered["OPS"] == ""
    assert {
        job.crawler.name for job in jobs(Scaled(fcits_oh.SETUP, repeats=1)) if job.independent == "words"
    } == {
        "FCSA",
        "FCTS",
        "FCITS",
    }
