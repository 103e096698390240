"""The cached index: made once, made again when the file changes, and optional."""

from __future__ import annotations

import os
from pathlib import Path

from topicrawl.web.cache_folder import code_key
from topicrawl.web.recorded import RecordedWeb
from topicrawl.web.warc_index import SCANNER
from web.warcs import site


def test_the_second_opening_does_not_scan(tmp_path: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path
    before = RecordedWeb(path)
    stat, size = path.stat(), len(path.read_bytes())
    path.write_bytes(bytes(size))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert list(RecordedWeb(path).answers) == list(before.answers)


def test_a_changed_file_is_scanned_anew(tmp_path: Path) -> None:
    path = site(tmp_path / "a.warc.gz", pages=2).path
    old = RecordedWeb(path)
    site(path, pages=3)
    new = RecordedWeb(path)
    assert (len(old.answers), len(new.answers)) == (2, 3)
    assert old.fingerprint != new.fingerprint


def test_an_index_made_by_other_code_is_made_again(tmp_path: Path, cache: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path
    RecordedWeb(path)
    (kept,) = cache.iterdir()
    now = kept.read_bytes()
    kept.write_bytes(now.replace(code_key(*SCANNER).encode(), b"0" * 20).replace(b"a.test", b"b.test"))
    assert all("//a.test/" in url for url in RecordedWeb(path).answers)
    assert kept.read_bytes() == now


def test_a_damaged_index_is_made_again(tmp_path: Path, cache: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path
    RecordedWeb(path)
    for kept in cache.iterdir():
        kept.write_bytes(kept.read_bytes()[:-30])
    assert len(RecordedWeb(path).answers) == 5


def test_a_cache_folder_that_cannot_be_written_is_ignored(tmp_path: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert len(RecordedWeb(path, cache=blocked / "below").answers) == 5
