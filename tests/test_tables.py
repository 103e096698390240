"""The tables of a run, read by the libraries they are made for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas
import pyarrow as pa
import pytest

import topicrawl
from topicrawl.errors import UsageError
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:5", "rainstorm disaster"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    web = invented_web(WEB)
    path = tmp_path_factory.mktemp("tables") / "run"
    given = {"topic": web.topic_spec(TOPIC), "seeds": web.seeds(TOPIC, 3), "web": WEB}
    for _ in topicrawl.crawl_sync(**given, pages=30, out=path, concurrency=1):  # type: ignore[arg-type]
        pass
    with topicrawl.Run(path) as run:
        first, second, *_ = run.pages()
        run.mark(first.url, True)
        run.mark(second.url, False)
    return path


def test_tables_have_what_the_iterators_have(folder: Path) -> None:
    with topicrawl.Run(folder) as run:
        visits, pages, links = (getattr(run.tables, name).arrow() for name in ("visits", "pages", "links"))
        assert visits["url"].to_pylist() == [visit.url for visit in run.visits()]
        assert visits["error"].to_pylist() == [visit.error for visit in run.visits()]
        assert pages["title"].to_pylist() == [visit.title for visit in run.pages()]
        found = list(run.links())
        assert list(zip(*(links[name].to_pylist() for name in ("page", "url", "anchor")), strict=True)) == [
            (link.page, link.url, link.anchor) for link in found
        ]
        first = run.main_text(pages["url"][0].as_py())
        assert first is not None
        assert pages["text"][0].as_py() == first.text
    assert visits.schema.field("started").type == pa.timestamp("us", tz="UTC")
    assert visits["status"].null_count == sum(visit is None for visit in visits["status"].to_pylist())


def test_relevance_hosts_and_marks_follow_all_that_was_learned(folder: Path) -> None:
    with topicrawl.Run(folder) as run:
        pages = run.tables.pages.select("n", "url", "host", "relevance_now").arrow().to_pylist()
        assert {row["n"]: row["relevance_now"] for row in pages} == run.relevance_now()
        hosts = {row["host"]: row for row in run.tables.hosts.arrow().to_pylist()}
        assert sum(row["pages"] for row in hosts.values()) == len(pages)
        assert sum(row["relevant"] for row in hosts.values()) == run.summary["relevant"]
        marks = run.tables.marks.arrow().to_pylist()
        assert [(row["n"], row["relevant"]) for row in marks] == [
            (pages[0]["n"], True),
            (pages[1]["n"], False),
        ]
        assert marks[0]["said"].year >= 2024


def test_pandas_takes_the_memory_of_arrow(folder: Path) -> None:
    with topicrawl.Run(folder) as run:
        frame = run.tables.visits.pandas()
        assert all(isinstance(kind, pandas.ArrowDtype) for kind in frame.dtypes)
        assert frame.loc[frame.fetched, "relevance"].mean() == pytest.approx(
            sum(visit.relevance for visit in run.pages()) / 30
        )
        assert frame.groupby("host").size().sum() == len(frame)


def test_a_table_is_an_arrow_stream_of_which_only_wanted_columns_are_read(folder: Path) -> None:
    with topicrawl.Run(folder) as run:
        (folder / "archive").rename(folder / "elsewhere")  # titles come from the log, texts from the archive
        try:
            titles = pa.table(run.tables.pages.select("title", "n"))
            assert titles.column_names == ["title", "n"]
            batches = list(run.tables.links.select("url").reader())
        finally:
            (folder / "elsewhere").rename(folder / "archive")
        assert sum(batch.num_rows for batch in batches) == len(list(run.links()))
        assert run.tables.visits.arrow().slice(0, 1).to_pylist()[0]["n"] == 1


def test_the_index_says_where_each_answer_is_in_the_archive(folder: Path) -> None:
    with topicrawl.Run(folder) as run:
        rows = run.tables.index.arrow().to_pylist()
    assert len(rows) >= 30
    for row in rows[:5]:
        with (folder / row["warc_filename"]).open("rb") as archive:
            archive.seek(row["warc_record_offset"])
            assert archive.read(2) == b"\x1f\x8b"  # a gzip member
        assert row["url_surtkey"].startswith("test,invented,")
        assert row["url_host_registered_domain"] == "invented.test"


def test_a_wrong_column_is_named_with_the_nearest(folder: Path) -> None:
    with topicrawl.Run(folder) as run:
        with pytest.raises(UsageError, match="no column 'titel'; did you mean 'title'"):
            run.tables.pages.select("titel")
        assert "read it with .pandas()" in repr(run.tables.pages)


@pytest.mark.parametrize(
    ("module", "call"), [("pyarrow", "arrow"), ("pandas", "pandas"), ("polars", "polars")]
)
def test_without_the_library_the_error_says_how_to_get_it(folder: Path, module: str, call: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None\nimport topicrawl\n"
        f"try: topicrawl.Run(sys.argv[1]).tables.visits.{call}()\n"
        "except topicrawl.TopicrawlError as error: print(error)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
    )
    assert f"needs {module}, which is absent; get it with: pip install" in ran.stdout


def test_a_notebook_shows_figures_and_the_harvest_curve_and_escapes_names(tmp_path: Path) -> None:
    web = invented_web(WEB)
    path = tmp_path / "<img src=x onerror=alert(1)>"
    list(topicrawl.crawl_sync(topic="flood", seeds=web.seeds(TOPIC, 1), web=WEB, pages=3, out=path))
    with topicrawl.Run(path) as run:
        shown = run._repr_html_()
    assert "3 pages from" in shown
    assert "data:image/svg+xml;base64," in shown
    assert "<img src=x" not in shown
