"""What each source of seeds has brought, computed by hand on seven visits."""

from __future__ import annotations

from pathlib import Path

from topicrawl.model import Visit
from topicrawl.report.sources import source_yields, sources_panel
from topicrawl.store.seed_sources import SOURCES, SeedSource, read_sources, write_sources

SEEDS = [
    SeedSource("http://a.test/", ["search: rain"], 0.9, "A"),
    SeedSource("http://b.test/", ["search: rain", "list.txt"]),
    SeedSource("http://c.test/", ["list.txt"]),
]


def visit(
    n: int, url: str, parent: str | None, relevance: float, asked: str = "", fetched: bool = True
) -> Visit:
    return Visit(
        n,
        url,
        asked or url,
        200,
        fetched,
        False,
        relevance,
        1.0,
        "h",
        0,
        parent,
        "t",
        1,
        None if fetched else "dns",
    )


VISITS = [
    visit(1, "http://a.test/", None, 0.9),
    visit(2, "http://b.test/home", None, 0.2, asked="http://b.test/"),
    visit(3, "http://c.test/", None, 0.0, fetched=False),
    visit(4, "http://a.test/1", "http://a.test/", 0.8),
    visit(5, "http://d.test/", "http://a.test/1", 0.1),
    visit(6, "http://b.test/1", "http://b.test/home", 0.7),
    visit(7, "http://other.test/", None, 1.0),
]


def test_pages_count_for_the_seed_where_their_chain_of_links_began() -> None:
    assert source_yields(VISITS, SEEDS, 0.5) == [
        {"source": "search: rain", "seeds": 2, "fetched": 2, "relevant": 1, "pages": 5, "relevant_pages": 3},
        {"source": "list.txt", "seeds": 2, "fetched": 1, "relevant": 0, "pages": 2, "relevant_pages": 1},
    ]


def test_the_panel_escapes_what_a_source_is_called() -> None:
    seeds = [SeedSource("http://a.test/", ["search: <script>alert(1)</script>"])]
    shown = sources_panel(source_yields(VISITS, seeds, 0.5))
    assert "<script>" not in shown
    assert "67%" in shown
    assert sources_panel([]) == ""


def test_a_run_keeps_the_sources_of_its_seeds_and_later_ones_are_added(tmp_path: Path) -> None:
    write_sources(tmp_path, ())
    assert not (tmp_path / SOURCES).exists()
    write_sources(tmp_path, SEEDS[:2])
    with (tmp_path / SOURCES).open("ab") as file:
        file.write(b"{damaged\n")
    write_sources(tmp_path, [SEEDS[2], SeedSource("http://a.test/", ["other"])])
    assert {seed.url: seed.sources for seed in read_sources(tmp_path)} == {
        seed.url: seed.sources for seed in SEEDS
    }
