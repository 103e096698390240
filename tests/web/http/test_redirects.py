"""Redirects: followed, counted, checked."""

from __future__ import annotations

import pytest

from topicrawl.frontier.scope import Scope
from topicrawl.web import only_redirects
from web.http.loopback import browse, failure, reply, serve


def to(location: str, status: int = 302, **headers: str) -> bytes:
    return reply("moved", status, location=location, **headers)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed_to_its_canonical_target(status: int) -> None:
    pages = {"/": to("../x/./b%2fc#part", status), "/x/b%2Fc": reply("here")}
    async with serve(pages) as site, browse(site) as web:
        response = await web.fetch("http://A.test")
    assert (response.asked, response.url, response.content) == (
        "http://a.test/",
        "http://a.test/x/b%2Fc",
        b"here",
    )
    (hop,) = response.hops
    assert (hop.url, hop.status, hop.body) == ("http://a.test/", status, b"moved")
    assert ("location", "../x/./b%2fc#part") in hop.headers


async def test_a_location_in_utf_8_is_understood() -> None:
    pages = {"/": reply("", 302).replace(b"\r\n\r\n", "\r\nlocation: /caf\u00e9\r\n\r\n".encode())}
    async with serve(pages | {"/caf%C3%A9": reply("here")}) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/")).content == b"here"


async def test_a_redirect_status_without_a_location_is_just_an_answer() -> None:
    async with serve({"/": reply("choose", 302)}) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/")).status == 302


async def test_a_chain_may_have_five_hops_and_no_more() -> None:
    chain = {f"/{n}": to(f"/{n + 1}") for n in range(6)} | {"/6": reply("end")}
    async with serve(chain) as site, browse(site) as web:
        assert len((await web.fetch("http://a.test/1")).hops) == 5
        assert (await failure(web, "http://a.test/0")).kind == "redirects"


async def test_a_redirect_loop_ends_at_the_first_repeated_url() -> None:
    pages = {"/a": to("/b"), "/b": to("http://a.test/a")}
    async with serve(pages) as site, browse(site) as web:
        error = await failure(web, "http://a.test/a")
    assert (error.kind, site.paths) == ("redirects", ["/robots.txt", "/a", "/b"])


async def test_robots_txt_is_checked_for_every_hop_before_it_is_requested() -> None:
    pages = {"/": to("http://b.test/secret"), "/robots.txt": reply("User-agent: *\nDisallow: /secret")}
    async with serve(pages) as site, browse(site) as web:
        error = await failure(web, "http://a.test/")
    assert error.kind == "robots"
    assert [(asked.host, asked.path) for asked in site.log] == [
        ("a.test", "/robots.txt"),
        ("a.test", "/"),
        ("b.test", "/robots.txt"),
    ]


@pytest.mark.parametrize(
    ("scope", "goes_on"),
    [
        (Scope(), True),
        (Scope(allow_domain=("a.test",)), False),
        (Scope(same_site=True), False),
        (Scope(exclude=("/other",)), False),
        (Scope(include=("/other", "/$")), True),
        (Scope(include=("/pages/",)), True),
        (Scope(allow_domain=("a.test", "b.test")), True),
    ],
)
async def test_a_redirect_out_of_the_scope_is_not_requested(scope: Scope, goes_on: bool) -> None:
    pages = {"/": to("http://b.test/other"), "/other": reply("x")}
    seeds = frozenset({"a.test"})
    async with serve(pages) as site, browse(site) as web:
        with only_redirects(lambda url: scope.is_passable(url, seeds)):
            if goes_on:
                assert (await web.fetch("http://a.test/")).content == b"x"
            else:
                error = await failure(web, "http://a.test/")
                assert (error.kind, error.status) == ("scope", 302)
        assert ("b.test" in {asked.host for asked in site.log}) is goes_on
        assert (await web.fetch("http://a.test/")).content == b"x"


async def test_the_robots_txt_of_an_allowed_host_may_be_elsewhere() -> None:
    pages = {"/robots.txt": to("http://b.test/rules"), "/rules": reply(""), "/": reply("x")}
    async with serve(pages) as site, browse(site) as web:
        with only_redirects(lambda url: "//a.test" in url):
            assert (await web.fetch("http://a.test/")).content == b"x"
    assert site.paths[:2] == ["/robots.txt", "/rules"]


async def test_secrets_do_not_cross_origins() -> None:
    pages = {"/": to("/same"), "/same": to("http://b.test/other"), "/other": reply("x")}
    secrets = (("Authorization", "Basic x"), ("Cookie", "a=b"), ("X-Plain", "y"))
    async with serve(pages) as site, browse(site) as web:
        response = await web.fetch("http://a.test/", headers=secrets)
    seen = {asked.path: asked.headers for asked in site.log}
    assert seen["/same"]["authorization"] == "Basic x"
    assert seen["/same"]["cookie"] == "a=b"
    assert "authorization" not in seen["/other"]
    assert "cookie" not in seen["/other"]
    assert seen["/other"]["x-plain"] == "y"
    assert all("authorization" not in seen[path] for path in seen if path == "/robots.txt")
    assert not {name.lower() for name, _ in response.request_headers} & {"authorization", "cookie"}


async def test_the_secrets_of_a_request_are_not_archived() -> None:
    async with serve({"/": reply("x")}) as site, browse(site) as web:
        response = await web.fetch("http://a.test/", headers=(("Authorization", "Basic x"),))
    assert site.log[-1].headers["authorization"] == "Basic x"
    sent = {name.lower() for name, _ in response.request_headers}
    assert "authorization" not in sent
    assert {"host", "user-agent", "accept-encoding"} <= sent
