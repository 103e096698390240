"""Which of several records answers a URL, and how revisits are answered."""

from __future__ import annotations

from pathlib import Path

from topicrawl.web.recorded import RecordedWeb
from web.warcs import HTML, Recorder, fetch


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
    early, later = "2020-01-01T01:01:01Z", "2020-02-02T02:02:02Z"
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/one", b"early", date=early)
        recorder.answer("http://a.test/one", b"later", date=later)
        recorder.revisit("http://a.test/two", "304 Not Modified", to="http://a.test/one", date=later)
    web = RecordedWeb(recorder.path)
    assert fetch(web, "http://a.test/one").content == b"early"
    answer = fetch(web, "http://a.test/two")
    assert (answer.status, answer.content) == (200, b"later")


def test_a_revisit_without_an_original_is_left_out_with_a_warning(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/one", b"words")
        recorder.revisit("http://a.test/two", "200 OK", HTML, to="http://a.test/lost")
    web = RecordedWeb(recorder.path)
    assert list(web.answers) == ["http://a.test/one"]
    assert web.warnings == ["1 revisit records refer to nothing in this web; they are left out"]
