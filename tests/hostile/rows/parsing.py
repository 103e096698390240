"""H20 to H23, H25: text that makes parsers slow or exhausts memory."""

from __future__ import annotations

import sqlite3

from hostile.harness import MIB, Evidence, Plan
from hostile.rows import Statements, alive, group, row
from hostile.rows.bodies import small
from hostile.rows.reaching import MAPS

PARSING = group("parsing", Plan(pages=150, deadline=50.0, silence=40.0, seconds=100.0))
LINKS = group("links", Plan(pages=40, deadline=50.0, silence=40.0, seconds=100.0))


@row("h20", MAPS)
def h20(e: Evidence) -> Statements:
    leaked = [
        a.path for a in e.requests("h20") if a.path.startswith("/leak-") and len(a.path) > len("/leak-x")
    ]
    yield not leaked and not e.asked("h20", "/outside.dtd"), "fetches no entity and leaks no file"
    yield (
        all(e.asked("h20", f"/{kind}.xml") for kind in ("external", "parameter", "laughs", "late")),
        "fetches all sitemaps",
    )
    yield small(e)
    yield alive(e, "h20")


@row("h21", PARSING)
def h21(e: Evidence) -> Statements:
    yield (
        all(e.asked("h21", f"/after-{name}") for name in ("deep", "long", "attributes")),
        "parses the pages",
    )
    yield small(e)
    yield alive(e, "h21")


@row("h22", LINKS)
def h22(e: Evidence) -> Statements:
    yield max(map(len, e.paths("h22")), default=0) <= 2083, "requests no URL of 1 MB"
    yield e.asked("h22", "/after-long") == 1, "requests the other link of that page"
    yield small(e)
    yield alive(e, "h22")


@row("h23", PARSING)
def h23(e: Evidence) -> Statements:
    yield all(e.asked("h23", f"/after-{name}") for name in ("soup", "charset")), "parses the pages"
    yield (
        e.asked("h23", "/" + "a" * 1500) == 1 and not e.asked("h23", "/closed"),
        "obeys a rule of 40 stars in time",
    )
    yield alive(e, "h23")


@row("h25", PARSING)
def h25(e: Evidence) -> Statements:
    hosts = [f"{name}.h25.test" for name in ("endless", "large", "rules")]
    taken = max((a.sent for a in e.requests("h25") if a.path == "/robots.txt"), default=0)
    yield not any(e.asked("h25", "/closed", host) for host in hosts), "obeys the rules within the limit"
    yield all(e.asked("h25", "/open", host) for host in hosts), "fetches what they allow"
    yield taken <= 8 * MIB, f"receives 512 KiB and socket buffers, received {taken / MIB:.1f} MiB"
    yield small(e)


def most_links(e: Evidence) -> int:
    """The most links of one page in topicrawl's log."""
    import msgspec
    import zstandard

    with sqlite3.connect(e.out / "crawl.db") as log:
        packed = [row[0] for row in log.execute("SELECT packed FROM log WHERE n IS NOT NULL")]
    outcomes = (msgspec.msgpack.decode(zstandard.decompress(blob))[1] for blob in packed)
    return max((len(outcome[4][6][0]) for outcome in outcomes if outcome[4]), default=0)
