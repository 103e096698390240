from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from topicrawl.cli import new, run
from topicrawl.cli.demo import served
from topicrawl.setup.config import Config


def test_new_writes_a_configuration_with_the_defaults(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "my.toml"]) == 0
    assert "topicrawl crawl -c my.toml" in capsys.readouterr().out
    written = Config.load("my.toml")
    assert written == Config(topic=str(new.FILLED_IN["topic"]), seeds=("seeds.txt",))
    uncommented = re.sub(r"^# (\w+ = .*)$", r"\1", Path("my.toml").read_text("utf-8"), flags=re.MULTILINE)
    defaults = "\n".join(line for line in uncommented.splitlines() if "# not set" not in line)
    assert Config.from_toml(defaults) == written
    assert Config.from_toml(uncommented).max_time == 7200


def test_strategies_lists_parameters_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["strategies"]) == 0
    assert "--set anchor_weight=0.5" in capsys.readouterr().out
    assert run(["strategies", "--json"]) == 0
    described = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert {"bfs", "ops"} <= described.keys()
    weight = next(each for each in described["ops"]["parameters"] if each["name"] == "anchor_weight")
    assert (weight["default"], weight["low"], weight["high"]) == (0.5, 0.0, 1.0)


def test_seeds_takes_the_results_out_of_a_saved_page(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "results.html").write_text(
        "<!doctype html><a href='/next'>next</a><a href='/url?q=https://a.test/1%3Fx=y&amp;sa=U'>A</a>"
        "<a href='https://a.test/2'>A again</a><a href='http://b.test/'>B</a><a href='http://ads.test/'>Ad</a>"
    )
    (here / "more.txt").write_text("http://b.test/\nhttp://c.test/\n")
    assert run(["seeds", "results.html", "more.txt", "--exclude", "//ads"]) == 0
    found = capsys.readouterr().out.splitlines()
    assert found == ["https://a.test/1?x=y", "https://a.test/2", "http://b.test/", "http://c.test/"]
    assert run(["seeds", "results.html", "more.txt", "--exclude", "//ads", "--distinct-hosts", "2"]) == 0
    assert capsys.readouterr().out.splitlines() == ["https://a.test/1?x=y", "http://b.test/"]


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["absent.html"], "absent.html"),
        (["empty.html"], "no usable link in empty.html"),
        (["empty.html", "--base", "nowhere"], "--base 'nowhere'"),
        (["empty.html", "--exclude", "("], "--exclude"),
        (["empty.html", "--distinct-hosts", "0"], "--distinct-hosts"),
    ],
)
def test_seeds_refuses_sources_without_links(
    words: list[str], printed: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "empty.html").write_text("<!doctype html><p>nothing")
    assert run(["seeds", *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert printed in error


SITEMAP = "<urlset><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</loc></url></urlset>"
RSS = (
    "<rss><channel><link>http://a.test/</link><item><link>http://a.test/rss</link></item>"
    "<item><link>/relative</link></item></channel></rss>"
)
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://a.test/atom"/></entry></feed>'
INDEX = (
    "<sitemapindex><sitemap><loc>http://a.test/maps/one.xml.gz</loc></sitemap>"
    "<sitemap><loc>http://a.test/maps/two.xml?v=1</loc></sitemap>"
    "<sitemap><loc>http://a.test/index.xml</loc></sitemap></sitemapindex>"
)


def test_seeds_reads_sitemaps_and_feeds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "sitemap.xml").write_text(f"\n<?xml version='1.0'?>{SITEMAP}")
    (here / "packed.xml.gz").write_bytes(gzip.compress(SITEMAP.replace("/2", "/3").encode()))
    (here / "list.txt.gz").write_bytes(gzip.compress(b"http://b.test/\n"))
    (here / "rss").write_text(RSS)
    (here / "atom.xml").write_text(ATOM)
    assert run(["seeds", "sitemap.xml", "packed.xml.gz", "list.txt.gz", "rss", "atom.xml"]) == 0
    printed = capsys.readouterr()
    known = ["http://a.test/1", "http://a.test/2", "http://a.test/3", "http://b.test/"]
    assert printed.out.splitlines() == [*known, "http://a.test/rss", "http://a.test/atom"]
    assert printed.err == ""
    assert run(["seeds", "rss", "--base", "http://a.test/news/feed"]) == 0
    assert capsys.readouterr().out.splitlines() == ["http://a.test/rss", "http://a.test/relative"]


def test_seeds_reads_the_sitemaps_in_the_folder_of_their_index(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "saved").mkdir()
    (here / "saved" / "index.xml").write_text(INDEX)
    (here / "last.txt").write_text("http://b.test/\n")
    assert run(["seeds", "saved/index.xml"]) == 2
    alone = capsys.readouterr().err
    assert "2 of its 3 sitemaps, 'one.xml.gz' first, are not beside it" in alone
    assert alone.count("\n") == 1
    (here / "saved" / "one.xml").write_text(SITEMAP)
    assert run(["seeds", "saved/index.xml", "last.txt"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == ["http://a.test/1", "http://a.test/2", "http://b.test/"]
    assert "1 of its 3 sitemaps, 'two.xml' first" in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("<rss><channel></rss>", "broken.xml is malformed XML at line 1: mismatched tag"),
        ("\n\n<rss version=2>", "broken.xml is malformed XML at line 3"),
        ("<?xml version='1.0'?>", "broken.xml is malformed XML at line 1: no element found"),
        ("<!DOCTYPE rss [<!ENTITY e 'x'>]><rss/>", "declares a document type or entities"),
        ("<rss><channel/></rss>", "no usable link in broken.xml; give"),
    ],
)
def test_a_feed_without_links_is_an_error_of_one_line(
    content: str, why: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "broken.xml").write_text(content)
    assert run(["seeds", "broken.xml"]) == 2
    printed = capsys.readouterr().err
    assert why in printed
    assert printed.count("\n") == 1


def test_seeds_takes_the_links_before_the_damage_and_warns(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "cut.xml").write_text(SITEMAP[:-20])
    (here / "cut.gz").write_bytes(gzip.compress(ATOM.encode())[:-8])
    assert run(["seeds", "cut.xml", "cut.gz"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == ["http://a.test/1", "http://a.test/atom"]
    assert (
        "note: cut.xml is malformed XML at line 1: unclosed token; the links before that, 1, are taken"
        in printed.err
    )
    assert "note: cut.gz is damaged, or unpacks to more than 52,428,800 bytes" in printed.err
    assert printed.err.count("\n") == 2


def test_a_web_is_served_until_it_is_interrupted(seeds: list[str]) -> None:
    page = urlsplit(seeds[0])
    with served("invented:7") as port:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{page.path}", headers={"Host": page.netloc})
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert b"<html" in answer.read()


@pytest.mark.parametrize("web", ["http", "invented:seven", "absent.warc"])
def test_a_web_that_cannot_be_served_is_refused(
    web: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["web", "serve", web, "--port", "0"]) == 2
    error = capsys.readouterr().err
    assert web in error
    assert error.count("\n") == 1


def test_the_demo_crawls_over_http_and_ends_with_a_report(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", "--out", "demo", "--pages", "60"]) == 0
    printed = capfd.readouterr()
    assert "is served on 127.0.0.1:" in printed.out
    assert f"report: {Path('demo/report.html')}" in printed.err
    first, *others = printed.out.splitlines()[-3:]
    assert "topicrawl search demo 'flood warning'" in first
    assert len(others) == 2
    assert run(["search", "demo", "flood warning"]) == 0
    summary = json.loads((here / "demo" / "summary.json").read_text())
    assert summary["fetches"] == 60
    assert summary["hosts"] >= 10
    kept = Config.load(here / "demo" / "crawl.toml")
    assert (kept.web, kept.allow_net) == ("http", ("127.0.0.0/8",))


def test_a_dry_run_over_http_asks_robots_and_nothing_else(
    here: Path, seeds: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    log = here / "requests.jsonl"
    command = [
        sys.executable,
        "-m",
        "topicrawl.cli",
        "web",
        "serve",
        "invented:7",
        "--port",
        "0",
        "--log",
        str(log),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = server.stdout.readline().strip().rpartition(":")[2].rstrip("/")
            words = ["--resolve", f"*.invented.test=127.0.0.1:{port}", "--allow-net", "127.0.0.0/8"]
            begin = ["--seeds", seeds[0], "--seeds", "http://127.0.0.2:1/"]
            assert run(["crawl", "--topic", "storm", *begin, *words, "--dry-run", "--retries", "0"]) == 0
        finally:
            server.terminate()
    shown = capsys.readouterr().out
    assert re.search(rf"allows +{re.escape(seeds[0])}", shown)
    assert re.search(r"robots-unreachable.* http://127.0.0.2:1/", shown)
    asked = [json.loads(line)["url"] for line in log.read_text().splitlines()]
    assert asked == [urljoin(seeds[0], "/robots.txt")]


def program(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run topicrawl as a program of its own that also finds the modules in `folder`."""
    return subprocess.run(
        [sys.executable, "-m", "topicrawl.cli", *words],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


def test_bad_input_to_the_program_is_one_line_and_exit_code_2(here: Path) -> None:
    done = program("crawl", "--pages", "x", folder=here)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: --pages: 'x' is not a whole number of at least 1, such as 500\n"


def test_an_internal_error_is_one_line_that_names_the_file_of_its_traceback(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Provoked by the strategy of another package, which fails on import."""
    (here / "faulty.py").write_text("1 / 0")
    (here / "faulty-1.dist-info").mkdir()
    (here / "faulty-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1\n")
    (here / "faulty-1.dist-info" / "entry_points.txt").write_text(
        "[topicrawl.strategies]\nfaulty = faulty:X\n"
    )
    words = ["crawl", "--topic", "rain", "--seeds", "http://a.test/", "--strategy", "faulty", "--out", "run"]
    monkeypatch.setenv("TMPDIR", str(here))
    done = program(*words, folder=here)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "ZeroDivisionError: division by zero" in done.stderr
    text = Path(done.stderr.split()[-1]).read_text()
    assert "Traceback" in text
    assert "ZeroDivisionError: division by zero" in text
    assert not (here / "run").exists()
