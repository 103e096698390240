"""The element that holds the main text of a page, and what is left out inside it.

The main text of an article is in the element with the largest sum of weights (weights.py), where what lies deeper
inside counts a little less, so that the element around several texts wins only if it gains enough by it. On all other
pages everything is main text but the furniture.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf

from topicrawl.page.main.bodies import (
    ENOUGH,
    NO_PART,
    is_article_body,
    named_body,
    names_of_paragraphs,
)
from topicrawl.page.main.furniture import is_beside_article, is_box, is_comments, is_furniture
from topicrawl.page.main.tree import BLOCKS, Node, elements
from topicrawl.page.main.weights import around, measure, prose, sum_of_prose

DEEPER = 0.88
"""What one level is worth of the next deeper one."""
LESS = 0.5
"""How much runs count that weigh less than nothing: some are inside every text."""
LEADS_AWAY = 0.7
"""Share of linked characters above which a list, section or paragraph leads to other pages."""
MOST = 0.4
"""Share of the page's unlinked text that nothing left out may hold: it is named for something else."""
LITTLE = 150
"""Characters; a shorter text is no article."""
A_TEXT = 400
"""Characters in no link from which on a box that opens on a click is part of what a page says."""
ALL_PROSE = 0.8
"""Share of a page's prose from which on an element is taken for all that the page says."""
UNLINKED = 0.5
"""Share of the page's unlinked text that this prose has at least: a list of names or figures is no prose."""

_MAY_LEAD_AWAY = frozenset(("div", "dl", "h2", "h3", "h4", "ol", "p", "section", "ul"))
_BODY = re.compile(
    r"(?<![a-z])(?:article|story|entry|post|blog|news|main|content|page)[-_ ]{0,2}(?:body|content|text|copy|main)"
    r"|body[-_ ]?(?:text|copy|content)|(?<![a-z])(?:body|entry|rich-?text|hentry)(?![a-z])"
)
"""Names that editors' programs give to the body of an article."""


def article_part(root: Node) -> Node | None:
    """The element with the text of the article; None where there is no text to speak of."""
    measure(root)
    _leave_out(root, _beside_article(root))
    *_, best = _best(root)
    if best.characters < LITTLE:
        return None
    _leave_out(best, _leads_away)
    return best


def _beside_article(root: Node) -> Callable[[Node], bool]:
    """What tells whether an element is beside the article: named for something else, comments, or another article."""
    said, others = prose(root), _other_articles(root)
    paragraphs = names_of_paragraphs(root, MOST * said)
    body = named_body(root)
    path = set() if body is None else {body, *around(body)}

    def is_elsewhere(node: Node) -> bool:
        return body is not None and body not in around(node)

    def is_beside(node: Node) -> bool:
        if is_comments(node):
            return prose(node) < said - LITTLE
        is_paragraph = node.tag == "p" and node.name in paragraphs
        if is_paragraph or node in path or is_article_body(node, said):
            return False
        wanted = not (is_furniture(node) or is_box(node) or is_beside_article(node) or node in others)
        return not wanted and (prose(node) < MOST * said or is_elsewhere(node))

    return is_beside


def page_part(root: Node) -> Node:
    """The element with everything but the furniture.

    Where one element has nearly all prose of the page, it is that. Where it has most of what the page says, lists of
    links outside it lead to other pages.
    """
    measure(root)
    most = MOST * prose(root)
    _leave_out(
        root,
        lambda node: prose(node) < most and (is_furniture(node) or (prose(node) < A_TEXT and is_box(node))),
    )
    *_, best = _best(root)
    said = sum_of_prose(best)
    if not _is_of_comments(best) and said >= max(
        ENOUGH, ALL_PROSE * sum_of_prose(root), UNLINKED * prose(root)
    ):
        return best
    if prose(best) > root.characters / 2:
        _leave_out_links_beside(best)
    return root


def _leave_out(node: Node, unwanted: Callable[[Node], bool]) -> None:
    """Drop what is unwanted inside an element."""
    for child in node.children:
        if isinstance(child, str) or child.dropped:
            continue
        if unwanted(child):
            child.dropped = True
        else:
            _leave_out(child, unwanted)


def _other_articles(root: Node) -> set[Node]:
    """The `<article>` elements beside the one with most prose of its own: shorter ones, and those inside others."""
    own: dict[Node, int] = {}
    nested: set[Node] = set()
    for node in elements(root):
        if node.tag == "article":
            own[node] = prose(node)
            outer = next((each for each in around(node) if each in own), None)
            if outer is not None:
                own[outer] -= own[node]
                nested.add(node)
    if not own:
        return set()
    longest = max(own, key=own.__getitem__)
    shorter = {node for node in own if own[node] < own[longest] / 3}
    return (shorter | nested) - {longest, *around(longest)}


def _is_of_comments(node: Node) -> bool:
    """Whether most of what an element says is comments."""
    if any(is_comments(outer) for outer in (node, *around(node))):
        return True
    left, said = [node], 0
    while left:
        for child in left.pop().children:
            if isinstance(child, str) or child.dropped:
                continue
            if is_comments(child):
                said += prose(child)
            else:
                left.append(child)
    return said > prose(node) / 2


def _best(node: Node) -> tuple[float, float, float, Node]:
    """The sums of what weighs more and less than nothing in an element, and the best element in it with its score."""
    more, less = max(node.weight, 0.0), min(node.weight, 0.0)
    score, best = -inf, node
    for child in node.children:
        if isinstance(child, str) or child.dropped or not child.characters:
            continue
        inner_more, inner_less, inner_score, found = _best(child)
        more += inner_more * (DEEPER if child.tag in BLOCKS else 1.0)
        less += inner_less
        if inner_score > score:
            score, best = inner_score, found
    own = (more + LESS * less) * _likely(node)
    if own >= score and node.tag not in NO_PART:
        score, best = own, node
    return more, less, score, best


def _likely(node: Node) -> float:
    """A factor for elements that are marked as the body of an article."""
    factor = 1.0
    if node.tag in ("article", "main"):
        factor += 0.1
    if "body" in node.attributes.get("itemprop", "").lower():
        factor += 0.5
    if node.name and _BODY.search(node.name):
        factor += 0.2
    return factor


def _leave_out_links_beside(node: Node) -> None:
    """Drop lists of links outside an element."""
    path = {node, *around(node)}
    for outer in around(node):
        for child in outer.children:
            if isinstance(child, str) or child in path:
                continue
            if _leads_away(child):
                child.dropped = True
            else:
                _leave_out(child, _leads_away)


def _leads_away(node: Node) -> bool:
    """Whether an element is there for its links: a list of them, or a paragraph such as "read more"."""
    return node.tag in _MAY_LEAD_AWAY and node.characters > 0 and node.linked >= LEADS_AWAY * node.characters
