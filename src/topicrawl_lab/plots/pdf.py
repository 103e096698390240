"""Plots as PDF for papers: the same drawing as SVG and PNG, with all fonts embedded.

typst places the drawing; it brings its fonts along, so that a PDF looks the same wherever it is made.
"""

from __future__ import annotations

import json
import re

from topicrawl.errors import ConfigError
from topicrawl.report.standalone import in_light

FONT = "Libertinus Serif"
"""One of the fonts inside typst. Signs that it lacks are taken from the fonts of the machine."""
_FAMILY = re.compile(r"(font: [^;\"]*?px) [^;]*;")
PAGE = """\
#set document(title: {title}, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes({svg}), format: "svg", width: {width}pt)
"""
POINTS = 0.75
"""Points of a CSS pixel."""


def pdf(svg: str, title: str) -> bytes:
    """The drawing in light colours as PDF; `ConfigError` where typst is absent."""
    try:
        import typst
    except ImportError:
        raise ConfigError("plots as PDF need typst; install with: pip install 'topicrawl[lab]'") from None
    width = float(re.search(r'width="([\d.]+)"', svg)[1]) * POINTS  # type: ignore[index]
    styled = _FAMILY.sub(rf"\1 '{FONT}';", in_light(svg))
    source = PAGE.format(title=_text(title), svg=_text(styled), width=width)
    return bytes(typst.compile(source.encode()))


def _text(text: str) -> str:
    """A text as typst writes it: as JSON, but for the escapes of other letters."""
    return re.sub(r"\\u([0-9a-f]{4})", r"\\u{\1}", json.dumps(text, ensure_ascii=False))
