"""What pages and URLs say about links, read into the documents of links and into columns of the frontier.

It sets `in_anchor`, `in_url`, `in_heading` and `in_title`, and tells groups (siblings.py) and templates (templates.py)
which links a page has.
"""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import FOREIGN, Frontier, Ids
from topicrawl.frontier.columns import Columns
from topicrawl.frontier.observation import Observation
from topicrawl.model import Page
from topicrawl.scout.document_rows import PLACES
from topicrawl.scout.grams import Grams
from topicrawl.scout.kinds import LONGEST_NAME, Kinds
from topicrawl.scout.link_documents import ANCHOR, AROUND, KIND, LinkDocuments, Name
from topicrawl.scout.siblings import Siblings
from topicrawl.scout.templates import Templates
from topicrawl.text.link_texts import LinkTokens, cut, images
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
"""Names whose kinds and parts are cached, some 300 bytes each."""

Flags = npt.NDArray[np.bool_]


class LinkReader:
    """Reads links: the words of their URLs once, and what each page says of them."""

    not_stored: ClassVar = ("_named",)

    def __init__(
        self, topic: Ids, tokens: Tokens, wordnet: WordNet | None, frontier: Frontier, *, grams: bool
    ) -> None:
        """`topic`: the tokens of its words. `grams`: parts of names are tokens too."""
        self._tokens = tokens
        self._is_topic = np.zeros(int(topic.max(initial=0)) + 1, np.uint8)
        self._is_topic[topic] = 1
        self._kinds = Kinds(tokens, wordnet)
        self.grams = Grams(tokens, wanted=grams)
        self._named = lru_cache(REMEMBERED)(self._tokens_of_name)
        self.documents = LinkDocuments(frontier.allocator)
        self.siblings = Siblings(frontier.allocator)
        self.templates = Templates(frontier.allocator)

    def name(self, title: str) -> Name:
        """The tokens of an example's title."""
        said = once(np.append(self._tokens.text(title), np.array(self._kinds.of(title), np.int64)))
        grams = np.array(self.grams.of(title), np.int64)
        return Name(np.append(said, grams), np.repeat([ANCHOR, AROUND], [len(said), len(grams)]))

    def read_urls(self, urls: list[str], first: int, columns: Columns) -> None:
        """Read the URLs of new links, from link `first` on; those of other shards are left out."""
        mine = np.flatnonzero(columns["state"][first : first + len(urls)] != FOREIGN)
        places, tokens = self._tokens.urls(
            urls if len(mine) == len(urls) else [urls[at] for at in mine.tolist()]
        )
        links = first + mine[places]
        self.documents.add(links, tokens, np.full(len(links), ANCHOR))
        columns["in_url"][links[self._about(tokens)]] = 1.0

    def read(
        self, seen: Observation, page: Page, text: Words, frontier: Frontier, title: Ids | None = None
    ) -> None:
        """Read what a page says about its links; `text` and `title` are the words of its text and of its title."""
        columns = frontier.columns
        found = links_on_page(list(seen.rows), seen.link, seen.links, columns["state"])
        links, rows, places = (np.frombuffer(found[at], np.int64) for at in (0, 1, 3))
        waits = np.frombuffer(found[2], np.bool_)
        below = self.read_texts(links, page, rows, waits, text, frontier)
        self.read_title(page, seen.links, columns, title)
        self.siblings.add(below[places])  # of each link its first occurrence
        self.templates.add(host_of(page.url), page.links, rows[places], seen.links, columns)

    def read_title(self, page: Page, links: Ids, columns: Columns, title: Ids | None = None) -> None:
        """Have links on a page know whether its title, whose words may be given, contains a word of the topic."""
        words_of_title = self._tokens.text(page.title) if title is None else title
        if not self._topic.isdisjoint(words_of_title.tolist()):
            columns["in_title"][links] = 1.0

    @cached_property
    def _topic(self) -> frozenset[int]:
        """The tokens of the topic's words."""
        return frozenset(np.flatnonzero(self._is_topic).tolist())

    def read_texts(
        self, links: Ids, page: Page, rows: Ids, waits: Flags, text: Words, frontier: Frontier
    ) -> Ids:
        """Read what a page says of links in these rows; returns the number of the heading above each."""
        columns = frontier.columns
        self.documents.know(len(frontier))
        text = cut(page, rows, text, self._tokens)
        below = self.documents.add_texts(page, links, rows, waits, text, self._is_topic, columns)
        self._describe(links, page, rows, waits, columns)
        return below

    def _about(self, tokens: Ids) -> Flags:
        """Which tokens are words of the topic."""
        return (tokens < len(self._is_topic)) & (self._is_topic.take(tokens, mode="clip") > 0)

    def _describe(self, links: Ids, page: Page, rows: Ids, waits: Flags, columns: Columns) -> None:
        """Add what is not in the page's text to the documents of links that wait: images, kinds, parts of names."""
        shown = images(page, rows, self._tokens)
        if len(shown.places):
            columns["in_anchor"][links[shown.places[self._about(shown.tokens)]]] = 1.0
            self._add_tokens(links, waits, shown, ANCHOR)
        anchors, waiting = page.links.anchors, rows[waits].tolist()
        if waiting:
            named = self._named
            self.documents.add_names(links[waits], [named(anchors[row]) for row in waiting])

    def _tokens_of_name(self, name: str) -> bytes:
        """Kinds and parts of a name, each with its place in a document: token × PLACES + place, of 64 bits."""
        if len(name) > LONGEST_NAME:
            return b""
        found = words(name)
        said = [number * PLACES + KIND for number in self._kinds.of_words(found) if number != NO_WORD]
        said += [number * PLACES + AROUND for number in self.grams.of_words(found)]
        return array("q", said).tobytes()

    def _add_tokens(self, links: Ids, waits: Flags, said: LinkTokens, place: int) -> None:
        kept = waits[said.places]
        places = np.full(np.count_nonzero(kept), place)
        self.documents.add(links[said.places[kept]], said.tokens[kept], places)
