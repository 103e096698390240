"""The totals of a crawl."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.model import Visit
from topicrawl.report.digest import digest
from topicrawl.report.summary import summarise, why_stopped


def visit(n: int, relevance: float = 0.0, **fields: object) -> Visit:
    base: dict[str, object] = {
        "url": f"https://a.test/{n}",
        "asked": f"https://a.test/{n}",
        "status": 200,
        "fetched": True,
        "peek": False,
        "priority": 0.5,
        "host": "a.test",
        "depth": 0,
        "parent": None,
        "title": f"Page {n}",
        "bytes": 100,
        "error": None,
    }
    return Visit(n=n, relevance=relevance, **(base | fields))  # type: ignore[arg-type]


def failure(n: int, error: str | None, status: int | None = None) -> Visit:
    return visit(n, fetched=False, status=status, error=error, bytes=0, host="b.test")


def summary_of(visits: list[Visit], threshold: float = 0.62) -> dict[str, object]:
    return summarise(visits, threshold=threshold, stop_reason="pages", seconds=2.0, cpu_seconds=0.5)


def test_a_crawl_of_four_pages_and_two_failures_by_hand() -> None:
    visits = [
        visit(1, 0.9),
        failure(2, "timeout: no first byte within 20 s"),
        visit(3, 0.5, host="c.test"),
        visit(4, 0.7),
        failure(5, "timeout: connect"),
        visit(6, 0.1),
    ]
    assert summary_of(visits) == {
        "fetches": 4,
        "requests": 6,
        "relevant": 2,
        "harvest_rate": 0.5,
        "average_relevance": pytest.approx(0.55),
        "standard_deviation": pytest.approx(math.sqrt((0.35**2 + 0.05**2 + 0.15**2 + 0.45**2) / 4)),
        "hosts": 2,
        "failures": {"timeout": 2},
        "stop_reason": "pages",
        "seconds": 2.0,
        "pages_per_cpu_second": 8.0,
        "bytes": 400,
        "threshold": 0.62,
    }


def test_a_page_exactly_at_the_threshold_is_not_relevant() -> None:
    assert summary_of([visit(1, 0.62), visit(2, 0.6200001)])["relevant"] == 1


def test_a_peek_that_brought_a_page_counts_as_a_fetch() -> None:
    assert summary_of([visit(1, 0.9, peek=True)])["fetches"] == 1


def test_failures_are_named_by_the_word_before_the_colon_most_frequent_first() -> None:
    visits = [failure(1, "robots"), failure(2, "dns: a: b"), failure(3, "dns"), failure(4, None)]
    failures = summary_of(visits)["failures"]
    assert list(failures.items()) == [("dns", 2), ("no-answer", 1), ("robots", 1)]  # type: ignore[attr-defined]


def test_an_answer_that_is_no_page_is_named_by_its_status() -> None:
    visits = [
        failure(1, "http", 404),
        failure(2, None, 404),
        failure(3, "http", 503),
        failure(4, "type: pdf", 200),
    ]
    assert summary_of(visits)["failures"] == {"http-404": 2, "http-503": 1, "type": 1}


def test_a_crawl_without_pages_has_zeros_and_can_be_written_as_json() -> None:
    summary = summarise([], threshold=0.62, stop_reason="frontier empty", seconds=0.0, cpu_seconds=None)
    numbers = (summary["harvest_rate"], summary["average_relevance"], summary["standard_deviation"])
    assert numbers == (0.0, 0.0, 0.0)
    assert json.loads(json.dumps(summary, allow_nan=False))["pages_per_cpu_second"] is None


@pytest.mark.parametrize(
    ("reason", "words"), [("frontier empty", "no link was left to follow"), ("SIGTERM", "SIGTERM")]
)
def test_a_known_stop_reason_becomes_a_sentence_and_others_stay_as_they_are(reason: str, words: str) -> None:
    assert why_stopped({"stop_reason": reason}) == words


def test_visits_are_read_once_and_not_kept() -> None:
    def stream() -> Iterator[Visit]:
        for n in range(1, 1001):
            yield visit(n, n / 1000)

    gathered = digest(stream(), threshold=0.5, best=3)
    assert (gathered.pages, gathered.relevant) == (1000, 500)
    assert [page.n for page in gathered.best] == [1000, 999, 998]


def test_of_two_equally_relevant_pages_the_earlier_comes_first() -> None:
    gathered = digest([visit(n, 0.5) for n in (1, 2, 3, 4)], threshold=0.5, best=2)
    assert [page.n for page in gathered.best] == [1, 2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.floats(0, 1))
def test_the_numbers_are_within_their_bounds(relevances: list[float], threshold: float) -> None:
    summary = summary_of([visit(n, r) for n, r in enumerate(relevances, 1)], threshold)
    mean, spread = summary["average_relevance"], summary["standard_deviation"]
    assert isinstance(mean, float)
    assert isinstance(spread, float)
    assert summary["relevant"] == sum(r > threshold for r in relevances)
    assert min(relevances) - 1e-12 <= mean <= max(relevances) + 1e-12
    assert spread**2 <= mean * (1 - mean) + 1e-9
