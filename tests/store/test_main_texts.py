"""The main text of archived pages: decoded, rendered, lost."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from topicrawl.model import Ask, Outcome, Page, Response, Timing, Told, Visit
from topicrawl.page.read import read
from topicrawl.store.main_texts import find_main_text
from topicrawl.store.run import Run
from topicrawl.web.warc_record import read_visit

URL = "http://a.test/page"
HTML = "<title>Café</title><nav><a href=/>Home</a></nav><p>It rains in the café.".encode("latin-1")
TYPE = ("Content-Type", "text/html; charset=latin-1")
PACKED = Response(
    URL, URL, 200, headers=(TYPE, ("Content-Encoding", "gzip")), body=gzip.compress(HTML), content=HTML
)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """A run with one page, sent compressed."""
    with Run.create(tmp_path / "run", "[crawl]\n") as made:
        ask = Ask(0, URL, 0.5, 0)
        visit = Visit(1, URL, URL, 200, True, False, 0.9, 0.5, "a.test", 0, None, "Café", len(HTML), None)
        made.write([ask, Told(ask, Outcome(URL, 200, len(HTML), page=page()), visit, Timing(1.7e9), PACKED)])
        yield made


def page() -> Page:
    found = read(URL, HTML, TYPE[1])
    assert found is not None
    return found


def test_the_main_text_is_made_from_the_archived_answer(run: Run) -> None:
    found = find_main_text(run, 1, page())
    assert (found.main.title, found.main.text) == ("Café", "It rains in the café.")
    assert found.archived
    assert found.digest == next(iter(run.captures(1))).digest


def test_of_a_lost_answer_the_text_is_all_that_the_page_says(run: Run) -> None:
    for segment in run.segments():
        segment.write_bytes(segment.read_bytes()[:200])
    found = find_main_text(run, 1, page())
    assert found.main.text == "Home\nIt rains in the café."
    assert not found.archived


def record(kind: str, content_type: str, block: bytes) -> bytes:
    """A WARC record, compressed."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{kind}>",
        "WARC-Date": "2024-05-01T00:00:00Z",
        "WARC-Target-URI": URL,
        "WARC-Payload-Digest": f"sha1:{kind}",
        "Content-Type": content_type,
        "Content-Length": str(len(block)),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return gzip.compress(f"WARC/1.1\r\n{head}\r\n".encode() + block + b"\r\n\r\n")


def test_what_a_browser_showed_counts_more_than_what_was_sent() -> None:
    moved = b"HTTP/1.1 301 Moved\r\nLocation: /page\r\n\r\n"
    sent = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<div id=app>"
    answers = record("response", "application/http", moved) + record("response", "application/http", sent)
    shown = record("conversion", "text/html; charset=utf-8", "<div id=app>Été".encode())
    for records, content in ((answers, "<div id=app>"), (answers + shown, "<div id=app>Été")):
        found = read_visit(records)
        assert found is not None
        assert (found[0].content.decode(), found[1]) == (content, "sha1:response")
    assert read_visit(record("request", "application/http", b"GET / HTTP/1.1\r\n\r\n")) is None
