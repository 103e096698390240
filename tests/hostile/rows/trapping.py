"""H27 to H36: crawler traps, all in one crawl, with real pages beside each."""

from __future__ import annotations

from hostile.harness import Evidence, Plan
from hostile.rows import Statements, group, row

TRAPS = group("traps", Plan(pages=2500, delay=0.0, seconds=60))
BUDGET = 250
"""Most requests for one trap; without trap detection it would take the whole budget."""


def bounded(e: Evidence, name: str, most: int = BUDGET) -> Statements:
    """Whether a trap got few requests and its real pages were found."""
    asked = len(e.requests(name))
    real = len({path for path in e.paths(name) if path.startswith("/real/")})
    yield asked <= most, f"spends at most {most} requests on it, spent {asked}"
    yield real == 10, f"finds the ten real pages, found {real}"


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
    yield not e.asked("h36", "/ordered") and e.vault() == 0, "follows no instructions in page text"
    yield from bounded(e, "h36", 700)
