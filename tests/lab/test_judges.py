from __future__ import annotations

import pytest

from topicrawl.model import Visit
from topicrawl_lab.example_similarity import ExampleSimilarity, Rarity
from topicrawl_lab.judges import by_labels, by_own_relevance, by_similarity


def visit(n: int, relevance: float = 0.0, *, fetched: bool = True) -> Visit:
    url = f"http://a.test/{n}"
    return Visit(n, url, url, 200, fetched, False, relevance, 0.0, "a.test", 0, None, "", 10, None)


RELEVANCES = [0.9, 0.8, 0.75, 0.71, 0.7, 0.5, 0.2, 0.0, 0.65, 0.95]
"""A worked example with known measures."""


def test_the_labels_judge_only_fetched_pages() -> None:
    visits = [visit(1), visit(2, fetched=False), visit(3), visit(4)]
    verdict = by_labels(visits, {"http://a.test/2", "http://a.test/3"})
    assert verdict.found == 1
    assert verdict.harvest_rate == pytest.approx(1 / 3)
    assert verdict.harvest.tolist() == pytest.approx([0, 1 / 2, 1 / 3])
    assert verdict.area == pytest.approx((1 / 2 + 1 / 3) / 3)


def test_the_own_relevance_counts_strictly_above_the_threshold() -> None:
    verdict = by_own_relevance([visit(n, value) for n, value in enumerate(RELEVANCES)], 0.7)
    assert (verdict.found, verdict.harvest_rate) == (5, 0.5)
    assert verdict.average == pytest.approx(0.616)
    assert verdict.deviation == pytest.approx(0.287583, abs=1e-6)


def test_the_similarity_counts_from_the_threshold_on_and_averages_the_relevant() -> None:
    verdict = by_similarity(RELEVANCES, 0.7)
    assert verdict.harvest_rate == pytest.approx(0.6)
    assert verdict.average_of_relevant == pytest.approx(0.801667, abs=1e-6)


def test_early_finds_weigh_more_in_the_area() -> None:
    early, late = by_similarity([1, 1, 0, 0], 0.5), by_similarity([0, 0, 1, 1], 0.5)
    assert early.harvest_rate == late.harvest_rate
    assert early.area > late.area


def test_the_measures_of_a_crawl_without_pages_are_0() -> None:
    for verdict in (by_labels([], set()), by_own_relevance([]), by_similarity([])):
        measures = (verdict.found, verdict.harvest_rate, verdict.area, verdict.average, verdict.deviation)
        assert measures == (0, 0, 0, 0, 0)
        assert verdict.average_of_relevant == 0


def test_the_nearest_example_counts() -> None:
    examples = ["storm storm flood", "bread butter"]
    similar = ExampleSimilarity(examples, Rarity(examples))
    assert similar("storm storm flood") == pytest.approx(1)
    assert similar("BUTTER, bread!") == pytest.approx(1)
    assert similar("storm and thunder") == pytest.approx(similar("thunder and storm"))
    assert 0 < similar("storm and thunder") < 1
    assert similar("nothing of this") == similar("") == 0


def test_pages_are_not_alike_by_stop_words() -> None:
    examples = ["the storm and the flood of the year", "the bread and the butter of the baker"]
    similar = ExampleSimilarity(examples, Rarity(examples))
    assert similar("the hammer and the nail of the carpenter") == 0
    assert similar("the storm, and of the flood of a year") == pytest.approx(1)


def test_in_chinese_each_character_is_a_word() -> None:
    similar = ExampleSimilarity(["暴雨"], Rarity(["暴雨"]))
    assert similar("雨暴") == pytest.approx(1)
    assert 0 < similar("大雨") < 1


def test_a_similarity_worked_out_by_hand() -> None:
    # idf of "storm" is ln(1 + 2/2), of "flood" and of words seen nowhere ln(1 + 2/1); every tf is 1
    common, rare = 0.693147, 1.098612
    similar = ExampleSimilarity(["storm flood"], Rarity(["storm flood", "storm"]))
    expected = common * common / ((common**2 + rare**2) ** 0.5 * (common**2 + rare**2) ** 0.5)
    assert similar("storm thunder") == pytest.approx(expected, abs=1e-5)


def test_only_the_heaviest_terms_of_a_text_are_kept() -> None:
    many = " ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)} " * 2 for n in range(60))
    similar = ExampleSimilarity(["needle"], Rarity(["needle"]))
    assert similar("needle " + many[: len(many) // 3]) > 0
    assert similar("needle " + many) == 0
