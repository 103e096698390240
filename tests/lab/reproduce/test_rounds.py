"""SemXDM's experiment at a small scale: nine rounds, each measured by itself, and what was learned in them."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from topicrawl.knowledge.history import Round
from topicrawl.knowledge.maintain import Changes
from topicrawl_lab.judges import Verdict
from topicrawl_lab.reproduce.claims import first_join, judge
from topicrawl_lab.reproduce.design import Claim
from topicrawl_lab.reproduce.experiment import Crawled, Scaled
from topicrawl_lab.reproduce.run import reproduce
from topicrawl_lab.reproduce.semxdm import SETUP

SMALL = replace(
    SETUP, budget=3000, rows=tuple(round(3000 * n / 9) for n in range(1, 10)), training_items=2000
)
SCALED = Scaled(SMALL, scale=0.03, repeats=1, only=("SemXDM", "SemXDM untrained"))
"""90 pages in rounds of ten, 9 seeds, 60 pages in the training set."""


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repro")
    reproduce(SCALED, folder)
    return folder


def test_harvest_is_that_of_each_round_by_itself(out: Path) -> None:
    with (out / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["crawler"], row["judge"]) == ("SemXDM", "paper")]
    log = out / "visits" / "economic-news" / "SemXDM" / "0.relevance.json"
    values = np.array(json.loads(log.read_bytes()))
    assert [int(row["pages"]) for row in rows] == list(range(10, 91, 10))
    for row, part in zip(rows, np.split(values, 9), strict=True):
        assert float(row["HR"]) == pytest.approx((part > 0.25).mean())
        assert float(row["AR"]) == pytest.approx(part.mean(), abs=1e-6)


def test_a_trained_crawl_begins_with_labels_and_an_untrained_one_without(out: Path) -> None:
    begun = {
        name: json.loads((out / f"visits/economic-news/{name}/0.rounds.json").read_bytes())[0]
        for name in ("SemXDM", "SemXDM untrained")
    }
    assert begun["SemXDM"]["labels"] > 0
    assert begun["SemXDM untrained"]["labels"] == 0


def test_the_report_has_the_rounds_and_calls_the_topic_one_page(out: Path) -> None:
    text = (out / "report.html").read_text("utf-8")
    assert "<h2>Rounds</h2>" in text
    assert "Round in which the first item joined layer 0, for each crawl:" in text
    assert "one page, the query" in text
    assert "twenty pages" not in text
    assert {"rounds-labels-inferred.svg", "rounds-items-in-layer-0.svg"} <= {
        path.name for path in (out / "plots").iterdir()
    }


def crawled(repeat: int, layer_0: list[int]) -> Crawled:
    rounds = tuple(
        Round(number, 10, (size, 0, 0), 5, 3, 0, 9, 4, 0.1, 0.2, Changes())
        for number, size in enumerate(layer_0)
    )
    none = Verdict(np.empty(0), np.empty(0, dtype=bool))
    return Crawled("economic news", "SemXDM", repeat, none, none, 1.0, rounds=rounds)


@pytest.mark.parametrize(
    ("layer_0", "first"), [([1, 1, 1, 1, 1, 3], 5), ([1, 2, 2, 2, 2, 3], 1), ([1, 1, 1], 0), ([], 0)]
)
def test_the_first_item_joins_layer_0_in_the_round_after_which_it_is_larger(
    layer_0: list[int], first: int
) -> None:
    assert first_join(crawled(0, layer_0)) == first


@pytest.mark.parametrize(
    ("late", "early", "verdict"), [(7, 0, "reproduced"), (0, 7, "not reproduced"), (4, 3, "undecided")]
)
def test_that_nothing_joins_before_round_5_must_hold_in_most_crawls(
    late: int, early: int, verdict: str
) -> None:
    claim = next(each for each in SETUP.claims if each.measure == "joins late")
    layers = [[1, 1, 1, 1, 1, 2]] * late + [[1, 1, 1, 2, 2, 2]] * early
    crawls = [crawled(repeat, each) for repeat, each in enumerate(layers)]
    assert judge(claim, crawls, SCALED).verdict == verdict


def test_a_claim_about_later_rounds_leaves_out_the_pages_before() -> None:
    def one(crawler: str, repeat: int, values: list[float]) -> Crawled:
        verdict = Verdict(np.array(values), np.array(values) > 0.25)
        return Crawled("economic news", crawler, repeat, verdict, verdict, 1.0)

    early, late = [0.9] * 80 + [0.1] * 10, [0.1] * 80 + [0.9] * 10
    crawls = [one(name, n, values) for n in range(7) for name, values in (("A", early), ("B", late))]
    whole, end = Claim("", "B", ("A",), "HR"), Claim("", "B", ("A",), "HR", since=80 / 90)
    assert judge(whole, crawls, SCALED).verdict == "not reproduced"
    assert judge(end, crawls, SCALED).verdict == "reproduced"
