"""Broken HTTP/1 answers of the web platform tests, sent by a real server to the real client."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from topicrawl.errors import FetchError
from topicrawl.web.http import HttpWeb
from web.http.loopback import Asked, browse, serve

KINDS = {"protocol", "headers", "connect", "timeout"}


def asis(content: bytes):
    async def handler(writer, asked: Asked) -> None:
        writer.write(content)
        await writer.drain()
        writer.close()

    return handler


async def outcome(web: HttpWeb, url: str) -> bytes | str:
    try:
        return (await web.fetch(url)).content
    except FetchError as error:
        return error.kind


async def test_an_invalid_character_anywhere_in_a_head_is_handled(testsuites: Path) -> None:
    folder = testsuites / "wpt/fetch/h1-parsing/resources"
    files = sorted(folder.glob("*.asis"))
    pages = {f"/{file.stem}": asis(file.read_bytes()) for file in files}
    async with serve(pages) as site, browse(site, first_byte=2.0) as web:
        came = {file.stem: await outcome(web, f"http://a.test/{file.stem}") for file in files}
    assert len(came) > 90
    assert not {name: got for name, got in came.items() if isinstance(got, str) and got not in KINDS}
    with_nul = {name: got for name, got in came.items() if "_NUL_" in name}
    assert {name for name, got in with_nul.items() if isinstance(got, bytes)} == set()
    bodies = {got for name, got in came.items() if isinstance(got, bytes) and name.startswith("parsing")}
    assert all(not body or body.endswith(b"Test.") for body in bodies)


async def test_lengths_that_contradict_each_other_are_refused(testsuites: Path) -> None:
    file = testsuites / "wpt/fetch/content-length/resources/content-lengths.json"
    cases = json.loads(file.read_text(encoding="utf-8"))
    body = b"Fact: this is really forty-two bytes long."
    assert len(body) == 42
    pages = {
        f"/{n}": asis(f"HTTP/1.1 200 OK\r\n{case['input']}\r\n\r\n".encode() + body)
        for n, case in enumerate(cases)
    }
    async with serve(pages) as site, browse(site, first_byte=2.0) as web:
        for number, case in enumerate(cases):
            got = await outcome(web, f"http://a.test/{number}")
            if case["output"] is None:
                assert got in KINDS, case
            else:
                assert got == body[: case["output"]] or got in KINDS, case


@pytest.mark.parametrize("coding", ["br", "gzip", "zstd"])
async def test_content_encodings_of_the_web_platform_are_undone(testsuites: Path, coding: str) -> None:
    folder = testsuites / f"wpt/fetch/content-encoding/{coding}/resources"
    ending = {"br": "br", "gzip": "gz", "zstd": "zst"}[coding]
    files = sorted(folder.glob(f"*.{ending}"))
    assert files
    pages = {}
    for file in files:
        content = file.read_bytes()
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {len(content)}\r\n\r\n"
        pages[f"/{file.name}"] = head.encode() + content
    async with serve(pages) as site, browse(site) as web:
        for file in files:
            response = await web.fetch(f"http://a.test/{file.name}")
            assert response.truncated == file.name.startswith("big"), file.name
            assert response.truncated or response.content, file.name
