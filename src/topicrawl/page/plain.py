"""Plain text to `Page`: the first line is the title, all of it is in the group of paragraphs, and it has no links."""

from __future__ import annotations

from topicrawl.model import Page, pack_ints
from topicrawl.page.groups import PARAGRAPH
from topicrawl.page.normalize import TEXT_LIMIT, fold, nfkc


def read_plain(url: str, text: str) -> Page:
    """The plain `text` at `url` as a page."""
    lines = (" ".join(line.split()) for line in nfkc(text[:TEXT_LIMIT]).splitlines())
    body = "\n".join(line for line in lines if line)[:TEXT_LIMIT]
    return Page(
        url=url,
        title=fold(body.partition("\n")[0]),
        text=body,
        segment_starts=pack_ints([0] if body else []),
        segment_groups=pack_ints([PARAGRAPH] if body else []),
    )
