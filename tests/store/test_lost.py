"""Records lost from an archive: noted in the log, left out of the index, restored one by one."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from topicrawl.store.exports import export
from topicrawl.store.run import Run
from topicrawl.store.verify import examine, unreadable

AGAIN = 1_900_000_000.0


@pytest.fixture
def finished(tmp_path: Path, made: ModuleType) -> Path:
    """A finished run of 12 visits, of which 5 and 10 had no answer, in several segments."""
    with Run.create(tmp_path / "run", "", segment_bytes=8000) as run:
        run.write(made.events(1, 12))
        run.finish({"fetches": 10})
    return tmp_path / "run"


def complaints(run: Path) -> list[str]:
    return [
        found.sentence for found in examine(run) if found.promise in ("archive", "index") and not found.well
    ]


def indexed(run: Path) -> set[str]:
    return {line.split('"url":"')[1].split('"')[0] for line in (run / "index.cdxj").read_text().splitlines()}


def cut(run: Path, by: int = 1) -> None:
    last = sorted((run / "archive").iterdir())[-1]
    last.write_bytes(last.read_bytes()[:-by])


def test_verification_fails_without_the_archive(finished: Path) -> None:
    assert complaints(finished) == []
    for segment in (finished / "archive").iterdir():
        segment.unlink()
    (finished / "archive").rmdir()
    [complaint] = complaints(finished)
    assert "the archived answers of 10 visits are damaged or gone" in complaint


def test_losses_are_noted_permanently_and_not_listed_in_the_index(finished: Path, made: ModuleType) -> None:
    assert made.url(12) in indexed(finished)
    cut(finished)
    for _ in range(2):
        with Run.open(finished) as run:
            assert [visit.n for visit in run.missing()] == [12]
        assert made.url(12) not in indexed(finished)
        [complaint] = complaints(finished)
        assert "has lost the records of 1 visits" in complaint
        assert f"--out {finished} --refetch-missing" in complaint


def test_a_damaged_record_is_found_among_intact_ones(finished: Path) -> None:
    with Run.open(finished, writable=False) as run:
        [*_, place] = run.captures(3)
    path = finished / "archive" / f"{place.segment:05}.warc.gz"
    content = bytearray(path.read_bytes())
    content[place.offset + place.length // 2] ^= 255
    path.write_bytes(content)
    assert unreadable(finished) == [3]
    with Run.open(finished) as run:
        assert run.record(3) is None
        assert run.archived(3) is None
        run.forget_archived([3])
        assert run.missing_count == 1
        assert run.record(4) is not None
    assert unreadable(finished) == []


def test_a_restored_record_is_indexed_with_its_own_date_and_id(
    finished: Path, made: ModuleType, verifier: Any
) -> None:
    lines = [(finished / name).read_bytes() for name in ("visits.jsonl", "timings.jsonl", "summary.json")]
    names = {record.fields["WARC-Record-ID"] for record in verifier(finished).records()}
    cut(finished)
    with Run.open(finished) as run:
        before = list(run.replay())
        assert run.restore_archived(12, replace(made.response(12), body=b"what it says today"), AGAIN)
        assert run.missing_count == 0
        assert run.record(12).body == b"what it says today"  # type: ignore[union-attr]
        assert list(run.replay()) == before
    assert [
        (finished / name).read_bytes() for name in ("visits.jsonl", "timings.jsonl", "summary.json")
    ] == lines
    assert complaints(finished) == []
    index = (finished / "index.cdxj").read_text().splitlines()
    assert [line.split(" ")[1] for line in index if made.url(12) in line] == ["20300317174640"]
    seen = verifier(finished)
    assert seen.warcio_check() == 0
    [record] = [each for each in seen.records() if each.fields.get("WARC-Date", "").startswith("2030")][-1:]
    assert record.fields["WARC-Record-ID"] not in names


def test_an_answer_without_bytes_restores_nothing(finished: Path, made: ModuleType) -> None:
    cut(finished)
    with Run.open(finished) as run:
        cached = replace(made.response(12), body=b"", headers=(), parsed=b"known")
        assert not run.restore_archived(12, cached, AGAIN)
        assert run.missing_count == 1


def test_an_export_leaves_out_lost_records_and_reports_it(finished: Path, tmp_path: Path) -> None:
    said: list[str] = []
    cut(finished)
    with Run.open(finished, writable=False) as run:
        export(run, "warc", tmp_path / "damaged.warc.gz", threshold=0.5, say=said.append)
    with Run.open(finished) as run:
        count = export(run, "wacz", tmp_path / "lost.wacz", threshold=0.5, say=said.append)
        assert count == 9
    assert "records of 1 visits cannot be read" in said[0]
    assert "has lost the records of 1 visits" in said[1]


def test_a_run_without_the_table_of_losses_can_be_read_and_repaired(finished: Path) -> None:
    database = sqlite3.connect(finished / "crawl.db")
    database.execute("DROP TABLE lost")
    database.close()
    assert complaints(finished) == []
    with Run.open(finished, writable=False) as run:
        assert run.missing_count == 0
        assert list(run.captures())
    cut(finished)
    with Run.open(finished) as run:
        assert run.missing_count == 1


@pytest.mark.parametrize("damage", [None, b"no index\n", b""])
def test_an_index_that_differs_from_the_archive_is_found_and_rewritten(
    finished: Path, damage: bytes | None
) -> None:
    whole = (finished / "index.cdxj").read_bytes()
    (finished / "index.cdxj").unlink()
    if damage is not None:
        (finished / "index.cdxj").write_bytes(damage)
    [complaint] = complaints(finished)
    assert "index.cdxj" in complaint
    Run.open(finished).close()
    assert (finished / "index.cdxj").read_bytes() == whole
