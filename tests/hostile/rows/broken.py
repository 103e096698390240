"""H37 to H46: broken HTTP, text and certificates."""

from __future__ import annotations

from hostile.harness import Evidence, Plan
from hostile.rows import Statements, alive, group, row
from hostile.rows.parsing import PARSING

BROKEN = group("broken", Plan(pages=200))


def read(e: Evidence, name: str, *pages: str) -> tuple[bool, str]:
    """Whether these pages were parsed: their links were requested."""
    missing = [page for page in pages if not e.asked(name, f"/after-{page}")]
    return not missing, f"parses {', '.join(pages)}; missed {', '.join(missing) or 'none'}"


def unread(e: Evidence, name: str, *pages: str) -> tuple[bool, str]:
    """Whether these responses were rejected."""
    found = [page for page in pages if e.asked(name, f"/after-{page}")]
    return not found, f"rejects {', '.join(pages)}; accepted {', '.join(found) or 'none'}"


@row("h37", BROKEN)
def h37(e: Evidence) -> Statements:
    yield read(e, "h37", "large", "small")
    yield unread(e, "h37", "negative", "twice")
    yield alive(e, "h37")


@row("h38", PARSING)
def h38(e: Evidence) -> Statements:
    yield read(e, "h38", "cut", "size", "tiny")
    yield alive(e, "h38")


@row("h39", BROKEN)
def h39(e: Evidence) -> Statements:
    yield unread(e, "h39", "nul", "cr")
    yield e.asked("h39", "/smuggled") == 0, "accepts no smuggled response"
    yield e.longest("h39") <= 5, "stops after a flood of 1xx"
    yield alive(e, "h39")


@row("h40", BROKEN)
def h40(e: Evidence) -> Statements:
    yield read(e, "h40", "header", "mark", "utf7", "unknown", "utf16", "bytes")
    yield alive(e, "h40")


@row("h41", BROKEN)
def h41(e: Evidence) -> Statements:
    yield read(e, "h41", "none", "broken")
    yield unread(e, "h41", "binary")
    yield alive(e, "h41")


@row("h42", BROKEN)
def h42(e: Evidence) -> Statements:
    yield e.asked("h42", "/same", "h42.test") == 1, "requests one page once"
    yield e.asked("h42", "/zero") == 0 and e.asked("h42", "/high") == 0, "requests no invalid port"
    yield (
        bool(e.requests("h42", "xn--bcher-kva.h42.test")),
        "encodes international names as the standard requires",
    )
    yield alive(e, "h42")


@row("h43", BROKEN)
def h43(e: Evidence) -> Statements:
    yield e.asked("h43", "/unasked") >= 1, "requests the page"
    yield "http://h43.test/unasked" not in e.pages, "does not count a 304 as a page"
    yield alive(e, "h43")


@row("h44", BROKEN)
def h44(e: Evidence) -> Statements:
    strays = [p for p in e.out.parent.rglob("*") if "escaped" in p.name or p.name in ("CON", "nul")]
    yield (
        not strays and not (e.out.parent.parent / "escaped").exists(),
        "writes no file under a name from the web",
    )
    yield alive(e, "h44")


@row("h45", BROKEN)
def h45(e: Evidence) -> Statements:
    yield not (e.out / "escaped").exists(), "executes nothing"
    yield alive(e, "h45")


@row("h46", BROKEN)
def h46(e: Evidence) -> Statements:
    reached = [
        kind
        for kind in ("expired", "wrong", "self", "old", "client")
        if e.asked("h46", "/reached", f"{kind}.h46.test")
    ]
    yield not reached, f"trusts no bad certificate; trusted {', '.join(reached) or 'none'}"
    yield not e.own or e.asked("h46", "/reached", "good.h46.test") > 0, "and trusts a good one"
    yield alive(e, "h46")
