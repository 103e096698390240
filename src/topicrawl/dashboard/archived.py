"""Makes the archived copy of a page inert: elements that structure text stay, with no attribute that could act.

The copy is shown in a frame in a sandbox with a Content-Security-Policy that allows nothing. This is the third defence,
and the one that also keeps a browser from asking for names or addresses that a page mentions.
"""

from __future__ import annotations

import html

from turbohtml.saxparse import SaxHandler, sax_parse

from topicrawl.safe_text import UNSAFE

LETTERS = 2_000_000
"""Letters of a copy that are shown."""
DEEPEST = 200
"""Elements inside one another that are kept; a browser takes long for more."""
KEPT = frozenset(
    (  # noqa: SIM905 - shorter to read
        "a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del "
        "details dfn div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i ins "
        "kbd label legend li main mark nav ol p pre q rp rt ruby s samp section small span strong sub summary "
        "sup table tbody td tfoot th thead time tr tt u ul var wbr"
    ).split()
)
EMPTY = frozenset(("br", "hr", "col", "wbr"))
DROPPED = frozenset(
    "script style template noscript iframe object embed svg math title textarea select".split()  # noqa: SIM905
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
        sax_parse(text[:LETTERS], copier)
        body = "".join(copier.out)
    else:
        body = f"<pre>{_escaped(text[:LETTERS])}</pre>"
    head = f'<meta charset="utf-8"><title>archived copy</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="und">{head}{body}</html>'


def _escaped(text: str) -> str:
    return html.escape(UNSAFE.sub(" ", text))


class _Copier(SaxHandler):
    """Writes again what the parser reads, without what is not kept. Every start of an element has its end."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self._ends: list[str] = []
        """For each open element, what is written at its end."""
        self._kept = 0
        """Open elements that are kept."""
        self._left_out = 0
        """Open elements that are left out with their content."""

    def start_element(self, tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
        end = ""
        if self._left_out or tag in DROPPED:
            self._left_out += 1
        elif tag == "img":
            words = _escaped(next((value or "" for name, value in attrs if name == "alt"), ""))
            self.out.append(f'<span class="img">[image{": " + words if words else ""}]</span>')
        elif tag in KEPT and self._kept < DEEPEST:
            kept = "".join(
                f' {name}="{_escaped((value or "")[:40])}"' for name, value in attrs if name in ATTRIBUTES
            )
            self.out.append(f"<{tag}{kept}>")
            if tag not in EMPTY:
                end = f"</{tag}>"
                self._kept += 1
        self._ends.append(end)

    def end_element(self, tag: str) -> None:
        end = self._ends.pop()
        if self._left_out:
            self._left_out -= 1
        elif end:
            self.out.append(end)
            self._kept -= 1

    def characters(self, data: str) -> None:
        if not self._left_out:
            self.out.append(_escaped(data))
