"""Compressed bodies of a peer's test suite: good, stacked, damaged, and bombs of a few bytes."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from topicrawl.errors import FetchError
from topicrawl.web.http.decoding import decoded, encodings

LIMIT = 2 << 20


@pytest.fixture
def folder(testsuites: Path) -> Path:
    return testsuites / "scrapy-compressed/tests/sample_data/compressed"


GOOD = {
    "html-br.bin": "br",
    "html-gzip.bin": "gzip",
    "html-rawdeflate.bin": "deflate",
    "html-zlibdeflate.bin": "deflate",
    "html-zstd-static-content-size.bin": "zstd",
    "html-zstd-static-no-content-size.bin": "zstd",
    "html-zstd-streaming-no-content-size.bin": "zstd",
    "html-gzip-deflate.bin": "gzip, deflate",
}


@pytest.mark.parametrize("name", GOOD)
def test_every_good_sample_gives_the_same_page(folder: Path, name: str) -> None:
    content, whole = decoded((folder / name).read_bytes(), encodings(GOOD[name], 2), LIMIT)
    assert whole
    assert content.startswith(b"<!DOCTYPE")
    assert content[-2000:] == decoded((folder / "html-gzip.bin").read_bytes(), ["gzip"], LIMIT)[0][-2000:]


def test_three_encodings_are_one_too_many() -> None:
    with pytest.raises(FetchError, match="3 content encodings"):
        encodings("gzip, deflate, gzip", 2)


@pytest.mark.parametrize("kind", ["br", "deflate", "gzip", "zstd"])
def test_a_bomb_is_cut_at_the_limit_in_little_memory(folder: Path, kind: str) -> None:
    body = (folder / f"bomb-{kind}.bin").read_bytes()
    tracemalloc.start()
    content, whole = decoded(body, [kind], LIMIT)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not whole
    assert len(content) == LIMIT
    assert peak < 4 * LIMIT


@pytest.mark.parametrize(
    "name", ["truncated-crc-error.gz", "truncated-crc-error-short.gz", "unexpected-eof.gz"]
)
def test_a_damaged_body_gives_what_precedes_the_damage(folder: Path, name: str) -> None:
    content, whole = decoded((folder / name).read_bytes(), ["gzip"], LIMIT)
    assert not whole
    assert len(content) > 1000
    if name.startswith("unexpected"):
        expected = (folder / "unexpected-eof-output.txt").read_text(encoding="utf-8")
        assert expected.startswith(content[:8000].decode("latin-1"))
