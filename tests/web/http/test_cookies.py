"""Cookies are off by default; switched on, they are sent to their own host only."""

from __future__ import annotations

from web.http.loopback import browse, reply, serve


def setting(*cookies: str) -> bytes:
    lines = "".join(f"Set-Cookie: {cookie}\r\n" for cookie in cookies)
    return f"HTTP/1.1 200 OK\r\n{lines}Content-Length: 2\r\n\r\nok".encode()


async def test_cookies_are_neither_kept_nor_sent_unless_wanted() -> None:
    async with serve({"/": setting("a=1")}) as site, browse(site) as web:
        await web.fetch("http://a.test/")
        await web.fetch("http://a.test/")
    assert all("cookie" not in asked.headers for asked in site.log)


async def test_wanted_cookies_return_to_their_host_only() -> None:
    async with serve({"/": setting("a=1"), "/b": reply()}) as site, browse(site, cookies=True) as web:
        await web.fetch("http://a.test/")
        await web.fetch("http://a.test/b")
        await web.fetch("http://b.test/b")
    sent = {asked.host: asked.headers.get("cookie") for asked in site.log if asked.path == "/b"}
    assert sent == {"a.test": "a=1", "b.test": None}


async def test_a_cookie_for_a_public_suffix_is_rejected() -> None:
    everywhere = {"*": "127.0.0.1"}
    wide = setting("wide=1; Domain=.co.uk", "hosted=1; path=/; domain=GitHub.io", "fine=1; Domain=shop.co.uk")
    async with serve({"/": wide}) as site, browse(cookies=True, resolve=everywhere) as web:
        for host in ("www.shop.co.uk", "other.co.uk", "me.github.io", "you.github.io", "www.shop.co.uk"):
            await web.fetch(f"http://{host}:{site.port}/")
    cookies = {asked.headers.get("cookie") for asked in site.log if asked.path == "/"}
    assert cookies == {None, "fine=1"}


async def test_with_cookies_a_site_may_redirect_to_itself() -> None:
    async def wants_cookie(writer, asked) -> None:
        if "cookie" in asked.headers:
            writer.write(reply("welcome"))
        else:
            writer.write(reply("", 302, location="/", set_cookie="seen=1"))

    async with serve({"/": wants_cookie}) as site, browse(site, cookies=True) as web:
        assert (await web.fetch("http://a.test/")).content == b"welcome"
