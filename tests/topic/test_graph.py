"""The graph of a topic: its picture, its page, and its page in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import chromium
from topicrawl.model import Topic
from topicrawl.report.topic_graph import graph
from topicrawl.report.topic_graph.layout import LARGEST, LONGEST, ROW, lay_out, shown, text_width
from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.shipped import SHIPPED, ontology
from topicrawl.topic.weigh import Weighed, as_written, by_structure

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'


def weighed(name: str = "rainstorm") -> Weighed:
    return by_structure(ontology(name))


def chain(length: int) -> Ontology:
    names = [f"c{n:04}" for n in range(length)]
    edges = tuple(Edge(child, parent) for parent, child in pairwise(names))
    return Ontology("chain", names[0], tuple(map(Concept, names)), edges)


def places(found: Ontology) -> Any:
    return lay_out(found, lambda name: found.by_name[name].spellings(), lambda name: 1.0)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_label_touches_another_in_any_language(name: str) -> None:
    found = ontology(name)
    boxes = []
    for concept, place in places(found).places.items():
        if place.side:
            width = max(text_width(shown(label)) for label in found.by_name[concept].spellings())
            near, far = place.x - place.side * LARGEST, place.x + place.side * (LARGEST + 7 + width)
            boxes.append((min(near, far), max(near, far), place.y - ROW / 2, place.y + ROW / 2))
    for one, other in combinations(boxes, 2):
        apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
        assert apart, (one, other)


def test_all_nodes_are_inside_the_picture_and_children_outside_their_parents() -> None:
    layout = places(ontology("tourism"))
    for place in layout.places.values():
        assert 0 < place.x < layout.width
        assert 0 < place.y < layout.height
        if place.parent:
            assert place.side * (place.x - layout.places[place.parent].x) > 0
    assert {place.side for place in layout.places.values()} == {-1, 0, 1}


def test_a_small_topic_grows_to_the_right_only_and_a_lone_root_is_one_node() -> None:
    assert {place.side for place in places(chain(5)).places.values()} == {0, 1}
    assert len(places(chain(1)).places) == 1


def test_a_chain_of_two_thousand_levels_is_laid_out() -> None:
    assert len(places(chain(2000)).places) == 2000


def test_long_labels_are_shortened() -> None:
    assert shown("x" * LONGEST) == "x" * LONGEST
    assert shown("x" * (LONGEST + 1)) == "x" * (LONGEST - 1) + "…"


def test_the_same_topic_gives_the_same_page() -> None:
    assert graph(weighed()) == graph(weighed())


def test_the_page_holds_every_concept_with_weight_and_factors() -> None:
    page = graph(weighed())
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert {node["name"] for node in data["nodes"]} == set(ontology("rainstorm").by_name)
    assert len(data["edges"]) == len(ontology("rainstorm").edges)
    assert all(len(node["factors"]) == 5 for node in data["nodes"])
    assert [tag for tag, _ in data["languages"]] == ["en", "zh"]


def test_hostile_labels_stay_text() -> None:
    page = graph(as_written(Topic(HOSTILE, (HOSTILE, "flood"), (1.0, 0.5))))
    assert page.count("<script") == 2
    assert "<img" not in page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Page]:
    """The graph of `rainstorm` in a browser, which must report no error and load nothing else."""
    file = tmp_path / "graph.html"
    file.write_text(graph(weighed()), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url))
    page.goto(file.as_uri())
    yield page
    assert [line for line in complaints if line != file.as_uri() and not line.startswith("data:")] == []
    page.close()


def middle(page: Page, name: str) -> tuple[float, float]:
    box = page.locator(f'.dot[aria-label="{name}"] circle').first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.browser
def test_the_drawn_labels_do_not_overlap(opened: Page) -> None:
    for button in (0, 1):
        opened.locator("#languages button").nth(button).click()
        boxes = opened.evaluate(
            "[...document.querySelectorAll('.dot text')].slice(1).map(t => {const b = t.getBoundingClientRect();"
            " return [b.left, b.right, b.top + b.height / 4, b.bottom - b.height / 4]})"
        )
        assert len(boxes) == 70
        for one, other in combinations(boxes, 2):
            assert one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2], (
                one,
                other,
            )


@pytest.mark.browser
def test_search_highlights_and_centres_what_it_finds(opened: Page) -> None:
    opened.fill("#query", "mudsl")
    assert opened.locator(".dot.hit").count() == 1
    x, y = middle(opened, "mudslide")
    assert abs(x - 1280 * 0.45) < 3
    assert abs(y - 400) < 3
    opened.fill("#query", "泥石流")
    assert opened.locator(".dot.current").get_attribute("aria-label") == "debris flow"
    opened.fill("#query", "flood")
    assert opened.locator("#found").inner_text() == f"1 of {opened.locator('.dot.hit').count()}"
    opened.press("#query", "Enter")
    assert opened.locator("#found").inner_text().startswith("2 of")
    opened.fill("#query", "no such thing")
    assert opened.locator("#found").inner_text() == "nothing"


@pytest.mark.browser
def test_wheel_and_buttons_zoom_and_dragging_moves(opened: Page) -> None:
    def scale() -> float:
        return float(opened.locator("#sheet").get_attribute("data-scale") or 0)

    first, (x, y) = scale(), middle(opened, "flood")
    opened.mouse.move(x, y)
    opened.mouse.wheel(0, -200)
    assert scale() > first * 1.3
    assert middle(opened, "flood") == pytest.approx((x, y), abs=1.5)
    opened.click("#out")
    opened.click("#fit")
    fitted = scale()
    opened.click("#in")
    assert scale() == pytest.approx(fitted * 1.4, rel=0.01)
    x, y = middle(opened, "flood")
    opened.mouse.move(640, 120)
    opened.mouse.down()
    opened.mouse.move(700, 150, steps=3)
    opened.mouse.up()
    assert middle(opened, "flood") == pytest.approx((x + 60, y + 30), abs=6)


@pytest.mark.browser
def test_a_concept_shows_its_factors_on_hover_and_keeps_them_after_a_click(opened: Page) -> None:
    opened.locator('.dot[aria-label="flood"] circle').first.hover()
    assert "洪水" in opened.locator("#card").inner_text()
    assert opened.locator("#card meter").count() == 6
    opened.locator('.dot[aria-label="debris flow"] .reach').click()
    opened.mouse.move(5, 400)
    card = opened.locator("#card").inner_text()
    assert "geological hazard (hand)" in card
    assert "0.440" in card
    assert opened.locator("#lines path.lit").count() >= 4
    opened.click("#card .close")
    assert opened.locator("#card").is_hidden()


@pytest.mark.browser
def test_the_language_of_labels_can_be_changed(opened: Page) -> None:
    opened.get_by_role("button", name="中文").click()
    assert opened.locator('.dot[aria-label="flood"] text').text_content() == "洪水"
    opened.get_by_role("button", name="English").click()
    assert opened.locator('.dot[aria-label="flood"] text').text_content() == "flood"


@pytest.mark.browser
def test_on_a_phone_nothing_overflows_and_a_tap_opens_the_card(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "graph.html"
    file.write_text(graph(weighed()), encoding="utf-8")
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator('.dot[aria-label="direct disaster"] .reach').tap()
    box = page.locator("#card").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    phone.close()
