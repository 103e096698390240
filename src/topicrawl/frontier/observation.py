"""A visit as relevance measures and strategies receive it, after its links were added to the frontier; and marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from topicrawl.frontier import Ids
from topicrawl.model import Outcome, Page, Visit, ints


@dataclass(frozen=True, slots=True)
class Observation:
    """A visit, the links of its page, and the walker that chose it.

    A peeked page is observed twice: with `peek` when it is fetched, and again when its links are added.
    """

    link: int
    """The page's own row: where redirects led."""
    visit: Visit
    outcome: Outcome
    links: Ids
    """The known links on the page, each once, in document order; empty for a failure and for a peek."""
    rows: Sequence[int] = ()
    """The link of each row of the page's links, −1 where it is not followed; empty when `links` is."""
    walker: int = 0
    """The walker that chose it; see `Choice`."""
    peek: bool = False

    def only(self, links: Ids) -> Observation:
        """The same page as if it had no links but these."""
        wanted = set(links.tolist())
        return replace(self, links=links, rows=[row if row in wanted else -1 for row in self.rows])

    def anchors(self) -> list[tuple[int, int, int]]:
        """(link, term, count): how often topic terms occur in the anchors of the page's links; each pair once."""
        counts = self.outcome.counts
        if counts is None or not self.rows:
            return []
        merged: dict[tuple[int, int], int] = {}
        columns = (ints(counts.anchor_rows), ints(counts.anchor_terms), ints(counts.anchor_counts))
        for row, term, count in zip(*(column.tolist() for column in columns), strict=True):
            link = self.rows[row]
            if link >= 0 and link != self.link:
                merged[link, term] = merged.get((link, term), 0) + count
        return [(link, term, count) for (link, term), count in merged.items()]


@dataclass(frozen=True, slots=True)
class Marked:
    """A page that was observed, whose relevance a person changed."""

    link: int
    """Its row, as in `Observation`."""
    page: Page | None
    """What it says; None where that is not at hand."""
    relevant: bool | None
    """What the person said; None: an earlier verdict was taken back."""
    before: float
    """The relevance that counted until now."""
    relevance: float
    """The relevance that counts from now on: 1 or 0, or what the judge said at the visit."""
