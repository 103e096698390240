"""Plain text to `Page`: the first line is the title, all of it counts like a paragraph, nothing in it is a link."""

from __future__ import annotations

from topicrawl.model import Page, pack_ints
from topicrawl.page.groups import PARAGRAPH
from topicrawl.page.normalize import TEXT_LIMIT, fold, nfkc


def read_plain(url: str, text: str) -> Page:
    """What the plain `text` found at `url` says."""
    lines = (" ".join(line.split()) for line in nfkc(text[:TEXT_LIMIT]).splitlines())
    said = "\n".join(line for line in lines if line)[:TEXT_LIMIT]
    return Page(
        url=url,
        title=fold(said.partition("\n")[0]),
        text=said,
        segment_starts=pack_ints([0] if said else []),
        segment_groups=pack_ints([PARAGRAPH] if said else []),
    )
