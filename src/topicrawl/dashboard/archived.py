"""Makes the archived copy of a page inert: elements that structure text stay, with no attribute that could act.

The copy is shown in a frame in a sandbox with a Content-Security-Policy that allows nothing. This is the third defence,
and the one that also keeps a browser from asking for names or addresses that a page mentions.
"""

from __future__ import annotations

import html
from html.parser import HTMLParser

from topicrawl.safe_text import UNSAFE

LETTERS = 2_000_000
"""Letters of a copy that are shown."""
DEEPEST = 200
"""Elements inside one another that are kept; a browser takes long for more."""
KEPT = frozenset(
    (
        *(
            "a",
            "abbr",
            "address",
            "article",
            "aside",
            "b",
            "bdi",
            "bdo",
            "blockquote",
            "br",
            "caption",
            "center",
        ),
        *(
            "cite",
            "code",
            "col",
            "colgroup",
            "dd",
            "del",
            "details",
            "dfn",
            "div",
            "dl",
            "dt",
            "em",
            "fieldset",
        ),
        *(
            "figcaption",
            "figure",
            "font",
            "footer",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "i",
            "ins",
        ),
        *(
            "kbd",
            "label",
            "legend",
            "li",
            "main",
            "mark",
            "nav",
            "ol",
            "p",
            "pre",
            "q",
            "rp",
            "rt",
            "ruby",
            "s",
        ),
        *(
            "samp",
            "section",
            "small",
            "span",
            "strong",
            "sub",
            "summary",
            "sup",
            "table",
            "tbody",
            "td",
            "tfoot",
        ),
        *("th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr"),
    )
)
EMPTY = frozenset(("br", "hr", "col", "wbr"))
DROPPED = frozenset(
    (
        "script",
        "style",
        "template",
        "noscript",
        "iframe",
        "object",
        "embed",
        "svg",
        "math",
        "title",
        "textarea",
        "select",
    )
)
"""Elements of which the content is left out, too."""
ATTRIBUTES = frozenset(("colspan", "rowspan", "dir", "lang", "start"))
STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:16px;color:#1c2426;background:#fffefb;overflow-wrap:anywhere}"
    "table{border-collapse:collapse}td,th{padding:3px 8px;border:1px solid #ddd;vertical-align:top}"
    "a{color:#0b7a75;text-decoration:underline}.img{color:#5b6769;font-style:italic}pre{white-space:pre-wrap}"
)


def inert(text: str, *, is_html: bool = True) -> str:
    """A page that shows the structure and the text of `text` and can do nothing."""
    if is_html:
        copier = _Copier()
        copier.feed(text[:LETTERS])
        copier.close()
        body = copier.result()
    else:
        body = f"<pre>{_escaped(text[:LETTERS])}</pre>"
    head = f'<meta charset="utf-8"><title>archived copy</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="und">{head}{body}</html>'


def _escaped(text: str) -> str:
    return html.escape(UNSAFE.sub(" ", text))


class _Copier(HTMLParser):
    """Writes again what it reads, without what is not kept."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out: list[str] = []
        self._open: list[str] = []
        self._dropped = ""
        """The element inside of which everything is left out."""
        self._inside = 0

    def result(self) -> str:
        """The copy; all elements are closed."""
        return "".join(self._out) + "".join(f"</{tag}>" for tag in reversed(self._open))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropped:
            self._inside += tag == self._dropped
            return
        if tag in DROPPED:
            self._dropped, self._inside = tag, 1
        elif tag == "img":
            words = _escaped(next((value or "" for name, value in attrs if name == "alt"), ""))
            self._out.append(f'<span class="img">[image{": " + words if words else ""}]</span>')
        elif tag in KEPT and len(self._open) < DEEPEST:
            kept = "".join(
                f' {name}="{_escaped(value or "")[:40]}"' for name, value in attrs if name in ATTRIBUTES
            )
            self._out.append(f"<{tag}{kept}>")
            if tag not in EMPTY:
                self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._dropped:
            self._inside -= tag == self._dropped
            if self._inside <= 0:
                self._dropped = ""
        elif tag in self._open:
            while self._open:
                last = self._open.pop()
                self._out.append(f"</{last}>")
                if last == tag:
                    return

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in DROPPED:
            self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self._out.append(_escaped(data))
