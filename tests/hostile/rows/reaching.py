"""H01 to H10: internal addresses and leaked secrets."""

from __future__ import annotations

from hostile.harness import Evidence, Plan
from hostile.rows import Statements, alive, group, row
from topicrawl_lab.hostile.reaching import SECRET

REACH = group("reach", Plan(pages=200))
MAPS = group("maps", Plan(pages=200, sitemaps=True))
SECRETS = group("secrets", Plan(pages=40, cookies=True, secret=f"Bearer {SECRET}"))
GUARDED = "never connects to an internal address"


def refused(e: Evidence, kind: str, least: int, *hosts: str) -> Statements:
    """The refusals in topicrawl's own log."""
    if e.own:
        count = sum(
            n for (host, error), n in e.errors.items() if error == kind and (not hosts or host in hosts)
        )
        yield count >= least, f"logs {least} refusals ({kind}), logged {count}"


@row("h01", REACH)
def h01(e: Evidence) -> Statements:
    yield e.vault() == 0 and not [a for a in e.log if a.host.startswith(("0.0.0.0", "[::1]"))], GUARDED
    yield alive(e, "h01")
    yield from refused(e, "guard", 7)


@row("h02", REACH)
def h02(e: Evidence) -> Statements:
    yield e.vault() == 0, GUARDED
    yield alive(e, "h02")


@row("h03", REACH)
def h03(e: Evidence) -> Statements:
    hosts = ("rebind.h03.test", "mixed.h03.test")
    yield e.vault() == 0, GUARDED
    yield not any(e.requests("h03", host) for host in hosts), "connects to no name with an internal address"
    yield alive(e, "h03")


@row("h04", REACH)
def h04(e: Evidence) -> Statements:
    yield e.vault() == 0, GUARDED
    yield alive(e, "h04")


@row("h05", MAPS)
def h05(e: Evidence) -> Statements:
    yield e.vault() == 0, GUARDED
    yield e.asked("h05", "/listed") == 1, "uses the site's own URLs of its sitemap"
    yield (
        e.asked("h06", "/taken") == 0 and e.asked("h05", "/map.xml", "other-h05.test") == 0,
        "ignores URLs of other sites",
    )


@row("h06", REACH)
def h06(e: Evidence) -> Statements:
    yield not [url for url in e.pages if not url.startswith("http")], "fetches nothing but http and https"
    yield e.vault() == 0, GUARDED
    yield alive(e, "h06")
    yield from refused(e, "scheme", 2, "h06.test")


@row("h07", MAPS)
def h07(e: Evidence) -> Statements:
    yield e.asked("h07", "/chain2") == 1 and e.vault() == 0, GUARDED + " from any source"
    yield alive(e, "h07")


@row("h08", SECRETS, "http://h08.test/", "https://secure.h08.test/down")
def h08(e: Evidence) -> Statements:
    caught = [a for a in e.requests("h08") if a.path == "/caught"]
    own = [a for a in e.requests("h08") if a.path == "/same"]
    yield len(caught) >= 2, "follows the redirects"
    leaked = [
        a
        for a in caught
        if "authorization" in a.headers or ("cookie" in a.headers and a.host.startswith("other"))
    ]
    yield not leaked, "sends no secret to another host, port or scheme"
    yield any(SECRET in a.headers.get("authorization", "") for a in own), "sends it to its own host"


@row("h09", SECRETS, "http://one-h09.co.uk/")
def h09(e: Evidence) -> Statements:
    two, again = e.requests("h09", "two-h09.co.uk"), [a for a in e.requests("h09") if a.path == "/again"]
    yield bool(two) and not any("cookie" in a.headers for a in two), "accepts no cookie for a public suffix"
    yield any("own=mine" in a.headers.get("cookie", "") for a in again), "accepts a site's own cookie"


@row("h10", REACH)
def h10(e: Evidence) -> Statements:
    sent = "".join(str(a.headers) + a.path for a in e.requests("h10"))
    yield not e.own or e.asked("h10", "/inside") == 1, "follows the link without its secret"
    yield SECRET not in sent and "authorization" not in sent, "sends no password from a link"
    if e.own:
        kept = b"".join(p.read_bytes() for p in e.out.rglob("visits.jsonl"))
        yield SECRET.encode() not in kept, "logs no password"
