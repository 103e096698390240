"""A run on disk, for people who script: its visits, pages and links, and questions about them."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from topicrawl.api.tables import Tables
from topicrawl.api.visit import Visit, with_page
from topicrawl.crawling import explain
from topicrawl.crawling.judged import relevance_now
from topicrawl.crawling.lifecycle import summary_of
from topicrawl.crawling.make import crawl_of, present_of
from topicrawl.crawling.marks import as_marked
from topicrawl.crawling.snapshots import Restored
from topicrawl.errors import RunError
from topicrawl.model import NOFOLLOW, REFUSED, Page, Topic
from topicrawl.page.main.extract import MainText
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import config_of
from topicrawl.store import run as store
from topicrawl.store.main_texts import find_main_text
from topicrawl.store.wishes import Body, Change, GoOn, Marks, Pause, Stop, Wish
from topicrawl.urls import canonical

if TYPE_CHECKING:
    from topicrawl.catalogue.catalogue import Hits
    from topicrawl.crawling.wishes import Entry


class Link(NamedTuple):
    """A link of a page that was fetched."""

    page: str
    """URL of the page that contains it."""
    url: str
    anchor: str
    nofollow: bool
    refused: bool
    """Whether `filter_link` refused it."""


class Run:
    """The run in a folder. What you ask of its crawl goes through `wish`.

    A crawl may write it meanwhile: each question is answered from all that is written when it is asked, and nothing is
    held between two. It may be used in a `with`.

    >>> import tempfile, topicrawl
    >>> folder = tempfile.mkdtemp() + "/run"
    >>> seed = "http://no-such-host.invented.test/"
    >>> made = list(topicrawl.crawl_sync(topic="storm", seeds=seed, web="invented:7", pages=1, out=folder))
    >>> with topicrawl.Run(folder) as run:
    ...     print(*(visit.status for visit in run.visits()))
    404
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        with self._now():
            pass  # a folder that is no run is refused here

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: no file is open between two questions."""

    def _now(self) -> store.Run:
        """The run as it is now; close it."""
        return store.Run.open(self.path, writable=False)

    @property
    def config(self) -> Config:
        """The configuration, as crawl.toml has it."""
        with self._now() as run:
            return config_of(run)

    @property
    def summary(self) -> dict[str, Any]:
        """Counts and rates: how the run ended, or how far it is."""
        with self._now() as run:
            return summary_of(run, config_of(run))

    def visits(self, after: int = 0) -> Iterator[Visit]:
        """The visits with a number above `after`, in order, failures included, each with its page."""
        with self._now() as run:
            for visit, _, outcome in run.told(after):
                yield with_page(visit, outcome.page)

    @property
    def tables(self) -> Tables:
        """Visits, pages, links, hosts, marks and the index of the archive, for Arrow, pandas and polars.

        `run.tables.pages.select("url", "title").pandas()`
        """
        return Tables(self._now)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def _repr_html_(self) -> str:
        """What a notebook shows: figures and the harvest curve."""
        from topicrawl.report.notebook import notebook_view

        with self._now() as run:
            config = config_of(run)
            assert isinstance(config.topic, Topic)
            summary = summary_of(run, config)
            return notebook_view(config.topic.name, str(self.path), as_marked(run), summary, config.threshold)

    def relevance_now(self) -> dict[int, float]:
        """The relevance of each page by all that was learned, by the number of its visit.

        `visit.relevance` is what the judge said when the page was fetched. Every page is read again.
        """
        with self._now() as run:
            now = relevance_now(run)
            return {visit.n: float(now[visit.n]) for visit in run.visits() if visit.fetched}

    def pages(self) -> Iterator[Visit]:
        """The visits that brought a page, in order."""
        return (visit for visit in self.visits() if visit.page is not None)

    def page(self, url: str) -> Page | None:
        """What the page at `url` said when it was last visited; None where it was not."""
        with self._now() as run:
            return run.page(canonical(url) or url)

    def main_text(self, url: str) -> MainText | None:
        """The main text of the page at `url`, from its first visit; None where it was not fetched.

        Where the archive has no copy of the page, it is all that the page says.
        """
        link = canonical(url) or url
        with self._now() as run:
            visit, page = run.visit_of(link), run.page(link)
            return find_main_text(run, visit.n, page).main if visit and page else None

    def links(self) -> Iterator[Link]:
        """Every link of every page that was fetched, in order."""
        for visit in self.pages():
            assert visit.page is not None
            links = visit.page.links
            flags = links.flags or bytes(len(links.urls))
            for url, anchor, flag in zip(links.urls, links.anchors, flags, strict=True):
                yield Link(visit.url, url, anchor, bool(flag & NOFOLLOW), bool(flag & REFUSED))

    def search(self, words: str, limit: int = 10) -> Hits:
        """The pages with any of these words, best first, each with its labels and a passage; `total` says how many.

        The first search builds an index in the folder of the run.
        """
        from topicrawl.catalogue.catalogue import Catalogue

        with self._now() as run, Catalogue(run, config_of(run)) as catalogue:
            return catalogue.search(words, most=limit)

    def mark(self, url: str, relevant: bool | None) -> Wish:
        """Say whether a page is relevant; None takes an earlier word back. See `wish`."""
        return self.wish(Marks({url: relevant}))[0]

    def change(self, **settings: Any) -> Wish:
        """Give settings of crawl.toml, by name, new values: `pages`, `delay`, `exclude` … See `wish`."""
        return self.wish(Change(settings))[0]

    def pause(self) -> Wish:
        """Have the running crawl fetch nothing until `go_on`."""
        return self.wish(Pause())[0]

    def go_on(self) -> Wish:
        """End a pause."""
        return self.wish(GoOn())[0]

    def stop(self) -> Wish:
        """End the session of the running crawl; it can be resumed."""
        return self.wish(Stop())[0]

    def wish(self, *bodies: Body) -> list[Wish]:
        """Ask the crawl of this run for something (topicrawl.store.wishes); returns what came of it.

        A running crawl carries wishes out within a second. In a run that stands, marks are logged at once, and other
        wishes wait until it is resumed.
        """
        from topicrawl.crawling.wishing import wish

        return wish(self.path, *bodies)

    def history(self) -> list[Entry]:
        """What people asked of this crawl so far, as its log has it."""
        from topicrawl.crawling.wishes import history

        with self._now() as run:
            return history(run)

    def why(self, url: str, *, history: bool = False) -> explain.Why:
        """Where a link was found, what its priority is made of, whether it was chosen or why not.

        With `history` also how its priority came about and when it was chosen, which replays the whole log.
        """
        link = canonical(url)
        if link is None:
            raise RunError(f"{url!r} is no http or https URL; give one as visits.jsonl has it")
        with self._now() as run:
            begin = Restored(crawl_of(run)) if history else present_of(run)
            return explain.why(begin.crawl, run.replay(begin.seq), link, run.visit_of(link))
