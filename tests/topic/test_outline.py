from __future__ import annotations

import pytest

from topicrawl.errors import TopicError
from topicrawl.topic import outline
from topicrawl.topic.ontology import Concept, Edge

STORMS = """
# weather
name: storms
version: 2
licence: CC0-1.0

Storm, storms | 风暴
  induce: flood, floods | 洪水
    flash flood | 山洪
  # announced in time
  part-of: warning
    = flash flood
  hail | 冰雹
"""


def read(text: str) -> outline.Ontology:
    return outline.read(text.encode(), "storms.txt")


def test_an_outline_is_read_with_relations_and_labels() -> None:
    storms = read(STORMS)
    assert (storms.name, storms.root, storms.version, storms.licence) == ("storms", "storm", "2", "CC0-1.0")
    assert storms.by_name["storm"] == Concept("storm", {"en": ("Storm", "storms"), "zh": ("风暴",)})
    assert storms.edges == (
        Edge("flash flood", "flood"),
        Edge("flash flood", "warning"),
        Edge("flood", "storm", "induce"),
        Edge("hail", "storm"),
        Edge("warning", "storm", "part-of"),
    )


def test_an_outline_without_name_is_called_by_its_source() -> None:
    assert read("storm").name == "storms.txt"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("storm\n  causes: flood\n", "storms.txt, line 2: unknown relation 'causes'; known are synonym"),
        ("storm\nflood\n", "storms.txt, line 2: 'flood' is a second root"),
        ("storm\n  | 洪水\n", "storms.txt, line 2: '| 洪水' is no concept"),
        ("storm\n  flood | 洪水 | Flut\n", "storms.txt, line 2: 'flood | 洪水 | Flut' is no concept"),
        ("storm\n  = hail\n", "there is no concept 'hail'"),
        ("storm\n  flood\n    = storm\n", "concepts stand above themselves"),
        ("storm\n  flood\n  flood\n", "two concepts are called 'flood'"),
        ("", "has no concepts"),
    ],
)
def test_an_invalid_outline_is_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(TopicError) as refusal:
        read(text)
    assert message in str(refusal.value)


def test_an_outline_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(TopicError, match="not UTF-8"):
        outline.read("Überschwemmung".encode("latin-1"), "storms.txt")
