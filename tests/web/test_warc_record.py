"""Bodies as servers sent them and as recorders changed them."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import brotli
import pytest
import zstandard

from topicrawl.model import Response
from topicrawl.web.recorded import RecordedWeb
from topicrawl.web.warc_record import BODY_LIMIT
from web.warcs import HTML, Recorder, fetch


def one_answer(path: Path, body: bytes, *headers: tuple[str, str]) -> Response:
    with Recorder(path) as recorder:
        recorder.answer("http://a.test/", body, "200 OK", HTML, *headers)
    return fetch(RecordedWeb(path), "http://a.test/")


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
def test_chunking_is_undone_also_if_truncated_and_ignored_if_only_announced(
    tmp_path: Path, sent: bytes
) -> None:
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
