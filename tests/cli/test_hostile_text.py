"""A site whose titles, headings, anchors, labels and status reasons attack terminals, XML parsers and spreadsheets."""

from __future__ import annotations

import csv
import html
import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree

import pytest
import rdflib

from hostile_text import HOSTILE
from topicrawl.cli import run
from topicrawl.safe_text import UNSAFE
from topicrawl.store.exports.rows import FORMULA

TITLES = list(HOSTILE.values())


class Site(BaseHTTPRequestHandler):
    """A home page, a page for each title, and one that fails with a hostile reason."""

    def do_GET(self) -> None:
        name = self.path.removeprefix("/")
        if name == "broken":
            self.send_response(404, "\x1b[2J\x9b31m gone")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        links = "".join(
            f"<li><a href='/{n}' title='{html.escape(each)}'>{html.escape(each[:200])}</a>"
            for n, each in enumerate(TITLES)
        )
        title = TITLES[int(name)] if name.isdecimal() else "home"
        text = (
            f"<h1>{html.escape(title[:300])}</h1><p>flood insurance, page {name}. {html.escape(title[:300])}"
        )
        body = f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title>{text}{links}"
        content = f"{body}<a href='/broken'>flood</a>".encode()
        self.send_response(404 if name == "robots.txt" else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def crawl(home: str, *more: str) -> int:
    reached = ["--allow-net", "127.0.0.0/8", "--delay", "0", "--no-avoid-traps"]
    topic = ["--topic", "flood", "--seeds", f"{home}/", "--strategy", "ops", "--pages", "30"]
    return run(["crawl", *topic, *reached, *more])


@pytest.fixture(scope="module")
def crawled(home: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawled")
    os.environ.setdefault("TOPICRAWL_CACHE", str(folder / "cache"))
    assert crawl(home, "--out", str(folder / "run"), "--quiet") == 0
    return folder / "run"


def clean(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed, which must be free of control sequences."""
    printed = capsys.readouterr()
    assert not UNSAFE.search(printed.out)
    assert not UNSAFE.search(printed.err)
    return printed.out + printed.err


TITLE = "SELECT ?i ?t WHERE { ?i dcterms:title ?t }"


@pytest.mark.parametrize(
    "command",
    [
        ["status", "RUN"],
        ["why", "RUN", "HOME/0"],
        ["why", "RUN", "HOME/broken"],
        ["search", "RUN", "flood insurance", "-n", "30"],
        ["search", "RUN", "flood insurance", "-n", "30", "--json"],
        ["xref", "RUN", "HOME/0", "-n", "30"],
        ["labels", "RUN"],
        ["labels", "RUN", "--tree"],
        ["labels", "RUN", "--json"],
        ["labels", "RUN", "--item", "HOME/3"],
        ["kb", "sparql", "RUN", TITLE],
        ["kb", "sparql", "RUN", TITLE, "--json"],
        ["kb", "sparql", "RUN", TITLE.replace("SELECT ?i ?t", "CONSTRUCT { ?i dcterms:title ?t }")],
        ["kb", "sparql", "RUN", "DESCRIBE ?i WHERE { ?i a kb:Item }"],
        ["kb", "sparql", "RUN", "SELECT \x1b[2J\u202e"],
        ["kb", "drift", "RUN"],
        ["kb", "drift", "RUN", "--json"],
        ["why", "RUN", "http://\x1b[2J/"],
        ["topic", "score", "flood", "HOME/4", "--allow-net", "127.0.0.0/8"],
        ["seeds", "PAGE", "--base", "HOME/"],
        ["crawl", "--dry-run", "--topic", "flood", "--seeds", "HOME/0", "--allow-net", "127.0.0.0/8"],
    ],
    ids=lambda command: " ".join(command[:2] + command[3:])[:60].encode("ascii", "replace").decode(),
)
def test_no_command_prints_control_sequences(
    command: list[str], crawled: Path, home: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "".join(f"<a href='http://other.test/{html.escape(each[:100])}'>x</a>" for each in TITLES),
        "utf-8",
        "replace",
    )
    words = [
        each.replace("RUN", str(crawled)).replace("HOME", home).replace("PAGE", str(page)) for each in command
    ]
    assert run(words) == (2 if "\x1b" in "".join(command) else 0)
    assert max(map(len, clean(capsys).splitlines())) < 5000 or "kb" in command or "--json" in command


def test_a_crawl_prints_visits_and_changes_without_control_sequences(
    home: str, crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl(home, "--recrawl", str(crawled), "--out", str(tmp_path / "again"), "-v") == 0
    assert f"{home}/3" in clean(capsys)
    assert crawl(home, "--out", str(tmp_path / "json"), "--log-json") == 0
    lines = [json.loads(line) for line in clean(capsys).splitlines()]
    titles = {line["title"] for line in lines if line["event"] == "visit" and "title" in line}
    assert any("\u202e" in title for title in titles), "a program gets every character"


def test_results_of_sparql_escape_every_character_reversibly(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["kb", "sparql", str(crawled), TITLE, "--json"]) == 0
    rows = json.loads(clean(capsys))["results"]["bindings"]
    titles = {row["t"]["value"] for row in rows}
    assert any("\x1b" in title for title in titles)
    assert any("\u202e" in title for title in titles)
    assert run(["kb", "sparql", str(crawled), TITLE]) == 0
    assert len(clean(capsys).splitlines()) == 1 + len(rows), "a line an answer"
    assert run(["kb", "sparql", str(crawled), "CONSTRUCT WHERE { ?i dcterms:title ?t }"]) == 0
    graph = rdflib.Graph().parse(data=clean(capsys), format="turtle")
    assert {str(title) for title in graph.objects()} == titles


def test_the_knowledge_base_is_well_formed_xml(crawled: Path, tmp_path: Path) -> None:
    for form, read in (("owl", "xml"), ("ttl", "turtle")):
        assert (
            run(["kb", "export", str(crawled), "--format", form, "--out", str(tmp_path / f"kb.{form}")]) == 0
        )
        graph = rdflib.Graph().parse(tmp_path / f"kb.{form}", format=read)
        found = list(graph.objects(predicate=rdflib.DCTERMS.title))
        assert len(found) > len(TITLES) - 3
    ElementTree.parse(tmp_path / "kb.owl")


def test_csv_has_no_formulas_from_pages(crawled: Path, tmp_path: Path) -> None:
    assert run(["export", str(crawled), "--format", "csv", "--out", str(tmp_path / "pages.csv")]) == 0
    with (tmp_path / "pages.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert not [cell for cell in cells if cell.startswith(FORMULA)]


def test_markdown_and_the_index_are_clean(crawled: Path, tmp_path: Path) -> None:
    for form in ("markdown", "text"):
        assert run(["export", str(crawled), "--format", form, "--out", str(tmp_path / form)]) == 0
        index = (tmp_path / form / "index.tsv").read_text("utf-8")
        assert not UNSAFE.search(index)
        assert len(index.splitlines()) == 1 + len(list((tmp_path / form).glob("0*")))
    for path in (tmp_path / "markdown").glob("*.md"):
        assert not UNSAFE.search(path.read_text("utf-8"))


def test_the_report_is_clean_and_bounded(crawled: Path) -> None:
    text = (crawled / "report.html").read_text("utf-8")
    assert not UNSAFE.search(text)
    assert "<b>&amp;" not in text
    assert len(text) < 500_000


def test_pages_are_not_exported_to_a_terminal(
    crawled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        assert run(["export", str(crawled), "--format", "jsonl", "--out", "-"]) == 2
    os.close(ours)
    assert "pipe it, or name a file" in capsys.readouterr().err
