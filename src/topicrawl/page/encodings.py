"""The encodings of the web: their labels, and decoding.

The labels of the WHATWG Encoding Standard, from webencodings. A label may mean a larger encoding: latin1, gb2312
and shift_jis are read as windows-1252, gb18030 and windows-31j, as browsers do.
"""

from __future__ import annotations

import webencodings


def named(label: str) -> str | None:
    """The encoding that `label` names, by the standard's own name for it; None for an unknown label."""
    if not label.isascii():  # no label is; lookup raises on the surrogates by which headers represent bytes
        return None
    found = webencodings.lookup(label)
    name: str | None = found.name if found else None
    return name


def decoded(content: bytes, encoding: str) -> str:
    """`content` decoded; invalid bytes become U+FFFD."""
    if encoding == "replacement":  # encodings that can hide markup from filters are not decoded at all
        return "�" if content else ""
    if encoding == "gbk":  # webencodings uses Python's gbk; the standard decodes gbk as gb18030
        return content.decode("gb18030", "replace")
    text: str = webencodings.lookup(encoding).codec_info.decode(content, "replace")[0]
    return text
