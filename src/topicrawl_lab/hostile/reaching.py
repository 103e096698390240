"""H01 to H10: links, redirects and cookies that lead where a crawler must not go."""

from __future__ import annotations

from topicrawl_lab.hostile.exchange import Exchange, behaviour

SECRET = "s3cret"  # noqa: S105 - a value that must not be sent elsewhere


def inner_addresses(x: Exchange) -> list[str]:
    """Internal addresses that links must not make a crawler fetch; requests to our own port appear in the log."""
    port = x.ports.http
    return [
        x.ports.vault,
        f"http://0.0.0.0:{port}/zero",
        f"http://[::1]:{port}/six",
        "http://10.0.0.1/",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fc00::1]/",
        "http://100.64.0.1/",
    ]


def disguised_addresses(x: Exchange) -> list[str]:
    """The vault and other internal addresses in unusual notations."""
    port = x.ports.http
    return [
        f"http://[::ffff:127.0.0.2]:{port}/mapped",
        f"http://2130706434:{port}/decimal",
        f"http://0x7f.2:{port}/hex",
        f"http://0177.0.0.2:{port}/octal",
        f"http://[64:ff9b::7f00:2]:{port}/nat64",
        f"http://[2002:7f00:2::]:{port}/sixtofour",
        "http://[::ffff:169.254.169.254]/latest/",
    ]


@behaviour("h01", "links to loopback, private, link-local and shared addresses")
async def h01(x: Exchange) -> None:
    await x.page(*inner_addresses(x), "/next")


@behaviour("h02", "a redirect to an inner address")
async def h02(x: Exchange) -> None:
    if x.path == "/away":
        await x.redirect(x.ports.vault)
    else:
        await x.page("/away", "/next")


@behaviour("h03", "a name with a public and a private address")
async def h03(x: Exchange) -> None:
    await x.page("http://rebind.h03.test/", "http://mixed.h03.test/", "/next")


@behaviour("h04", "inner addresses in disguise")
async def h04(x: Exchange) -> None:
    await x.page(*disguised_addresses(x), "/next")


@behaviour("h05", "sitemaps that point inside and to other sites", robots=True)
async def h05(x: Exchange) -> None:
    if x.path == "/robots.txt":
        sitemaps = ("http://h05.test/map.xml", x.ports.vault, "http://other-h05.test/map.xml")
        await x.answer("".join(f"Sitemap: {each}\n" for each in sitemaps), Content_Type="text/plain")
    elif x.path == "/map.xml":
        places = ("http://h05.test/listed", x.ports.vault, "http://foreign.h06.test/taken")
        await x.answer(sitemap(*places), Content_Type="application/xml")
    else:
        await x.page("/next")


@behaviour("h06", "redirect, base, refresh and links to file:, ftp:, gopher:, data:, javascript:")
async def h06(x: Exchange) -> None:
    if x.path == "/file":
        await x.redirect("file:///etc/passwd")
    elif x.path == "/ftp":
        await x.redirect(f"ftp://127.0.0.2:{x.ports.http}/")
    elif x.path == "/base":
        await x.answer('<base href="file:///etc/"><a href="passwd">p</a><p>rain</p>')
    else:
        refresh = '<meta http-equiv=refresh content="0;url=file:///etc/hosts">'
        links = ("file:///etc/passwd", "gopher://127.0.0.2/", "data:text/html,x", "javascript:alert(1)")
        anchors = "".join(f'<a href="{link}">x</a>' for link in (*links, "/file", "/ftp", "/base", "/next"))
        await x.answer(f"<title>rain</title>{refresh}{anchors}")


@behaviour("h07", "inner addresses by every way in: seed, link, chain, robots.txt, sitemap", robots=True)
async def h07(x: Exchange) -> None:
    if x.path == "/robots.txt" and x.host == "robots.h07.test":
        await x.redirect(x.ports.vault)
    elif x.path == "/robots.txt":
        await x.answer("Sitemap: http://h07.test/map.xml\n", Content_Type="text/plain")
    elif x.path == "/map.xml":
        await x.redirect(x.ports.vault)
    elif x.path == "/chain":
        await x.redirect("/chain2")
    elif x.path == "/chain2":
        await x.redirect(x.ports.vault, 307)
    else:
        await x.page("/chain", "http://robots.h07.test/", x.ports.vault, "/next")


@behaviour("h08", "redirects to other hosts, ports and plain http while secrets are set")
async def h08(x: Exchange) -> None:
    if x.path == "/away":
        await x.redirect("http://other.h08.test/caught")
    elif x.path == "/port":
        await x.redirect("http://h08.test:8081/caught")
    elif x.path == "/down":
        await x.redirect("http://secure.h08.test:80/caught")
    elif x.path == "/caught":
        await x.page()
    else:
        await x.answer(
            '<a href="/away">a</a><a href="/port">p</a><a href="/same">s</a>',
            Set_Cookie=f"k={SECRET}; Path=/",
        )


@behaviour("h09", "cookies for a whole public suffix")
async def h09(x: Exchange) -> None:
    if x.host.startswith("one"):
        await x.answer(
            '<a href="http://two-h09.co.uk/">rain</a><a href="/again">again</a>',
            Set_Cookie=f"wide={SECRET}; Domain=co.uk; Path=/\r\nSet-Cookie: own=mine; Path=/",
        )
    else:
        await x.page()


@behaviour("h10", "links with user and password")
async def h10(x: Exchange) -> None:
    await x.page(f"http://user:{SECRET}@h10.test/inside", "/next")


def sitemap(*urls: str, head: str = '<?xml version="1.0"?>') -> str:
    """A sitemap of these URLs."""
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'{head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
