"""Plots: content, layout within the drawing, and standalone files."""

from __future__ import annotations

import doctest
import math
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.report.standalone import palettes, standalone
from topicrawl_lab.plots import curves as curves_module
from topicrawl_lab.plots import labels as names_module
from topicrawl_lab.plots.curves import Band, apart, band, curves, multiples
from topicrawl_lab.plots.files import write_plot
from topicrawl_lab.plots.heat import ABSENT, Shade, heat_map, simplex_map
from topicrawl_lab.plots.labels import style_classes
from topicrawl_lab.plots.ranks import rank_diagram

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<script>alert(1)</script>&"'


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(standalone(svg))


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in parsed(svg).iter(f"{SVG}text")]


def of_class(svg: str, name: str) -> list[ElementTree.Element]:
    return [each for each in parsed(svg).iter() if name in each.get("class", "").split()]


def some_bands(count: int) -> list[Band]:
    fetches = np.arange(1.0, 101)
    return [band(f"strategy-{n}", n, fetches, [fetches * (n + 1), fetches * (n + 2)]) for n in range(count)]


def test_a_band_has_median_and_quartiles() -> None:
    made = band("ops", 0, np.array([1.0, 2.0]), [np.array([v, 10 * v]) for v in (1.0, 2.0, 3.0, 4.0, 5.0)])
    assert made.middle.tolist() == [3, 30]
    assert (made.low.tolist(), made.high.tolist()) == ([2, 20], [4, 40])


def test_every_curve_is_drawn_in_its_colour_and_named_at_its_end() -> None:
    svg = curves("Found", some_bands(3), 600, 300)
    assert [line.get("class") for line in of_class(svg, "line")] == ["line s0", "line s1", "line s2"]
    assert len(of_class(svg, "band")) == 3
    assert {"strategy-0", "strategy-1", "strategy-2", "pages fetched"} <= set(texts(svg))


def test_from_the_seventh_strategy_on_lines_differ_by_dashes() -> None:
    assert len({style_classes(number) for number in range(18)}) == 18
    assert ".line.d1" in standalone(curves("Found", some_bands(1), 600, 300))


def test_published_values_are_drawn_as_circles_even_for_a_crawler_that_was_not_run() -> None:
    none = np.empty(0)
    svg = curves("HR", [Band("IELP", 4, none, none, none, none, ((100.0, 0.8),)), *some_bands(1)], 600, 300)
    assert [circle.get("class") for circle in of_class(svg, "published")] == ["published s4"]
    assert "IELP" in texts(svg)


def test_a_plot_without_pages_says_so() -> None:
    none = np.empty(0)
    assert texts(curves("Found", [Band("ops", 0, none, none, none, none)], 600, 300)) == ["no pages"]


@given(st.lists(st.floats(0, 300), min_size=1, max_size=12))
def test_names_do_not_overlap(wanted: list[float]) -> None:
    placed = apart(sorted(wanted), 14, 0, 300)
    assert all(low >= -1e-6 and low <= 300 for low in placed)
    assert all(after - before >= 14 - 1e-6 for before, after in pairwise(placed))


def test_small_multiples_show_each_task_once_and_one_legend() -> None:
    svg = multiples("M", [(f"task {n}", some_bands(2)) for n in range(5)], 800, 3)
    shown = texts(svg)
    assert [shown.count(f"task {n}") for n in range(5)] == [1] * 5
    assert shown.count("strategy-1") == 1
    assert len(list(parsed(svg).iter(f"{SVG}svg"))) == 6


def test_the_rank_diagram_joins_strategies_that_do_not_differ_significantly() -> None:
    svg = rank_diagram("Ranks", ["bfs", "ops", "ielp", "fcwseo"], [4.0, 2.9, 1.2, 1.9], 0.8, 600)
    assert len(of_class(svg, "clique")) == 1
    assert {"ielp 1.20", "fcwseo 1.90", "ops 2.90", "bfs 4.00", "critical difference 0.80"} <= set(texts(svg))
    places = {dot.get("class"): float(dot.get("cx", "0")) for dot in of_class(svg, "dot")}
    assert places["dot s2"] < places["dot s3"] < places["dot s1"] < places["dot s0"]


@pytest.mark.parametrize("width", [350, 980])
@pytest.mark.parametrize("count", [2, 3, 12])
def test_the_rank_diagram_stays_within_the_drawing(width: int, count: int) -> None:
    names = [f"ops[anchor_weight=0.{n}]" for n in range(count)]
    svg = rank_diagram("Ranks", names, [float(n + 1) for n in range(count)], 30.0, width)
    numbers = re.findall(r'd="M([\d.-]+) [\d.]+H([\d.-]+)"', svg)
    assert numbers
    assert all(0 <= float(end) <= width for pair in numbers for end in pair)


def test_a_heat_map_shows_every_value_and_a_dash_where_there_is_none() -> None:
    grid = [[0.643, 0.779, 0.871, None], [0.536, 0.724, 0.835, None], [0.468, 0.695, 0.811, None]]
    svg = heat_map("HR", ("η", "τ"), ((".6", ".65", ".7"), (".1", ".15", ".2", ".25")), grid, 460)
    assert texts(svg).count(ABSENT) == 3
    assert {"0.871", "0.468", "η", "τ", ".65"} <= set(texts(svg))
    assert "The largest value, 0.871, is at η .6, τ .2." in svg
    shades = [float(cell.get("fill-opacity", "0")) for cell in of_class(svg, "cell")]
    assert (shades[2], shades[8], shades[3]) == (0.92, 0.08, 0.0)


def test_equal_values_have_the_same_shade() -> None:
    assert Shade([0.5, 0.5])(0.5) == pytest.approx(0.5)
    assert Shade([])(None) == 0.0


def test_a_simplex_has_a_dot_for_each_point_and_marks_the_best() -> None:
    values = {
        (a / 4, b / 4, (4 - a - b) / 4): 1 - (a / 4 - 0.5) ** 2 - (b / 4 - 0.25) ** 2
        for a in range(5)
        for b in range(5 - a)
    }
    svg = simplex_map("λ", ("anchor", "page", "rank"), values, 400)
    dots = of_class(svg, "cell")
    assert len(dots) == 15
    assert len(of_class(svg, "best")) == 1
    assert "best: 1.000 at anchor 0.5, page 0.25, rank 0.25" in texts(svg)
    centres = [
        (float(dot.get("cx", "0")), float(dot.get("cy", "0")), float(dot.get("r", "0"))) for dot in dots
    ]
    nearest = min(math.dist(a[:2], b[:2]) for a in centres for b in centres if a is not b)
    assert nearest >= 2 * centres[0][2]
    assert texts(simplex_map("λ", ("a", "b", "c"), {}, 400)) == ["a = 1", "b = 1", "c = 1"]


@pytest.mark.parametrize(
    "svg",
    [
        curves(HOSTILE, [band(HOSTILE, 0, np.arange(1.0, 9), [np.arange(8.0)])], 600, 300),
        multiples(HOSTILE, [(HOSTILE, some_bands(1))], 600, 2),
        rank_diagram(HOSTILE, [HOSTILE, "ops"], [1.0, 2.0], 0.5, 600),
        heat_map(HOSTILE, (HOSTILE, HOSTILE), ((HOSTILE,), (HOSTILE,)), [[0.5]], 600),
        simplex_map(HOSTILE, (HOSTILE, HOSTILE, HOSTILE), {(1.0, 0.0, 0.0): 0.5}, 600),
    ],
)
def test_names_are_escaped_in_drawings(svg: str) -> None:
    assert not list(parsed(svg).iter(f"{SVG}script"))


def test_plots_are_written_as_svg_and_png(tmp_path: Path) -> None:
    paths = write_plot(tmp_path / "plots", "M", curves("Found", some_bands(2), 600, 300))
    assert [path.name for path in paths] == ["M.svg", "M.png"]
    assert ElementTree.parse(paths[0]).getroot().tag == f"{SVG}svg"
    png = paths[1].read_bytes()
    assert png.startswith(b"\x89PNG")
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (1200, 600)


def test_a_file_has_both_palettes_and_no_css_variables() -> None:
    light, dark = palettes()
    text = standalone(curves("Found", some_bands(1), 600, 300))
    assert "var(" not in text
    assert light["s0"] != dark["s0"]
    assert light["s0"] in text.partition("@media")[0]
    assert dark["s0"] in text.partition("@media")[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours #rrggbb as accessibility guidelines define it."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_strategys_colour_has_enough_contrast_with_the_background() -> None:
    for palette in palettes():
        assert all(contrast(palette[f"s{n}"], palette["sheet"]) >= 3.9 for n in range(6)), palette


@pytest.mark.parametrize("module", [names_module, curves_module])
def test_the_examples_in_docstrings_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
