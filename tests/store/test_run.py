from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from topicrawl.errors import ReplayError, RunError
from topicrawl.model import Instruction, Mark, Told
from topicrawl.store.run import Run

CONFIG = "pages = 3\n# 暴雨\n"


@pytest.fixture
def run_of_40(tmp_path: Path, made: ModuleType) -> Path:
    """A closed run of 40 visits, several archive segments long."""
    with Run.create(tmp_path / "run", CONFIG, segment_bytes=6000) as run:
        for first in range(1, 41, 8):
            run.write(made.events(first, first + 7))
    return tmp_path / "run"


def unanswered(events: list[Any]) -> list[Any]:
    """`events` as a replay gives them back: without the bytes of the answers."""
    return [
        Told(event.ask, event.outcome, event.visit, event.timing) if isinstance(event, Told) else event
        for event in events
    ]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_new_run_holds_its_configuration_and_no_visit(tmp_path: Path) -> None:
    with Run.create(tmp_path / "deep" / "run", CONFIG) as run:
        assert run.config_toml == CONFIG
        assert (run.path / "crawl.toml").read_text(encoding="utf-8") == CONFIG
        assert run.last_n == 0
        assert list(run.replay()) == []
        assert run.summary is None


def test_what_was_written_is_replayed_in_the_same_order(run_of_40: Path, made: ModuleType) -> None:
    with Run.open(run_of_40) as run:
        assert list(run.replay()) == unanswered(made.events(1, 40))


def test_choices_without_an_answer_stay_in_the_log(tmp_path: Path, made: ModuleType) -> None:
    events = [made.ask(1), made.ask(2), made.told(1), made.ask(3)]
    with Run.create(tmp_path / "run", CONFIG) as run:
        run.write(events)
        assert list(run.replay()) == unanswered(events)
        assert run.last_n == 1


def test_visits_pages_and_timings_are_read_back(run_of_40: Path, made: ModuleType) -> None:
    with Run.open(run_of_40, writable=False) as run:
        assert list(run.visits()) == [made.told(n).visit for n in range(1, 41)]
        assert [visit.n for visit in run.visits(after=38)] == [39, 40]
        assert [(visit.n, page) for visit, page in run.pages()] == [
            (n, made.page(n)) for n in range(1, 41) if n % 5 != 0
        ]
        assert list(run.timings(after=39)) == [(40, made.told(40).timing)]


def test_a_page_is_found_by_its_url_as_last_visited(tmp_path: Path, made: ModuleType) -> None:
    with Run.create(tmp_path / "run", CONFIG) as run:
        run.write(made.events(1, 6))
        assert run.page(made.url(3)) == made.page(3)
        assert run.page(made.url(5)) is None
        assert run.page("http://nowhere.example/") is None


def test_the_archived_answer_of_a_visit_is_read_back(run_of_40: Path, made: ModuleType) -> None:
    with Run.open(run_of_40, writable=False) as run:
        record = run.record(8)
        assert record
        assert record.body == made.response(8).body
        assert record.fields["WARC-Target-URI"] == made.url(8)
        assert run.record(5) is None
        assert run.archived(5) is None
        assert run.record(41) is None


def test_the_records_of_one_visit_are_a_valid_warc(
    run_of_40: Path, tmp_path: Path, verifier: Any, made: ModuleType
) -> None:
    (tmp_path / "archive").mkdir()
    with Run.open(run_of_40, writable=False) as run:
        (tmp_path / "archive" / "one.warc.gz").write_bytes(run.archived(8) or b"")
        assert [place.url for place in run.captures(8)] == ["http://old.example/8", made.url(8)]
    assert [record.type for record in verifier(tmp_path).records()] == ["response", "request", "response"]
    assert verifier(tmp_path).warcio_check() == 0


def test_the_archive_holds_every_answer_once_in_segments_that_pass_the_check(
    run_of_40: Path, verifier: Any, made: ModuleType
) -> None:
    seen = verifier(run_of_40)
    assert len(seen.segments) > 2
    assert seen.warcio_check() == 0
    answers = [made.response(n) for n in range(1, 41) if n % 5 != 0]
    expected = [url for answer in answers for url in (*(hop.url for hop in answer.hops), answer.url)]
    assert seen.archived_urls() == expected
    names = [record.fields["WARC-Record-ID"] for record in seen.records()]
    assert len(names) == len(set(names))
    assert [record.type for record in seen.records()].count("warcinfo") == len(seen.segments)


def test_warcio_check_fails_on_a_damaged_archive(run_of_40: Path, verifier: Any) -> None:
    import gzip

    path = verifier(run_of_40).segments[0]
    path.write_bytes(
        gzip.compress(gzip.decompress(path.read_bytes()).replace(b"<title>Page", b"<title>PAGE", 1))
    )
    assert verifier(run_of_40).warcio_check() == 1


def test_a_run_without_an_archive_keeps_everything_else(tmp_path: Path, made: ModuleType) -> None:
    with Run.create(tmp_path / "run", CONFIG, warc=False) as run:
        run.write(made.events(1, 9))
        run.finish({})
        assert not run.has_archive
        assert run.record(1) is None
    with Run.open(tmp_path / "run") as run:
        assert run.last_n == 9
        assert run.segments() == []
    assert not (tmp_path / "run" / "archive").exists()


def test_writing_goes_on_after_opening_again(run_of_40: Path, verifier: Any, made: ModuleType) -> None:
    with Run.open(run_of_40) as run:
        run.write(made.events(41, 60))
    with Run.open(run_of_40, writable=False) as run:
        assert list(run.replay()) == unanswered(made.events(1, 60))
    assert verifier(run_of_40).warcio_check() == 0
    assert [line["n"] for line in verifier(run_of_40).lines()] == list(range(1, 61))


def test_the_line_files_equal_the_database(run_of_40: Path, verifier: Any) -> None:
    seen = verifier(run_of_40)
    rows = seen.rows()
    lines = seen.lines()
    assert list(lines[0]) == [
        "n",
        "url",
        "asked",
        "status",
        "fetched",
        "peek",
        "relevance",
        "priority",
        "host",
        "depth",
        "parent",
        "title",
        "bytes",
        "error",
    ]
    assert lines == [{name: row[name] for name in lines[0]} for row in rows]
    assert seen.lines("timings.jsonl")[2] == {
        "n": 3,
        "started": rows[2]["started"],
        "waited": 0.25,
        "fetched": 0.125,
        "parsed": 0.0625,
    }


def test_finishing_writes_a_summary_and_writing_more_removes_it(run_of_40: Path, made: ModuleType) -> None:
    with Run.open(run_of_40) as run:
        run.finish({"fetches": 40, "topic": "暴雨"})
        assert run.summary == {"fetches": 40, "topic": "暴雨", "instructions": 0}
        assert (run_of_40 / "index.cdxj").exists()
    with Run.open(run_of_40) as run:
        run.write([])
        assert run.summary == {"fetches": 40, "topic": "暴雨", "instructions": 0}
        assert not run.is_summary_old
        visit, page = next(run.pages())
        run.write([Instruction(marks=[Mark(page, True, visit.url)], wish="x", time=1.0)])
        assert run.summary is not None, "it has ended as it had"
        assert run.is_summary_old
        run.write(made.events(41, 41))
        assert run.summary is None
        assert not (run_of_40 / "index.cdxj").exists()


def test_the_index_points_at_the_answer_for_each_url(run_of_40: Path, made: ModuleType) -> None:
    with Run.open(run_of_40) as run:
        run.finish({})
    lines = (run_of_40 / "index.cdxj").read_bytes().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 40 - 8 + 8
    for line in lines:
        fields = json.loads(line.split(b" ", 2)[2])
        offset, length = int(fields["offset"]), int(fields["length"])
        (run_of_40 / "one.warc.gz").write_bytes(
            (run_of_40 / "archive" / fields["filename"]).read_bytes()[offset : offset + length]
        )
        from warcio.archiveiterator import ArchiveIterator

        with (run_of_40 / "one.warc.gz").open("rb") as file:
            record = next(ArchiveIterator(file))
            assert record.rec_headers.get_header("WARC-Target-URI") == fields["url"]
            assert record.rec_headers.get_header("WARC-Payload-Digest") == fields["digest"]
            assert record.http_headers.get_statuscode() == fields["status"]


def test_the_configuration_can_be_replaced(run_of_40: Path) -> None:
    with Run.open(run_of_40) as run:
        run.update_config("pages = 9\n")
        assert run.config_toml == "pages = 9\n"
    with Run.open(run_of_40, writable=False) as run:
        assert run.config_toml == "pages = 9\n"
    assert not list(run_of_40.glob("*.part"))


def test_reading_changes_no_file(run_of_40: Path, made: ModuleType) -> None:
    (run_of_40 / "visits.jsonl").write_bytes(b"torn")
    before = files(run_of_40)
    with Run.open(run_of_40, writable=False) as run:
        assert len(list(run.replay())) == 80
        assert run.record(1)
    assert files(run_of_40) == before


def test_a_run_can_be_read_while_it_is_written(run_of_40: Path, made: ModuleType) -> None:
    with Run.open(run_of_40) as writer:
        writer.write(made.events(41, 41))
        with Run.open(run_of_40, writable=False) as reader:
            visits = reader.visits()
            assert next(visits).n == 1
            writer.write(made.events(42, 50))
            assert [visit.n for visit in visits] == list(range(2, 42))
            assert len(list(reader.visits())) == len(list(reader.outcomes())) == reader.last_n == 41
            writer.finish({"fetches": 50})
            assert reader.summary is None, "of that moment too"
        with Run.open(run_of_40, writable=False) as reader:
            assert reader.last_n == 50
            assert (reader.summary or {})["fetches"] == 50


def test_a_run_that_is_being_read_may_be_resumed_and_ended(run_of_40: Path, made: ModuleType) -> None:
    with Run.open(run_of_40, writable=False) as reader:
        before = list(reader.visits())
        for first in range(
            41, 2000, 100
        ):  # enough for SQLite to move pages of its write-ahead log into the file
            with Run.open(run_of_40) as writer:
                writer.write(made.events(first, first + 99))
        assert list(reader.visits()) == before
        reader.check_log()
    assert not list(run_of_40.glob("crawl.db-*"))


@pytest.mark.parametrize("leftover", ["notes.txt", "crawl.db", "crawl.toml"])
def test_a_folder_that_is_not_empty_is_refused_and_left_alone(tmp_path: Path, leftover: str) -> None:
    (tmp_path / leftover).write_text("mine")
    with pytest.raises(RunError, match=f"not empty .*{leftover}"):
        Run.create(tmp_path, CONFIG)
    assert files(tmp_path) == {leftover: b"mine"}


def test_a_file_is_refused_as_a_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunError, match="is a file"):
        Run.create(tmp_path / "file", CONFIG)
    with pytest.raises(RunError, match="cannot be made"):
        Run.create(tmp_path / "file" / "run", CONFIG)
    with pytest.raises(RunError, match="not a folder"):
        Run.open(tmp_path / "file")


def test_a_run_is_not_created_twice(run_of_40: Path) -> None:
    before = files(run_of_40)
    with pytest.raises(RunError, match="not empty"):
        Run.create(run_of_40, CONFIG)
    assert files(run_of_40) == before


def test_a_creation_cut_short_before_its_configuration_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    (tmp_path / "archive").mkdir()
    (tmp_path / "crawl.toml.part").write_text("pa")
    with Run.create(tmp_path, CONFIG) as run:
        assert run.config_toml == CONFIG


@pytest.mark.parametrize("database", [None, b""])
@pytest.mark.parametrize("warc", [True, False])
def test_a_creation_cut_short_before_its_database_opens_as_an_empty_run(
    tmp_path: Path, made: ModuleType, database: bytes | None, warc: bool
) -> None:
    folder = tmp_path / "run"
    with Run.create(folder, CONFIG, warc=warc):
        pass
    for name in ("crawl.db", "visits.jsonl", "timings.jsonl"):
        (folder / name).unlink()
    if database is not None:
        (folder / "crawl.db").write_bytes(database)
    before = files(folder)
    with Run.open(folder, writable=False) as run:
        assert list(run.replay()) == []
    assert files(folder) == before
    with Run.open(folder) as run:
        assert (run.config_toml, run.last_n, run.has_archive) == (CONFIG, 0, warc)
        run.write(made.events(1, 1))
    with Run.open(folder) as run:
        assert run.last_n == 1


def test_a_folder_that_is_not_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"no crawl\.toml"):
        Run.open(tmp_path)
    (tmp_path / "crawl.toml").write_text("pages = 3")
    for writable in (True, False):
        with pytest.raises(RunError, match=r"no crawl\.db"):
            Run.open(tmp_path, writable=writable)
    assert files(tmp_path) == {"crawl.toml": b"pages = 3"}


def test_a_run_that_lost_its_database_is_not_taken_for_a_new_one(run_of_40: Path) -> None:
    (run_of_40 / "crawl.db").unlink()
    before = files(run_of_40)
    with pytest.raises(RunError, match=r"no crawl\.db"):
        Run.open(run_of_40)
    assert files(run_of_40) == before


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to look at" * 100])
def test_a_log_that_is_not_a_database_is_reported_as_damaged(
    run_of_40: Path, writable: bool, content: bytes
) -> None:
    (run_of_40 / "crawl.db").write_bytes(content)
    before = files(run_of_40)
    with pytest.raises(ReplayError, match=r"crawl\.db is damaged: .*doctor .* --repair"):
        Run.open(run_of_40, writable=writable)
    assert files(run_of_40) == before


@pytest.mark.parametrize("writable", [True, False])
def test_another_programs_database_is_refused(run_of_40: Path, writable: bool) -> None:
    (run_of_40 / "crawl.db").unlink()
    other = sqlite3.connect(run_of_40 / "crawl.db")
    other.execute("CREATE TABLE notes (text)")
    other.close()
    with pytest.raises(RunError, match="not the database of a crawl"):
        Run.open(run_of_40, writable=writable)


@pytest.mark.parametrize(("version", "age"), [(99, "a newer"), (0, "an older")])
def test_a_database_of_another_version_is_refused(run_of_40: Path, version: int, age: str) -> None:
    database = sqlite3.connect(run_of_40 / "crawl.db")
    database.execute(f"PRAGMA user_version = {version}")
    database.close()
    with pytest.raises(RunError, match=rf"written by {age} topicrawl \(format {version},"):
        Run.open(run_of_40)
    with pytest.raises(RunError, match=f"format {version},"):
        Run.open(run_of_40, writable=False)


def test_a_refused_run_is_not_left_locked(run_of_40: Path) -> None:
    good = (run_of_40 / "crawl.db").read_bytes()
    (run_of_40 / "crawl.db").write_bytes(b"bad" * 1000)
    with pytest.raises(ReplayError):
        Run.open(run_of_40)
    (run_of_40 / "crawl.db").write_bytes(good)
    with Run.open(run_of_40) as run:
        assert run.last_n == 40


def test_a_damaged_page_is_named_when_it_is_replayed(run_of_40: Path) -> None:
    database = sqlite3.connect(run_of_40 / "crawl.db")
    [packed] = database.execute("SELECT packed FROM log WHERE n = 7").fetchone()
    broken = packed[:100] + bytes([packed[100] ^ 1]) + packed[101:]
    with database:
        database.execute("UPDATE log SET packed = ? WHERE n = 7", (broken,))
    database.close()
    with Run.open(run_of_40) as run, pytest.raises(ReplayError, match=r"is damaged: visit 7: "):
        list(run.replay())


def test_visits_out_of_order_are_refused_and_nothing_of_them_is_kept(
    run_of_40: Path, verifier: Any, made: ModuleType
) -> None:
    with Run.open(run_of_40) as run, pytest.raises(ReplayError, match="visit 3 comes after visit 41"):
        run.write([made.told(41), made.told(3)])
    with Run.open(run_of_40) as run:
        assert run.last_n == 40
    assert made.url(41) not in verifier(run_of_40).archived_urls()


def test_closing_twice_has_no_effect(run_of_40: Path) -> None:
    run = Run.open(run_of_40)
    run.close()
    run.close()
