"""The page that a crawl by example is asked about is fetched for its links, and is no result of the crawl."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.web.invented import invented_web

WEB, SUBJECT = "invented:7", "rainstorm disaster"


@pytest.fixture(scope="module")
def query() -> str:
    return invented_web(WEB).seeds(SUBJECT, 3)[0]


@pytest.fixture(scope="module")
def crawled(query: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that begins at the page of its own query, and fetches it."""
    out = tmp_path_factory.mktemp("query") / "run"
    asked = ["--strategy", "semxdm", "--query", query, "--web", WEB, "--quiet", "--seeds", query]
    assert run(["crawl", *asked, "--pages", "30", "--out", str(out)]) == 0
    return out


def test_it_is_fetched_and_counted_as_not_relevant(crawled: Path, query: str) -> None:
    visits = [json.loads(line) for line in (crawled / "visits.jsonl").read_text().splitlines()]
    own = next(visit for visit in visits if visit["url"] == query)
    assert own["fetched"]
    assert own["relevance"] == 0
    assert own["term_relevance"] > 0.5
    summary = json.loads((crawled / "summary.json").read_text())
    relevant = [visit for visit in visits if visit["relevance"] > summary["threshold"]]
    assert summary["relevant"] == summary["relevant_at_visit"] == len(relevant) > 0


@pytest.mark.parametrize("flags", [[], ["--relevant-only"]])
def test_no_export_of_pages_has_it(
    crawled: Path, query: str, flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind in ("jsonl", "csv"):
        assert run(["export", str(crawled), "--format", kind, "--out", str(tmp_path / kind), *flags]) == 0
    assert run(["xref", str(crawled), query, "-n", "100", "--json"]) == 0
    similar = [json.loads(line)["url"] for line in capsys.readouterr().out.splitlines()]
    lines = [json.loads(line)["url"] for line in (tmp_path / "jsonl").read_text().splitlines()]
    rows = [row["url"] for row in csv.DictReader(io.StringIO((tmp_path / "csv").read_text()))]
    assert len(lines) > 1
    assert query not in {*lines, *rows, *similar}


def test_the_knowledge_base_has_no_such_item(
    crawled: Path, query: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["kb", "sparql", str(crawled), "SELECT ?item WHERE { ?item a kb:Item }"]) == 0
    items = capsys.readouterr().out
    visits = [json.loads(line) for line in (crawled / "visits.jsonl").read_text().splitlines()]
    others = {visit["url"] for visit in visits if visit["fetched"]} - {query}
    assert all(f"<{url}>" in items for url in others)
    assert f"<{query}>" not in items
