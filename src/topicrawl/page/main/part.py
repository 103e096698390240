"""The element that holds the main text of a page, and what is left out inside it.

A run is text between two line breaks of the page. Runs of prose weigh what they are long, runs of links and short ones
weigh less than nothing. The main text of an article is in the element with the largest sum, where what lies deeper
inside counts a little less, so that the element around several texts wins only if it gains enough by it. On all other
pages everything is main text but the furniture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from math import inf

from topicrawl.page.main.furniture import is_beside_article, is_comments, is_furniture, is_named_beside
from topicrawl.page.main.tree import BLOCKS, HEADINGS, Node, elements

PROSE = 40
"""Characters from which a run may be prose."""
SHORT = -8.0
"""Weight of a shorter run."""
LINKED = 0.5
"""Share of linked characters above which a run is one of links."""
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
MUCH = 0.2
"""Share of the page's unlinked text from which on an element named as the body of the article is that, whatever else it is named."""
ALL_PROSE = 0.8
"""Share of a page's prose from which on an element has all that the page says; headings and links say what it is about."""
UNLINKED = 0.5
"""Share of the page's unlinked text that this prose has at least: a list of names or figures is no prose."""
ENOUGH = 500.0
"""Characters of prose; of a page with less of it, other parts say as much."""

_ONE_RUN = frozenset(("td", "th", "dt"))
"""Blocks that are part of the run around them: a row of a table is one."""
_NO_PART = frozenset(("blockquote", "li", "ol", "p", "pre", "table", "tbody", "tr", "ul"))
"""Blocks that are a piece of a text at most."""
_MAY_LEAD_AWAY = frozenset(("div", "dl", "h2", "h3", "h4", "ol", "p", "section", "ul"))
_BODY = re.compile(
    r"(?<![a-z])(?:article|story|entry|post|blog|news|main|content|page)[-_ ]{0,2}(?:body|content|text|copy|main)"
    r"|body[-_ ]?(?:text|copy|content)|(?<![a-z])(?:body|entry|rich-?text|hentry)(?![a-z])"
)
"""Names that editors' programs give to the body of an article."""
_ARTICLE_BODY = re.compile(
    r"(?<![a-z])(?:article|story|post|news)[-_]{0,2}(?:body|contents?|detail|text)(?![a-z])"
    r"|(?<!\S)article(?!\S)"
)
"""Names of the body of an article on pages that do not say what they are; a list or thread has several of these."""


def has_article_body(root: Node) -> bool:
    """Whether one element is named as the body of an article, and holds most of the text in elements named so."""
    measure(root)
    bodies = [node for node in elements(root) if _ARTICLE_BODY.search(node.name) and node.tag not in _NO_PART]
    longest = max(bodies, key=_sum_of_prose, default=None)
    if longest is None or _sum_of_prose(longest) < ENOUGH:
        return False
    path = {longest, *_around(longest)}
    others = (node for node in bodies if node not in path and longest not in _around(node))
    return sum(map(_sum_of_prose, others)) < _sum_of_prose(longest) / 4


def article_part(root: Node) -> Node | None:
    """The element with the text of the article; None where there is no text to speak of."""
    measure(root)
    prose, others = _prose(root), _other_articles(root)
    paragraphs = _names_of_paragraphs(root, MOST * prose)
    body = _named_body(root)
    path = set() if body is None else {body, *_around(body)}

    def most(node: Node) -> float:
        is_elsewhere = body is not None and node not in path and body not in _around(node)
        return inf if is_elsewhere else MOST * prose

    def is_beside(node: Node) -> bool:
        if is_comments(node):
            return _prose(node) < prose - LITTLE
        is_paragraph = node.tag == "p" and node.name in paragraphs
        if is_paragraph or node in path or _is_article_body(node, prose):
            return False
        wanted = not (is_furniture(node) or is_beside_article(node) or node in others)
        return not wanted and _prose(node) < most(node)

    _leave_out(root, is_beside)
    *_, best = _best(root)
    if best.characters < LITTLE:
        return None
    _leave_out(best, _leads_away)
    return best


def _names_of_paragraphs(root: Node, least: float) -> set[str]:
    """The names of paragraphs that have at least so many characters in no link: those are what the page says."""
    found: Counter[str] = Counter()
    for node in elements(root):
        if node.tag == "p":
            found[node.name] += _prose(node)
    return {name for name, prose in found.items() if prose >= least}


def _named_body(root: Node) -> Node | None:
    """The longest element that is named as the body of an article, and is in nothing that is named for something else."""
    named = (node for node in elements(root) if node.tag == "article" or _ARTICLE_BODY.search(node.name))
    longest = max(named, key=_prose, default=None)
    if longest is None or _prose(longest) < ENOUGH:
        return None
    beside = any(is_furniture(node) or is_comments(node) for node in _around(longest) if node.tag != "body")
    return None if beside else longest


def _is_article_body(node: Node, prose: int) -> bool:
    """Whether one of its names says that an element is the body of the article, and it holds much of the page."""
    return _prose(node) >= MUCH * prose and any(
        _ARTICLE_BODY.search(name) and not is_named_beside(name) for name in node.name.split()
    )


def page_part(root: Node) -> Node:
    """The element with everything but the furniture.

    Where one element has nearly all prose of the page, it is that. Where it has most of what the page says, lists of
    links outside it lead to other pages.
    """
    measure(root)
    most = MOST * _prose(root)
    _leave_out(root, lambda node: _prose(node) < most and is_furniture(node))
    *_, best = _best(root)
    said = _sum_of_prose(best)
    if not _is_of_comments(best) and said >= max(ENOUGH, ALL_PROSE * _sum_of_prose(root), UNLINKED * _prose(root)):
        return best
    if _prose(best) > root.characters / 2:
        _leave_out_links_beside(best)
    return root


def measure(root: Node) -> None:
    """Count the characters of every element, and weigh its runs."""
    _Runs().walk(root, root, linked=False)


class _Runs:
    """The run that is being read."""

    def __init__(self) -> None:
        self.length = self.linked = 0

    def walk(self, node: Node, owner: Node, *, linked: bool) -> None:
        """Read an element; `owner` is the block around it, which gets the weight of its runs."""
        is_block = node.tag in BLOCKS and node.tag not in _ONE_RUN
        if is_block:
            self.end(owner)
            owner = node
        linked = linked or node.tag == "a"
        node.weight, node.dropped = 0.0, False
        characters = in_links = 0
        for child in node.children:
            if isinstance(child, str):
                if length := _length(child):
                    characters += length
                    if linked:
                        in_links += length
                    self.length += length
                    self.linked += length if linked else 0
            else:
                self.walk(child, owner, linked=linked)
                characters += child.characters
                in_links += child.linked
        node.characters, node.linked = characters, in_links
        if is_block:
            self.end(owner)

    def end(self, owner: Node) -> None:
        length, linked = self.length, self.linked
        if not length:
            return
        self.length = self.linked = 0
        if length >= PROSE:
            owner.weight += length - linked if linked <= LINKED * length else -2 * linked
        elif owner.tag in HEADINGS:
            owner.weight -= length if linked else 0
        else:
            owner.weight += SHORT - linked


def _length(text: str) -> int:
    """Characters, those that are not ASCII counted as half their bytes more: Chinese says as much in fewer."""
    text = " ".join(text.split())
    return len(text) if text.isascii() else (len(text) + len(text.encode("utf-8", "replace"))) // 2


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
            own[node] = _prose(node)
            outer = next((each for each in _around(node) if each in own), None)
            if outer is not None:
                own[outer] -= own[node]
                nested.add(node)
    if not own:
        return set()
    longest = max(own, key=own.__getitem__)
    shorter = {node for node in own if own[node] < own[longest] / 3}
    return (shorter | nested) - {longest, *_around(longest)}


def _around(node: Node) -> Iterator[Node]:
    """The elements around one, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def _prose(node: Node) -> int:
    """Characters of an element that are in no link."""
    return node.characters - node.linked


def _is_of_comments(node: Node) -> bool:
    """Whether most of what an element says is comments."""
    if any(is_comments(outer) for outer in (node, *_around(node))):
        return True
    left, said = [node], 0
    while left:
        for child in left.pop().children:
            if isinstance(child, str) or child.dropped:
                continue
            if is_comments(child):
                said += _prose(child)
            else:
                left.append(child)
    return said > _prose(node) / 2


def _sum_of_prose(node: Node) -> float:
    """The weight of all runs of prose in an element, without what is left out."""
    inner = (child for child in node.children if not isinstance(child, str) and not child.dropped)
    return max(node.weight, 0.0) + sum(map(_sum_of_prose, inner))


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
    if own >= score and node.tag not in _NO_PART:
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
    path = {node, *_around(node)}
    for outer in _around(node):
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
