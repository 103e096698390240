"""Bytes to text as browsers do it: byte order mark, HTTP header, `<meta>` or XML declaration, the bytes.

Where nothing is declared, bytes that are valid UTF-8 are UTF-8 and all others windows-1252. No statistics:
guessing among the multi-byte encodings of East Asia is too often wrong on short pages.
"""

from __future__ import annotations

import re

from topicrawl.page import encodings

PRESCAN = 1024
"""Bytes within which a page must declare its encoding."""
LATE_PRESCAN = 1 << 16
"""Bytes searched for a late declaration when the content is not UTF-8: browsers restart parsing at one."""

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_PARAMETER = re.compile(
    r"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))""", re.I
)
_XML = re.compile(rb"""<\?xml[^>]*?[\t\n\f\r ]encoding[\t\n\f\r ]*=[\t\n\f\r ]*["']([^"'>]*)["']""")
_MARKUP = re.compile(
    rb"<!--(?:>|->|.*?(?:-->|\Z))"  # a comment
    rb"|<(?P<name>/?[A-Za-z][^\t\n\f\r />]*)"  # a tag
    rb"|<[!/?][^>]*(?:>|\Z)",  # anything else in brackets
    re.S,
)
_ATTRIBUTE = re.compile(
    rb"""[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r =/>]*)"""
    rb"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"?|'([^']*)'?|([^\t\n\f\r >]*)))?"""
)
_END_OF_TAG = re.compile(rb"[\t\n\f\r /]*>")


def decode(content: bytes, content_type: str = "") -> tuple[str, str]:
    """`content` as text, and the name of the encoding it was read in."""
    for mark, marked in _MARKS:
        if content.startswith(mark):
            return encodings.decoded(content[len(mark) :], marked), marked
    encoding = _charset(content_type) or declared(content[:PRESCAN])
    if encoding:
        return encodings.decoded(content, encoding), encoding
    try:
        return content.decode(), "utf-8"
    except UnicodeDecodeError:
        encoding = declared(content[:LATE_PRESCAN]) or "windows-1252"
        return encodings.decoded(content, encoding), encoding


def declared(head: bytes) -> str | None:
    """The encoding that the first bytes of a page declare in a `<meta>` tag or an XML declaration."""
    position = 0
    while markup := _MARKUP.search(head, position):
        position = markup.end()
        if markup["name"]:
            attributes, position = _attributes(head, position)
            if markup["name"].lower() == b"meta" and (encoding := _of_meta(attributes)):
                return encoding
    if xml := _XML.match(head):
        return _as_read(encodings.named(xml[1].decode("latin-1")))
    return None


def _attributes(head: bytes, position: int) -> tuple[dict[str, str], int]:
    """The attributes of a tag whose name ends at `position`, and the tag's end; none if it never ends."""
    attributes: dict[str, str] = {}
    while not (end := _END_OF_TAG.match(head, position)):
        found = _ATTRIBUTE.match(head, position)
        if not found:
            return {}, len(head)
        name, *values = found.groups(b"")
        attributes.setdefault(name.decode("latin-1").lower(), b"".join(values).decode("latin-1"))
        position = found.end()
    return attributes, end.end()


def _of_meta(attributes: dict[str, str]) -> str | None:
    if "charset" in attributes:
        return _as_read(encodings.named(attributes["charset"]))
    if attributes.get("http-equiv", "").lower() == "content-type":
        return _as_read(_charset(attributes.get("content", "")))
    return None


def _charset(content_type: str) -> str | None:
    found = _PARAMETER.search(content_type)
    return encodings.named("".join(found.groups(""))) if found else None


def _as_read(encoding: str | None) -> str | None:
    """The encoding that a declaration in the page means: UTF-16 could not have been read as ASCII and means UTF-8."""
    if encoding in ("utf-16le", "utf-16be"):
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding
