"""Documents from files and pages: which are used, which are skipped with a remark."""

from __future__ import annotations

import pytest

from topicrawl.errors import TopicError
from topicrawl.page.read import read
from topicrawl.topic.corpus import Document, gather, of_page, read_corpus

PAGE = b"""<html lang="en"><head><title>Flash floods</title><meta name="keywords" content="flood, rain">
</head><body><h1>Flash floods</h1><p>They rise within hours.</p><ul><li>Menu</li><li>Contact</li></ul></body></html>"""


def test_a_page_becomes_a_document_with_a_line_for_each_block() -> None:
    page = read("http://weather.example/floods", PAGE)
    assert page is not None
    document = of_page(page)
    assert document.source == "http://weather.example/floods"
    assert document.host == "weather.example"
    assert document.title == "Flash floods"
    assert document.language == "en"
    assert document.text.split("\n")[-3:] == ["They rise within hours.", "Menu", "Contact"]


def test_keywords_of_a_page_are_text_and_keywords_of_a_paper_are_a_headline() -> None:
    corpus = read_corpus(
        [("a.html", PAGE), ("b.ris", b"TY  - JOUR\nTI  - Rain\nKW  - storm\nKW  - flood\nER  - \n")]
    )
    page, paper = corpus.documents
    assert page.headline == "Flash floods"
    assert "flood, rain" in page.text
    assert paper.headline == "Rain\nstorm\nflood"


def test_the_files_of_a_corpus_are_read_by_their_type() -> None:
    corpus = read_corpus(
        [
            ("notes.txt", b"Rain\nIt rained for three days."),
            ("page", PAGE),
            ("papers.csv", b"Title,Abstract\nHail,Ice falls\nSnow,Ice floats\n"),
            ("more.jsonl", b'{"title": "Fog"}\n'),
        ]
    )
    assert [document.source for document in corpus.documents] == [
        *("notes.txt", "page", "papers.csv#1", "papers.csv#2", "more.jsonl#1")
    ]
    assert corpus.remarks == ()


def test_unusable_documents_are_named_and_skipped() -> None:
    corpus = read_corpus(
        [
            ("good.txt", b"Rain falls"),
            ("empty.html", b"  \n"),
            ("paper.pdf", b"%PDF-1.7 \x00\x01"),
            ("digits.txt", b"1 2 3"),
            ("copy.txt", b"Rain falls"),
        ]
    )
    assert [document.source for document in corpus.documents] == ["good.txt"]
    assert corpus.remarks == (
        "empty.html: is empty; skipped",
        "paper.pdf: is neither HTML nor text; skipped",
        "digits.txt: has no words; skipped",
        "copy.txt: has the same text as good.txt; skipped",
    )


def test_a_corpus_without_a_usable_document_is_an_error_that_names_the_first_fault() -> None:
    with pytest.raises(TopicError, match=r"no usable document \(a\.html: is empty; skipped\)"):
        read_corpus([("a.html", b"")])
    with pytest.raises(TopicError, match="no usable document; give HTML"):
        read_corpus([])


def test_with_a_language_given_documents_in_another_are_skipped_and_unknown_ones_kept() -> None:
    english, german = Document("a", text="rain", language="en"), Document("b", text="Regen", language="de")
    unknown = Document("c", text="pluie")
    corpus = gather([english, german, unknown], language="en")
    assert corpus.documents == (english, unknown)
    assert corpus.remarks == ("b: is in language de, not en; skipped",)


def test_text_in_another_encoding_is_read() -> None:
    corpus = read_corpus([("a.txt", "Überschwemmung\nFluten".encode("utf-16"))])
    assert corpus.documents[0].title == "Überschwemmung"
