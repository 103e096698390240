"""Sinks follow the log: whatever happens to a crawl, each visit is in them once, as the log has it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

from crawling.test_listening import complete, opened
from depth import depth
from topicrawl.cli import run as topicrawl
from topicrawl.errors import ConfigError
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

TABLES = "visits,pages,links,index"
OFTEN = ("sink-part:kill:6", "sink:kill:2")
KILLS = depth(OFTEN, (*OFTEN, "sink-part:kill:1", "sink-end:kill:1", "commit:kill:2", "follow:kill:2"))
"""Moments at which a crawl is killed: of writing a sink, and of writing the log."""


def words(out: Path, *flags: str) -> list[str]:
    seeds = invented_web("invented:7").seeds("rainstorm disaster", 2)
    given = [
        "--topic",
        "storms: rainstorm, flood",
        "--web",
        "invented:7",
        "--strategy",
        "ops",
        "--pages",
        "40",
    ]
    given += [word for seed in seeds for word in ("--seeds", seed)]
    return ["crawl", *given, "--concurrency", "1", "--quiet", "--out", str(out), *flags]


def crawl(out: Path, *flags: str, fault: str = "") -> int:
    command = [sys.executable, "-m", "topicrawl.cli", *words(out, *flags)]
    return subprocess.run(command, env={**os.environ, "TOPICRAWL_FAULT": fault}, check=False).returncode


def parquet(place: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table, read by Arrow as a data set of all its parts."""
    rows = ds.dataset(place / table, format="parquet", partitioning="hive").to_table().to_pylist()
    return sorted(rows, key=lambda row: row["n"])


def logged(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "visits.jsonl").read_text("utf-8").splitlines()]


def check_complete(out: Path, place: Path) -> None:
    """Each visit of the log is in the sink once, with its fields, its page and its links."""
    visits, pages = parquet(place, "visits"), parquet(place, "pages")
    expected = logged(out)
    assert [
        {name: row[name] for name in line} for row, line in zip(visits, expected, strict=True)
    ] == expected
    assert [row["n"] for row in pages] == [line["n"] for line in expected if line["fetched"]]
    with Run.open(out, writable=False) as run:
        links = Counter(visit.n for visit, page in run.pages() for _ in page.links.urls)
        captures = Counter(visit.n for visit in run.visits() for _ in run.captures(visit.n))
    assert Counter(row["n"] for row in parquet(place, "links")) == links
    assert Counter(row["n"] for row in parquet(place, "index")) == captures


def test_parts_are_written_while_the_crawl_runs_and_hold_every_visit_once(tmp_path: Path) -> None:
    out, place = tmp_path / "run", tmp_path / "tables"
    assert crawl(out, "--sink", f"parquet:{place}", "--sink-tables", TABLES, "--sink-rows", "7") == 0
    check_complete(out, place)
    parts = sorted(path.name for path in (place / "visits").rglob("*.parquet"))
    assert parts[:2] == ["part-00000001.parquet", "part-00000008.parquet"]
    assert all(path.parent.name.startswith("date=20") for path in (place / "visits").rglob("*.parquet"))
    assert not list(place.rglob("*.part"))


@pytest.mark.parametrize("fault", KILLS)
def test_a_crawl_killed_at_any_moment_of_writing_loses_and_doubles_nothing(
    fault: str, tmp_path: Path
) -> None:
    out, place = tmp_path / "run", tmp_path / "tables"
    flags = ("--sink", f"parquet:{place}", "--sink-tables", TABLES, "--sink-rows", "7")
    assert crawl(out, *flags, fault=fault) == -9
    assert topicrawl(["crawl", "--out", str(out), "--quiet"]) == 0
    check_complete(out, place)


def test_a_part_grows_when_the_crawl_is_resumed(tmp_path: Path) -> None:
    out, place = tmp_path / "run", tmp_path / "lines"
    sink = {"sink": (f"jsonl:{place}",), "sink_tables": ("visits",), "sink_rows": 10}
    complete(opened(out, **sink, pages=13))
    complete(opened(out, pages=17))
    parts = sorted(place.rglob("*.jsonl"))
    lines = [json.loads(line) for path in parts for line in path.read_bytes().splitlines()]
    assert [line["n"] for line in lines] == [line["n"] for line in logged(out)]
    assert lines[0]["started"].startswith("20")
    assert lines[0]["started"].endswith("Z")


def test_where_the_log_went_another_way_the_sink_is_written_again(tmp_path: Path) -> None:
    out, place = tmp_path / "run", tmp_path / "tables"
    sink = {"sink": (f"parquet:{place}",), "sink_tables": ("visits",), "sink_rows": 5}
    complete(opened(out, **sink, pages=12))
    earlier = tmp_path / "earlier"
    shutil.copytree(out, earlier)
    complete(opened(out, pages=40))
    shutil.rmtree(out)
    earlier.rename(out)  # a backup is put back: the sink is ahead of the log
    complete(opened(out, pages=14))
    assert [row["n"] for row in parquet(place, "visits")] == [line["n"] for line in logged(out)]


def test_a_place_that_is_away_holds_nothing_up_and_is_written_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, place = tmp_path / "run", tmp_path / "tables"
    complete(opened(out, pages=10))
    place.write_text("a file where the folder is to be")
    assert topicrawl(["sink", str(out), "--to", f"parquet:{place}"]) == 3
    place.unlink()
    assert topicrawl(["sink", str(out), "--to", f"parquet:{place}"]) == 0
    assert topicrawl(["sink", str(out), "--to", f"parquet:{place}"]) == 0
    said = capsys.readouterr().err
    visits = len(logged(out))
    assert f"{visits} visits written, {visits} in all" in said
    assert f"0 visits written, {visits} in all" in said
    assert len(parquet(place, "visits")) == visits


def test_a_sink_in_an_object_store_is_the_same(tmp_path: Path) -> None:
    import fsspec

    out = tmp_path / "run"
    complete(opened(out, pages=12, sink=("jsonl:memory://bucket/storms",), sink_rows=5))
    files = fsspec.filesystem("memory")
    found = [
        line for name in files.find("/bucket/storms/visits") for line in files.cat_file(name).splitlines()
    ]
    assert [json.loads(line)["n"] for line in found] == [line["n"] for line in logged(out)]


@pytest.mark.parametrize(
    ("flag", "value", "expected"),
    [
        ("--sink", "excel:tables", "'excel:tables'; write parquet:PLACE or jsonl:PLACE"),
        ("--sink", "parquet:", "write parquet:PLACE"),
        ("--sink", "jsonl:s3://me:secret@bucket/x", "leave both out"),
        ("--sink", "jsonl:nosuch://bucket/x", "nosuch"),
        ("--sink-tables", "visits,texts", "'texts' is unknown; choose of visits, pages, links, index"),
    ],
)
def test_a_wrong_sink_is_refused_before_anything_is_written(
    flag: str, value: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert topicrawl([*words(tmp_path / "run"), flag, value]) == 2
    said = capsys.readouterr().err
    assert expected in said
    assert "secret" not in said
    assert not (tmp_path / "run").exists()


def test_the_sink_of_another_run_is_not_written_over(tmp_path: Path) -> None:
    sink = {"sink": (f"jsonl:{tmp_path / 'tables'}",)}
    complete(opened(tmp_path / "one", **sink, pages=3))
    with pytest.raises(ConfigError, match="holds the pages of another run"):
        opened(tmp_path / "two", **sink)
    assert not (tmp_path / "two").exists()
    with pytest.raises(ConfigError, match="was begun as jsonl with --sink-tables visits,pages"):
        opened(tmp_path / "one", sink_tables=("links",), pages=4)


def test_shards_share_a_place_each_in_a_folder_of_its_own(tmp_path: Path) -> None:
    out, place = tmp_path / "run", tmp_path / "tables"
    assert crawl(out, "--local", "2") == 0
    assert topicrawl(["sink", str(out), "--to", f"parquet:{place}"]) == 0
    with Run.open(out, writable=False) as run:
        assert len(parquet(place, "visits")) == run.last_n
        assert config_of(run).sink == ()
        assert {row["shard"] for row in parquet(place, "visits")} <= {0, 1, "000", "001"}
