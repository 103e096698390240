from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from topicrawl.errors import ReplayError, StorageError
from topicrawl.store.disk import disk_errors, write_all, write_atomically


def test_a_file_is_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    (tmp_path / "file.part").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_reported_as_such() -> None:
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(StorageError, match="place: No space left on device; what was committed is safe"),
        disk_errors(Path("place")),
    ):
        write_all(full.fileno(), b"x" * 10_000)


def test_an_error_of_the_disk_becomes_a_storage_error() -> None:
    with pytest.raises(StorageError, match=r"place: Input/output error"), disk_errors(Path("place")):
        raise OSError(errno.EIO, "Input/output error")


def test_a_full_database_becomes_a_storage_error() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE notes (text)")
        database.execute("PRAGMA max_page_count = 3")
        with pytest.raises(StorageError, match=r"place: .*full"), disk_errors(Path("place")):
            database.execute("INSERT INTO notes VALUES (?)", ("x" * 100_000,))


def test_a_damaged_database_is_not_an_error_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "crawl.db").write_bytes(b"no database at all" * 100)
    with (
        closing(sqlite3.connect(tmp_path / "crawl.db")) as database,
        pytest.raises(ReplayError, match=r"crawl\.db is damaged: .*doctor .* --repair"),
        disk_errors(tmp_path / "crawl.db"),
    ):
        database.execute("SELECT * FROM sqlite_schema")


def test_programming_errors_are_not_converted_to_storage_errors() -> None:
    with pytest.raises(sqlite3.ProgrammingError), disk_errors(Path("place")):
        raise sqlite3.ProgrammingError("wrong number of bindings")
