"""Searching, as a command and before a crawl, against servers that answer well, badly or not at all."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from finding.servers import Reply, Request, answering, results
from topicrawl.cli import run
from topicrawl.web.invented import invented_web

LOOPBACK = ["--allow-net", "127.0.0.0/8", "--delay", "0", "--retries", "0"]
WEB = "invented:7"


def searx(request: Request) -> Reply:
    """Answers as SearXNG does; its robots.txt forbids searches, as SearXNG's own does."""
    if request.path == "/robots.txt":
        return Reply(b"User-agent: *\nDisallow: /*?*q=*\n", headers=(("Content-Type", "text/plain"),))
    return results(
        ("https://flood.test/warning", "Flood warning", "A rainstorm brings a flood and a warning."),
        ("https://cake.test/", "Cake", "Bake a cake with a flood of chocolate."),
        ("https://flood.test/other", "Flood insurance", "Insurance after a flood."),
        (f"https://{request.query['q'][0].split()[0]}.test/only", "Only here", ""),
    )


def failing(status: int, body: bytes = b"", **headers: str) -> Callable[[Request], Reply]:
    lines = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return lambda request: Reply(body, status, (("Content-Type", "text/plain"), *lines))


def test_results_are_weighed_spread_over_hosts_and_named_by_their_queries(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(searx) as server:
        words = [
            "--search",
            "flood warning",
            "--search",
            "rainstorm",
            "--topic",
            "storms: rainstorm, flood, warning 0.5",
        ]
        assert run(["seeds", *words, "--search-url", f"{server.url}/search", *LOOPBACK]) == 0
    assert server.asked() == ["flood warning", "rainstorm"]
    assert server.asked("format") == ["json", "json"]
    first, *others = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"https://flood\.test/warning  # 0\.\d\d from search: flood warning; search: rainstorm", first
    )
    hosts = [re.match(r"https://([^/]+)", line)[1] for line in (first, *others)]  # type: ignore[index]
    assert hosts[:3].count("flood.test") == 1
    assert {"https://rainstorm.test/only", "https://flood.test/only"} <= {line.split()[0] for line in others}


def test_one_link_per_host_is_kept_and_a_pattern_drops_others(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(searx) as server:
        words = ["seeds", "--search", "flood", "--search-url", server.url, *LOOPBACK, "--distinct-hosts", "2"]
        assert run([*words, "--exclude", "warning"]) == 0
    lines = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert lines == ["https://cake.test/", "https://flood.test/other"]


def test_without_words_queries_are_made_from_the_topic_and_said(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(searx) as server:
        words = ["--topic", "storms: flash flood, warning 0.5", "--search-url", server.url]
        assert run(["seeds", *words, *LOOPBACK]) == 0
        assert server.asked() == ["flash flood", "warning storms"]
        assert "queries: flash flood, warning storms" in capsys.readouterr().err
        assert run(["seeds", *words, *LOOPBACK, "--queries", "1"]) == 0
        assert server.asked()[2:] == ["flash flood"]


def test_a_server_on_loopback_needs_to_be_allowed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(searx) as server:
        assert run(["seeds", "--search", "flood", "--search-url", server.url]) == 2
        assert not server.requests
    said = capsys.readouterr().err
    assert "is in a private network; allow it: --allow-net 127.0.0.0/8" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (failing(429, retry_after="900"), "asks for a pause of 900 s; try again later"),
        (failing(403), "answers with status 403; it may need a key"),
        (failing(200, b'{"results": ['), "answers with what is no JSON"),
        (failing(200, b"<html><body>results</body></html>"), "answers with a page, not with JSON"),
        (failing(500, b"no database"), "answers with status 500 (no database)"),
        (failing(200, b'{"results": []}'), "no seed was found; try other words, or another server"),
    ],
)
def test_a_bad_answer_is_one_line(
    answer: Callable[[Request], Reply], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(answer) as server:
        assert run(["seeds", "--search", "flood", "--search-url", f"{server.url}/search", *LOOPBACK]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert said in lines[-1]
    assert len(lines) == 1


def test_a_server_that_is_down_is_asked_twice_and_the_others_still(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        down = f"http://127.0.0.1:{closed.getsockname()[1]}/search"
        with answering(searx) as server:
            words = [word for query in ("flood", "hail", "rain") for word in ("--search", query)]
            asked = ["seeds", *words, "--search-url", down, "--search-url", f"{server.url}/search", *LOOPBACK]
            assert run(asked) == 0
            assert server.asked() == ["flood", "hail", "rain"]
    out, err = capsys.readouterr()
    assert (
        f"https://hail.test/only  # from search {server.url.removeprefix('http://')}: hail"
        in out.splitlines()
    )
    assert err.count("does not answer (connect)") == 2
    assert "(1 more queries are not asked)" in err


def test_pages_for_people_are_read_where_their_robots_txt_allows_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = b'<html><body><a href="https://rain.test/a">Rain</a><p>Heavy rain.</p></body></html>'
    html = (("Content-Type", "text/html"),)

    def allowing(request: Request) -> Reply:
        return Reply(b"", 404) if request.path == "/robots.txt" else Reply(page, 200, html)

    with answering(allowing) as server:
        assert run(["seeds", "--search", "a b", "--search-url", f"{server.url}/?q={{query}}", *LOOPBACK]) == 0
        assert server.asked() == ["a b"]
    assert capsys.readouterr().out == "https://rain.test/a  # from search: a b\n"
    with answering(searx) as server:
        assert run(["seeds", "--search", "a b", "--search-url", f"{server.url}/?q={{query}}", *LOOPBACK]) == 2
        assert server.asked() == []
    assert "robots.txt forbids result pages to programs" in capsys.readouterr().err


def test_a_header_with_a_named_secret_is_sent_to_the_server(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEARCH_KEY", "s3cret")
    with answering(searx) as server:
        header = f"X-Api-Key@{server.url}: env:SEARCH_KEY"
        assert (
            run(["seeds", "--search", "flood", "--search-url", server.url, "--header", header, *LOOPBACK])
            == 0
        )
        assert server.requests[-1].headers["x-api-key"] == "s3cret"
    assert "s3cret" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing to take seeds from; give files, a search engine (--search-url)"),
        (["--search", "flood"], "--search: there is no server to ask; name one: --search-url"),
        (
            ["--search-url", "http://127.0.0.1:1/"],
            "--search-url: there is nothing to ask for; say it: --search",
        ),
        (["--domain", "a.test"], "--domain, --prefix and --words choose from an index; name it: --cdx URL"),
        (
            ["--cdx", "http://127.0.0.1:1/"],
            "--cdx: say what of the index to take: --domain, --prefix or --words",
        ),
        (["--cdx", "nowhere", "--domain", "a.test"], "--cdx 'nowhere' is no http or https URL"),
        (["--cdx", "http://127.0.0.1:1/", "--domain", "nodots"], "--domain 'nodots' is no domain"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(
    words: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["seeds", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_lists_on_the_web_are_fetched_with_the_sitemaps_of_an_index(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def site(request: Request) -> Reply:
        index = f"<sitemapindex><sitemap><loc>{server.url}/one.xml</loc></sitemap></sitemapindex>".encode()
        pages = {
            "/index.xml": index,
            "/one.xml": b"<urlset><url><loc>http://a.test/x</loc></url></urlset>",
            "/feeds.opml": b'<opml><body><outline htmlUrl="http://b.test/"/></body></opml>',
        }
        return Reply(pages[request.path]) if request.path in pages else Reply(b"", 404)

    with answering(site) as server:
        places = [f"{server.url}/{name}" for name in ("index.xml", "feeds.opml", "missing.rss")]
        assert run(["seeds", *places, *LOOPBACK]) == 0
    out, err = capsys.readouterr()
    assert {line.split()[0] for line in out.splitlines()} == {"http://a.test/x", "http://b.test/"}
    assert "missing.rss cannot be fetched (http: status 404); skipped" in err


def test_a_crawl_finds_its_seeds_and_reports_what_each_query_brought(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urls = invented_web(WEB).seeds("rainstorm disaster", 6)

    def engine(request: Request) -> Reply:
        part = urls[:4] if "rain" in request.query["q"][0] else urls[2:]
        return results(*((url, "Rainstorm", "A rainstorm disaster") for url in part))

    with answering(engine) as server:
        search = ["--search-url", server.url, "--search", "rain", "--search", "flood", *LOOPBACK]
        words = [
            "--web",
            WEB,
            "--topic",
            "storms: rainstorm, flood 0.9",
            "--pages",
            "20",
            "--strategy",
            "ops",
        ]
        assert run(["crawl", *words, *search, "--concurrency", "1", "--out", "run"]) == 0
    summary = msgspec.json.decode(Path("run/summary.json").read_bytes())
    found = {source["source"]: source for source in summary["sources"]}
    assert found.keys() == {"search: rain", "search: flood"}
    assert all(source["seeds"] == 4 and source["pages"] >= source["fetched"] for source in found.values())
    assert "search: rain" in Path("run/report.html").read_text()
    assert "relevant by source" in capsys.readouterr().err
    assert "127.0.0.1" not in Path("run/crawl.toml").read_text().split("[http]")[0]
    assert run(["crawl", "--out", "run", "--pages", "25", "--quiet"]) == 0  # asks no server: it is gone
    again = msgspec.json.decode(Path("run/summary.json").read_bytes())
    assert again["fetches"] == 25
    assert {source["source"] for source in again["sources"]} == found.keys()


def test_a_crawl_goes_on_with_its_list_where_the_search_fails(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urls = invented_web(WEB).seeds("rainstorm disaster", 3)
    Path("seeds.txt").write_text(
        f"{urls[0]}  # 0.91 from search: rain; cdx: *.a.test\n{urls[1]} # a good page\n"
    )
    with answering(failing(500)) as server:
        words = [
            "--web",
            WEB,
            "--topic",
            "rainstorm",
            "--pages",
            "5",
            "--strategy",
            "ops",
            "--seeds",
            "seeds.txt",
        ]
        search = ["--search-url", server.url, "--search", "rain", *LOOPBACK]
        assert run(["crawl", *words, *search, "--out", "run"]) == 0
    said = capsys.readouterr().err
    assert "answers with status 500" in said
    assert "nothing was found by searching; the crawl begins with the seeds given" in said
    summary = msgspec.json.decode(Path("run/summary.json").read_bytes())
    assert {source["source"] for source in summary["sources"]} == {
        "search: rain",
        "cdx: *.a.test",
        "seeds.txt",
    }
    with answering(failing(500)) as server:
        search = ["--search-url", server.url, "--search", "rain", *LOOPBACK]
        assert run(["crawl", "--web", WEB, "--topic", "rainstorm", *search, "--out", "other"]) == 2
    assert not Path("other").exists()
