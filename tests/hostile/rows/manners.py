"""H47 to H58: politeness and waiting."""

from __future__ import annotations

from hostile.harness import Evidence, Plan
from hostile.rows import Statements, alive, group, row
from topicrawl_lab.hostile.manners import SITE, STILL_ALLOWED

MANNERS = group("manners", Plan(pages=100))
WAITING = group(
    "patience",
    Plan(
        pages=120,
        delay=0.25,
        seconds=10,
        flags=("--retries", "1", "--robots-age", "2s", "--patience", "0s"),
    ),
)
HANGING = group("hanging", Plan(pages=400))
CROWD = group("crowd", Plan(pages=12, flags=("--per-address", "4")))


@row("h47", MANNERS)
def h47(e: Evidence) -> Statements:
    hosts = ("error.h47.test", "hang.h47.test", "reset.h47.test")
    tried = all(e.asked("h47", "/robots.txt", host) for host in hosts)
    asked = [host for host in hosts if e.asked("h47", "/page", host)]
    yield (
        tried and not asked,
        f"fetches nothing where robots.txt fails; fetched from {', '.join(asked) or 'none'}",
    )
    yield alive(e, "h47")


@row("h48", MANNERS)
def h48(e: Evidence) -> Statements:
    yield not e.asked("h48", "/page", "s429.h48.test"), "fetches nothing from a host that answers 429"
    yield (
        all(e.asked("h48", "/page", f"s{status}.h48.test") for status in (401, 403)),
        "treats 401 and 403 as no robots.txt",
    )
    yield alive(e, "h48")


@row("h49", MANNERS)
def h49(e: Evidence) -> Statements:
    closed = [name for name in ("five", "moved", "mark") if e.asked("h49", "/closed", f"{name}.h49.test")]
    yield (
        not closed,
        f"obeys rules after redirects and byte order marks; not those of {', '.join(closed) or 'none'}",
    )
    yield (
        all(e.asked("h49", "/open", f"{name}.h49.test") for name in ("five", "moved", "mark", "page")),
        "fetches what these rules allow",
    )
    yield not [a for a in e.requests("h49") if a.path == "/other-port"], "uses the robots.txt of each port"


@row("h50", MANNERS)
def h50(e: Evidence) -> Statements:
    yield not e.asked("h50", "/inside"), "checks robots.txt for each redirect before the request"
    yield alive(e, "h50")


@row("h51", WAITING)
def h51(e: Evidence) -> Statements:
    def pages(name: str) -> list[float]:
        return [a.at for a in e.requests("h51", f"{name}.h51.test") if a.path != "/robots.txt"]

    def gap(name: str) -> float:
        times = pages(name)
        return times[1] - times[0] if len(times) > 1 else 99.0

    yield gap("seconds") >= 1.0 and gap("date") >= 0.9, "waits as long as Retry-After says"
    yield len(pages("years")) == 1, "does not return to a host that says years"
    yield gap("negative") >= 0.25 and gap("nonsense") >= 0.25, "keeps its delay for invalid values"
    yield gap("tenth") >= 0.25, "keeps its delay for a shorter Crawl-delay"
    yield len(pages("long")) <= 1 and len(pages("huge")) <= 1, "obeys a long Crawl-delay"


@row("h52", CROWD)
def h52(e: Evidence) -> Statements:
    spans = sorted((a.at, a.ended) for a in e.requests("h52"))
    at_once = max((sum(b <= begin < end for b, end in spans) for begin, _ in spans), default=0)
    yield len({a.host for a in e.requests("h52")}) > 5, "visits the hosts"
    yield at_once <= 4, f"has at most 4 requests at one address, had {at_once}"
    yield _rate(e) <= 5.0, f"sends at most 5 requests a second to one address, sent {_rate(e):.1f}"


def _rate(e: Evidence) -> float:
    times = [a.at for a in e.requests("h52")]
    return (len(times) - 1) / max(times[-1] - times[0], 1e-9) if len(times) > 10 else 0.0


@row("h53", WAITING)
def h53(e: Evidence) -> Statements:
    gaps = e.gaps("h53")
    closest = min(gaps, default=0.0)
    yield len(gaps) >= 5, "fetches several pages"
    yield closest >= 0.24, f"keeps 0.25 s (10 ms tolerance) between requests to a host, kept {closest:.3f}"


@row("h54", WAITING)
def h54(e: Evidence) -> Statements:
    asked = e.requests("h54")
    pages = [n for n, a in enumerate(asked) if a.path != "/robots.txt"]
    again = [
        n for n, a in enumerate(asked) if a.path == "/robots.txt" and sum(page < n for page in pages) >= 5
    ]
    late = [n for n in pages if again and n > again[0]]
    yield len(pages) >= 5, "fetches until the rules change"
    yield bool(again) and not late, f"fetches robots.txt again and obeys it; {len(late)} pages too many"


@row("h55", MANNERS)
def h55(e: Evidence) -> Statements:
    followed = [path for path in e.paths("h55") if path.startswith("/no/")]
    yield not followed, f"follows no nofollow; followed {', '.join(followed) or 'none'}"
    yield alive(e, "h55")


@row("h56", HANGING)
def h56(e: Evidence) -> Statements:
    hanging = ("/hang1", "/hang2")
    came = {path for path in e.paths("h56") if path not in hanging}
    tries = [e.asked("h56", path) for path in hanging]
    last = {path: max((a.at for a in e.requests("h56") if a.path == path), default=0.0) for path in hanging}
    others = max((a.at for a in e.requests("h56") if a.path in came), default=0.0)
    yield len(came) == SITE, f"gets all {SITE} pages that answer, got {len(came)}"
    yield max(tries) <= 3, f"requests a hanging page at most three times, requested {max(tries)}"
    yield not e.own or min(last.values()) > others, "gives up none of these before the others are fetched"
    yield e.code == 0, "ends normally"


@row("h57", MANNERS)
def h57(e: Evidence) -> Statements:
    yield not e.asked("h57", "/page", "page.h57.test"), "does not fetch a page that its longest rule forbids"
    yield e.asked("h57", "/other", "page.h57.test") > 0, "fetches a page that no rule matches"
    yield e.asked("h57", "/", "home.h57.test") > 0, "fetches a page that its longest rule allows"
    yield not e.asked("h57", "/private", "home.h57.test"), "does not fetch the page that it forbids"
    yield alive(e, "h57")


@row("h58", MANNERS)
def h58(e: Evidence) -> Statements:
    asked = e.paths("h58")
    closed = sorted(set(asked) - {"/", "/next", *STILL_ALLOWED})
    yield not closed, f"obeys rules in any percent-encoding; fetched {', '.join(closed) or 'none'}"
    missing = sorted(set(STILL_ALLOWED) - set(asked))
    yield not missing, f"fetches what no rule forbids; missed {', '.join(missing) or 'none'}"
    yield alive(e, "h58")
