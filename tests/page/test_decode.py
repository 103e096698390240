"""Charsets that are declared, declared late, wrong or missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from topicrawl.page import encodings
from topicrawl.page.decode import declared, decode

TEXT = "Überschwemmung 暴雨"


@pytest.mark.parametrize(
    ("content", "content_type", "expected"),
    [
        (b"\xef\xbb\xbf" + TEXT.encode(), "text/html; charset=gbk", (TEXT, "utf-8")),
        (b"\xff\xfe" + TEXT.encode("utf-16le"), "", (TEXT, "utf-16le")),
        (b"\xfe\xff" + TEXT.encode("utf-16be"), "text/html; charset=utf-8", (TEXT, "utf-16be")),
        ("暴雨".encode("gbk"), "text/html; charset=gb2312", ("暴雨", "gbk")),
        ("暴雨".encode("gbk"), 'text/html; charset="GB2312"', ("暴雨", "gbk")),
        (
            b"<meta charset=gbk>" + TEXT.encode(),
            "text/html;charset=utf-8",
            ("<meta charset=gbk>" + TEXT, "utf-8"),
        ),
        (b"\x93quoted\x94", "text/html; charset=iso-8859-1", ("“quoted”", "windows-1252")),
        (b"\x95\x32\x82\x36", "text/html; charset=gbk", ("𠀀", "gbk")),
        (b"\xed\x95\x9c", "text/html; charset=utf-8\udcff", ("한", "utf-8")),
        (b"caf\xe9", "", ("café", "windows-1252")),
        ("café".encode(), "text/html; charset=", ("café", "utf-8")),
        ("café".encode(), "text/html; charset=utf-7", ("café", "utf-8")),
        ("café".encode(), "text/html; charset=nonsense", ("café", "utf-8")),
        (b"a\x80", "text/plain; charset=x-user-defined", ("a\uf780", "x-user-defined")),
        (b"<script>", "text/html; charset=iso-2022-kr", ("�", "replacement")),
        (b"\x80", "text/html; charset=utf-8", ("�", "utf-8")),
    ],
)
def test_text_is_read_in_the_encoding_a_browser_would_use(
    content: bytes, content_type: str, expected: tuple[str, str]
) -> None:
    assert decode(content, content_type) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "iso-8859-2"),
        (b'<?xml version="1.0" encoding="koi8-r"?><meta charset=big5>', "big5"),
        (b"<!-- <meta charset=big5> --><p>", None),
        (b"<p title='<meta charset=big5>'>", None),
        (b"<meta charset=big5", None),
        (b"<meta charset='big5>", None),
    ],
)
def test_a_page_declares_its_encoding_in_its_own_markup(head: bytes, expected: str | None) -> None:
    assert declared(head) == expected


def test_a_declaration_beyond_the_first_kilobyte_counts_only_against_bytes_that_are_not_utf8() -> None:
    late = b"<html>" + b" " * 1100 + b"<meta charset=gbk>"
    assert decode(late + "暴雨".encode("gbk"))[1] == "gbk"
    assert decode(late + "暴雨".encode())[1] == "utf-8"


@given(
    st.binary(max_size=300),
    st.text(max_size=40),
    st.sampled_from(["", "gbk", "iso-2022-jp", "big5", "euc-jp"]),
)
def test_decoding_never_fails(content: bytes, content_type: str, charset: str) -> None:
    for kind in (content_type, f"text/html; charset={charset}"):
        text, encoding = decode(content, kind)
        assert encodings.named(encoding) == encoding
        text.encode()


@given(
    st.lists(st.sampled_from([b"<", b"meta ", b"charset", b"=", b'"', b"'", b">", b"/", b"<!--", b"-", b"a"]))
)
def test_the_search_for_a_declaration_ends_on_any_malformed_markup(parts: list[bytes]) -> None:
    declared(b"".join(parts))


@pytest.mark.parametrize("soup", [b"<!--", b"<!", b"<a ", b"<a b='", b"<meta charset", b"<?xml ", b"</"])
def test_a_long_search_costs_no_more_than_its_length(soup: bytes) -> None:
    assert declared(soup * 20_000) is None


def test_every_encoding_can_be_read() -> None:
    for name in set(LABELS.values()):
        assert encodings.decoded(b"", name) == ""
        assert encodings.decoded(b"abc", name) is not None


@pytest.mark.parametrize("name", ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"])
def test_the_html5lib_suite_of_encodings_passes(testsuites: Path, name: str) -> None:
    suite = (testsuites / "html5lib-tests/encoding" / name).read_bytes()
    failures = []
    for case in suite.split(b"#data\n")[1:]:
        data, _, rest = case.partition(b"\n#encoding\n")
        expected = rest.split(b"\n")[0].decode().lower()
        found = decode(data + b"<p>\xfe")[1]
        if found != expected:
            failures.append((data[-200:], expected, found))
    assert not failures
