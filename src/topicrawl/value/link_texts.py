"""What a page says about its links: anchor, words around it, the heading above, the words of the URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.model import IMAGE, Page, ints
from topicrawl.page.groups import PARAGRAPH
from topicrawl.value.tokens import Tokens, Words
from topicrawl.value.vocabulary import NO_WORD

AROUND = 12
"""Words on either side of an anchor."""
HEADING = 20
"""Words of a heading that are read, the last."""
_NOTHING: Ids = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Said:
    """Tokens about links: `places[i]` is the place of the link, among those asked for, that `tokens[i]` is said of."""

    places: Ids
    tokens: Ids


@dataclass(frozen=True, slots=True)
class LinkTexts:
    """The texts of some links of a page, and below which heading of the page each link stands (0: below none)."""

    anchor: Said
    around: Said
    heading: Said
    below: Ids


def link_texts(page: Page, rows: Ids, said: Words, tokens: Tokens) -> LinkTexts:
    """The texts of the links in `rows` of the page, whose words are `said`."""
    begin, end = ints(page.links.starts)[rows].astype(np.int64), ints(page.links.ends)[rows].astype(np.int64)
    first, last = np.searchsorted(said.starts, begin), np.searchsorted(said.starts, end)
    around = _join(
        spans(said.tokens, np.maximum(first - AROUND, 0), first),
        spans(said.tokens, last, np.minimum(last + AROUND, len(said.tokens))),
    )
    below, heads, tails = _headings(page, begin)
    head, tail = np.searchsorted(said.starts, heads), np.searchsorted(said.starts, tails)
    return LinkTexts(
        _join(spans(said.tokens, first, last), _images(page, rows, tokens)),
        around,
        spans(said.tokens, np.maximum(head, tail - HEADING), tail),
        below,
    )


def _headings(page: Page, places: Ids) -> tuple[Ids, Ids, Ids]:
    """For each place in the text the number of the heading above it, and where that begins and ends."""
    starts, groups = ints(page.segment_starts).astype(np.int64), ints(page.segment_groups)
    ends = np.append(starts[1:], len(page.text))
    heads = np.flatnonzero(groups < PARAGRAPH)
    number = np.searchsorted(starts[heads], places, side="right")
    begin, end = np.append(0, starts[heads]), np.append(0, ends[heads])
    number -= (number > 0) & (end[number] > places)  # a link in a heading stands below the one before
    return number, begin[number], end[number]


def of_each(found: Sequence[Ids]) -> Said:
    """Tokens of every link, as said of it."""
    places = np.repeat(np.arange(len(found)), [len(tokens) for tokens in found])
    return Said(places, np.concatenate([_NOTHING, *found]))


def _images(page: Page, rows: Ids, tokens: Tokens) -> Said:
    """What describes image links stands outside the text."""
    flags, anchors = page.links.flags, page.links.anchors
    return of_each([tokens.text(anchors[row]) if flags[row] & IMAGE else _NOTHING for row in rows.tolist()])


def spans(tokens: Ids, first: Ids, last: Ids) -> Said:
    """The tokens that say something, from `first` to before `last` for each link."""
    lengths = np.maximum(last - first, 0)
    places = np.repeat(np.arange(len(first)), lengths)
    skipped = np.cumsum(lengths) - lengths
    found = tokens[np.arange(len(places)) + (first - skipped)[places]]
    something = np.flatnonzero(found != NO_WORD)
    return Said(places[something], found[something])


def _join(one: Said, other: Said) -> Said:
    return Said(np.concatenate((one.places, other.places)), np.concatenate((one.tokens, other.tokens)))
