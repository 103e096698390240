"""The media type of a response: as declared, checked against the first bytes.

A simplified form of WHATWG MIME sniffing: a declared HTML or text type is used unless the bytes are binary, a missing
or meaningless type is decided by the bytes, every other type is not supported.
"""

from __future__ import annotations

import re

HTML, XHTML, PLAIN = "text/html", "application/xhtml+xml", "text/plain"

_HEAD = 1445
"""Bytes that are examined."""
_UNDECLARED = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})
_XML_TYPES = frozenset({"text/xml", "application/xml"})
_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SIGNATURE = re.compile(
    rb"%PDF-|%!PS|PK(?:\x03\x04|\x05\x06)|\x1f\x8b|BZh\d|7z\xbc\xaf|Rar!\x1a|GIF8[79]a|\x89PNG|\xff\xd8\xff|RIFF"
    rb"|OggS|ID3|fLaC|wOF[F2]|\x7fELF|\xd0\xcf\x11\xe0|\{\\rtf"
)
_HTML_START = re.compile(
    rb"[\t\n\f\r ]*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br"
    rb"|p|meta)[\t\n\f\r />])",
    re.IGNORECASE,
)
_XHTML_ROOT = re.compile(rb"<html[^>]*\sxmlns\s*=\s*[\"']http://www\.w3\.org/1999/xhtml[\"']")


def sniff(content: bytes, content_type: str) -> str | None:
    """The media type to read `content` as (`HTML`, `XHTML` or `PLAIN`); None when it is not supported."""
    declared = content_type.partition(";")[0].strip().lower()
    head = content[:_HEAD]
    if _SIGNATURE.match(head):
        return None
    if declared in (HTML, XHTML):
        return None if _has_nul(head, content_type) else declared
    if declared == PLAIN:
        return None if _is_binary(head) else PLAIN
    if declared in _XML_TYPES:
        return XHTML if _XHTML_ROOT.search(head) else None
    return _guess(head) if declared in _UNDECLARED else None


def _guess(head: bytes) -> str | None:
    text = head.removeprefix(_MARKS[0])
    if _HTML_START.match(text):
        return HTML
    if text.lstrip().startswith(b"<?xml"):
        return XHTML if _XHTML_ROOT.search(text) else None
    return None if _is_binary(head) else PLAIN


def _is_binary(head: bytes) -> bool:
    return not head.startswith(_MARKS) and _BINARY.search(head) is not None


def _has_nul(head: bytes, content_type: str) -> bool:
    """Whether there are NUL bytes outside UTF-16; other control characters are common in pages and allowed."""
    return b"\0" in head and not head.startswith(_MARKS) and "utf-16" not in content_type.lower()
