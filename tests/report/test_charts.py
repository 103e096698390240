"""Charts are well-formed SVG with a description."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.report.charts import (
    MOST_POINTS,
    SLIVER,
    depth_bars,
    harvest_curve,
    histogram,
    rate_curve,
    thinned,
)
from topicrawl.report.svg import Plot, counting, ticks

SVG = ElementTree.Element


def marks(svg: str, kind: str) -> list[SVG]:
    return [each for each in ElementTree.fromstring(svg).iter() if each.get("class") == kind]


def found_of(relevant: list[bool]) -> np.ndarray:
    return np.cumsum(np.array(relevant, dtype=float))


@given(st.floats(1e-6, 1e9), st.integers(1, 12))
def test_ticks_are_few_evenly_spaced_and_within_range(high: float, most: int) -> None:
    values = ticks(high, most)
    assert values[0] == 0
    assert values[-1] <= high * (1 + 1e-6)
    assert 1 <= len(values) <= most + 1
    assert np.allclose(np.diff(values), np.diff(values)[0] if len(values) > 1 else 0)


@pytest.mark.parametrize(("high", "most", "expected"), [(0, 5, [0]), (1, 5, [0, 1]), (3, 5, [0, 1, 2, 3])])
def test_ticks_of_counts_are_whole_numbers(high: float, most: int, expected: list[float]) -> None:
    assert counting(high, most) == expected


def test_the_last_value_of_an_axis_stays_inside_the_chart() -> None:
    plot = Plot(300, 200, across=100_000)
    plot.along([0, 100_000], "pages")
    assert '<text class="tick" x="300.0" y="177.0" text-anchor="end">100,000</text>' in plot.svg("", "")


def test_the_harvest_curve_ends_at_the_number_found_and_shows_the_ideal() -> None:
    svg = harvest_curve(found_of([True, False, True, True]), 400, 300)
    assert "3 of 4 pages fetched are relevant." in svg
    numbers = re.findall(r"[\d.]+", marks(svg, "curve")[0].get("d", ""))
    plot = Plot(400, 300, across=4, up=4)
    assert float(numbers[-2]) == pytest.approx(plot.x(4), abs=0.1)
    assert float(numbers[-1]) == pytest.approx(plot.y(3), abs=0.1)
    assert len(marks(svg, "ideal")) == 1


def test_the_running_rate_shows_the_whole_crawl_and_its_latest_pages() -> None:
    svg = rate_curve(found_of([True] * 100 + [False] * 100), 400, 200)
    assert "ends at 50.0%" in svg
    assert "over the last 10 pages it is 0.0%" in svg


def test_the_histogram_counts_every_page_and_marks_the_threshold() -> None:
    svg = histogram(np.array([0.0, 0.1, 0.7, 1.0]), 0.62, 400, 300)
    tips = [title.text or "" for title in ElementTree.fromstring(svg).iter() if title.tag.endswith("title")]
    counted = [int(match[1]) for tip in tips if (match := re.search(r": (\d+) page", tip))]
    assert sum(counted) == 4
    assert len(marks(svg, "bar good")) == 2
    assert len(marks(svg, "threshold")) == 1


@pytest.mark.parametrize("threshold", [0.0, 0.01, 0.5, 0.62, 0.625, 0.99, 1.0, -0.2, 1.5])
def test_no_bar_crosses_the_threshold_and_its_colour_shows_the_side(threshold: float) -> None:
    relevances = np.concatenate([np.linspace(0, 1, 501), np.full(7, min(1.0, max(0.0, threshold)))])
    svg = histogram(relevances, threshold, 400, 300)
    bars = {"bar": 0, "bar good": 0}
    for rect in ElementTree.fromstring(svg).iter("rect"):
        low, high, pages = re.findall(r"[\d.,]+", rect[0].text or "")
        bars[rect.get("class", "")] += int(pages.replace(",", ""))
        if rect.get("class") == "bar good":
            assert float(low) >= round(threshold, 2)
        else:
            assert float(high) <= round(max(threshold, SLIVER), 2)
    above = int((relevances > threshold).sum())
    assert bars == {"bar": len(relevances) - above, "bar good": above}


def test_depths_show_relevant_pages_inside_all_pages() -> None:
    svg = depth_bars([(0, 10, 5), (1, 4, 0), (7, 2, 2)], 400, 300)
    assert (len(marks(svg, "bar")), len(marks(svg, "bar good"))) == (3, 2)
    assert "depth 7: 2 pages, 2 relevant" in svg


@pytest.mark.parametrize("n", [0, 1, 2, 15_000])
def test_every_chart_is_well_formed_at_any_length(n: int) -> None:
    relevances = np.linspace(0, 1, n)
    found = np.cumsum(relevances > 0.5, dtype=float)
    depths = [(d, 1, 0) for d in range(min(n, 60))]
    drawings = [
        harvest_curve(found, 350, 240),
        rate_curve(found, 350, 240),
        histogram(relevances, 0.5, 350, 240),
        depth_bars(depths, 350, 240),
    ]
    for svg in drawings:
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert root.get("aria-label")
        assert "nan" not in svg
        assert "inf" not in svg
        assert len(svg) < 40_000


@given(st.integers(1, 3000))
def test_a_thinned_curve_keeps_both_ends(n: int) -> None:
    points = thinned(np.arange(n, dtype=float))
    assert points[0] == (1, 0)
    assert points[-1] == (n, n - 1)
    assert len(points) == min(n, MOST_POINTS)


def test_text_in_a_chart_is_escaped() -> None:
    plot = Plot(100, 100)
    plot.text(1, 1, "<b>&", "note")
    assert ElementTree.fromstring(plot.svg('a"b<', "c>&"))[2].text == "<b>&"
