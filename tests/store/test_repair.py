"""Files of a run damaged by a crash or by hand, and how opening repairs them."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from topicrawl.store.line_files import LineFile, timing_line, visit_line
from topicrawl.store.log import Log
from topicrawl.store.run import Run
from topicrawl.store.salvage import TABLES
from topicrawl.store.schema import open_to_write


@pytest.fixture
def run_of_12(tmp_path: Path, made: ModuleType) -> Path:
    with Run.create(tmp_path / "run", "", segment_bytes=8000) as run:
        run.write(made.events(1, 12))
    return tmp_path / "run"


def follow(folder: Path, name: str, log: Log) -> None:
    lines = {
        "visits.jsonl": lambda n: ((visit.n, visit_line(visit)) for visit in log.visits(n)),
        "timings.jsonl": lambda n: ((m, timing_line(m, timing)) for m, timing in log.timings(n)),
    }
    follower = LineFile(folder / name, lines[name])
    follower.catch_up()
    follower.close()


@pytest.mark.parametrize("name", ["visits.jsonl", "timings.jsonl"])
def test_a_line_file_truncated_at_any_byte_of_its_last_two_lines_is_repaired(
    run_of_12: Path, name: str
) -> None:
    path = run_of_12 / name
    whole = path.read_bytes()
    two_lines = sum(map(len, whole.splitlines(keepends=True)[-2:]))
    log = Log.read(run_of_12 / "crawl.db")
    for end in range(len(whole) - two_lines, len(whole)):
        path.write_bytes(whole[:end])
        follow(run_of_12, name, log)
        assert path.read_bytes() == whole, end
    log.close()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"garbage",
        b"garbage\n",
        b'{"n": 99, "url": "http://beyond.example/"}\n',
        b'{"n": 12}\n',
        b'{"n": -5}\n{"n": "x"}\n[]\n',
        b"\0" * 5000,
        b"\0" * 5000 + b"\n",
    ],
)
def test_lines_that_are_not_in_the_database_are_cut_off(run_of_12: Path, damage: bytes) -> None:
    path = run_of_12 / "visits.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + damage)
    Run.open(run_of_12).close()
    assert path.read_bytes() == whole
    path.write_bytes(damage)
    Run.open(run_of_12).close()
    assert path.read_bytes() == whole


def test_deleted_line_files_are_rewritten(run_of_12: Path) -> None:
    before = [(run_of_12 / name).read_bytes() for name in ("visits.jsonl", "timings.jsonl")]
    (run_of_12 / "visits.jsonl").unlink()
    (run_of_12 / "timings.jsonl").unlink()
    Run.open(run_of_12).close()
    assert [(run_of_12 / name).read_bytes() for name in ("visits.jsonl", "timings.jsonl")] == before


def test_archive_bytes_that_were_never_committed_are_cut_off(run_of_12: Path, verifier: Any) -> None:
    segments = sorted((run_of_12 / "archive").iterdir())
    before = [path.read_bytes() for path in segments]
    for path in segments:
        path.write_bytes(path.read_bytes() + b"half a record")
    (run_of_12 / "archive" / "00077.warc.gz").write_bytes(b"an uncommitted segment")
    (run_of_12 / "archive" / "README").write_bytes(b"somebody else's")
    with Run.open(run_of_12) as run:
        assert run.repairs == []
    assert [path.read_bytes() for path in segments] == before
    assert not (run_of_12 / "archive" / "00077.warc.gz").exists()
    assert (run_of_12 / "archive" / "README").exists()


def test_archive_bytes_lost_by_a_power_cut_are_noted_and_reported(
    run_of_12: Path, tmp_path: Path, verifier: Any, made: ModuleType
) -> None:
    whole = verifier(run_of_12).segments[-1].read_bytes()
    for missing in range(1, 600, 37):
        folder = shutil.copytree(run_of_12, tmp_path / str(missing))
        verifier(folder).segments[-1].write_bytes(whole[:-missing])
        with Run.open(folder) as run:
            [repair] = run.repairs
            assert "lost the records of 1 visits" in repair
            assert run.record(12) is None
            assert [visit.n for visit in run.visits()] == list(range(1, 13))
            run.write(made.events(13, 14))
        seen = verifier(folder)
        assert seen.warcio_check() == 0
        assert seen.archived_urls()[-2:] == [made.url(13), made.url(14)]
        assert made.url(12) not in seen.archived_urls()


def test_a_deleted_segment_is_noted_and_reported(run_of_12: Path, verifier: Any, made: ModuleType) -> None:
    verifier(run_of_12).segments[0].unlink()
    with Run.open(run_of_12) as run:
        [repair] = run.repairs
        assert "00000.warc.gz lost the records of" in repair
        assert run.record(1) is None
        assert [visit.n for visit in run.visits()] == list(range(1, 13))
        run.write(made.events(13, 13))
        run.finish({})
    index = (run_of_12 / "index.cdxj").read_text()
    assert "00000.warc.gz" not in index
    assert index.count("\n") == len(verifier(run_of_12).archived_urls())


def test_repair_copies_every_table_but_the_row_about_the_run(tmp_path: Path) -> None:
    with closing(open_to_write(tmp_path / "crawl.db", warc=True, segment_bytes=1)) as log:
        tables = {name for (name,) in log.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert tables == {"run", *TABLES}
