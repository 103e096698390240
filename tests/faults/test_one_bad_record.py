"""One record that is hostile or cannot be read: every command ends with its work done but for that record."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import topicrawl
from faults.reading import ask_all
from topicrawl.cli import run
from topicrawl.store.run import Run
from topicrawl.store.standing import standing
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:5", "rainstorm disaster"
TYPE = b"Content-Type: text/html\r\n"


def answer(head: bytes, body: bytes = b"<title>rain</title><p>rain") -> bytes:
    """A response record with a wrong digest, as in an archive that somebody made."""
    block = head + b"\r\n" + body
    fields = (
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
    )
    fields += b"WARC-Target-URI: http://bad.test/\r\nContent-Type: application/http;msgtype=response\r\n"
    return fields + b"Content-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"


OK = b"HTTP/1.1 200 OK\r\n"
HOSTILE = {
    "many headers": gzip.compress(answer(OK + TYPE + b"Set-Cookie: %s\r\n" % (b"x" * 290) * 220)),
    "one long header": gzip.compress(answer(OK + TYPE + b"X: %s\r\n" % (b"x" * 65_000))),
    "eleven megabytes of headers": gzip.compress(answer(OK + b"X: %s\r\n" % (b"x" * (11 << 20)))),
    "no status line": gzip.compress(answer(b"\0\0\0\0")),
    "a huge status": gzip.compress(answer(b"HTTP/1.1 99999999999999999999 OK\r\n" + TYPE)),
    "no headers at all": gzip.compress(answer(b"")),
    "an unknown charset": gzip.compress(answer(OK + b"Content-Type: text/html; charset=\xff\0\r\n")),
    "a body that is not compressed": gzip.compress(answer(OK + TYPE + b"Content-Encoding: br, gzip\r\n")),
    "elements one inside the other": gzip.compress(answer(OK + TYPE, b"<div>" * 100_000)),
    "a request only": gzip.compress(answer(OK).replace(b"Type: response", b"Type: request")),
    "no WARC": gzip.compress(b"nothing\r\n\r\n"),
    "nothing": gzip.compress(b""),
    "a WARC header of 40 kB": gzip.compress(answer(OK).replace(b"urn:x", b"urn:%s" % (b"x" * 40_000))),
    "a length that lies": gzip.compress(answer(OK).replace(b"Content-Length: ", b"Content-Length: 9")),
    "bytes that are no gzip": b"\x1f\x8b\x08" + b"\xff" * 60,
    "half a member": gzip.compress(answer(OK))[:90],
}


def place(folder: Path, n: int, member: bytes) -> None:
    """Put `member` in the place of the records of visit n."""
    segment = folder / "archive" / "00000.warc.gz"
    at = segment.stat().st_size
    with segment.open("ab") as file:
        file.write(member)
    with closing(sqlite3.connect(folder / "crawl.db")) as log, log:
        log.execute('UPDATE visits SET "offset" = ?, length = ? WHERE n = ?', (at, len(member), n))
        log.execute('UPDATE captures SET "offset" = ?, length = ? WHERE n = ?', (at, len(member), n))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose first pages have the records above, and the others their own."""
    folder, web = tmp_path_factory.mktemp("hostile") / "run", invented_web(WEB)
    given = {"topic": web.topic_spec(TOPIC), "seeds": web.seeds(TOPIC, 3), "web": WEB}
    list(topicrawl.crawl_sync(**given, pages=len(HOSTILE) + 14, out=folder))  # type: ignore[arg-type]
    fetched = [visit.n for visit in topicrawl.Run(folder).pages()]
    for n, member in zip(fetched, HOSTILE.values(), strict=False):
        place(folder, n, member)
    return folder


def test_every_reading_command_does_its_work_but_for_the_bad_records(
    hostile: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ask_all(hostile, tmp_path, lambda: capfd.readouterr().err)
    pages = [json.loads(line) for line in (tmp_path / "export-jsonl").read_text().splitlines()]
    assert len(pages) == len(HOSTILE) + 14
    assert capfd.readouterr().err.count("the archive has no readable copy of 7 of the pages") >= 1
    assert run(["doctor", str(hostile)]) == 4, "it says which records are bad, and nothing else stops it"
    assert "the archived answers of 16 visits are damaged" in capfd.readouterr().out


def test_the_crawl_goes_on_with_its_sink_and_is_watched_and_crawled_again(
    hostile: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = str(hostile)
    more = str(len(HOSTILE) + 20)
    for words in (
        ["crawl", "--out", out, "--pages", more, "--sink", f"jsonl:{tmp_path / 'sink'}"],
        ["watch", out, "--once", "--fetches", "30"],
        [
            "crawl",
            "--out",
            str(tmp_path / "again"),
            "--recrawl",
            out,
            "--sink",
            f"jsonl:{tmp_path / 'other'}",
        ],
        ["crawl", "--out", out, "--refetch-missing"],
    ):
        assert run(words) == 0, f"{words}: {capfd.readouterr().err}"
    with Run.open(hostile, writable=False) as again:
        assert len(standing(again).pages) >= int(more)


def test_an_archive_with_bad_records_is_a_web_of_all_others(
    hostile: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    web = invented_web(WEB)
    seeds = [visit.url for visit in topicrawl.Run(hostile).pages()]
    given = {"topic": web.topic_spec(TOPIC), "seeds": seeds, "web": str(hostile / "archive")}
    found = list(topicrawl.crawl_sync(**given, pages=200))  # type: ignore[arg-type]
    assert sum(visit.fetched for visit in found) >= 14
