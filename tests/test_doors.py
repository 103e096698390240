"""What we write is read by the programs it is made for: DuckDB, polars, py-wacz. `make doors-test` installs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import topicrawl
from door_packages import needs
from page_commands import run_page
from topicrawl.cli import run as command
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:7", "rainstorm disaster"


DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize(
    ("page", "package"),
    [
        ("data-frames", "pandas"),
        ("sinks", "duckdb"),
        ("judges", "skops"),
        ("for-papers", "typst"),
    ],
)
def test_the_examples_of_a_page_run_in_order_from_an_empty_folder(
    page: str,
    package: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    needs(package)
    run_page(DOCS / f"{page}.md", tmp_path, monkeypatch, capfd)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 25 pages in `run`, with a sink in `tables`."""
    path = tmp_path_factory.mktemp("doors")
    seeds = invented_web(WEB).seeds(TOPIC, 2)
    given = {"sink": f"parquet:{path / 'tables'}", "sink_tables": "visits,pages,links,index", "sink_rows": 10}
    for _ in topicrawl.crawl_sync(
        topic="rainstorm", seeds=seeds, web=WEB, pages=25, concurrency=1, out=path / "run", **given
    ):
        pass
    return path


def test_duckdb_queries_a_sink_by_its_partitions(folder: Path) -> None:
    needs("duckdb")
    import duckdb

    parts = f"read_parquet('{folder}/tables/visits/**/*.parquet', hive_partitioning = true)"
    found = duckdb.sql(f"SELECT count(*), count(DISTINCT n), count(DISTINCT date) FROM {parts}").fetchall()
    with topicrawl.Run(folder / "run") as run:
        visits = len(list(run.visits()))
    assert found[0][:2] == (visits, visits)
    assert found[0][2] in (1, 2)  # a crawl may run over midnight


def test_duckdb_finds_a_page_in_the_archive_by_the_columnar_index(folder: Path) -> None:
    needs("duckdb")
    import duckdb
    from warcio.archiveiterator import ArchiveIterator

    out = folder / "index.parquet"
    assert command(["export", str(folder / "run"), "--format", "commoncrawl", "--out", str(out)]) == 0
    with topicrawl.Run(folder / "run") as run:
        page = next(run.pages())
    query = (
        f"SELECT warc_filename, warc_record_offset, warc_record_length, content_digest FROM '{out}' "
        "WHERE url = ? AND fetch_status = 200 AND content_mime_type = 'text/html'"
    )
    name, offset, length, digest = duckdb.execute(query, [page.url]).fetchall()[0]
    with (folder / "run" / name).open("rb") as archive:
        archive.seek(offset)
        member = archive.read(length)
    (folder / "one.warc.gz").write_bytes(member)
    with (folder / "one.warc.gz").open("rb") as stream:
        record = next(iter(ArchiveIterator(stream)))
        assert record.rec_headers["WARC-Target-URI"] == page.url
        assert record.rec_headers["WARC-Payload-Digest"] == f"sha1:{digest}"
    keys = duckdb.sql(f"SELECT url_surtkey FROM '{out}'").fetchall()
    assert keys == sorted(keys)


def test_polars_and_duckdb_take_a_table_as_it_is(folder: Path) -> None:
    needs("polars")
    needs("duckdb")
    import duckdb
    import polars

    with topicrawl.Run(folder / "run") as run:
        links = run.tables.links.polars()
        assert links.height == len(list(run.links()))
        assert links.schema["nofollow"] == polars.Boolean
        visits = polars.DataFrame(run.tables.visits.select("n", "relevance"))
        assert visits.columns == ["n", "relevance"]
        hosts = run.tables.hosts.arrow()  # noqa: F841 - DuckDB finds it by its name
        assert duckdb.sql("SELECT sum(pages) FROM hosts").fetchall() == [(25,)]


def test_py_wacz_finds_our_web_archive_valid(folder: Path) -> None:
    needs("wacz")
    out = folder / "pages.wacz"
    assert command(["export", str(folder / "run"), "--format", "wacz", "--out", str(out)]) == 0
    ran = subprocess.run(
        [str(Path(sys.executable).parent / "wacz"), "validate", "-f", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
