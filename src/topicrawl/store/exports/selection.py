"""Which pages of a run are exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.model import Page, Visit
from topicrawl.store.run import Run
from topicrawl.store.standing import replaced

MAIN, ALL = "main", "all"
TEXTS = (MAIN, ALL)
"""What of a page is exported as its text: without navigation and the like, or everything it says."""
Now = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Selection:
    """All of a run, or only its relevant pages."""

    run: Run
    threshold: float
    relevant_only: bool = False
    now: Now | None = None
    """The relevance of each visit by all that was learned; None: as it was said at the visit."""
    say: Callable[[str], None] = lambda sentence: None
    """Called with a sentence about what is left out."""
    query: Set[str] = frozenset()
    """URLs of the pages that the crawl was asked about, which are no results."""
    text: str = MAIN
    """One of `TEXTS`."""
    after: int = 0
    """Only visits with a number above this one."""
    every_fetch: bool = False
    """Of a watched run every fetch of a page, not only the last."""

    def pages(self) -> Iterator[tuple[Visit, Page]]:
        """The chosen visits with their pages, in the order they were fetched.

        Of a watched run each page once, as last seen, unless `every_fetch`.
        """
        old = frozenset[int]() if self.every_fetch else replaced(self.run)
        found = self.run.pages(self.after)
        return ((visit, page) for visit, page in found if visit.n not in old and self._is_result(visit))

    def visits(self) -> Iterator[Visit]:
        """The chosen visits, in order; all of a run includes failures, some of which were archived."""
        return (visit for visit in self.run.visits(self.after) if self.holds(visit))

    def _is_result(self, visit: Visit) -> bool:
        return visit.url not in self.query and self.holds(visit)

    def holds(self, visit: Visit) -> bool:
        """Whether a visit is chosen; the pages that a crawl was asked about are."""
        return not self.relevant_only or (visit.fetched and self.relevance(visit) > self.threshold)

    def relevance(self, visit: Visit) -> float:
        """The relevance of a visit by all that was learned."""
        return visit.relevance if self.now is None else float(self.now[visit.n])
