"""Claims: reproduced when better than every other crawler named, not reproduced when worse than one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from topicrawl_lab.judges import Verdict
from topicrawl_lab.reproduce import fcwseo
from topicrawl_lab.reproduce.claims import Judgement, judge, judge_both
from topicrawl_lab.reproduce.design import Claim
from topicrawl_lab.reproduce.experiment import Crawled, Scaled
from topicrawl_lab.reproduce.page import headline
from topicrawl_lab.reproduce.papers import setup_of
from topicrawl_lab.reproduce.tables import why

SCALED = Scaled(setup_of("ielp"), 0.01)


def crawled(crawler: str, repeat: int, relevances: list[float]) -> Crawled:
    values = np.array(relevances)
    verdict = Verdict(values, values > 0.62)
    return Crawled("rainstorm disaster", crawler, repeat, verdict, verdict, 1.0)


def crawls(found: dict[str, list[int]]) -> list[Crawled]:
    """Crawls of 20 pages, of which so many are relevant, the relevant ones first."""
    return [
        crawled(name, repeat, [0.9] * count + [0.1] * (20 - count))
        for name, counts in found.items()
        for repeat, count in enumerate(counts)
    ]


HIGH, LOW, MIXED = [15, 16, 17, 15, 16, 18, 17], [5, 6, 4, 5, 7, 6, 5], [15, 4, 18, 3, 17, 5, 16]


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ({"IELP": HIGH, "BFS": LOW, "OPS": LOW}, "reproduced"),
        ({"IELP": LOW, "BFS": HIGH, "OPS": LOW}, "not reproduced"),
        ({"IELP": HIGH, "BFS": LOW, "OPS": MIXED}, "undecided"),
        ({"IELP": HIGH[:3], "BFS": LOW[:3], "OPS": LOW[:3]}, "undecided"),
        ({"IELP": HIGH, "BFS": LOW}, "not yet"),
        ({"BFS": LOW, "OPS": HIGH}, "not yet"),
    ],
)
def test_a_claim_is_tested_against_every_crawler_it_names(found: dict[str, list[int]], verdict: str) -> None:
    claim = Claim("IELP finds most", "IELP", ("BFS", "OPS"), "M")
    assert judge(claim, crawls(found), SCALED).verdict == verdict


def test_a_claim_is_judged_apart_by_the_crawls_of_the_independent_judge() -> None:
    claim = Claim("IELP finds most", "IELP", ("BFS",), "M")
    paper = crawls({"IELP": HIGH, "BFS": LOW})
    apart = [replace(each, independent=True) for each in crawls({"IELP": LOW, "BFS": HIGH})]
    judged = judge_both(claim, [*paper, *apart], SCALED)
    assert judged.independent is not None
    assert (judged.verdict, judged.independent.verdict) == ("reproduced", "not reproduced")
    assert judge_both(claim, paper, SCALED).independent is None


def test_a_claim_on_a_parameter_is_judged_apart_by_the_truth_of_the_web() -> None:
    claim = Claim("r2 = 0.12 is best", "IELP", ("BFS",), "HR", search=True)
    nothing = np.zeros(20)
    blind = Verdict(nothing, nothing > 0)
    paper = [replace(each, true=blind) for each in crawls({"IELP": HIGH, "BFS": LOW})]
    judged = judge_both(claim, paper, SCALED)
    assert judged.independent is not None
    assert (judged.verdict, judged.independent.verdict) == ("reproduced", "undecided")


def test_a_claim_on_time_compares_the_time_for_valuing_and_choosing_links() -> None:
    slow = [replace(each, own_seconds=2.0 + each.repeat) for each in crawls({"IELP": HIGH})]
    fast = [replace(each, own_seconds=1.0 + each.repeat, seconds=9.0) for each in crawls({"BFS": HIGH})]
    first, second = (
        judge(Claim("", name, (other,), "seconds", less=less), [*slow, *fast], SCALED).verdict
        for name, other, less in (("IELP", "BFS", False), ("BFS", "IELP", True))
    )
    assert first == second == "reproduced"


def evolving(found: dict[str, list[int]], *ended: int) -> list[Crawled]:
    """Crawls, of which those of FCWSEO had ended so many generations in each repeat."""
    return [
        replace(each, generations=ended[each.repeat]) if each.crawler == "FCWSEO" else each
        for each in crawls(found)
    ]


@pytest.mark.parametrize("search", [False, True])
@pytest.mark.parametrize(("crawler", "other"), [("FCWSEO", "BFS"), ("BFS", "FCWSEO")])
def test_a_claim_is_not_judged_yet_unless_all_its_crawls_have_evolved(
    crawler: str, other: str, search: bool
) -> None:
    claim = Claim("", crawler, (other,), "M", search=search)
    found = {crawler: LOW, other: HIGH}
    for ended in ([0] * 7, [1] * 6 + [0]):
        judged = judge(claim, evolving(found, *ended), SCALED)
        assert (judged.verdict, judged.unevolved, judged.pairings) == ("not yet", ("FCWSEO",), ())
        assert why(judged) == ["FCWSEO had not evolved in every crawl: take a larger --scale"]
    assert judge(claim, evolving(found, *[1] * 7), SCALED).verdict == "not reproduced"


def test_only_crawls_about_the_subject_of_a_claim_must_have_evolved() -> None:
    evolved = evolving({"FCWSEO": HIGH, "BFS": LOW}, *[1] * 7)
    others = [replace(each, subject="tourism", generations=0) for each in evolved]
    claim = Claim("", "FCWSEO", ("BFS",), "M", subject="rainstorm disaster")
    assert judge(claim, [*evolved, *others], SCALED).verdict == "reproduced"


def test_a_claim_of_those_that_reach_the_budget_leaves_out_the_others() -> None:
    scaled = replace(SCALED, scale=20 / 15_000)
    claim = Claim("", "τ=0.2", ("τ=0.1", "τ=0.25"), "HR", search=True, reaching=True)
    found = crawls({"τ=0.2": HIGH, "τ=0.1": LOW, "τ=0.25": [20] * 7})
    assert judge(claim, found, scaled).verdict == "not reproduced"
    for name, verdict in (("τ=0.25", "reproduced"), ("τ=0.2", "not reproduced")):
        ended = [
            crawled(name, 0, [0.9] * 19) if (each.crawler, each.repeat) == (name, 0) else each
            for each in found
        ]
        judged = judge(claim, ended, scaled)
        assert (judged.verdict, judged.short) == (verdict, (name,))
        assert why(judged)[-1] == f"{name} did not reach the budget in every crawl"


def test_table_5_compares_the_published_threshold_with_all_others_run() -> None:
    (claim,) = (each for each in fcwseo.SETUP.claims if "Table 5" in each.text)
    assert claim.reaching
    assert {claim.crawler, *claim.others} == {each.name for each in fcwseo.TABLE_5.crawlers}


def test_claims_of_ours_are_not_counted_as_the_papers() -> None:
    judged = [Judgement(Claim("", "IELP", (), "M", ours=ours), "reproduced") for ours in (True, False)]
    assert headline(judged).startswith("1 of 1 claims reproduced")


def test_missing_crawlers_are_named() -> None:
    judged = judge(Claim("", "IELP", ("BFS", "ELP"), "M"), crawls({"BFS": LOW}), SCALED)
    assert judged.missing == ("IELP", "ELP")


def test_a_smaller_standard_deviation_is_better() -> None:
    # equal pages have deviation 0, half and half the largest
    found = {"steady": [20] * 7, "mixed": [10] * 7}
    claim = Claim("", "steady", ("mixed",), "SD", less=True)
    assert judge(claim, crawls(found), SCALED).verdict == "reproduced"


def test_a_claim_about_a_share_of_the_budget_is_tested_after_that_many_pages() -> None:
    early = [crawled("early", n, [0.9] * 5 + [0.1] * 145) for n in range(7)]
    late = [crawled("late", n, [0.1] * 75 + [0.9] * 75) for n in range(7)]
    first, last = (
        judge(Claim("", "early", ("late",), "M", after), [*early, *late], SCALED) for after in (0.3, 1.0)
    )
    assert (first.verdict, last.verdict) == ("reproduced", "not reproduced")


def test_the_measures_of_a_small_crawl_worked_out_by_hand() -> None:
    one = crawled("OPS", 0, [0.9, 0.7, 0.2, 0.6])
    assert [one.at("M", n) for n in (1, 2, 4, 9)] == [1, 2, 2, 2]
    assert one.at("HR", 4) == 0.5
    assert one.at("AR", 4) == pytest.approx(0.6)
    assert one.at("SD", 4) == pytest.approx(np.std([0.9, 0.7, 0.2, 0.6]))
    assert one.at("AS", 4) == pytest.approx(0.8)
    assert crawled("OPS", 0, []).at("HR", 5) == 0.0


def test_scaling_applies_to_budget_rows_and_seeds() -> None:
    assert (SCALED.budget, SCALED.seeds, SCALED.rows, SCALED.times) == (150, 15, [30, 60, 90, 120, 150], 10)
    full = Scaled(setup_of("ielp"), repeats=3)
    assert (full.budget, full.seeds, full.rows[-1], full.times) == (15_000, 30, 15_000, 3)
