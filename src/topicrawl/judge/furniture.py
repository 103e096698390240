"""The lines of a page that say nothing about it: what its host repeats, and lists of links.

A line is a block of the page's text: a paragraph, an entry of a list, a menu. Menus, footers and sidebars stand on most
pages of a host, so their words say nothing about one of them; neither do lists of links to other pages (related pages,
tags, contents), as long as the page says something besides.
"""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Ids
from topicrawl.model import Page, ints
from topicrawl.text.tokens import Words
from topicrawl.urls import host as host_of

FEW = 3
"""Pages of a host that have a line, at least, for it to be furniture."""
OFTEN = 0.3
"""Share of the pages of a host that have it: templates of a part of a site are furniture too."""
LINKED = 0.9
"""Share of its words that are in links, for a line to be a list of links."""
ENOUGH = 20
"""Words outside such lists that a page has, at least, for these to be left out; and more than in them."""
SLOTS = 1 << 18
"""Lines that are counted at a time, 6 bytes each."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""Odd: a product with it differs wherever its factors do."""
_DIGITS = b"0123456789"
"""Left out: *12 comments* and *13 comments* are the same line."""


class Lines(NamedTuple):
    """The lines of a page."""

    of_words: Ids
    """The line of each word."""
    keys: npt.NDArray[np.uint64]
    """A number for what each line says, by host: the same for equal lines."""
    are_furniture: npt.NDArray[np.bool_]
    pages: int
    """Pages of its host that are known, this one included."""


class Furniture:
    """Counts the lines of the pages of each host, in a table of fixed size: rare lines make room for others."""

    def __init__(self) -> None:
        self._tags = np.zeros(SLOTS, np.uint32)
        self._counts = np.zeros(SLOTS, np.uint16)

    def lines(self, page: Page, words: Words, *, is_learned: bool = False) -> Lines:
        """The lines of a page, by all pages that were learned; and by itself, if it was not."""
        texts = page.text.split("\n")
        starts = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])])
        of_words = np.searchsorted(starts, words.starts, side="right") - 1
        sizes = np.bincount(of_words, minlength=len(starts))
        keys = _keys(host_of(page.url) if page.url else "", page.text)
        known = self._known(keys) + (not is_learned)
        repeated = (known >= FEW) & (known >= OFTEN * known[0])
        linked = np.bincount(of_words, _in_links(page, words.starts), len(starts))
        repeated[0] = False  # the title
        lists = (linked >= LINKED * sizes) & ~repeated
        if sizes[~lists & ~repeated].sum() < max(ENOUGH, sizes[lists].sum()):
            lists[:] = False
        return Lines(of_words, keys, (repeated | lists) & (sizes > 0), int(known[0]))

    def learn(self, keys: npt.NDArray[np.uint64]) -> None:
        """Count the lines of a page of the crawl, each once; the first line stands for the page."""
        different, _ = np.unique(keys, return_counts=True)  # without counts numpy imports numpy.ma, 0.1 s
        slots, tags = _places(different)
        known = self._tags[slots] == tags
        room = self._counts[slots] <= 1
        self._counts[slots[known & (self._counts[slots] < np.iinfo(np.uint16).max)]] += np.uint16(1)
        new = slots[~known & room]
        self._tags[new], self._counts[new] = tags[~known & room], 1
        self._counts[slots[~known & ~room]] -= np.uint16(1)

    def _known(self, keys: npt.NDArray[np.uint64]) -> Ids:
        """How many pages that were learned have each line."""
        slots, tags = _places(keys)
        return np.where(self._tags[slots] == tags, self._counts[slots], 0).astype(np.int64)


def _keys(host: str, text: str) -> npt.NDArray[np.uint64]:
    """A number for each line of a host. The first, of the title, is that of the host alone."""
    lines = text.encode("utf-8", "surrogatepass").translate(None, _DIGITS).split(b"\n")
    said = np.array([0, *map(crc32, lines[1:])], np.uint64)
    keys: npt.NDArray[np.uint64] = (said | np.uint64(crc32(host.encode()) << 32)) * _FACTOR
    return keys


def _places(keys: npt.NDArray[np.uint64]) -> tuple[Ids, npt.NDArray[np.uint32]]:
    """The slot of each line, and the number that tells it from others in this slot."""
    return (keys >> np.uint64(46)).astype(np.int64), (keys >> np.uint64(14)).astype(np.uint32)


def _in_links(page: Page, starts: Ids) -> npt.NDArray[np.bool_]:
    """Which of the words that begin at `starts` are in the anchor of a link."""
    begins, ends = (np.sort(ints(each)) for each in (page.links.starts, page.links.ends))
    before: npt.NDArray[np.bool_] = np.searchsorted(begins, starts, side="right") > np.searchsorted(
        ends, starts, side="right"
    )
    return before
