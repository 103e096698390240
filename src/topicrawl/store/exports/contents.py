"""What an export says of each page: its text as chosen, and where and when it was fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from topicrawl.model import Page, Visit
from topicrawl.page.main.extract import MainText, text_of_page
from topicrawl.store.exports.selection import ALL, Selection
from topicrawl.store.main_texts import Found, find_main_text
from topicrawl.store.run import Run


@dataclass(frozen=True)
class Content:
    """A chosen page. Its main text, the costly part, is found when first asked for."""

    run: Run
    visit: Visit
    page: Page
    is_all: bool
    """Whether everything that the page says is its text."""
    relevance_now: float
    started: float
    """When it was fetched, in seconds since 1970."""

    @cached_property
    def _found(self) -> Found:
        return find_main_text(self.run, self.visit.n, self.page)

    @property
    def main(self) -> MainText:
        return self._found.main

    @property
    def digest(self) -> str:
        """Digest of the answer as it was sent, as the archive has it; empty where it is not archived."""
        return self._found.digest

    @property
    def read_digest(self) -> str:
        """Digest of what was read of it; empty where it is not archived."""
        return self._found.read_digest

    @property
    def lacks_copy(self) -> bool:
        """Whether its main text was asked for, and the archive has no copy of the page that can be read."""
        return "_found" in vars(self) and not self._found.archived

    @property
    def fetched_at(self) -> str:
        """When it was fetched: UTC, to the second."""
        return datetime.fromtimestamp(self.started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def title(self) -> str:
        return self.page.title or self.visit.title

    @property
    def text(self) -> str:
        return self.page.text if self.is_all else self.main.text

    @property
    def markdown(self) -> str:
        return text_of_page(self.page).markdown if self.is_all else self.main.markdown


def contents(selection: Selection) -> Iterator[Content]:
    """The chosen pages in the order they were fetched."""
    moments = selection.run.timings(selection.after)
    is_all, without_copy = selection.text == ALL, 0
    for visit, page in selection.pages():
        started = next(timing.started for n, timing in moments if n == visit.n)
        content = Content(selection.run, visit, page, is_all, selection.relevance(visit), started)
        yield content
        without_copy += content.lacks_copy
    if without_copy and not is_all:
        selection.say(
            f"the archive has no readable copy of {without_copy:,} of the pages; their text is all that they say"
        )
