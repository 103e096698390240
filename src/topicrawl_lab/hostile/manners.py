"""H47 to H58: robots.txt that fails, redirects and changes; Retry-After, Crawl-delay and slow URLs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from topicrawl_lab.hostile.exchange import Exchange, behaviour, html

TEXT = "text/plain"
CLOSED = "User-agent: *\nDisallow: /\n"
SITE = 300
"""Pages of the site that answer; two more never do."""
MANY_HOSTS = 60
REDIRECTS = 5


@behaviour("h47", "robots.txt that answers 500, hangs, resets; a host that is not there", robots=True)
async def h47(x: Exchange) -> None:
    kind = x.host.partition(".")[0]
    if x.path != "/robots.txt":
        kinds = ("error", "hang", "reset", "dead")
        await x.page(*(f"http://{each}.h47.test/page" for each in kinds), "/next")
    elif kind == "error":
        await x.answer("", 500)
    elif kind == "hang":
        await x.hang()
    elif kind == "reset":
        x.writer.transport.abort()
        x.close = True
    else:
        await x.answer("", 404)


@behaviour("h48", "robots.txt that answers 429, 403, 401", robots=True)
async def h48(x: Exchange) -> None:
    kind = x.host.partition(".")[0]
    if x.path != "/robots.txt":
        await x.page(*(f"http://s{status}.h48.test/page" for status in (429, 403, 401)), "/next")
    elif kind == "s429":
        await x.answer("", 429, Retry_After="3600")
    elif kind in ("s403", "s401"):
        await x.answer("", int(kind[1:]))
    else:
        await x.answer("", 404)


@behaviour(
    "h49", "robots.txt behind redirects, on another host, as HTML, with marks, on another port", robots=True
)
async def h49(x: Exchange) -> None:
    kind = x.host.partition(".")[0]
    closed = "User-agent: *\nDisallow: /closed\n"
    if x.asked.host.endswith(":8080") and x.path == "/robots.txt":
        await x.answer(CLOSED, Content_Type=TEXT)
    elif x.path == "/robots.txt" and kind in ("five", "six"):
        await x.redirect("/hop/1")
    elif x.path.startswith("/hop/"):
        hop, most = int(x.path[5:]), REDIRECTS + (kind == "six")
        if hop < most:
            await x.redirect(f"/hop/{hop + 1}")
        else:
            await x.answer(closed, Content_Type=TEXT)
    elif x.path == "/robots.txt" and kind == "moved":
        await x.redirect("http://kept.h49.test/rules")
    elif x.path == "/rules" or (x.path == "/robots.txt" and kind == "mark"):
        await x.answer(b"\xef\xbb\xbf" + closed.encode(), Content_Type=TEXT)
    elif x.path == "/robots.txt" and kind == "page":
        await x.answer(html(["/"], "No such page. Disallow: / is not a rule here."))
    elif x.path == "/robots.txt":
        await x.answer("", 404)
    else:
        kinds = ("five", "six", "moved", "mark", "page")
        links = [f"http://{each}.h49.test/{path}" for each in kinds for path in ("closed", "open")]
        await x.page(*links, "http://h49.test:8080/other-port")


@behaviour("h50", "a redirect to a page that its host's robots.txt forbids", robots=True)
async def h50(x: Exchange) -> None:
    if x.path == "/robots.txt":
        await x.answer(CLOSED if x.host == "shut.h50.test" else "", Content_Type=TEXT)
    elif x.path == "/away":
        await x.redirect("http://shut.h50.test/inside")
    else:
        await x.page("/away", "/next")


@behaviour(
    "h51",
    "Retry-After in seconds, as a date, of ten years, negative, nonsense; Crawl-delay 0.1, 300, 1e9",
    robots=True,
)
async def h51(x: Exchange) -> None:
    kind = x.host.partition(".")[0]
    waits = {
        "seconds": "1",
        "date": format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True),
        "years": "315360000",
        "negative": "-5",
        "nonsense": "soon",
    }
    delays = {"tenth": "0.1", "long": "300", "huge": "1e9"}
    if x.path == "/robots.txt":
        rule = f"User-agent: *\nCrawl-delay: {delays[kind]}\n" if kind in delays else ""
        await x.answer(rule, Content_Type=TEXT)
    elif kind in waits and not x.memory.setdefault(kind, False):
        x.memory[kind] = True
        await x.answer("", 503, Retry_After=waits[kind])
    elif kind == "h51":
        hosts = [f"http://{each}.h51.test/a" for each in (*waits, *delays)]
        await x.page(*hosts)
    else:
        await x.page("/b", "/c")


@behaviour("h52", f"{MANY_HOSTS} hosts at one address")
async def h52(x: Exchange) -> None:
    if x.host == "h52.test":
        await x.page(*(f"http://n{n}.h52.test/" for n in range(MANY_HOSTS)))
    else:
        await x.page()


@behaviour("h53", "one host, many links, and many fetches in flight")
async def h53(x: Exchange) -> None:
    await x.page(*(f"/{n}" for n in range(20)))


@behaviour("h54", "robots.txt that closes the host after five pages", robots=True)
async def h54(x: Exchange) -> None:
    if x.path == "/robots.txt":
        await x.answer(CLOSED if x.memory.get("pages", 0) >= 5 else "", Content_Type=TEXT)
    else:
        x.memory["pages"] = x.memory.get("pages", 0) + 1
        await x.page(*(f"/{n}" for n in range(60)))


@behaviour("h55", "noindex, nofollow, X-Robots-Tag, rel=nofollow")
async def h55(x: Exchange) -> None:
    if x.path == "/meta":
        await x.answer('<meta name=robots content="noindex, nofollow"><a href="/no/meta">rain</a>')
    elif x.path == "/header":
        await x.answer('<a href="/no/header">rain</a>', X_Robots_Tag="nofollow")
    elif x.path == "/agent":
        await x.answer(
            '<a href="/no/agent">rain</a>', X_Robots_Tag="otherbot: noindex\r\nX-Robots-Tag: nofollow"
        )
    elif x.path == "/":
        await x.answer(
            '<a rel="nofollow ugc" href="/no/rel">x</a><a href="/meta">m</a><a href="/header">h</a>'
            '<a href="/agent">a</a><a href="/next">n</a>'
        )
    else:
        await x.page()


@behaviour("h56", f"a site of {SITE} pages that answer at once and two that never do")
async def h56(x: Exchange) -> None:
    if x.path.startswith("/hang"):
        await x.hang()
    elif x.path == "/":
        await x.page("/hang1", "/hang2", *(f"/{n}" for n in range(1, SITE)))
    else:
        await x.page()


RULES_OF_MANY_LENGTHS = {
    "page.h57.test": "Allow: /page\nDisallow: /page*\nDisallow: /a-longer-rule\n",
    "home.h57.test": "Disallow: /\nAllow: /$\nDisallow: /private\n",
}


@behaviour("h57", "robots.txt whose longest rule is about other pages", robots=True)
async def h57(x: Exchange) -> None:
    if x.path == "/robots.txt":
        await x.answer("User-agent: *\n" + RULES_OF_MANY_LENGTHS.get(x.host, ""), Content_Type=TEXT)
    elif x.host == "h57.test":
        await x.page(
            "http://page.h57.test/page", "http://page.h57.test/other", "http://home.h57.test/", "/next"
        )
    else:
        await x.page("/private")


ENCODED_DIFFERENTLY = {
    "/{secret}/": "/{secret}/x",
    "/a b/": "/a b/x",
    "/quote\"<'>": "/quote\"<'>",
    "/~joe/": "/%7Ejoe/x",
    "/b%61r/": "/bar/x",
    "/price-%24": "/price-$",
    "/all-%2a": "/all-*",
    "/rain/\u00e0": "/rain/%C3%A0",
}
"""Rules, and links that they forbid though the percent-encoding differs."""
STILL_ALLOWED = ("/rain/%C3%A9", "/price-", "/all-x", "/b%2561r/x")
"""Links that these rules allow, though a wrong decoding would forbid them."""


@behaviour("h58", "robots.txt whose rules are spelled otherwise than the links", robots=True)
async def h58(x: Exchange) -> None:
    if x.path == "/robots.txt":
        rules = "".join(f"Disallow: {rule}\n" for rule in ENCODED_DIFFERENTLY)
        await x.answer(f"User-agent: *\n{rules}", Content_Type=TEXT)
    elif x.path == "/":
        await x.page(*ENCODED_DIFFERENTLY.values(), *STILL_ALLOWED, "/next")
    else:
        await x.page()
