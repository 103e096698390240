"""The encodings of the web: which labels name them, and how bytes in them are read.

The labels of the WHATWG Encoding Standard, from webencodings. A label often means more than it says: pages that
declare latin1, gb2312 or shift_jis are written, and read by browsers, in the larger windows-1252, gb18030 and
windows-31j.
"""

from __future__ import annotations

import webencodings


def named(label: str) -> str | None:
    """The encoding that `label` names, by the standard's own name for it; None for an unknown label."""
    if not label.isascii():  # none is; lookup raises on the surrogates that stand for bytes of a header
        return None
    found = webencodings.lookup(label)
    name: str | None = found.name if found else None
    return name


def decoded(content: bytes, encoding: str) -> str:
    """`content` read in a named encoding; what cannot be read becomes U+FFFD."""
    if encoding == "replacement":  # encodings that hide markup from whoever checks it are not read at all
        return "�" if content else ""
    if encoding == "gbk":  # webencodings takes Python's gbk; the standard decodes gbk as gb18030
        return content.decode("gb18030", "replace")
    text: str = webencodings.lookup(encoding).codec_info.decode(content, "replace")[0]
    return text
