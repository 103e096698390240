"""A whole crawl with `--render`: log, archive, replay from the archive, summary."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from topicrawl.cli import run as topicrawl
from topicrawl.model import QUIET, Told
from topicrawl.page.normalize import TEXT_LIMIT
from topicrawl.store.main_texts import find_main_text
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web
from web.browser.rig import LONG, fake_browser, usable_browser

APP = """
const items = {"/": ["/tides", "/plain"]}
document.getElementById("root").innerHTML = `<h1>rainstorm ${location.pathname}</h1>` +
  (items[location.pathname] ?? []).map((path) => `<a href="${path}">rainstorm ${path}</a>`).join(" ")
"""
SHELL = "<title>Weather</title><div id=root></div><script src=/app.js></script>"
PLAIN = (
    "<title>Plain</title><p>" + "A rainstorm needs no script to be read about. " * 10 + "<script>1</script>"
)

LARGE = {
    "/paragraphs": ("<p>" + "word " * 200 + "</p>") * 9_500 + "<p>last<script>1</script>",
    "/table": "<table>"
    + "".join(f"<tr><td>{n}<td>word" for n in range(100_000))
    + "<tr><td>last<script>1</script>",
    "/nested": "<div>" * 100_000 + "last<script>1</script>",
}
"""Nearly 10 MB of text, 100,000 rows, 100,000 levels."""


class Weather(BaseHTTPRequestHandler):
    """A site whose pages are drawn by a script, but for one."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        kind = "text/javascript" if self.path.endswith(".js") else "text/html"
        known = {"/app.js": APP, "/plain": PLAIN, "/robots.txt": ""} | LARGE
        body = known.get(self.path, SHELL).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def weather() -> Iterator[tuple[list[str], list[str]]]:
    """The flags for a crawl of the site, and what it is asked for."""
    asked: list[str] = []
    handler = type("Handler", (Weather,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}/"
        yield ["--seeds", home, "--allow-net", "127.0.0.0/8", "--delay", "0s"], asked
        server.shutdown()


WANTED = ["crawl", "--topic", "w: rainstorm", "--strategy", "bfs", "--ordered", "--quiet", "--pages", "10"]


def test_a_rendered_crawl_is_logged_archived_and_repeated_from_its_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    usable_browser()
    monkeypatch.setenv("TOPICRAWL_CACHE", str(tmp_path / "cache"))
    out = tmp_path / "run"
    with weather() as (flags, asked):
        assert topicrawl([*WANTED, *flags, "--render", "auto", "--out", str(out)]) == 0, (
            capfd.readouterr().err
        )
    assert asked.count("/app.js") == 1
    with Run.open(out, writable=False) as run:
        tolds = [event for event in run.replay() if isinstance(event, Told)]
        segments = run.segments()
        summary = run.summary
    assert [told.visit.title for told in tolds] == ["Weather", "Weather", "Plain"]
    pages = [told.outcome.page for told in tolds]
    assert [page.rendered for page in pages if page] == [QUIET, QUIET, ""]
    assert [told.plain is not None for told in tolds] == [True, True, False]
    plain = tolds[0].plain
    assert plain is not None
    assert plain.page is not None
    assert plain.page.needs_script
    assert summary is not None
    assert summary["rendered"] == {"pages": 2, "cut_short": 0, "failed": 0}
    assert summary["needs_script"] == 0
    kinds = [
        record.rec_type
        for segment in segments
        for record in ArchiveIterator(io.BytesIO(segment.read_bytes()))
    ]
    assert kinds.count("conversion") == 2
    assert kinds.count("response") == 4
    assert topicrawl(["doctor", str(out), "--replay"]) == 0
    assert topicrawl(["export", str(out), "--format", "jsonl", "--out", str(tmp_path / "pages")]) == 0
    rows = [json.loads(line) for line in (tmp_path / "pages").read_text().splitlines()]
    assert len({row["digest"] for row in rows}) == 2, "one shell for two rendered pages"
    assert len({row["read_digest"] for row in rows}) == 3

    monkeypatch.setenv("PATH", str(tmp_path))  # no browser
    again = tmp_path / "again"
    seed = flags[1]
    command = [
        *WANTED,
        "--web",
        str(out / "archive"),
        "--seeds",
        seed,
        "--render",
        "auto",
        "--out",
        str(again),
    ]
    assert topicrawl(command) == 0
    assert (again / "visits.jsonl").read_bytes() == (out / "visits.jsonl").read_bytes()


def test_without_a_browser_a_crawl_says_so_once_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fake_browser(tmp_path, "Chromium 89.0.4389.82")
    monkeypatch.setenv("PATH", str(tmp_path))
    out = tmp_path / "run"
    with weather() as (flags, _):
        seeds = ["--seeds", f"{flags[1]}a", "--seeds", f"{flags[1]}b"]
        wanted = [word for word in WANTED if word != "--quiet"]
        assert topicrawl([*wanted, *flags, *seeds, "--render", "auto", "--out", str(out)]) == 0
    told = capfd.readouterr()
    said, summed_up = " ".join(told.err.split()), " ".join((told.err + told.out).split())
    assert said.count("pages are not rendered: ") == 1
    assert "need a browser 3 say next to nothing without JavaScript, and could not be rendered" in summed_up
    assert "--render auto" not in summed_up, "it was asked for"
    assert "is version 89.0.4389.82, and 120 is needed; install Chromium" in said
    with Run.open(out, writable=False) as run:
        assert run.summary is not None
        assert run.summary["rendered"] == {"pages": 0, "cut_short": 0, "failed": 3}
        assert run.summary["needs_script"] == 3


@LONG
def test_large_pages_lose_nothing_and_the_crawl_goes_on(tmp_path: Path) -> None:
    """They are rendered or, where the browser has not read all of them in time, count as they came."""
    usable_browser()
    out = tmp_path / "run"
    with weather() as (flags, _):
        home = flags.pop(1)
        seeds = [word for path in (*LARGE, "/plain") for word in ("--seeds", f"{home}{path[1:]}")]
        assert topicrawl([*WANTED, *flags[1:], *seeds, "--render", "always", "--out", str(out)]) == 0
    with Run.open(out, writable=False) as run:
        found = {visit.url.removeprefix(home[:-1]): (visit.n, page) for visit, page in run.pages()}
        assert set(found) == {*LARGE, "/plain"}
        assert found["/plain"][1].rendered == QUIET
        for path in LARGE:
            n, page = found[path]
            assert page.text == "last" or len(page.text) >= TEXT_LIMIT
            assert find_main_text(run, n, page).main.text.endswith("last")


def test_a_crawl_that_does_not_render_names_the_flag(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    with weather() as (flags, _):
        assert topicrawl([word for word in [*WANTED, *flags, "--out", str(out)] if word != "--quiet"]) == 0
    said = " ".join("".join(capfd.readouterr()).split())
    assert "need a browser 1 say next to nothing without JavaScript; --render auto" in said
    assert "--render auto" in (out / "report.html").read_text("utf-8")


def test_auto_starts_no_browser_where_no_page_needs_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOPICRAWL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))  # one that was looked for would be missed
    web = ["--web", "invented:7", "--seeds", invented_web("invented:7").seeds("tourism", 1)[0]]
    for mode in ("never", "auto"):
        assert topicrawl([*WANTED, *web, "--render", mode, "--out", str(tmp_path / mode)]) == 0
    assert "rendered" not in capfd.readouterr().err
    assert (tmp_path / "auto/visits.jsonl").read_bytes() == (tmp_path / "never/visits.jsonl").read_bytes()
