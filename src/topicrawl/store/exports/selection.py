"""Which pages of a run are exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.model import Page, Visit
from topicrawl.store.run import Run

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

    def pages(self) -> Iterator[tuple[Visit, Page]]:
        """The chosen visits with their pages, in the order they were fetched."""
        return ((visit, page) for visit, page in self.run.pages() if self._is_result(visit))

    def visits(self) -> Iterator[Visit]:
        """The chosen visits, in order; all of a run includes failures, some of which were archived."""
        return (visit for visit in self.run.visits() if self._holds(visit))

    def _is_result(self, visit: Visit) -> bool:
        return visit.url not in self.query and self._holds(visit)

    def _holds(self, visit: Visit) -> bool:
        return not self.relevant_only or (visit.fetched and self.relevance(visit) > self.threshold)

    def relevance(self, visit: Visit) -> float:
        """The relevance of a visit by all that was learned."""
        return visit.relevance if self.now is None else float(self.now[visit.n])
