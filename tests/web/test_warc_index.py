"""The kept index: made once, made anew when the file changes, never in the way."""

from __future__ import annotations

import os
from pathlib import Path

from topicrawl.web.recorded import RecordedWeb
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


def test_a_damaged_index_is_made_again(tmp_path: Path, cache: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path
    RecordedWeb(path)
    for kept in cache.iterdir():
        kept.write_bytes(kept.read_bytes()[:-30])
    assert len(RecordedWeb(path).answers) == 5


def test_a_cache_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert len(RecordedWeb(path, cache=blocked / "below").answers) == 5
