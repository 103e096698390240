"""The main text of pages of a run, from its archive: a page in the log has its text, but not its HTML."""

from __future__ import annotations

from typing import NamedTuple

from topicrawl.model import Page
from topicrawl.page.decode import decode
from topicrawl.page.main.extract import MainText, main_text, text_of_page
from topicrawl.page.read import html_of
from topicrawl.store.run import Run
from topicrawl.store.warc import sha1
from topicrawl.web.warc_record import read_visit


class Copy(NamedTuple):
    """The archived copy of a page: its markup, or where it is no HTML its text; digests of answer and copy."""

    text: str
    is_html: bool
    digest: str
    read_digest: str


class Found(NamedTuple):
    """The main text of a page, the digests of the archived answer and of what was read, and whether there is one."""

    main: MainText
    digest: str = ""
    read_digest: str = ""
    archived: bool = False


def archived_copy(run: Run, n: int) -> Copy | None:
    """The copy of visit n in the archive, of a rendered page what the browser showed; None if it cannot be read."""
    records = run.archived(n)
    shown = read_visit(records) if records else None
    if shown is None:
        return None
    recorded, digest = shown
    content_type = next((value for name, value in recorded.headers if name.lower() == "content-type"), "")
    html = html_of(recorded.content, content_type)
    if html is None:
        return Copy(decode(recorded.content, content_type)[0], False, digest, sha1(recorded.content))
    return Copy(html, True, digest, sha1(recorded.content))


def find_main_text(run: Run, n: int, page: Page) -> Found:
    """The main text of the page of visit n; where the archive has no HTML of it, or that no text, all it says."""
    copy = archived_copy(run, n)
    if copy is None:
        return Found(text_of_page(page))
    main = main_text(page.url, copy.text) if copy.is_html else None
    return Found(
        main if main and main.text else text_of_page(page), copy.digest, copy.read_digest, archived=True
    )
