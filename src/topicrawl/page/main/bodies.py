"""Elements that are named as the body of an article."""

from __future__ import annotations

import re
from collections import Counter

from topicrawl.page.main.furniture import is_comments, is_furniture, is_named_beside
from topicrawl.page.main.tree import Node, elements
from topicrawl.page.main.weights import around, measure, prose, sum_of_prose

ENOUGH = 500.0
"""Characters of prose; of a page with less of it, other parts say as much."""
MUCH = 0.2
"""Share of the page's unlinked text from which on an element with such a name is the body, in spite of others."""
NO_PART = frozenset(("blockquote", "li", "ol", "p", "pre", "table", "tbody", "tr", "ul"))
"""Blocks that are a piece of a text at most."""
_ARTICLE_BODY = re.compile(
    r"(?<![a-z])(?:article|story|post|news)[-_]{0,2}(?:body|contents?|detail|text)(?![a-z])"
    r"|(?<!\S)article(?!\S)"
)
"""Names of the body of an article on pages that do not say what they are; a list or thread has several of these."""


def has_article_body(root: Node) -> bool:
    """Whether one element is named as the body of an article, and holds most of the text in elements named so."""
    measure(root)
    bodies = [node for node in elements(root) if _ARTICLE_BODY.search(node.name) and node.tag not in NO_PART]
    longest = max(bodies, key=prose, default=None)
    if longest is None or sum_of_prose(longest) < ENOUGH:
        return False
    same = {*elements(longest), *around(longest)}
    return sum(prose(node) for node in bodies if node not in same) < prose(longest) / 4


def names_of_paragraphs(root: Node, least: float) -> set[str]:
    """The names of paragraphs that have at least so many characters in no link: those are what the page says."""
    found: Counter[str] = Counter()
    for node in elements(root):
        if node.tag == "p":
            found[node.name] += prose(node)
    return {name for name, said in found.items() if said >= least}


def named_body(root: Node) -> Node | None:
    """The longest element that is named as the body of an article, if it is in no furniture or comments."""
    named = (node for node in elements(root) if node.tag == "article" or _ARTICLE_BODY.search(node.name))
    longest = max(named, key=prose, default=None)
    if longest is None or prose(longest) < ENOUGH:
        return None
    beside = any(is_furniture(node) or is_comments(node) for node in around(longest) if node.tag != "body")
    return None if beside else longest


def is_article_body(node: Node, said: int) -> bool:
    """Whether one of its names says that an element is the body of the article, and it holds much of the page."""
    return prose(node) >= MUCH * said and any(
        _ARTICLE_BODY.search(name) and not is_named_beside(name) for name in node.name.split()
    )
