"""The texts of links on a page: anchor, words around it, the heading above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.model import IMAGE, Page, ints
from topicrawl.page.groups import PARAGRAPH
from topicrawl.topic.letters import RUNNING, kinds
from topicrawl.value.tokens import Tokens, Words
from topicrawl.value.vocabulary import NO_WORD

AROUND = 12
"""Words on either side of an anchor."""
HEADING = 20
"""Words of a heading that are used, the last ones."""
_NOTHING: Ids = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class LinkTokens:
    """Tokens of links: `tokens[i]` belongs to the link at `places[i]` in the list of links."""

    places: Ids
    tokens: Ids


@dataclass(frozen=True, slots=True)
class LinkTexts:
    """The texts of some links of a page, and the number of the heading above each link (0: none)."""

    anchor: LinkTokens
    around: LinkTokens
    heading: LinkTokens
    below: Ids


def link_texts(page: Page, rows: Ids, text: Words, tokens: Tokens) -> LinkTexts:
    """The texts of the links in `rows` of the page; `text` are the words of the page."""
    begin, end = ints(page.links.starts)[rows].astype(np.int64), ints(page.links.ends)[rows].astype(np.int64)
    first, last = np.searchsorted(text.starts, begin), np.searchsorted(text.starts, end)
    around = _join(
        spans(text.tokens, np.maximum(first - AROUND, 0), first),
        spans(text.tokens, last, np.minimum(last + AROUND, len(text.tokens))),
    )
    below, heads, tails = _headings(page, begin)
    head, tail = np.searchsorted(text.starts, heads), np.searchsorted(text.starts, tails)
    return LinkTexts(
        _join(spans(_whole(page.text, text, end, last, tokens), first, last), _images(page, rows, tokens)),
        around,
        spans(text.tokens, np.maximum(head, tail - HEADING), tail),
        below,
    )


def _whole(text: str, read: Words, ends: Ids, last: Ids, tokens: Tokens) -> Ids:
    """The tokens of a text where anchors end at `ends`, before the words `last`: no pair of characters goes beyond one.

    In a script without spaces the last character of an anchor is paired with the next one, which is not part of it.
    """
    if text.isascii():
        return read.tokens
    inside = np.flatnonzero((ends > 0) & (ends < len(text)))
    kept = "".join(text[end - 1 : end + 1] for end in ends[inside].tolist())
    crossing = inside[(kinds(kept) == RUNNING).reshape(-1, 2).all(axis=1)]
    if not len(crossing):
        return read.tokens
    whole = read.tokens.copy()
    whole[last[crossing] - 1] = tokens.vocabulary.numbers([text[end - 1] for end in ends[crossing].tolist()])
    return whole


def _headings(page: Page, places: Ids) -> tuple[Ids, Ids, Ids]:
    """For each place in the text the number of the heading above it, and where that begins and ends."""
    starts, groups = ints(page.segment_starts).astype(np.int64), ints(page.segment_groups)
    ends = np.append(starts[1:], len(page.text))
    heads = np.flatnonzero(groups < PARAGRAPH)
    number = np.searchsorted(starts[heads], places, side="right")
    begin, end = np.append(0, starts[heads]), np.append(0, ends[heads])
    number -= (number > 0) & (end[number] > places)  # a link in a heading belongs to the heading before
    return number, begin[number], end[number]


def of_each(found: Sequence[Ids]) -> LinkTokens:
    """One `LinkTokens` from the tokens of every link."""
    places = np.repeat(np.arange(len(found)), [len(tokens) for tokens in found])
    return LinkTokens(places, np.concatenate([_NOTHING, *found]))


def _images(page: Page, rows: Ids, tokens: Tokens) -> LinkTokens:
    """Descriptions of image links, which are not in the page's text."""
    flags, anchors = page.links.flags, page.links.anchors
    return of_each([tokens.text(anchors[row]) if flags[row] & IMAGE else _NOTHING for row in rows.tolist()])


def spans(tokens: Ids, first: Ids, last: Ids) -> LinkTokens:
    """The tokens from `first` to before `last` for each link, without `NO_WORD`."""
    lengths = np.maximum(last - first, 0)
    places = np.repeat(np.arange(len(first)), lengths)
    skipped = np.cumsum(lengths) - lengths
    found = tokens[np.arange(len(places)) + (first - skipped)[places]]
    kept = np.flatnonzero(found != NO_WORD)
    return LinkTokens(places[kept], found[kept])


def _join(one: LinkTokens, other: LinkTokens) -> LinkTokens:
    return LinkTokens(np.concatenate((one.places, other.places)), np.concatenate((one.tokens, other.tokens)))
