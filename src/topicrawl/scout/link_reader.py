"""What pages and URLs say about links, read into their documents; templates (templates.py) learn where links are."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import FOREIGN, Frontier, Ids
from topicrawl.frontier.columns import Columns
from topicrawl.frontier.observation import Observation
from topicrawl.model import Page
from topicrawl.scout.document_rows import PLACES
from topicrawl.scout.kinds import LONGEST_NAME, Kinds
from topicrawl.scout.link_documents import ANCHOR, KIND, LinkDocuments, Name
from topicrawl.scout.templates import Templates
from topicrawl.text.link_texts import cut, images
from topicrawl.text.new_words import NO_WORD
from topicrawl.text.tokens import Tokens, Words, once
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.words import words
from topicrawl.urls import host as host_of

try:
    from topicrawl._native import links_on_page
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.page_links import links_on_page

REMEMBERED = 1 << 14
"""Names whose kinds are cached, some 300 bytes each."""

Flags = npt.NDArray[np.bool_]


class LinkReader:
    """Reads links: the words of their URLs once, and what each page says of them."""

    not_stored: ClassVar = ("_named",)

    def __init__(self, tokens: Tokens, wordnet: WordNet | None, frontier: Frontier) -> None:
        self._tokens, self._kinds = tokens, Kinds(tokens, wordnet)
        self._named = lru_cache(REMEMBERED)(self._kinds_of)
        self.documents = LinkDocuments(frontier.allocator)
        self.templates = Templates(frontier.allocator)

    def name(self, title: str) -> Name:
        """The tokens of an example's title."""
        said = once(np.append(self._tokens.text(title), np.array(self._kinds.of(title), np.int64)))
        return Name(said, np.full(len(said), ANCHOR))

    def read_urls(self, urls: list[str], first: int, columns: Columns) -> None:
        """Read the URLs of new links, from link `first` on; those of other shards are left out."""
        mine = np.flatnonzero(columns["state"][first : first + len(urls)] != FOREIGN)
        places, tokens = self._tokens.urls(
            urls if len(mine) == len(urls) else [urls[at] for at in mine.tolist()]
        )
        self.documents.add(first + mine[places], tokens, np.full(len(tokens), ANCHOR))

    def read(self, seen: Observation, page: Page, text: Words, frontier: Frontier) -> None:
        """Read what a page, whose words are `text`, says about its links."""
        columns = frontier.columns
        found = links_on_page(list(seen.rows), seen.link, seen.links, columns["state"])
        links, rows, places = (np.frombuffer(found[at], np.int64) for at in (0, 1, 3))
        self.read_texts(links, page, rows, np.frombuffer(found[2], np.bool_), text, frontier)
        self.templates.add(host_of(page.url), page.links, rows[places], seen.links, columns)

    def read_texts(
        self, links: Ids, page: Page, rows: Ids, waits: Flags, text: Words, frontier: Frontier
    ) -> None:
        """Read what a page says of links in these rows, for those that wait."""
        self.documents.know(len(frontier))
        self.documents.add_texts(page, links, rows, waits, cut(page, rows, text, self._tokens))
        shown = images(page, rows, self._tokens)
        if len(shown.places):
            kept = waits[shown.places]
            said = shown.tokens[kept]
            self.documents.add(links[shown.places[kept]], said, np.full(len(said), ANCHOR))
        anchors, named = page.links.anchors, self._named
        if waiting := rows[waits].tolist():
            self.documents.add_names(links[waits], [named(anchors[row]) for row in waiting])

    def _kinds_of(self, name: str) -> bytes:
        """The kinds of a name, each with its place in a document: token × PLACES + place, of 64 bits."""
        if len(name) > LONGEST_NAME:
            return b""
        numbers = self._kinds.of_words(words(name))
        return array("q", [number * PLACES + KIND for number in numbers if number != NO_WORD]).tobytes()
