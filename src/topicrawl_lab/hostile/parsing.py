"""H20 to H23, H25: text that makes parsers slow or exhausts memory."""

from __future__ import annotations

from functools import lru_cache

from topicrawl_lab.hostile.exchange import Exchange, behaviour, head, html
from topicrawl_lab.hostile.reaching import sitemap

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
DOCTYPES = {
    "external": '<!DOCTYPE urlset [<!ENTITY xxe SYSTEM "file:///etc/hostname">]>',
    "parameter": '<!DOCTYPE urlset [<!ENTITY % p SYSTEM "http://h20.test/outside.dtd"> %p;]>',
    "laughs": f'<!DOCTYPE urlset [<!ENTITY l0 "lol">{LAUGHS}]>',
    "late": f'<!--{"x" * 5000}--><!DOCTYPE urlset [<!ENTITY xxe SYSTEM "file:///etc/hostname">]>',
}
ENTITY = {"external": "&xxe;", "parameter": "x", "laughs": "&l8;", "late": "&xxe;"}
DEEP = 100_000
ROBOTS_LEAD = "User-agent: *\nDisallow: /closed\n"


@behaviour("h20", "sitemaps with external, parameter and exploding entities", robots=True)
async def h20(x: Exchange) -> None:
    kind = x.path.strip("/").removesuffix(".xml")
    if x.path == "/robots.txt":
        await x.answer("".join(f"Sitemap: http://h20.test/{name}.xml\n" for name in DOCTYPES))
    elif kind in DOCTYPES:
        text = sitemap(f"http://h20.test/leak-{ENTITY[kind]}", head=f'<?xml version="1.0"?>{DOCTYPES[kind]}')
        await x.answer(text, Content_Type="application/xml")
    else:
        await x.page("/next")


@behaviour("h21", "HTML 100,000 levels deep, one text of 50 MB, a million attributes")
async def h21(x: Exchange) -> None:
    pages = {"/deep": _deep, "/long": _long, "/attributes": _attributes}
    if x.path in pages:
        await x.made(pages[x.path])
    else:
        await x.page(*pages, "/next")


@behaviour("h22", "a million links on one page, and a URL of 1 MB")
async def h22(x: Exchange) -> None:
    if x.path == "/many":
        await x.made(_many_links)
    elif x.path == "/long":
        await x.answer(f'<a href="/{"u" * 1_000_000}">rain</a><a href="/after-long">rain</a>')
    else:
        await x.page("/long", "/many", "/next")


@behaviour("h23", "text that makes careless patterns explode", robots=True)
async def h23(x: Exchange) -> None:
    if x.path == "/robots.txt":
        stars = "*a" * 40
        await x.answer(
            f"User-agent: *\nDisallow: /{stars}*b$\nDisallow: /closed\n", Content_Type="text/plain"
        )
    elif x.path == "/soup":
        await x.answer("<" * 300_000 + "!-" * 100_000 + '><a href="/after-soup">rain</a>')
    elif x.path == "/charset":
        await x.answer(html(["/after-charset"], "rain"), Content_Type="text/html; " + "charset= " * 4000)
    else:
        await x.page("/soup", "/charset", "/" + "a" * 1500, "/closed", "/next")


@behaviour("h25", "robots.txt that never ends, of 100 MB, of a million rules", robots=True)
async def h25(x: Exchange) -> None:
    if x.path != "/robots.txt":
        hosts = ("endless", "large", "rules")
        await x.page(*(f"http://{name}.h25.test/{path}" for name in hosts for path in ("closed", "open")))
    elif x.host == "endless.h25.test":
        await x.send(head(200, {"Content_Type": "text/plain"}) + ROBOTS_LEAD.encode())
        await x.for_ever(b"# more\n" * 8192)
    elif x.host in ("large.h25.test", "rules.h25.test"):
        line = b"# more of it\n" if x.host.startswith("large") else b"Disallow: /never/x\n"
        await x.made(lambda: ROBOTS_LEAD.encode() + line * 6_000_000, Content_Type="text/plain")
    else:
        await x.answer("", 404)


@lru_cache(maxsize=1)
def _deep() -> str:
    return '<a href="/after-deep">rain</a>' + "<div>" * DEEP + "rain" + "</div>" * DEEP


@lru_cache(maxsize=1)
def _long() -> str:
    return '<a href="/after-long">rain</a><p>' + "rain storm " * 4_500_000


@lru_cache(maxsize=1)
def _attributes() -> str:
    return '<a href="/after-attributes">rain</a><p ' + " ".join(f"a{n}=1" for n in range(1_000_000)) + ">rain"


@lru_cache(maxsize=1)
def _many_links() -> str:
    return "<title>rain</title>" + "".join(f'<a href="/l/{n}">x</a>' for n in range(1_000_000))
