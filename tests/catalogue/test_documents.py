"""A crawl by example over real sockets that meets a feed and a PDF: both are items, and their links are followed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from page.test_documents import RSS, pdf
from topicrawl.api import Run as Opened
from topicrawl.catalogue.train import train
from topicrawl.cli import run
from topicrawl.dashboard import query
from topicrawl.dashboard.opened import Opened as Dashboard
from topicrawl.store.run import Run

HTML = b"<title>Flood page</title>Floods and dams. <a href='/feed.xml'>feed</a> <a href='/a.pdf'>paper</a>"


RAILWAYS = {
    "Narrow gauge railways of Wales": "The narrow gauge railway runs through Wales. " * 3
    + "Slate was its freight. " * 40,
    "4-4-0": "An engine has wheels. " * 20 + "It ran on a railway of standard gauge.",
    "Wales": "Wales is a country with a coast. " * 40,
    "Narrow": "A narrow path, a narrow valley, a narrow bridge. " * 40,
    "Slate": "Slate is a rock. " * 40,
}
"""Titles and texts of pages: one about narrow gauge railways in Wales, two that have words of that, two with none."""


def page(title: str, text: str) -> bytes:
    return f"<title>{title}</title><p>{text}".encode()


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        here = f"http://127.0.0.1:{self.server.server_address[1]}".encode()
        pages = {
            "/": ("text/html", HTML),
            "/feed.xml": ("application/rss+xml", RSS.replace(b"http://n.test", here)),
            "/a.pdf": ("application/pdf", pdf("A flood in the valley", here.decode() + "/last")),
            "/dam": ("text/html", b"<title>Dam</title>The dam and the flood."),
            "/rain": ("text/html", b"<title>Rain</title>Rain and flood."),
            "/last": ("text/plain", b"Last words about a flood."),
        } | {f"/{title}": ("text/html", page(title, text)) for title, text in RAILWAYS.items()}
        kind, body = pages.get(unquote(self.path), ("text/html", b""))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Be quiet."""


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def crawl(site: str, out: Path, *flags: str) -> set[str]:
    words = [
        "--strategy",
        "semxdm",
        "--topic",
        "flood, dam",
        "--seeds",
        f"{site}/",
        "--allow-net",
        "127.0.0.0/8",
    ]
    assert run(["crawl", *words, "--delay", "0", "--out", str(out), "--quiet", *flags]) == 0
    with Run.open(out, writable=False) as log:
        return {visit.url.removeprefix(site) for visit in log.visits() if visit.fetched}


def test_feeds_and_pdf_are_read_where_they_are_wanted(site: str, tmp_path: Path) -> None:
    assert crawl(site, tmp_path / "both", "--documents", "feed,pdf") == {
        "/", "/feed.xml", "/a.pdf", "/dam", "/rain", "/last",
    }  # fmt: skip
    assert crawl(site, tmp_path / "usual") == {"/", "/feed.xml", "/dam", "/rain"}
    assert crawl(site, tmp_path / "none", "--documents", "none") == {"/"}


def test_a_training_set_reads_feeds_and_pdf_too(tmp_path: Path) -> None:
    (tmp_path / "news.xml").write_bytes(RSS)
    (tmp_path / "paper.pdf").write_bytes(pdf("A flood in the valley", "http://n.test/"))
    (tmp_path / "note.txt").write_text("The volcano erupted.")
    (tmp_path / "data.bin").write_bytes(bytes(range(256)))
    remarks: list[str] = []
    training = train([tmp_path, tmp_path / "note.txt"], remark=remarks.append)
    assert len(training) == 4
    assert {"flood", "volcano"} <= set(training.terms)
    assert [remark.partition(":")[0] for remark in remarks] == ["data.bin"]
    (tmp_path / "note.txt").unlink()
    assert len(train([tmp_path])) == 2


def test_a_search_finds_what_has_all_its_words_first(site: str, tmp_path: Path) -> None:
    seeds = [flag for title in RAILWAYS for flag in ("--seeds", f"{site}/{quote(title)}")]
    crawl(site, tmp_path / "run", "--strategy", "bfs", *seeds)
    with Opened(tmp_path / "run") as found:
        hits = found.search("narrow gauge railway in Wales", 2)
    assert hits[0].found.title == "Narrow gauge railways of Wales"
    assert (len(hits), hits.total) == (2, 3)
    seen = Dashboard(tmp_path / "run", "run")
    seen.refresh(texts=True)
    seen.complete()
    with seen.index() as connection:
        listed = query.find(connection, query.Wanted.read({"words": "gauge railway"}), 0.5)
        newest = query.find(connection, query.Wanted.read({"words": "gauge railway", "sort": "newest"}), 0.5)
    assert [row.title for row in listed.rows] == ["Narrow gauge railways of Wales", "4-4-0"]
    assert {row.n for row in newest.rows} == {row.n for row in listed.rows}
    assert listed.total == newest.total == 2
