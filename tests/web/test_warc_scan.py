"""Damaged files: intact records are read; a file without any is refused with a remedy."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from topicrawl.errors import WebError
from topicrawl.web.recorded import RecordedWeb
from web.warcs import fetch, site


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_cut_anywhere_gives_its_whole_pages_and_a_warning(tmp_path: Path, packed: bool) -> None:
    recorder = site(tmp_path / "a.warc", pages=3, gzip=packed)
    data, third = recorder.path.read_bytes(), recorder.starts[2]
    needed = len(data) if packed else len(data) - len("\r\n\r\n")  # nothing is lost with the last line ends
    cut = tmp_path / "cut.warc"
    for length in range(third + 1, needed, 7):
        cut.write_bytes(data[:length])
        web = RecordedWeb(cut)
        assert web.warnings, length
        assert {"http://a.test/0", "http://a.test/1"} <= set(web.answers)
        assert all(fetch(web, url).size == 513 for url in web.answers)


@given(place=st.integers(0, 10_000), junk=st.binary(min_size=1, max_size=40))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damage_costs_only_the_records_it_hits(tmp_path: Path, place: int, junk: bytes) -> None:
    recorder = site(tmp_path / "a.warc.gz", pages=8)
    data = bytearray(recorder.path.read_bytes())
    place %= len(data)
    data[place : place + len(junk)] = junk[: len(data) - place]
    damaged = tmp_path / "damaged.warc.gz"
    damaged.write_bytes(data)
    hit = {n for n, start in enumerate(recorder.starts) if place - 700 < start < place + len(junk)}
    pages = set(RecordedWeb(damaged).answers)
    assert {f"http://a.test/{n}" for n in set(range(8)) - hit} <= pages


def test_one_bad_file_in_a_folder_is_a_warning(tmp_path: Path) -> None:
    site(tmp_path / "a.warc.gz")
    (tmp_path / "b.warc.gz").touch()
    web = RecordedWeb(tmp_path)
    assert len(web.answers) == 5
    assert len(web.warnings) == 1
    assert "b.warc.gz: the file is empty" in web.warnings[0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"<html>no archive</html>", "not a WARC; give a .warc or .warc.gz file"),
        (gzip.compress(b"some other thing", mtime=0), "not a WARC"),
        (b"\x1f\x8b\x08 broken gzip", "not a WARC"),
        (b"WARC/1.1\r\nWARC-Type: resp", "no whole answer"),
        (b"filedesc://a.arc 0.0.0.0 2020 text/plain 10\n", "ARC file, .* warcio recompress a.warc"),
    ],
)
def test_a_file_that_is_no_web_is_refused_in_one_line_with_a_remedy(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(content)
    with pytest.raises(WebError, match=words) as refusal:
        RecordedWeb(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_path_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WebError, match=r"missing\.warc: No such file"):
        RecordedWeb(tmp_path / "missing.warc")
    with pytest.raises(WebError, match="no WARC in this folder"):
        RecordedWeb(tmp_path)
