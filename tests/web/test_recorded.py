"""Recorded webs: what a WARC answers, and what is said about one that cannot be read."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import zlib
from pathlib import Path

import brotli
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from topicrawl.errors import FetchError, WebError
from topicrawl.model import Response
from topicrawl.urls import canonical
from topicrawl.web.recorded import RecordedWeb
from topicrawl.web.warc_record import BODY_LIMIT
from web.warcs import HTML, Recorder, site


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOPICRAWL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fetch(web: RecordedWeb, url: str) -> Response:
    async def once() -> Response:
        try:
            return await web.fetch(url)
        finally:
            await web.close()

    return asyncio.run(once())


def one_answer(path: Path, body: bytes, *headers: tuple[str, str]) -> Response:
    with Recorder(path) as recorder:
        recorder.answer("http://a.test/", body, "200 OK", HTML, *headers)
    return fetch(RecordedWeb(path), "http://a.test/")


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


def test_of_several_records_the_first_200_answers(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/", b"busy", "503 Service Unavailable")
        recorder.answer("http://a.test/", b"first")
        recorder.answer("http://a.test/", b"second")
        recorder.answer("http://a.test/bad", b"gone", "410 Gone")
        recorder.answer("http://a.test/bad", b"busy", "503 Service Unavailable")
    web = RecordedWeb(recorder.path)
    assert fetch(web, "http://a.test/").content == b"first"
    assert fetch(web, "http://a.test/bad").status == 410


def test_requests_and_odd_schemes_are_no_pages(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.request("http://a.test/asked")
        recorder.resource("file:///etc/hosts", b"127.0.0.1", "text/plain")
        recorder.resource("http://a.test/notes", b"kept", "text/plain")
    web = RecordedWeb(recorder.path)
    assert list(web.answers) == ["http://a.test/notes"]
    answer = fetch(web, "http://a.test/notes")
    assert (answer.status, answer.content, answer.header("Content-Type")) == (200, b"kept", "text/plain")


# Redirects


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


# Revisits


def test_a_revisit_is_answered_with_the_body_it_refers_to(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/one", b"same words")
        recorder.revisit("http://a.test/two", "200 OK", HTML, ("X-Own", "yes"), to="http://a.test/one")
    answer = fetch(RecordedWeb(recorder.path), "http://a.test/two")
    assert (answer.url, answer.status, answer.content) == ("http://a.test/two", 200, b"same words")
    assert answer.header("x-own") == "yes"


def test_a_revisit_finds_its_original_by_digest_in_another_file(tmp_path: Path) -> None:
    with Recorder(tmp_path / "b.warc.gz") as recorder:
        recorder.answer("http://a.test/one", b"same words")
    digest = next(iter(RecordedWeb(recorder.path).answers.values())).row.digest
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.revisit("http://a.test/two", "200 OK", HTML, digest=digest)
    assert fetch(RecordedWeb(tmp_path), "http://a.test/two").content == b"same words"


def test_a_revisit_by_date_means_that_state_of_the_page(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc") as recorder:
        recorder.answer("http://a.test/one", b"early")
        recorder.answer("http://a.test/one", b"later")
    rows = RecordedWeb(recorder.path)
    date = "2020-02-02T02:02:02Z"
    raw = gzip.decompress(recorder.path.read_bytes()).split(b"WARC/1.1\r\n")
    raw[2] = b"WARC-Date: " + date.encode() + b"\r\n" + raw[2].replace(b"WARC-Date", b"X-Date")
    with Recorder(tmp_path / "r.warc", gzip=False) as recorder:
        recorder.revisit("http://a.test/two", "304 Not Modified", to="http://a.test/one", date=date)
    (tmp_path / "all.warc").write_bytes(b"WARC/1.1\r\n".join(raw) + recorder.path.read_bytes())
    answer = fetch(RecordedWeb(tmp_path / "all.warc"), "http://a.test/two")
    assert (answer.status, answer.content) == (200, b"later")
    assert fetch(rows, "http://a.test/one").content == b"early"


def test_a_revisit_without_an_original_is_left_out_with_a_warning(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/one", b"words")
        recorder.revisit("http://a.test/two", "200 OK", HTML, to="http://a.test/lost")
    web = RecordedWeb(recorder.path)
    assert list(web.answers) == ["http://a.test/one"]
    assert web.warnings == ["1 revisit records refer to nothing in this web; they are left out"]


# Bodies

WORDS = b"<p>many words</p>" * 40


def chunked(body: bytes) -> bytes:
    pieces = [body[at : at + 100] for at in range(0, len(body), 100)]
    return b"".join(b"%x;note=1\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body)[2:-4]),
        ("br", brotli.compress),
        ("zstd", zstandard.compress),
        ("gzip, br", lambda body: brotli.compress(gzip.compress(body))),
        ("gzip", lambda body: body),
        ("br", lambda body: body),
    ],
)
def test_compressed_bodies_are_decoded_and_kept_as_sent(tmp_path, encoding, encode) -> None:  # type: ignore[no-untyped-def]
    sent = encode(WORDS)
    answer = one_answer(tmp_path / "a.warc.gz", sent, ("Content-Encoding", encoding))
    assert (answer.content, answer.body, answer.truncated) == (WORDS, sent, False)
    assert answer.size == len(WORDS)


@pytest.mark.parametrize("sent", [chunked(WORDS), WORDS, chunked(WORDS)[:-50]])
def test_chunks_are_undone_also_when_cut_and_when_only_announced(tmp_path: Path, sent: bytes) -> None:
    answer = one_answer(tmp_path / "a.warc.gz", sent, ("Transfer-Encoding", "chunked"))
    assert WORDS.startswith(answer.content)
    assert len(answer.content) >= len(WORDS) - 50


def test_chunks_around_compression_are_undone(tmp_path: Path) -> None:
    headers = [("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip")]
    assert one_answer(tmp_path / "a.warc.gz", chunked(gzip.compress(WORDS)), *headers).content == WORDS
    assert one_answer(tmp_path / "b.warc.gz", gzip.compress(WORDS), *headers).content == WORDS


def test_a_bomb_is_cut_at_the_body_limit(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(3 * BODY_LIMIT))
    answer = one_answer(tmp_path / "a.warc.gz", bomb, ("Content-Encoding", "gzip"))
    assert (len(answer.content), answer.truncated) == (BODY_LIMIT, True)


# The kept index


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


# Broken files


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_cut_anywhere_gives_its_whole_pages_and_a_warning(tmp_path: Path, packed: bool) -> None:
    recorder = site(tmp_path / "a.warc", pages=3, gzip=packed)
    data, third = recorder.path.read_bytes(), recorder.starts[2]
    end = len(data) - (
        0 if packed else len("\r\n\r\n")
    )  # a plain record lacks nothing but its last line ends
    cut = tmp_path / "cut.warc"
    for length in range(third + 1, end, 7):
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
        (gzip.compress(b"some other thing"), "not a WARC"),
        (b"\x1f\x8b\x08 broken gzip", "not a WARC"),
        (b"WARC/1.1\r\nWARC-Type: resp", "no whole answer"),
        (b"filedesc://a.arc 0.0.0.0 2020 text/plain 10\n", "ARC file, .* warcio recompress a.warc"),
    ],
)
def test_what_is_no_web_is_refused_in_one_line_with_a_remedy(
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


# Recordings of others


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
