"""The words around a link."""

from __future__ import annotations

import re

from topicrawl.model import Page, ints

_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\s\u3040-\u30ff\u3400-\u9fff]+"
)
_REACH = 30
"""Characters a token is allowed on average: bounds what is looked at on either side."""


def context(page: Page, row: int, tokens: int = 20) -> str:
    """The anchor of link `row` with `tokens` tokens of the page's text on either side.

    A token is a word between spaces, or one character of Chinese or Japanese.
    """
    start, end = int(ints(page.links.starts)[row]), int(ints(page.links.ends)[row])
    reach = tokens * _REACH
    before, after = page.text[max(0, start - reach) : start], page.text[end : end + reach]
    heads = [token.start() for token in _TOKEN.finditer(before)][-tokens:]
    tails = [token.end() for token in _TOKEN.finditer(after)][:tokens]
    left = before[heads[0] :] if heads and tokens else ""
    right = after[: tails[-1]] if tails else ""
    anchor = page.text[start:end] or f" {page.links.anchors[row]} "
    return " ".join(f"{left}{anchor}{right}".split())
