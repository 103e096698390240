"""Pages joined to one, to be read at once: letters of other shards are many small pages (cut_pages.py).

What is read of a link is as on its own page (of one on several pages that has too many words for its document, others
of them may be kept). Between two pages are words that say nothing, as many as are read around
an anchor. Each page begins with a heading without text, so that no heading of another page is above its links.
"""

from __future__ import annotations

from collections.abc import Sequence

from topicrawl.model import Links, Page, ints, pack_ints
from topicrawl.page.groups import PARAGRAPH
from topicrawl.text.link_texts import AROUND

BETWEEN = "\n" + "a " * AROUND + "\n"
"""Single letters are no words."""
HEADING = 0


def joined(pages: Sequence[Page]) -> Page:
    """The texts of pages and the rows of their links, one after the other; without URLs and tag paths."""
    place, texts, anchors, flags = 0, list[str](), list[str](), bytearray()
    starts, ends, segments, groups = list[int](), list[int](), list[int](), list[int]()
    for page in pages:
        links, end = page.links, place + len(page.text)
        texts.append(page.text)
        anchors += links.anchors
        flags += links.flags or bytes(len(links.urls))
        starts += [place + start for start in ints(links.starts).tolist()]
        ends += [place + end for end in ints(links.ends).tolist()]
        segments += [place, *[place + start for start in ints(page.segment_starts).tolist()], end]
        groups += [HEADING, *ints(page.segment_groups).tolist(), PARAGRAPH]
        place = end + len(BETWEEN)
    return Page(
        "",
        text=BETWEEN.join(texts),
        segment_starts=pack_ints(segments),
        segment_groups=pack_ints(groups),
        links=Links(anchors=anchors, starts=pack_ints(starts), ends=pack_ints(ends), flags=bytes(flags)),
    )
