"""H11 to H19, H24, H26: exhaustion of memory, time and connections."""

from __future__ import annotations

import itertools

from hostile.harness import MIB, Evidence, Plan
from hostile.rows import Statements, alive, group, row
from hostile.rows.reaching import MAPS
from topicrawl_lab.hostile.bodies import BOMBS, DAMAGED

BODIES = group("bodies", Plan(pages=300))
FLEET = group("fleet", Plan(pages=200, silence=4.0, deadline=5.0))
MEMORY = 420 * MIB
"""Limit of peak resident memory, workers included."""


def small(e: Evidence) -> tuple[bool, str]:
    return e.peak <= MEMORY, f"stays below {MEMORY // MIB} MiB of memory, had {e.peak // MIB}"


def cut_after(e: Evidence, name: str, seconds: float) -> tuple[bool, str]:
    return e.longest(name) <= seconds, f"gives up within {seconds:g} s, took {e.longest(name):.1f}"


@row("h11", BODIES)
def h11(e: Evidence) -> Statements:
    taken = sum(a.sent for a in e.requests("h11") if a.path == "/")
    yield taken <= 24 * MIB, f"receives at most 10 MiB and socket buffers, received {taken // MIB}"
    yield small(e)
    yield alive(e, "h11")


@row("h12", BODIES)
def h12(e: Evidence) -> Statements:
    yield bool(e.requests("h12")) and e.code == 0, "fetches it and ends normally"
    yield cut_after(e, "h12", 5)


@row("h13", BODIES)
def h13(e: Evidence) -> Statements:
    yield bool(e.requests("h13")) and e.code == 0, "fetches it and ends normally"
    yield cut_after(e, "h13", 5)


@row("h14", BODIES)
def h14(e: Evidence) -> Statements:
    yield any(a.row == "mute" for a in e.log) or not e.own, "connects to the silent host"
    yield cut_after(e, "h14", 5)
    yield alive(e, "h14")


@row("h15", BODIES)
def h15(e: Evidence) -> Statements:
    bad = [url for url in e.pages if url.endswith(("/many", "/long", "/cookies")) and "h15" in url]
    yield not bad, "rejects responses with excessive headers"
    yield alive(e, "h15")
    yield small(e)


@row("h16", BODIES)
def h16(e: Evidence) -> Statements:
    yield all(e.asked("h16", f"/{kind}") for kind in BOMBS), "fetches them"
    yield small(e)
    yield alive(e, "h16")


@row("h17", BODIES)
def h17(e: Evidence) -> Statements:
    yield e.asked("h17", "/fine") == 1 and e.asked("h17", "/deep") == 0, "decodes two encodings but not three"
    yield alive(e, "h17")


@row("h18", MAPS)
def h18(e: Evidence) -> Statements:
    yield e.asked("h18", "/map.xml.gz") == 1, "reads the sitemap"
    yield small(e)
    yield alive(e, "h18")


@row("h19", BODIES)
def h19(e: Evidence) -> Statements:
    read = [name for name in DAMAGED if e.asked("h19", f"/after-{name}")]
    yield set(read) == set(DAMAGED), f"reads what can be decoded, read {', '.join(read) or 'none'}"
    yield alive(e, "h19")


@row("h24", BODIES)
def h24(e: Evidence) -> Statements:
    taken = sum(a.sent for a in e.requests("h24") if a.path == "/png")
    yield e.asked("h24", "/wrong") == 0, "extracts no links from files that are not HTML"
    yield taken <= 24 * MIB, f"receives at most 10 MiB and socket buffers, received {taken // MIB}"
    yield alive(e, "h24")


@row("h26", FLEET)
def h26(e: Evidence) -> Statements:
    quick, slow = (
        e.requests("h26", "quick.h26.test"),
        [a for a in e.requests("h26") if a.host.startswith("slow")],
    )
    waits = [later.at - earlier.at for earlier, later in itertools.pairwise(quick)]
    yield len({a.path for a in quick}) >= 21, "fetches every page of the quick host"
    yield len(slow) >= 60, "tries the slow hosts"
    yield (
        max(waits, default=99) < 3,
        f"the quick host waits less than 3 s for its turn, waited {max(waits, default=99):.1f}",
    )
