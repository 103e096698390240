"""What the report shows of a crawl by example."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from topicrawl.report.learning import learning_panel, round_chart


def both(draw: Any, width: int, height: int, narrow: int) -> str:
    return str(draw(width, height))


def a_round(number: int, **facts: Any) -> dict[str, Any]:
    usual = {
        "items": 10,
        "layers": [1, 2, 3],
        "classified": 4,
        "labels": 2,
        "broader": 1,
        "terms": 9,
        "rules": 7,
    }
    return {"round": number, "similarity": 0.1 * number, "harvest": 0.2, **usual, **facts}


LABELS = [
    {"label": "flood", "items": 9, "broader": []},
    {"label": "<dam>", "items": 4, "broader": ["flood"]},
    {"label": "levee", "items": 2, "broader": ["flood", "<dam>"]},
]
LEARNED = {"rounds": [a_round(0), a_round(1), a_round(2)], "labels": LABELS}


def test_the_panel_draws_every_figure_and_the_tree_of_labels() -> None:
    page = learning_panel(LEARNED, None, both, 460)
    for title in (
        "Similarity to the query",
        "Harvest",
        "Context graph",
        "Labels inferred",
        "Terms and rules",
    ):
        assert f"<h2>{title}</h2>" in page
    assert page.count("<svg") == 6
    assert "<li>flood <small>9</small><ul><li>&lt;dam&gt;" in page
    assert page.count("levee") == 2
    assert "<dam>" not in page


def test_another_crawl_is_drawn_beside_it() -> None:
    page = learning_panel(LEARNED, {"name": "best_n_first", "rounds": LEARNED["rounds"]}, both, 460)
    assert page.count("best_n_first") >= 2
    assert "line s1" in page


def test_a_crawl_that_learned_nothing_has_no_panel() -> None:
    assert learning_panel({}, None, both, 460) == ""
    assert learning_panel({"rounds": [a_round(0)], "labels": []}, None, both, 460) == ""


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=5), st.booleans())
def test_any_numbers_can_be_drawn(values: list[float], percent: bool) -> None:
    assert round_chart("Any", [("this crawl", values)], percent, 350, 220).startswith("<svg")


def test_a_chart_of_zeros_has_different_ticks() -> None:
    drawn = round_chart("Harvest", [("this crawl", [0.0, 0.0])], True, 460, 240)
    assert drawn.count(">0%<") == 1
