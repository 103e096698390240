"""PageRank that prefers links with relevant anchors, on the growing graph of all known URLs.

In-links are those of visited pages only; unvisited pages have a rank too.

Paper: FCWSEO §5.3, Eq. (8)–(9); FCITS_OH §3.3, Eq. (7)–(8); IELP Eq. (4):
PR(p) = (1 − d) + d Σ PR(p_i) / C(p_i) · (1 + ω R(a_i)).
Differs: with the published ω = 0.6 the equation has no fixed point on many graphs (its spectral radius exceeds 1),
so it is iterated `SWEEPS` times from 1 and divided by the largest rank; C(p_i) counts all links of p_i, those out of
scope too. The anchor of an edge is weighed once, when its page is visited. Between refreshes a visited page passes its
current rank on to its links, once. `variant="stochastic"` shares a page's rank among its links by (1 + ω R) and
always converges.
"""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids

SWEEPS = 20
GROWTH = 1.02
"""A refresh is due when the graph has grown by this factor."""
VARIANTS = ("literal", "stochastic")


class PageRank:
    """Ranks of a frontier's links; column `inflow` holds the sum of the equation."""

    def __init__(
        self,
        damping: float = 0.85,
        emphasis: float = 0.6,
        variant: str = "literal",
        *,
        normalised: bool = True,
    ) -> None:
        self._damping = damping
        self._emphasis = emphasis
        self._stochastic = variant == "stochastic"
        self._normalised = normalised
        self._highest = 0.0
        self._edges_at_refresh = 0

    def start(self, frontier: Frontier) -> None:
        """Prepare the column; a link without in-links has rank 1 − d."""
        frontier.columns.add("inflow", np.float64, 0.0)

    def __call__(self, frontier: Frontier, links: Ids) -> Floats:
        """PR of links, divided by the highest known if `normalised`."""
        ranks = self._raw(frontier.columns["inflow"][links])
        if not self._normalised:
            return ranks
        self._highest = max(self._highest, float(ranks.max(initial=1 - self._damping)))
        return ranks / self._highest

    def follow(self, frontier: Frontier, page: int) -> None:
        """Pass the rank of a visited page on to its links."""
        links = frontier.graph.targets(page)
        emphasised = 1 + self._emphasis * frontier.graph.anchors_of(page).astype(np.float64)
        total = emphasised.sum() if self._stochastic else float(frontier.graph.out_degree(page))
        inflow = frontier.columns["inflow"]
        inflow[links] += self._raw(inflow[page]) * emphasised / max(total, 1.0)

    def is_due(self, frontier: Frontier) -> bool:
        """Whether the graph has grown enough since the last refresh."""
        return frontier.graph.size > GROWTH * self._edges_at_refresh

    def refresh(self, frontier: Frontier, sweeps: int = SWEEPS) -> None:
        """Compute every rank from the whole graph."""
        from scipy.sparse import csr_array

        pages, ends, degrees = frontier.graph.rows()
        targets, anchors = frontier.graph.columns()
        starts = np.concatenate(([0], ends)).astype(np.int32)
        emphasised = 1 + self._emphasis * anchors.astype(np.float64)
        if self._stochastic:
            totals = np.diff(np.concatenate(([0.0], np.cumsum(emphasised)))[starts])
        else:
            totals = degrees.astype(np.float64)
        shares = emphasised / np.repeat(np.maximum(totals, 1.0), np.diff(starts))
        passed_on = csr_array((shares, targets, starts), shape=(len(pages), len(frontier))).T
        inflow = passed_on @ np.ones(len(pages))
        for _ in range(sweeps - 1):
            inflow = passed_on @ self._raw(inflow)[pages]  # FCWSEO Eq. (9)
        frontier.columns["inflow"][:] = inflow
        self._highest = float(self._raw(inflow).max(initial=0.0))
        self._edges_at_refresh = len(targets)

    def _raw(self, inflow: Floats) -> Floats:
        ranks: Floats = (1 - self._damping) + self._damping * inflow
        return ranks
