"""A SOCKS5 proxy carries every request; what goes wrong there is told in one line, and is no fault of a host."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
from pathlib import Path
from urllib.parse import quote

import pytest
import trustme

from topicrawl.errors import ConfigError
from topicrawl.web.http import HttpWeb
from web.http.loopback import browse, failure, http_settings, reply, serve
from web.http.socks_server import listening, socks

PAGES = {"/": reply("hello")}
SECRET = "s3cr3t:sword/fish@"
OUTSIDE = "93.184.216.34"


async def test_with_socks5h_the_proxy_gets_the_names() -> None:
    async with (
        serve(PAGES) as site,
        socks(site.port) as proxy,
        browse(proxy=f"socks5h://127.0.0.1:{proxy.port}", resolve={}) as web,
    ):
        response = await web.fetch("http://far.example/")
    assert response.content == b"hello"
    assert response.address == "", "the address of the proxy is not that of the host"
    assert set(proxy.asked) == {("far.example", 80)}
    assert {asked.host for asked in site.log} == {"far.example"}


async def test_with_socks5_we_resolve_the_names() -> None:
    names = {"*.test": f"{OUTSIDE}:8080"}
    async with (
        serve(PAGES) as site,
        socks(site.port) as proxy,
        browse(proxy=f"socks5://127.0.0.1:{proxy.port}", resolve=names) as web,
    ):
        assert (await web.fetch("http://far.test/")).content == b"hello"
    assert set(proxy.asked) == {(OUTSIDE, 8080)}
    assert {asked.host for asked in site.log} == {"far.test"}


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
async def test_an_address_of_ipv6_is_passed_on(scheme: str) -> None:
    async with (
        serve(PAGES) as site,
        socks(site.port) as proxy,
        browse(proxy=f"{scheme}://127.0.0.1:{proxy.port}", resolve={}) as web,
    ):
        assert (await web.fetch("http://[2606:4700::1111]:81/")).content == b"hello"
    assert set(proxy.asked) == {("2606:4700::1111", 81)}


async def test_a_proxy_at_an_address_of_ipv6_is_reached() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\x05\xff")

    async with listening(refuse, "::1") as port, browse(proxy=f"socks5h://[::1]:{port}", resolve={}) as web:
        error = await failure(web, "http://a.example/")
    assert error.detail.startswith(f"the proxy [::1]:{port} refuses the login")


async def test_of_several_addresses_the_next_is_tried() -> None:
    names = {"a.test": "2606:4700::1111, 2606:4700::2222, 93.184.216.35, 93.184.216.36"}
    refused = {"2606:4700::1111": 3, "2606:4700::2222": 4, "93.184.216.35": 5}
    async with (
        serve(PAGES) as site,
        socks(site.port, replies=refused) as proxy,
        browse(proxy=f"socks5://127.0.0.1:{proxy.port}", resolve=names) as web,
    ):
        assert (await web.fetch("http://a.test/")).content == b"hello"
    hosts = [host for host, _ in proxy.asked]
    assert len(hosts) == len(set(hosts)), "each is asked for once, and the connection is kept"


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
async def test_tls_is_spoken_with_the_host_through_the_proxy(scheme: str, tmp_path: Path) -> None:
    authority, file = trustme.CA(), tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("a.test").configure_cert(context)
    names = {"*": OUTSIDE} if scheme == "socks5" else {}
    async with (
        serve(PAGES, context) as site,
        socks(site.port) as proxy,
        browse(proxy=f"{scheme}://127.0.0.1:{proxy.port}", resolve=names, ca_file=str(file)) as web,
    ):
        assert (await web.fetch("https://a.test/")).content == b"hello"
        assert (await failure(web, "https://b.test/")).kind == "tls"


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "169.254.169.254", "[::1]", "0x7f.1", "x.localhost"]
)
async def test_a_proxy_is_not_asked_for_a_private_address(scheme: str, host: str) -> None:
    async with socks(1) as proxy:
        address = f"{scheme}://127.0.0.1:{proxy.port}"
        async with browse(
            proxy=address, resolve={"x.localhost": "127.0.0.1"} if scheme == "socks5" else {}, allow_nets=()
        ) as web:
            assert (await failure(web, f"http://{host}/")).kind == "guard"
    assert proxy.asked == []


async def test_with_socks5_a_name_of_a_private_address_is_refused_also_if_it_is_that_of_the_proxy() -> None:
    async with (
        serve(PAGES) as site,
        socks(site.port) as proxy,
        browse(proxy=f"socks5://localhost:{proxy.port}", resolve={"out.test": OUTSIDE}, allow_nets=()) as web,
    ):
        assert (await web.fetch("http://out.test/")).content == b"hello"
        assert (await failure(web, f"http://localhost:{proxy.port}/")).kind == "guard"
    assert set(proxy.asked) == {(OUTSIDE, 80)}


async def test_user_and_password_are_sent_and_a_refusal_does_not_repeat_them() -> None:
    async with serve(PAGES) as site, socks(site.port, login=("me", SECRET)) as proxy:
        at = f"127.0.0.1:{proxy.port}"
        async with browse(proxy=f"socks5h://me:{quote(SECRET, safe='')}@{at}", resolve={}) as web:
            assert (await web.fetch("http://a.example/")).content == b"hello"
        async with browse(proxy=f"socks5h://me:{quote(SECRET[1:], safe='')}@{at}", resolve={}) as web:
            wrong = await failure(web, "http://a.example/")
        async with browse(proxy=f"socks5h://{at}", resolve={}) as web:
            absent = await failure(web, "http://a.example/")
    assert (wrong.kind, wrong.detail) == (
        "proxy",
        f"the proxy {at} refuses this user and password; check them",
    )
    assert absent.kind == "proxy"
    assert "give a user and password: --proxy env:NAME" in absent.detail
    assert proxy.logins == [("me", SECRET), ("me", SECRET[1:])]


@pytest.mark.parametrize("login", ["me@", f"{'u' * 256}:{SECRET[:6]}@", f":{SECRET[:6]}@"])
def test_a_login_that_socks5_cannot_carry_is_refused_and_not_printed(login: str) -> None:
    with pytest.raises(ConfigError, match="1 to 255 bytes") as caught:
        HttpWeb(http_settings(proxy=f"socks5://{login}127.0.0.1:1"))
    assert SECRET[:6] not in str(caught.value)
    assert "me@" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        (1, "robots-unreachable", "general failure"),
        (2, "proxy", "its rules do not allow this host"),
        (3, "robots-unreachable", "network unreachable"),
        (4, "robots-unreachable", "host unreachable, or its name is unknown"),
        (5, "robots-unreachable", "connection refused"),
        (6, "robots-unreachable", "time to live expired"),
        (7, "proxy", "command not supported"),
        (8, "proxy", "this kind of address"),
        (99, "robots-unreachable", "unknown reason (reply 99)"),
    ],
)
async def test_each_reply_of_a_proxy_is_told_in_a_line(code: int, kind: str, said: str) -> None:
    async with (
        socks(1, replies={"a.example": code}) as proxy,
        browse(proxy=f"socks5h://127.0.0.1:{proxy.port}", resolve={}, retries=2) as web,
    ):
        error = await failure(web, "http://a.example/")
        assert not await web.host_answers("http://a.example/")
    assert error.kind == kind
    assert said in error.detail
    assert f"the proxy 127.0.0.1:{proxy.port}" in error.detail
    assert "a.example:80" in error.detail
    assert "\n" not in error.detail
    assert len(proxy.asked) == 2, "it is not asked again at once"


@pytest.mark.parametrize(
    ("answers", "kind", "said"),
    [
        ([b"HTTP/1.1 400 Bad Request\r\n\r\n"], "proxy", "speaks no SOCKS5: its answer begins with byte 72"),
        ([b"\x04\x00"], "proxy", "speaks no SOCKS5"),
        ([b"\x05\x07"], "proxy", "refuses the login"),
        ([b"\x05\x02"], "proxy", "refuses the login"),
        ([b"\x05\x00", b"\x05\x00\x00\x09" + bytes(9)], "proxy", "an address of kind 9"),
        ([b"\x05\x00", b"\x00\x00\x00\x01" + bytes(6)], "proxy", "begins with byte 0"),
        ([b""], "robots-unreachable", "ended the connection before it was open"),
        ([b"\x05"], "robots-unreachable", "ended the connection before it was open"),
        ([b"\x05\x00", b"\x05\x00\x00\x03\xff" + bytes(9)], "robots-unreachable", "ended the connection"),
    ],
)
async def test_a_proxy_that_speaks_nonsense_or_is_cut_is_told_in_a_line(
    answers: list[bytes], kind: str, said: str
) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await reader.read(512)
            writer.write(answer)
            await writer.drain()

    async with listening(speak) as port, browse(proxy=f"socks5h://127.0.0.1:{port}", resolve={}) as web:
        error = await failure(web, "http://a.example/")
    assert (error.kind, said in error.detail, f"127.0.0.1:{port}" in error.detail) == (kind, True, True)


async def test_a_proxy_that_never_stops_talking_is_read_no_further_than_its_answer() -> None:
    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\x05\x00\x05\x00\x00\x03\xff" + b"x" * 257)
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    async with listening(flood) as port, browse(proxy=f"socks5h://127.0.0.1:{port}", resolve={}) as web:
        error = await failure(web, "http://a.example/")
    assert error.kind == "robots-unreachable"


@pytest.mark.parametrize("first", [b"", b"\x05", b"\x05\x00\x05\x00\x00"])
async def test_a_proxy_that_is_silent_is_given_up(first: bytes) -> None:
    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        await asyncio.sleep(60)

    async with (
        listening(wait) as port,
        browse(proxy=f"socks5h://127.0.0.1:{port}", resolve={}, connect=0.2) as web,
    ):
        error = await failure(web, "http://a.example/")
    assert (
        f"timeout: no connection to a.example through the proxy 127.0.0.1:{port} within 0.2 s" in error.detail
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-proxy.invalid"])
async def test_a_proxy_that_is_down_is_named(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with browse(proxy=f"socks5h://me:{SECRET[:6]}@{host}:{port}", resolve={}) as web:
        error = await failure(web, "http://a.example/")
        assert not await web.host_answers("http://a.example/")
    assert error.kind == "robots-unreachable"
    assert f"connect: the proxy {host}:{port} cannot be reached: " in error.detail
    assert SECRET[:6] not in error.detail


@pytest.mark.skipif(shutil.which("microsocks") is None, reason="microsocks is not installed")
@pytest.mark.parametrize("login", ["", "me:swordfish@"])
async def test_another_servers_socks5_carries_pages(login: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    user = ["-u", "me", "-P", "swordfish"] if login else []
    server = await asyncio.create_subprocess_exec(
        "microsocks", "-i", "127.0.0.1", "-p", str(port), *user, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        while True:
            try:
                (await asyncio.open_connection("127.0.0.1", port))[1].close()
                break
            except ConnectionError:
                await asyncio.sleep(0.02)
        async with serve(PAGES) as site, browse(site, proxy=f"socks5://{login}127.0.0.1:{port}") as web:
            assert (await web.fetch("http://a.test/")).content == b"hello"
        async with browse(proxy=f"socks5://127.0.0.1:{port}", resolve={"a.test": "127.0.0.1:1"}) as web:
            error = await failure(web, "http://a.test/")
        assert ("refuses the login" if login else "connection refused (reply 5)") in error.detail
    finally:
        server.kill()
        await server.wait()
