"""HTML, or a page that is no HTML, to its main text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

from topicrawl import urls
from topicrawl.model import Page, ints
from topicrawl.page.html import shown
from topicrawl.page.main.bodies import has_article_body
from topicrawl.page.main.document import read_tree
from topicrawl.page.main.facts import Facts, read_facts
from topicrawl.page.main.markdown import markdown
from topicrawl.page.main.part import article_part, page_part
from topicrawl.page.main.text import plain_text
from topicrawl.page.main.tree import HEADINGS, Node, elements, inner_text

_TAG_OF = {0: "h1", 1: "h2", 2: "h3"}
"""Tag of a block of a page's text that is wholly in one tag group: h1, then h2 and h3, then h4 to h6 and strong."""
_OTHERS = re.compile(r"[\W_]+")
LONGEST_TITLE = 1_000
"""Letters; only so much of a title is compared, and no longer heading, so that many headings take little time."""


@dataclass(frozen=True)
class MainText:
    """The main text of a page. Author and date are empty where the page does not mark them."""

    title: str
    author: str
    date: str
    """When it was published: a day or a moment as ISO 8601 writes it."""
    part: Node
    """The element that holds the text; `dropped` says what is left out inside."""
    base: str
    """URL to which the links in it are relative."""

    @cached_property
    def text(self) -> str:
        """As plain text: a line for each paragraph, heading, item and row."""
        return plain_text(self.part)

    @cached_property
    def markdown(self) -> str:
        """As CommonMark with the tables of GitHub; nothing that the page says becomes markup."""
        return markdown(self.part, self.base)


def main_text(url: str, html: str) -> MainText:
    """The main text of the HTML page at `url`: of an article that alone, of other pages all but the furniture.

    The title of the page is not in the text. Takes time linear in the size of the page, and raises on none.
    """
    document = read_tree(shown(url, html))
    facts = read_facts(document)
    is_article = facts.is_article or (facts.may_be_article and has_article_body(document.root))
    part = (article_part(document.root) if is_article else None) or page_part(document.root)
    _leave_out_title(part, facts)
    _leave_out_last_headings(part)
    base = urls.join(url, document.base) if document.base else None
    return MainText(facts.title, facts.author, facts.date, part, base or url)


def text_of_page(page: Page) -> MainText:
    """All text of a page that was read before, where its HTML is not at hand, or is none."""
    starts, groups = ints(page.segment_starts).tolist(), ints(page.segment_groups).tolist()
    body, at = Node("body"), 0
    for line in page.text.split("\n"):
        first = max(bisect_right(starts, at) - 1, 0)
        kinds = set(groups[first : bisect_left(starts, at + len(line))])
        in_head = first == 0  # title, keywords and description come first, in one segment
        tag = _TAG_OF.get(kinds.pop(), "p") if len(kinds) == 1 and not in_head else "p"
        block = Node(tag)
        block.children.append(line)
        block.dropped = line == page.title
        body.children.append(block)
        at += len(line) + 1
    return MainText(page.title, "", "", body, page.url)


def _leave_out_title(part: Node, facts: Facts) -> None:
    """Drop the headings that repeat a title of the page."""
    titles = {_letters(title)[:LONGEST_TITLE] for title in facts.titles}
    for node in elements(part):
        if node.tag in HEADINGS and 0 < len(said := _letters(inner_text(node))) <= LONGEST_TITLE:
            whole = said in titles or (node.tag == "h1" and any(said in title for title in titles))
            node.dropped = node.dropped or whole


def _letters(text: str) -> str:
    """Letters and digits of a text, to compare titles."""
    return _OTHERS.sub("", text).lower()


def _leave_out_last_headings(node: Node) -> bool:
    """Drop the headings at the end of an element, which are those of what was left out; whether there is other text."""
    for child in reversed(node.children):
        if isinstance(child, str):
            if not child.isspace():
                return True
        elif child.tag in HEADINGS:
            child.dropped = True
        elif not child.dropped and _leave_out_last_headings(child):
            return True
    return False
