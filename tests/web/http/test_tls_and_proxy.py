"""Certificates are verified against the name that was asked for; a proxy carries everything."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
import trustme

from web.http.loopback import browse, failure, reply, serve

PAGES = {"/": reply("hello")}


@pytest.fixture
def authority(tmp_path: Path) -> tuple[trustme.CA, str]:
    ca = trustme.CA()
    file = tmp_path / "ca.pem"
    ca.cert_pem.write_to_path(str(file))
    return ca, str(file)


def identity(ca: trustme.CA, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert(name).configure_cert(context)
    return context


async def test_a_certificate_for_the_mapped_name_is_accepted(authority: tuple[trustme.CA, str]) -> None:
    ca, file = authority
    async with serve(PAGES, identity(ca, "a.test")) as site, browse(site, ca_file=file) as web:
        assert (await web.fetch("https://a.test/")).content == b"hello"
    assert site.log[-1].host == "a.test"


async def test_a_certificate_for_another_name_is_refused(authority: tuple[trustme.CA, str]) -> None:
    ca, file = authority
    async with serve(PAGES, identity(ca, "b.test")) as site, browse(site, ca_file=file) as web:
        error = await failure(web, "https://a.test/")
    assert (error.kind, "a.test" in error.detail) == ("tls", True)
    assert site.log == []


async def test_a_certificate_of_an_unknown_authority_is_refused(authority: tuple[trustme.CA, str]) -> None:
    async with (
        serve(PAGES, identity(trustme.CA(), "a.test")) as site,
        browse(site, ca_file=authority[1]) as web,
    ):
        assert (await failure(web, "https://a.test/")).kind == "tls"
    assert site.log == []


async def test_a_handshake_that_never_ends_is_given_up() -> None:
    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, browse(resolve={"a.test": f"127.0.0.1:{port}"}, connect=0.3) as web:
        assert "timeout" in (await failure(web, "https://a.test/")).detail


async def test_a_proxy_gets_every_request_and_resolves_the_names() -> None:
    pages = {"http://far.example/": reply("far"), "http://far.example/robots.txt": reply("", 404)}
    async with serve(pages) as proxy, browse(proxy=f"http://127.0.0.1:{proxy.port}", resolve={}) as web:
        assert (await web.fetch("http://far.example/")).content == b"far"
    assert proxy.paths == ["http://far.example/robots.txt", "http://far.example/"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "169.254.169.254", "[::1]", "x.localhost"])
async def test_a_proxy_is_not_asked_for_a_literal_private_address(host: str) -> None:
    async with serve({}) as proxy:
        address = f"http://127.0.0.1:{proxy.port}"
        async with browse(proxy=address, resolve={}, allow_nets=()) as web:
            assert (await failure(web, f"http://{host}/")).kind == "guard"
    assert proxy.log == []
