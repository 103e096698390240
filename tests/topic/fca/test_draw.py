from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import TABLE_1, contexts, numbered, random_context
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.covers import build_lattice
from topicrawl.topic.fca.draw import LEGIBLE, hasse

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg: str, tag: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(svg).findall(f".//{SVG}{tag}")


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in drawn(svg, "text")]


def test_the_lattice_of_the_paper_has_its_concepts_covers_terms_and_documents() -> None:
    svg = hasse(build_lattice(TABLE_1))
    assert len(drawn(svg, "circle")) == 12
    assert len(drawn(svg, "path")) == 20
    *labels, caption = texts(svg)
    assert sorted(labels) == ["1", "1", "1", "1", "T1", "T2", "T3", "T4"]
    assert caption == "4 documents, 4 terms, 12 concepts"


def test_the_picture_has_a_title_and_loads_nothing() -> None:
    svg = hasse(build_lattice(TABLE_1), title="Rain & <storm>")
    picture = ElementTree.fromstring(svg)
    assert picture.get("role") == "img"
    assert picture[0].tag == f"{SVG}title"
    assert picture[0].text == "Rain & <storm>"
    assert "prefers-color-scheme: dark" in svg
    assert not re.findall(r"href|url\(|@import|<script|<image", svg)


def test_the_tooltip_of_a_concept_lists_its_terms_and_documents() -> None:
    tooltips = [title.text for title in drawn(hasse(build_lattice(TABLE_1)), "title")]
    assert "2 terms: T2, T4\n2 documents: D1, D2" in tooltips
    assert "no terms\n4 documents: D1, D2, D3, D4" in tooltips
    assert "4 terms: T1, T2, T3, T4\nno documents" in tooltips


def test_of_a_large_lattice_the_iceberg_is_drawn_and_the_caption_says_so() -> None:
    lattice = build_lattice(random_context(1, 150, 70, 0.1))
    svg = hasse(lattice)
    shown = len(drawn(svg, "circle"))
    assert 50 < shown <= LEGIBLE < len(lattice.concepts)
    assert texts(svg)[-1] == (
        f"150 documents, 70 terms, {len(lattice.concepts):,} concepts; "
        f"shown are the {shown} with at least {lattice.iceberg(LEGIBLE).support} documents"
    )


def test_the_caption_of_a_cut_lattice_says_more_than() -> None:
    lattice = build_lattice(random_context(1, 60, 40, 0.3), limit=200)
    assert lattice.cut
    assert f"more than {len(lattice.concepts)} concepts" in texts(hasse(lattice))[-1]


def test_long_and_many_terms_are_shortened() -> None:
    names = ["meteorological observation station", "暴雨灾害风险评估与区划技术规范", "c", "d"]
    svg = hasse(build_lattice(Context.from_rows(["one", "two"], names, [0b1111, 0b0000])))
    assert texts(svg)[1:4] == ["+ 2", "暴雨灾害风险评估与…", "meteorological obse…"]


@given(contexts())
def test_the_covers_of_a_concept_are_drawn_above_it(context: Context) -> None:
    svg = hasse(build_lattice(context))
    for path in drawn(svg, "path"):
        heights = [float(point.split()[1]) for point in path.attrib["d"][1:].split(" L")]
        assert heights == sorted(heights, reverse=True)
        assert len(set(heights)) == len(heights)


@given(st.text(min_size=1), st.text())
def test_any_name_and_title_give_well_formed_svg(name: str, title: str) -> None:
    term = "x" + " ".join(name.split()) + "x"
    if len(term.splitlines()) == 1:
        svg = hasse(build_lattice(Context.from_rows(["d"], [term], [1])), title)
        assert len(drawn(svg, "circle")) == 1


def test_the_same_lattice_makes_the_same_picture() -> None:
    first, second = (hasse(build_lattice(random_context(3, 40, 20, 0.2))) for _ in range(2))
    assert first == second


def test_a_lattice_of_one_concept_is_a_dot() -> None:
    svg = hasse(build_lattice(numbered([0b1], 1)))
    assert len(drawn(svg, "circle")) == 1
    assert not drawn(svg, "path")
