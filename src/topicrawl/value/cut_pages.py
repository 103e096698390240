"""Pages cut to some of their links: the text around these and the headings above them, for a letter to another shard.

What strategies read of a link (anchor, words around it, heading, tag path, title of the page) is as on the whole page.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from topicrawl.model import Links, Page, TermCounts, ints, pack_ints
from topicrawl.page.tag_paths import NO_PATH
from topicrawl.text.link_texts import headings

AROUND = 90
"""Characters on either side of an anchor that are told."""
HEADING = 160
"""Characters of a heading that are told, the last ones."""
TITLE = 200
"""Characters of a title that are told."""

Span = tuple[int, int]


class CutPage:
    """A page, to be cut for several receivers. Few links are told of most pages: lists are faster than arrays here."""

    def __init__(self, page: Page, counts: TermCounts | None = None) -> None:
        self._page = page
        self._starts, self._ends = ints(page.links.starts).tolist(), ints(page.links.ends).tolist()
        self._segments = ints(page.segment_starts).tolist()
        self._groups = ints(page.segment_groups).tolist()
        self._heads, self._tails = (each.tolist() for each in headings(page))
        self._anchors = [] if counts is None else _triples(counts)

    def cut(self, rows: Sequence[int]) -> Page:
        """The page with the links in `rows` alone, the text around them and the headings above them."""
        page, links = self._page, self._page.links
        pieces = self._pieces(rows)
        begins, places, place = [begin for begin, _ in pieces], list[int](), 0
        for begin, end in pieces:
            places.append(place)
            place += end - begin + 1
        moved = [
            places[at] - begins[at] for at in (bisect_right(begins, self._starts[row]) - 1 for row in rows)
        ]
        segments, groups = self._segments_in(pieces, places)
        numbers = [links.path_numbers[row] for row in rows] if links.path_numbers else []
        used = sorted({number for number in numbers if number < len(links.tag_paths)})
        new_number = {number: place for place, number in enumerate(used)}
        return Page(
            page.url,
            page.title[:TITLE],
            page.language,
            "\n".join([page.text[begin:end] for begin, end in pieces]),
            pack_ints(segments),
            pack_ints(groups),
            Links(
                [links.urls[row] for row in rows],
                [links.anchors[row] for row in rows],
                [links.titles[row] for row in rows],
                pack_ints([self._starts[row] + by for row, by in zip(rows, moved, strict=True)]),
                pack_ints([self._ends[row] + by for row, by in zip(rows, moved, strict=True)]),
                bytes([links.flags[row] for row in rows]) if links.flags else b"",
                [links.tag_paths[number] for number in used],
                bytes([new_number.get(number, NO_PATH) for number in numbers]),
            ),
        )

    def counts(self, rows: Sequence[int]) -> TermCounts | None:
        """The terms in the anchors of these links; None if there are none."""
        place = {row: number for number, row in enumerate(rows)}
        found = [(place[row], term, count) for row, term, count in self._anchors if row in place]
        if not found:
            return None
        of, terms, counts = (pack_ints(column) for column in zip(*found, strict=True))
        return TermCounts(anchor_rows=of, anchor_terms=terms, anchor_counts=counts)

    def _pieces(self, rows: Sequence[int]) -> list[Span]:
        """The parts of the text that are told, in order, none of which overlap."""
        text, spans = self._page.text, set[Span]()
        for row in rows:
            start, end = self._starts[row], self._ends[row]
            spans.add((_after_space(text, start - AROUND), _before_space(text, end + AROUND)))
            below = bisect_right(self._heads, start)
            for heading in (below - 1, below - 2):  # a link in a heading belongs to the one before
                if heading >= 0:
                    tail = self._tails[heading]
                    spans.add((max(self._heads[heading], tail - HEADING), tail))
        merged = list[Span]()
        for begin, end in sorted(spans):
            if merged and begin <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(merged[-1][1], end)
            else:
                merged.append((begin, end))
        return merged

    def _segments_in(self, pieces: Sequence[Span], places: Sequence[int]) -> tuple[list[int], list[int]]:
        """Begins and groups of the segments of the new text."""
        starts, groups = list[int](), list[int]()
        for (begin, end), place in zip(pieces, places, strict=True):
            first = max(bisect_right(self._segments, begin) - 1, 0)
            for segment in range(first, bisect_left(self._segments, end)):
                starts.append(place + max(self._segments[segment] - begin, 0))
                groups.append(self._groups[segment])
        return starts, groups


def _triples(counts: TermCounts) -> list[tuple[int, int, int]]:
    columns = (counts.anchor_rows, counts.anchor_terms, counts.anchor_counts)
    return list(zip(*(ints(column).tolist() for column in columns), strict=True))


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
