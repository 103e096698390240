"""Recorded webs: what is answered, which redirects are followed, what counts as a read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import zstandard

from topicrawl.errors import FetchError, WebError
from topicrawl.urls import canonical
from topicrawl.web.recorded import RecordedWeb
from web.warcs import Recorder, fetch, site


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_page_is_answered_as_it_was_recorded(tmp_path: Path, packed: bool, version: str) -> None:
    site(tmp_path / "a.warc", gzip=packed, version=version)
    web = RecordedWeb(tmp_path / "a.warc")
    answer = fetch(web, "HTTP://A.test/3#part")
    assert (answer.status, answer.reason, answer.url) == (200, "OK", "http://a.test/3")
    assert answer.content.startswith(b"<p>page 3</p>")
    assert answer.content == answer.body
    assert answer.size == len(answer.content)
    assert answer.header("content-type") == "text/html; charset=utf-8"
    assert web.warnings == []


def test_zstd_packed_records_are_read(tmp_path: Path) -> None:
    recorder = site(tmp_path / "a.warc", gzip=False)
    plain, ends = recorder.path.read_bytes(), [*recorder.starts[1:], None]
    packed = [zstandard.compress(plain[a:b]) for a, b in zip(recorder.starts, ends, strict=True)]
    (tmp_path / "b.warc.zst").write_bytes(b"".join(packed))
    assert fetch(RecordedWeb(tmp_path / "b.warc.zst"), "http://a.test/4").content.startswith(b"<p>page 4")


def test_a_warc_gzipped_as_one_stream_is_unpacked_into_the_cache(tmp_path: Path, cache: Path) -> None:
    plain = site(tmp_path / "a.warc", pages=50, gzip=False).path.read_bytes()
    (tmp_path / "b.warc.gz").write_bytes(gzip.compress(plain))
    assert fetch(RecordedWeb(tmp_path / "b.warc.gz"), "http://a.test/44").content.startswith(b"<p>page 44")
    assert [file.read_bytes() for file in cache.glob("b.warc.gz-*.warc")] == [plain]


def test_a_folder_is_one_web(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with Recorder(tmp_path / f"{name}.warc.gz") as recorder:
            recorder.answer(f"http://{name}.test/", name.encode())
    (tmp_path / "notes.txt").write_text("not a WARC")
    web = RecordedWeb(tmp_path)
    assert sorted(web.answers) == ["http://one.test/", "http://two.test/"]
    assert fetch(web, "http://two.test/").content == b"two"


def test_a_page_that_was_not_recorded_is_a_404_and_no_read(tmp_path: Path) -> None:
    web = RecordedWeb(site(tmp_path / "a.warc.gz").path)
    assert fetch(web, "http://a.test/missing").status == 404
    assert web.reads == 0


def test_every_page_handed_out_counts_as_a_read(tmp_path: Path) -> None:
    web = RecordedWeb(site(tmp_path / "a.warc.gz").path)
    for number in (1, 2, 2):
        fetch(web, f"http://a.test/{number}")
    assert web.reads == 3


def test_requests_and_odd_schemes_are_no_pages(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.request("http://a.test/asked")
        recorder.resource("file:///etc/hosts", b"127.0.0.1", "text/plain")
        recorder.resource("http://a.test/notes", b"kept", "text/plain")
    web = RecordedWeb(recorder.path)
    assert list(web.answers) == ["http://a.test/notes"]
    answer = fetch(web, "http://a.test/notes")
    assert (answer.status, answer.content, answer.header("Content-Type")) == (200, b"kept", "text/plain")


def test_redirects_inside_the_web_are_followed_and_kept_as_hops(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc", gzip=False) as recorder:
        recorder.answer("http://a.test/old", b"moved", "301 Moved Permanently", ("Location", "/new"))
        recorder.answer("http://a.test/new", b"", "302 Found", ("location", "http://b.test/caf__"))
        recorder.answer("http://b.test/caf%C3%A9", b"here")
    recorder.path.write_bytes(recorder.path.read_bytes().replace(b"caf__", "café".encode()))
    web = RecordedWeb(recorder.path)
    answer = fetch(web, "http://a.test/old")
    assert (answer.url, answer.content, answer.asked) == (
        "http://b.test/caf%C3%A9",
        b"here",
        "http://a.test/old",
    )
    assert [(hop.url, hop.status, hop.body) for hop in answer.hops] == [
        ("http://a.test/old", 301, b"moved"),
        ("http://a.test/new", 302, b""),
    ]
    assert web.reads == 1


def test_a_redirect_out_of_the_web_ends_in_404(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/", b"", "302 Found", ("Location", "http://elsewhere.test/"))
    answer = fetch(RecordedWeb(recorder.path), "http://a.test/")
    assert (answer.status, answer.url, len(answer.hops)) == (404, "http://elsewhere.test/", 1)


@pytest.mark.parametrize("location", ["mailto:me@a.test", ""])
def test_a_redirect_to_nowhere_is_itself_the_answer(tmp_path: Path, location: str) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/", b"see there", "302 Found", ("Location", location))
    assert fetch(RecordedWeb(recorder.path), "http://a.test/").status == 302


def test_five_redirects_are_followed_and_a_sixth_is_an_error(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        for number in range(6):
            recorder.answer(f"http://a.test/{number}", b"", "302 Found", ("Location", str(number + 1)))
        recorder.answer("http://a.test/6", b"end")
    web = RecordedWeb(recorder.path)
    assert fetch(web, "http://a.test/1").content == b"end"
    with pytest.raises(FetchError, match="redirects"):
        fetch(web, "http://a.test/0")


def test_every_sample_of_warcio_is_read_or_refused_with_a_remedy(testsuites: Path) -> None:
    folder = testsuites / "warcio/test/data"
    pages, refusals = {}, {}
    for path in sorted(folder.iterdir()):
        try:
            web = RecordedWeb(path)
            pages[path.name] = {url: fetch(web, url).content for url in web.answers}
        except WebError as refusal:
            refusals[path.name] = str(refusal)
    assert all("ARC file" in refusals[name] for name in refusals if ".arc" in name)
    assert sorted(name for name in refusals if ".arc" not in name) == [
        "example-digest.warc",
        "example-space-in-target-uri.warc.gz",
    ]
    homes = [
        content for answers in pages.values() for url, content in answers.items() if "example.com" in url
    ]
    assert len(homes) == 8
    assert all(b"<title>Example Domain</title>" in content for content in homes)
    assert pages["example-iana.org-chunked.warc"]["http://www.iana.org/"].endswith(b"</html>\n")


def test_the_webs_hold_their_pages_and_escapes_are_decoded_once_only(webs: Path) -> None:
    wikispeedia = RecordedWeb(webs / "wikispeedia.warc.gz")
    assert len(wikispeedia.answers) == 5232
    aedan = "http://schools-wikipedia.test/wp/%25/%25C3%2581ed%25C3%25A1n_mac_Gabr%25C3%25A1in.htm"
    assert b"n mac Gabr" in fetch(wikispeedia, aedan).content
    assert fetch(wikispeedia, aedan.replace("%25", "%")).status == 404


def test_all_examples_and_seeds_of_the_tasks_are_in_their_webs(webs: Path) -> None:
    opened: dict[str, RecordedWeb] = {}
    for task in json.loads((webs / "tasks.json").read_text()):
        name = task["web"]
        web = opened.setdefault(name, RecordedWeb(webs / f"{name}.warc.gz"))
        wanted = {*task["examples"], *(url for seeds in task["seed_sets"] for url in seeds)}
        assert {canonical(url) for url in wanted} <= set(web.answers)
