"""The texts of links on a page: anchor, words around it, the heading above."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.model import IMAGE, Ints, Page, ints
from topicrawl.page.groups import PARAGRAPH
from topicrawl.text.new_words import NO_WORD
from topicrawl.text.tokens import Tokens, Words
from topicrawl.topic.letters import RUNNING, kinds

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
    found = texts_at(*anchors(page, rows), cut(page, rows, text, tokens), *headings(page))
    return replace(found, anchor=_join(found.anchor, images(page, rows, tokens)))


def cut(page: Page, rows: Ids, text: Words, tokens: Tokens) -> Words:
    """The words of the page, where no pair of characters goes beyond the end of an anchor in `rows`.

    In a script without spaces the last character of an anchor is paired with the next one, which is not part of it.
    """
    if page.text.isascii():
        return text
    gaps = text.starts[1:] - text.starts[:-1]
    if gaps.min(initial=2) > 1:  # no two characters that are words of their own
        return text
    ends = anchors(page, rows)[1]
    ends = ends[(ends > 0) & (ends < len(page.text))]
    either = "".join([page.text[end - 1 : end + 1] for end in ends.tolist()])
    if either.isascii():
        return text
    ends = ends[(kinds(either) == RUNNING).reshape(-1, 2).all(axis=1)]
    if not len(ends):
        return text
    whole = text.tokens.copy()
    alone = tokens.vocabulary.numbers([page.text[end - 1] for end in ends.tolist()])
    whole[np.searchsorted(text.starts, ends) - 1] = alone
    return Words(whole, text.starts)


def texts_at(begins: Ids, ends: Ids, text: Words, heads: Ids, tails: Ids) -> LinkTexts:
    """The texts of links with anchors from `begins` to `ends`, on a page with headings from `heads` to `tails`.

    Native code (`add_link_texts`) does the same, many times faster.
    """
    first, last = np.searchsorted(text.starts, begins), np.searchsorted(text.starts, ends)
    around = _join(
        spans(text.tokens, np.maximum(first - AROUND, 0), first),
        spans(text.tokens, last, np.minimum(last + AROUND, len(text.tokens))),
    )
    below = np.searchsorted(heads, begins, side="right")
    tail_of = np.append(0, tails)
    below -= (below > 0) & (tail_of[below] > begins)  # a link in a heading belongs to the heading before
    head = np.searchsorted(text.starts, np.append(0, heads)[below])
    tail = np.searchsorted(text.starts, tail_of[below])
    return LinkTexts(
        spans(text.tokens, first, last),
        around,
        spans(text.tokens, np.maximum(head, tail - HEADING), tail),
        below,
    )


def anchors(page: Page, rows: Ids) -> tuple[Ids, Ids]:
    """Where the anchors in these rows begin and end."""
    begins, ends = ints(page.links.starts)[rows], ints(page.links.ends)[rows]
    return begins.astype(np.int64), ends.astype(np.int64)


def headings(page: Page) -> tuple[Ids, Ids]:
    """Where the headings of a page begin and end."""
    return headings_of(ints(page.segment_starts), ints(page.segment_groups), len(page.text))


def headings_of(segments: Ints, groups: Ints, length: int) -> tuple[Ids, Ids]:
    """Where the headings among the segments of a text of this length begin and end."""
    ends, are_heads = np.append(segments[1:], length), groups < PARAGRAPH
    return segments[are_heads].astype(np.int64), ends[are_heads].astype(np.int64)


def images(page: Page, rows: Ids, tokens: Tokens) -> LinkTokens:
    """Descriptions of image links, which are not in the page's text."""
    flags, anchors = page.links.flags, page.links.anchors
    if not any(flag & IMAGE for flag in set(flags)):
        return LinkTokens(_NOTHING, _NOTHING)
    shown = np.flatnonzero(np.frombuffer(flags, np.uint8)[rows] & IMAGE)
    texts = [anchors[row] for row in rows[shown].tolist()]
    if not any(texts):
        return LinkTokens(_NOTHING, _NOTHING)
    found, starts = tokens.words("\n".join(texts))
    said = np.flatnonzero(found != NO_WORD)
    begins = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])])
    return LinkTokens(shown[np.searchsorted(begins, starts[said], side="right") - 1], found[said])


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
