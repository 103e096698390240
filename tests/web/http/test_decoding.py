"""Encoded bodies: whole, cut, damaged, stacked and explosive."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from functools import cache, partial

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from topicrawl.errors import FetchError
from topicrawl.web.http.decoding import decoded, encodings
from web.http.loopback import browse, failure, reply, serve

LIMIT = 1 << 20


def raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()


ENCODERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "br": ("br", partial(brotli.compress, quality=4)),
    "zstd": ("zstd", zstandard.compress),
}
every_encoding = pytest.mark.parametrize(("name", "encode"), ENCODERS.values(), ids=ENCODERS)
TEXT = "".join(f"line {n} of a page; " for n in range(20_000)).encode()
quickly = settings(deadline=None, max_examples=30)


@cache
def encoded(encode: Callable[[bytes], bytes]) -> bytes:
    return encode(TEXT)


@every_encoding
@quickly
@given(data=st.binary(max_size=2000))
def test_what_was_encoded_is_decoded(name: str, encode: Callable[[bytes], bytes], data: bytes) -> None:
    assert decoded(encode(data), [name], LIMIT) == (data, True)


@every_encoding
def test_a_bomb_is_cut_at_the_limit(name: str, encode: Callable[[bytes], bytes]) -> None:
    content, whole = decoded(encode(bytes(30 * LIMIT)), [name], LIMIT)
    assert (len(content), whole) == (LIMIT, False)


@every_encoding
@quickly
@given(cut=st.integers(min_value=0, max_value=99))
def test_a_body_cut_anywhere_yields_a_prefix(name: str, encode: Callable[[bytes], bytes], cut: int) -> None:
    body = encoded(encode)
    content, whole = decoded(body[: 1 + (len(body) - 2) * cut // 100], [name], LIMIT)
    assert TEXT.startswith(content) or cut == 0
    assert not whole or content in (b"\x1f", b"\x1f\x8b")


@every_encoding
def test_garbage_after_the_end_is_ignored(name: str, encode: Callable[[bytes], bytes]) -> None:
    assert decoded(encoded(encode) + b"\0\0rubbish", [name], LIMIT) == (TEXT, True)


@every_encoding
@quickly
@given(where=st.integers(min_value=20, max_value=80), bit=st.integers(0, 7))
def test_damage_in_the_middle_never_raises(
    name: str, encode: Callable[[bytes], bytes], where: int, bit: int
) -> None:
    body = bytearray(encode(TEXT[:5000]))
    body[len(body) * where // 100] ^= 1 << bit
    decoded(bytes(body), [name], LIMIT)


def test_a_wrong_checksum_only_marks_the_body_as_truncated() -> None:
    body = bytearray(gzip.compress(TEXT))
    body[-6] ^= 1
    assert decoded(bytes(body), ["gzip"], LIMIT) == (TEXT, False)


def test_several_gzip_members_are_decoded_up_to_a_limit() -> None:
    assert decoded(gzip.compress(b"a") * 3, ["gzip"], LIMIT) == (b"aaa", True)
    content, whole = decoded(gzip.compress(b"a") * 10_000, ["gzip"], LIMIT)
    assert (set(content), whole) == ({ord("a")}, False)


def test_plain_text_that_claims_to_be_gzip_is_taken_as_it_is() -> None:
    assert decoded(b"<html>", ["gzip"], LIMIT) == (b"<html>", True)


def test_encodings_are_undone_in_reverse_and_at_most_two() -> None:
    assert decoded(brotli.compress(gzip.compress(TEXT)), encodings("gzip, br", 2), LIMIT) == (TEXT, True)
    assert encodings("utf-8, identity", 2) == []
    with pytest.raises(FetchError, match="protocol"):
        encodings("gzip, gzip, gzip", 2)


async def test_a_response_keeps_the_body_as_sent_beside_the_decoded_one() -> None:
    packed = gzip.compress(TEXT)
    async with serve({"/": reply(packed, content_encoding="gzip")}) as site, browse(site) as web:
        response = await web.fetch("http://a.test/")
    assert (response.body, response.content, response.size) == (packed, TEXT, len(TEXT))
    assert not response.truncated
    assert site.log[0].headers["accept-encoding"] == "gzip, deflate, br, zstd"


async def test_a_bomb_from_a_server_is_cut_and_marked() -> None:
    bomb = reply(gzip.compress(bytes(20 << 20)), content_encoding="gzip")
    async with serve({"/": bomb}) as site, browse(site, body_bytes=LIMIT) as web:
        response = await web.fetch("http://a.test/")
    assert (response.size, response.truncated) == (LIMIT, True)


async def test_three_stacked_encodings_are_refused() -> None:
    async with serve({"/": reply(b"x", content_encoding="gzip, gzip, gzip")}) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).kind == "protocol"
