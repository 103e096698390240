"""Names, addresses and the guard, over real sockets: which hosts can be reached."""

from __future__ import annotations

import socket

import aiohttp
import pytest

from topicrawl.errors import ConfigError
from topicrawl.web.http import HttpWeb
from topicrawl.web.http.client import open_session
from topicrawl.web.http.dns import Resolver
from topicrawl.web.http.errors import fault
from topicrawl.web.http.guard import Guard, RefusedAddressError
from web.http.loopback import browse, failure, http_settings, reply, serve

OPEN = {"/": reply("hello"), "/robots.txt": reply("", 404)}


async def test_a_mapped_name_is_fetched_from_its_address_and_keeps_its_host_header() -> None:
    async with serve(OPEN) as site, browse(site) as web:
        response = await web.fetch("http://deep.name.test/")
    assert (response.status, response.content, response.address) == (200, b"hello", "127.0.0.1")
    assert {asked.host for asked in site.log} == {"deep.name.test"}


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "localhost", "a.test"],
)
async def test_loopback_is_refused_unless_allowed_however_it_is_written(host: str) -> None:
    async with serve(OPEN) as site, browse(site, allow_nets=()) as web:
        error = await failure(web, f"http://{host}:{site.port}/")
    assert error.kind == "guard"
    assert site.connections == 0


async def test_no_socket_is_made_for_a_refused_address_even_when_the_lookup_was_skipped() -> None:
    settings, guard = http_settings(), Guard()
    async with serve(OPEN) as site, open_session(settings, Resolver(settings, guard), guard, None) as session:
        with pytest.raises(aiohttp.ClientConnectorError) as caught:
            await session.get(f"http://127.0.0.1:{site.port}/")
    assert isinstance(caught.value.os_error, RefusedAddressError)
    assert fault(caught.value).kind == "guard"
    assert site.connections == 0


async def test_an_opened_net_is_reached_by_its_literal_address() -> None:
    async with serve(OPEN) as site, browse(site) as web:
        response = await web.fetch(f"http://127.0.0.1:{site.port}/")
    assert response.content == b"hello"


async def test_a_name_with_one_private_address_among_its_addresses_is_refused_altogether() -> None:
    async with serve(OPEN) as site:
        two = {"two.test": f"127.0.0.1:{site.port}, 10.0.0.1:{site.port}"}
        async with browse(resolve=two) as web:
            error = await failure(web, "http://two.test/")
    assert error.kind == "guard"
    assert "10.0.0.1" in error.detail
    assert site.connections == 0


async def test_when_one_address_is_dead_the_other_is_used_and_reported() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        async with serve(OPEN, address="127.0.0.2") as site:
            two = {"two.test": f"127.0.0.1:{closed.getsockname()[1]}, 127.0.0.2:{site.port}"}
            async with browse(resolve=two) as web:
                response = await web.fetch("http://two.test/")
    assert (response.content, response.address) == (b"hello", "127.0.0.2")


async def test_a_redirect_to_an_address_that_is_not_open_is_refused() -> None:
    away = reply("", 302, location="http://169.254.169.254/latest/meta-data/")
    async with serve(OPEN | {"/": away}) as site, browse(site) as web:
        error = await failure(web, "http://a.test/")
    assert error.kind == "guard"


async def test_a_robots_txt_that_redirects_to_a_private_address_is_not_fetched() -> None:
    away = reply("", 302, location="http://10.0.0.1/robots.txt")
    async with serve({"/": reply("x"), "/robots.txt": away}) as site, browse(site) as web:
        error = await failure(web, "http://a.test/")
    assert error.kind == "guard"
    assert site.paths == ["/robots.txt"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://a.test/", "javascript:alert(1)", "data:,x"])
async def test_a_redirect_to_another_scheme_is_refused(target: str) -> None:
    async with serve(OPEN | {"/": reply("", 302, location=target)}) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).kind == "scheme"
        assert (await failure(web, target)).kind == "scheme"


@pytest.mark.parametrize(
    "url", ["http://", "http://a.test:99999/", "/relative", "http://a.test/" + "x" * 3000]
)
async def test_an_unfetchable_url_is_a_url_failure(url: str) -> None:
    async with browse() as web:
        assert (await failure(web, url)).kind == "url"


async def test_an_unknown_name_is_a_dns_failure_that_is_remembered() -> None:
    async with browse() as web:
        first = await failure(web, "http://no-such-name.invalid/")
        again = await failure(web, "https://no-such-name.invalid/")
    assert (first.kind, again.kind) == ("dns", "dns")
    assert first.detail == again.detail


async def test_credentials_in_a_url_are_never_sent() -> None:
    async with serve(OPEN) as site, browse(site) as web:
        response = await web.fetch("http://user:secret@a.test/")
    assert response.url == "http://a.test/"
    assert all("authorization" not in asked.headers for asked in site.log)


async def test_a_refused_connection_is_a_connect_failure() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        async with browse(resolve={"a.test": f"127.0.0.1:{port}"}) as web:
            error = await failure(web, "http://a.test/")
    assert error.kind == "robots-unreachable"
    assert "connect" in error.detail


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"resolve": {"a.test": "nowhere"}}, "a.test=nowhere"),
        ({"resolve": {"a.test": "127.0.0.1:x"}}, "127.0.0.1:x"),
        ({"allow_nets": ("all",)}, "all"),
        ({"proxy": "socks4://127.0.0.1:1"}, "only version 5"),
        ({"proxy": "socks5://127.0.0.1:x"}, "socks5://host:port"),
        ({"proxy": "socks5://:1"}, "socks5://host:port"),
        ({"proxy": "ftp://127.0.0.1:1"}, "socks5://host:port"),
        ({"proxy": "socks5h://127.0.0.1:1", "resolve": {"*": "127.0.0.1"}}, "cannot be combined"),
        ({"proxy": "http://127.0.0.1:1", "resolve": {"*": "127.0.0.1"}}, "cannot be combined"),
        ({"ca_file": "/no/such/file.pem"}, "file.pem"),
        ({"headers": (("X-Two", "a\r\nHost: b"),)}, "X-Two"),
        ({"headers": (("X Two", "a"),)}, "X Two"),
        ({"contact": "me\nyou"}, "User-Agent"),
    ],
)
def test_a_bad_setting_is_named_before_anything_is_fetched(changes: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        HttpWeb(http_settings(**changes))
