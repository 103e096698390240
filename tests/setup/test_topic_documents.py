"""Documents for a topic, from folders and from webs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from topicrawl.errors import TopicError
from topicrawl.setup import topic_documents
from topicrawl.setup.topic_documents import corpus_from_folder, corpus_from_web
from topicrawl.web.invented import invented_web


def test_a_folder_is_read_with_all_below_it_in_the_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/two.txt").write_text("A landslide closed the road.")
    (tmp_path / "a.html").write_text("<title>Flood</title><p>The river rose.</p>")
    (tmp_path / ".hidden.txt").write_text("Nobody should read this.")
    (tmp_path / "c.bib").write_text("@article{x, title={Rainfall}, abstract={Much rain.}}")
    corpus = corpus_from_folder(tmp_path)
    assert [document.source for document in corpus.documents] == ["a.html", "b/two.txt", "c.bib#1"]


def test_one_file_is_a_corpus_too(tmp_path: Path) -> None:
    (tmp_path / "papers.jsonl").write_text('{"title": "Rain"}\n{"title": "Flood"}\n')
    assert [each.title for each in corpus_from_folder(tmp_path / "papers.jsonl").documents] == [
        "Rain",
        "Flood",
    ]


def test_a_file_too_large_to_read_is_named_and_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topic_documents, "LARGEST", 1 << 20)
    (tmp_path / "large.txt").write_bytes(b"rain " * (1 << 18))
    (tmp_path / "small.txt").write_text("Rain fell.")
    corpus = corpus_from_folder(tmp_path)
    assert corpus.remarks == ("large.txt: is larger than 1 MiB; skipped",)
    assert len(corpus.documents) == 1


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="there is no such folder"):
        corpus_from_folder(tmp_path / "nowhere")


def test_pages_come_in_the_order_asked_and_each_is_reported_when_done() -> None:
    web = invented_web("invented:7")
    urls = web.seeds("tourism", 5)
    missing = "http://nowhere.invented.test/"
    done: list[str] = []
    corpus = asyncio.run(corpus_from_web([*urls, missing], web, done=done.append))
    assert [document.source for document in corpus.documents] == urls
    assert corpus.remarks == (f"{missing}: answered with status 404; skipped",)
    assert sorted(done) == sorted([*urls, missing])
