"""Breaks the markup of real pages, to compare how parsers read what is badly nested."""

from __future__ import annotations

import random
import re

_PARTS = re.compile(r"<[^<>]*>?|[^<]+")
_ODD = (
    *("<table>", "<tr>", "<td>", "</td>", "</table>", "<caption>", "<col>", "<b>", "</b>", "<a href=odd>"),
    *("</a>", "<p>", "</p>", "<form>", "</form>", "<select>", "<option>", "</select>", "<svg>", "</svg>"),
    *("<math>", "<mi>", "<template>", "</template>", "<li>", "<dd>", "<h2>", "</h3>", "<button>", "</body>"),
    *("</html>", "<body>", "<head>", "<frameset>", "<noscript>", "<ruby>", "<rt>", "<object>", "<nobr>"),
    *("<title>", "<textarea>", "<script>", "<!--", "-->", "<font size=1>", "</font>", "</div>", "<pre>\n"),
    *(
        "<l&amp><a href=odd>",
        "<b&#65;c>",
        "</l&amp>",
        "<a&lt;b id=c&amp;d>",
        "<input type='hidden'>",
        "<desc>",
    ),
    *("<td><select>", "<caption><select>", "<select><table>", "<td><select><option><table>", "<select><tr>"),
    *("<!doctype html>", "<iframe src=odd>", "<plaintext>", "&#13;", "&amp", "\x1f", "<br/", "</br>", "<hr>"),
)


def broken(text: str, rng: random.Random) -> str:
    """`text` with one to six faults: tags left out, doubled, exchanged, moved or added; sometimes cut off."""
    parts = _PARTS.findall(text)
    tags = [index for index, part in enumerate(parts) if part.startswith("<")]
    for _ in range(rng.randint(1, 6) if tags else 0):
        one, other = rng.choice(tags), rng.choice(tags)
        match rng.randrange(5):
            case 0:
                parts[one] = ""
            case 1:
                parts[one] *= 2
            case 2:
                parts[one], parts[other] = parts[other], parts[one]
            case 3:
                parts[one], parts[other] = "", parts[other] + parts[one]
            case 4:
                parts[one] += rng.choice(_ODD)
    joined = "".join(parts)
    return joined[: rng.randrange(len(joined))] if joined and rng.random() < 0.2 else joined
