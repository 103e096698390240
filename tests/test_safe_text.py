from __future__ import annotations

import json
import sys
import unicodedata
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Triple

from hostile_text import HOSTILE
from topicrawl.report.standalone import standalone
from topicrawl.report.svg import Plot
from topicrawl.report.tables import safe
from topicrawl.safe_text import UNSAFE, escaped, for_terminal, for_xml, json_line, xml_escaped
from topicrawl.topic.owl.xml import rdf_xml

ANY = st.text(st.characters())  # surrogates too


def test_no_control_character_but_newline_and_tab_reaches_a_terminal() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    kept = for_terminal(everything)
    assert len(kept) == len(everything)
    kinds = {unicodedata.category(each) for each in kept if each not in "\n\t"}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not turning & {unicodedata.bidirectional(each) for each in kept}
    assert "\u200c" in kept, "Persian needs it"
    assert "\u200d" in kept, "emoji need it"


@given(ANY)
def test_a_line_of_json_is_safe_and_gives_every_character_back(text: str) -> None:
    line = json_line({"title": text})
    assert not UNSAFE.search(line)
    assert "\n" not in line
    assert json.loads(line) == {"title": text}


@given(ANY)
def test_xml_output_is_accepted_by_an_xml_parser(text: str) -> None:
    read = ElementTree.fromstring(f'<a b="{xml_escaped(text)}">{xml_escaped(text)}</a>')
    assert read.text or not text


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_every_writer_of_xml_accepts_any_text(text: str) -> None:
    plot = Plot(300, 200)
    plot.text(10, 10, text, "note")
    plot.bar("bar", (0.1, 0.2), 0.5, text)
    ElementTree.fromstring(standalone(plot.svg(text, text)))
    node = NamedNode("http://a.test/")
    said = [
        Literal(text),
        Literal(text, language="en"),
        Literal(text, datatype=NamedNode("http://a.test/type")),
    ]
    triples = [Triple(node, NamedNode("http://a.test/says"), each) for each in said]
    read = ElementTree.fromstring(rdf_xml(triples, {}))
    wanted = for_xml(text).replace("\r\n", "\n").replace("\r", "\n")  # XML reads line ends so
    assert [each.text for each in read.iter("{http://a.test/}says")] == [wanted] * 3


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_report_shows_any_text_in_one_bounded_line(text: str) -> None:
    assert not UNSAFE.search(safe(text))
    assert "\n" not in safe(text)
    assert len(safe(text)) < 2000


def test_an_escape_decodes_to_the_character() -> None:
    assert escaped("a\x1b\u202e\U000e0041z") == "a\\u001B\\u202E\\U000E0041z"
