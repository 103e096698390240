"""Media types, declared and sniffed."""

from __future__ import annotations

from pathlib import Path

import pytest

from topicrawl.page.sniff import HTML, PLAIN, XHTML, sniff

PAGE = b"<!DOCTYPE html><p>rain"


@pytest.mark.parametrize(
    ("content", "content_type", "expected"),
    [
        (PAGE, "text/html", HTML),
        (PAGE, "Text/HTML ; charset=utf-8", HTML),
        (b"no markup at all", "text/html", HTML),
        (PAGE, "application/xhtml+xml", XHTML),
        (PAGE, "text/plain", PLAIN),
        (b"rain", "text/plain; charset=", PLAIN),
        (b"", "text/html", HTML),
        (b"stray \x01 control", "text/html", HTML),
        (b"stray \x01 control", "text/plain", None),
        (b"NUL \x00 byte", "text/html", None),
        (PAGE.decode().encode("utf-16le"), "text/html; charset=UTF-16LE", HTML),
        (b"\xff\xfe" + "rain".encode("utf-16le"), "text/plain", PLAIN),
        (b"%PDF-1.7 rain", "text/html", None),
        (b"PK\x03\x04rain", "text/html", None),
        (b"\x89PNG\r\n\x1a\n", "text/html", None),
        (b"\x1f\x8b\x08", "text/plain", None),
        (PAGE, "image/png", None),
        (PAGE, "application/json", None),
        (PAGE, "application/octet-stream", None),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xml", XHTML),
        (b'<?xml version="1.0"?><rss>', "text/xml", None),
    ],
)
def test_a_declared_type_is_used_unless_the_bytes_contradict(
    content: bytes, content_type: str, expected: str | None
) -> None:
    assert sniff(content, content_type) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"  \n<!doctype HTML>", HTML),
        (b"\xef\xbb\xbf<html>", HTML),
        (b"<!-- a comment -->", HTML),
        (b"<BODY bgcolor=red>", HTML),
        (b"<bodyguard>", PLAIN),
        (b'<?xml version="1.0"?><feed>', None),
        (b"only words", PLAIN),
        (b"\x00\x01\x02", None),
    ],
)
@pytest.mark.parametrize("content_type", ["", "unknown/unknown", "*/*", "; charset=utf-8"])
def test_without_a_type_the_bytes_decide(content: bytes, content_type: str, expected: str | None) -> None:
    assert sniff(content, content_type) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("html-content.html", HTML),
        ("binary-data.bin", None),
        ("png-image.png", None),
        ("test-file.zip", None),
    ],
)
def test_the_samples_of_the_web_platform_suite_are_classified(
    testsuites: Path, name: str, expected: str | None
) -> None:
    assert sniff((testsuites / "wpt/mimesniff/sniffing/resources" / name).read_bytes(), "") == expected
