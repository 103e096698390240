"""H27 to H36: traps. All in one crawl, with honest pages beside each."""

from __future__ import annotations

from hostile.harness import Evidence, Plan
from hostile.rows import Statements, group, row

TRAPS = group("traps", Plan(pages=2500, delay=0.0, seconds=60))
BUDGET = 250
"""Requests a trap may cost; endless ones would take as many as there are pages to fetch."""


def bounded(e: Evidence, name: str, most: int = BUDGET) -> Statements:
    """Whether a trap got little and its honest neighbours were found."""
    asked = len(e.requests(name))
    honest = len({path for path in e.paths(name) if path.startswith("/real/")})
    yield asked <= most, f"spends at most {most} requests on it, spent {asked}"
    yield honest == 10, f"finds the ten honest pages, found {honest}"


for number in (27, 28, 29, 30, 31, 32, 34, 35):

    @row(f"h{number}", TRAPS)
    def trap(e: Evidence, name: str = f"h{number}") -> Statements:
        yield from bounded(e, name)


@row("h33", TRAPS)
def h33(e: Evidence) -> Statements:
    for kind in ("/chain", "/loop", "/query", "/ping", "/cookie"):
        hops = sum(path.partition("?")[0].startswith(kind) for path in e.paths("h33"))
        yield 0 < hops <= 8, f"follows five redirects of {kind}, followed {hops}"
    yield from bounded(e, "h33")


@row("h36", TRAPS)
def h36(e: Evidence) -> Statements:
    yield not e.asked("h36", "/ordered") and e.vault() == 0, "obeys no text of a page"
    yield from bounded(e, "h36", 700)
