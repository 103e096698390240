"""Pages cut to some of their links: the text around these and the headings above them, for a letter to another shard.

What strategies read of a link (anchor, words around it, heading, tag path, title of the page) is as on the whole page.
"""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.model import Links, Page, TermCounts, ints, pack_ints
from topicrawl.page.tag_paths import NO_PATH
from topicrawl.value.link_texts import headings

AROUND = 90
"""Characters on either side of an anchor that are told."""
HEADING = 160
"""Characters of a heading that are told, the last ones."""
TITLE = 200
"""Characters of a title that are told."""


def cut(page: Page, rows: Ids) -> Page:
    """The page with the links in `rows` alone, the text around them and the headings above them."""
    starts, ends = (ints(each)[rows].astype(np.int64) for each in (page.links.starts, page.links.ends))
    pieces = _pieces(page, starts, ends)
    text = "\n".join(page.text[begin:end] for begin, end in pieces)
    begins = np.array([begin for begin, _ in pieces], dtype=np.int64)
    lengths = np.array([end - begin for begin, end in pieces], dtype=np.int64)
    places = np.cumsum(lengths + 1) - lengths - 1
    """Where each piece is in the new text."""
    own = np.searchsorted(begins, starts, side="right") - 1
    moved = places[own] - begins[own]
    segment_starts, segment_groups = _segments(page, begins, lengths, places)
    links = page.links
    paths = np.frombuffer(links.path_numbers, np.uint8)[rows] if links.path_numbers else None
    used = [] if paths is None else sorted({int(path) for path in paths if path < len(links.tag_paths)})
    renumbered = {path: number for number, path in enumerate(used)}
    return Page(
        page.url,
        page.title[:TITLE],
        page.language,
        text,
        pack_ints(segment_starts),
        pack_ints(segment_groups),
        Links(
            [links.urls[row] for row in rows.tolist()],
            [links.anchors[row] for row in rows.tolist()],
            [links.titles[row] for row in rows.tolist()],
            pack_ints(starts + moved),
            pack_ints(ends + moved),
            bytes(links.flags[row] for row in rows.tolist()) if links.flags else b"",
            [links.tag_paths[path] for path in used],
            b"" if paths is None else bytes(renumbered.get(int(path), NO_PATH) for path in paths),
        ),
    )


def _pieces(page: Page, starts: Ids, ends: Ids) -> list[tuple[int, int]]:
    """The parts of a page's text that are told, in order, none of which overlap."""
    heads, tails = headings(page)
    spans = [(_after_space(page.text, start - AROUND), end + AROUND) for start, end in _pairs(starts, ends)]
    spans = [(begin, _before_space(page.text, end)) for begin, end in spans]
    below = np.searchsorted(heads, starts, side="right")
    for last in {*below.tolist(), *(below - 1).tolist()}:  # a link in a heading belongs to the one before
        if last > 0:
            spans.append((max(int(heads[last - 1]), int(tails[last - 1]) - HEADING), int(tails[last - 1])))
    merged = list[tuple[int, int]]()
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((begin, end))
    return merged


def _pairs(starts: Ids, ends: Ids) -> list[tuple[int, int]]:
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _after_space(text: str, place: int) -> int:
    """The begin of the first word at or after a place, or the place itself where no space is near."""
    if place <= 0 or text[place - 1].isspace():
        return max(place, 0)
    near = text[place : place + AROUND // 2]
    return next((place + at + 1 for at, letter in enumerate(near) if letter.isspace()), place)


def _before_space(text: str, place: int) -> int:
    """The end of the last word before a place, or the place itself where no space is near."""
    if place >= len(text) or text[place].isspace():
        return min(place, len(text))
    near = text[place - AROUND // 2 : place]
    return next((place - 1 - at for at, letter in enumerate(reversed(near)) if letter.isspace()), place)


def _segments(page: Page, begins: Ids, lengths: Ids, places: Ids) -> tuple[list[int], list[int]]:
    """Begins and groups of the segments of the new text."""
    starts, groups = ints(page.segment_starts), ints(page.segment_groups)
    new_starts, new_groups = list[int](), list[int]()
    for begin, length, place in zip(begins.tolist(), lengths.tolist(), places.tolist(), strict=True):
        first = max(int(np.searchsorted(starts, begin, side="right")) - 1, 0)
        last = int(np.searchsorted(starts, begin + length, side="left"))
        for segment in range(first, last):
            new_starts.append(place + max(int(starts[segment]) - begin, 0))
            new_groups.append(int(groups[segment]))
    return new_starts, new_groups


def cut_counts(counts: TermCounts | None, rows: Ids) -> TermCounts | None:
    """The terms in the anchors of some rows, which are numbered anew."""
    if counts is None or not counts.anchor_rows:
        return None
    old = ints(counts.anchor_rows)
    kept = np.isin(old, rows)
    if not kept.any():
        return None
    return TermCounts(
        anchor_rows=pack_ints(np.searchsorted(rows, old[kept])),
        anchor_terms=pack_ints(ints(counts.anchor_terms)[kept]),
        anchor_counts=pack_ints(ints(counts.anchor_counts)[kept]),
    )
