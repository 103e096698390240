"""The strategies and thresholds for a paper's crawlers."""

from __future__ import annotations

import pytest

from topicrawl_lab.reproduce import fcits_oh, ielp
from topicrawl_lab.reproduce.design import Setup
from topicrawl_lab.reproduce.experiment import Scaled, in_domain, jobs, specs
from topicrawl_lab.spec import make_spec


@pytest.mark.parametrize(
    ("setup", "best_first"), [(ielp.SETUP, "ops[priority=ielp]"), (fcits_oh.SETUP, "ops[priority=fcits]")]
)
def test_a_papers_best_first_crawler_uses_the_link_priority_of_that_paper(
    setup: Setup, best_first: str
) -> None:
    assert str(specs(setup)["OPS"]) == best_first


def test_a_domain_is_set_only_for_strategies_that_have_presets() -> None:
    assert str(in_domain(make_spec("fcits_oh", {}), "tourism")) == "fcits_oh[domain=tourism]"
    assert str(in_domain(make_spec("bfs", {}), "tourism")) == "bfs"


def test_a_subject_without_domain_leaves_the_spec_unchanged() -> None:
    assert str(in_domain(make_spec("fcits_oh", {}), "")) == "fcits_oh"


def test_crawlers_without_ontology_are_steered_by_words_and_the_others_by_the_ontology() -> None:
    steered = {job.crawler.name: job.topic for job in jobs(Scaled(fcits_oh.SETUP, repeats=1))}
    assert steered["FCITS"] == steered["FCTS"] == steered["FCSA"] == "rainstorm-words"
    assert steered["FCOITS"] == steered["FCITS_OH"] == steered["OPS"] == ""
