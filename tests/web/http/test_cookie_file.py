"""Cookies of a file go to their own sites only; what is wrong with the file is named by line, never by value."""

from __future__ import annotations

import pytest

from topicrawl.errors import ConfigError
from topicrawl.web.http.cookie_file import CookieFile, read_cookies
from web.http.loopback import browse, reply, serve

SECRET = "s3cr3t-swordfish"
NOT_YET = 4_102_444_800
"""A moment of the year 2100."""


def line(
    domain: str = "a.test", below: str = "FALSE", path: str = "/", secure: str = "FALSE", expires: str = "0"
) -> str:
    return "\t".join((domain, below, path, secure, expires, "sid", SECRET))


def sent(text: str, url: str) -> str:
    return CookieFile(read_cookies(text, "cookies.txt")).header(url)


@pytest.mark.parametrize(
    ("text", "url", "is_sent"),
    [
        (line(), "http://a.test/", True),
        (line(), "http://a.test:8080/x?y", True),
        (line(), "http://www.a.test/", False),
        (line(".a.test", "TRUE"), "http://a.test/", True),
        (line(".a.test", "TRUE"), "http://www.a.test/", True),
        (line("a.test", "TRUE"), "http://www.a.test/", True),
        (line(".a.test", "TRUE"), "http://nota.test/", False),
        (line("A.test"), "http://a.test/", True),
        (line("bücher.test"), "http://xn--bcher-kva.test/", True),
        (line("127.0.0.1", "TRUE"), "http://127.0.0.1/", True),
        (line("0.0.1", "FALSE"), "http://127.0.0.1/", False),
        (line("[::1]"), "http://[::1]/", True),
        (line(path="/a"), "http://a.test/a", True),
        (line(path="/a"), "http://a.test/a/b", True),
        (line(path="/a/"), "http://a.test/a/b", True),
        (line(path="/a"), "http://a.test/ab", False),
        (line(path="/a"), "http://a.test/?/a/", False),
        (line(secure="TRUE"), "http://a.test/", False),
        (line(secure="TRUE"), "https://a.test/", True),
        (line(expires=str(NOT_YET)), "http://a.test/", True),
        (line(expires=f"{NOT_YET}.25"), "http://a.test/", True),
        (line(expires="-1"), "http://a.test/", True),
        ("\ufeff# Netscape HTTP Cookie File\r\n\r\n#HttpOnly_" + line() + "\r\n", "http://a.test/", True),
    ],
)
def test_a_cookie_goes_where_it_belongs(text: str, url: str, is_sent: bool) -> None:
    assert sent(text, url) == (f"sid={SECRET}" if is_sent else "")


def test_the_longest_path_is_sent_first_and_expired_cookies_are_dropped() -> None:
    text = "\n".join(
        [
            "a.test\tFALSE\t/\tFALSE\t0\tone\t1",
            "a.test\tFALSE\t/deep\tFALSE\t0\ttwo\tb\"=' 2",
            "a.test\tFALSE\t/\tFALSE\t0\tempty",
            "a.test\tFALSE\t/\tFALSE\t1\told\tx",
        ]
    )
    assert sent(text, "http://a.test/deep") == "two=b\"=' 2; one=1; empty="


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no cookie; export it as Netscape's cookies.txt"),
        ("# Netscape HTTP Cookie File\n", "holds no cookie"),
        (f'[{{"name": "sid", "value": "{SECRET}"}}]', "is JSON"),
        (line() + f"\nsid={SECRET}\n", "line 2 has 1 fields with tabs between them, not 7"),
        ("# comment\n" + line().replace("\t", " "), "line 2 has 1 fields"),
        (line() + "\tmore", "line 1 has 8 fields"),
        (line(below="yes"), "line 1: field 2 must be TRUE or FALSE"),
        (line(secure="1"), "line 1: field 4 must be TRUE or FALSE"),
        (line(expires="tomorrow"), "line 1: field 5 must be a time"),
        (line(path="a"), "field 3 a path"),
        (line(domain=""), "field 1 must be a domain"),
        (line(domain="a.test/x"), "field 1 must be a domain"),
        (line().replace("sid", ""), "cannot be sent"),
        (line() + "; other=1", "cannot be sent"),
        (line() + "\x1b[0m", "cannot be sent"),
        (line(".co.uk", "TRUE"), "line 1: co.uk is a public suffix"),
        (line("github.io", "TRUE"), "line 1: github.io is a public suffix"),
        (line("com", "TRUE"), "line 1: com is a public suffix"),
        (line(expires="1"), "all 1 cookies have expired; log in and export them again"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_by_its_line_and_not_by_its_value(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_cookies(text, "--cookie-file file:cookies.txt")
    assert str(caught.value).startswith("--cookie-file file:cookies.txt")
    assert said in str(caught.value)
    assert SECRET not in str(caught.value)


async def test_a_redirect_to_another_host_loses_the_cookies_and_no_answer_keeps_them() -> None:
    pages = {"/": reply("", 302, location="http://b.test/two"), "/two": reply("two")}
    async with serve(pages) as site, browse(site, cookie_file=read_cookies(line(), "")) as web:
        response = await web.fetch("http://a.test/")
    cookies = {asked.host: asked.headers.get("cookie") for asked in site.log if asked.path != "/robots.txt"}
    assert cookies == {"a.test": f"sid={SECRET}", "b.test": None}
    assert SECRET not in repr((response, web.settings))


async def test_what_a_server_sets_takes_the_place_of_the_cookie_of_the_file() -> None:
    pages = {"/": reply("", set_cookie="sid=newer"), "/two": reply("two")}
    cookies = read_cookies(line() + '\na.test\tFALSE\t/\tFALSE\t0\tt\ta"=b', "")
    async with serve(pages) as site, browse(site, cookie_file=cookies, cookies=True) as web:
        await web.fetch("http://a.test/")
        await web.fetch("http://a.test/two")
    first, second = (asked.headers["cookie"] for asked in site.log if asked.path != "/robots.txt")
    assert f"sid={SECRET}" in first
    assert set(second.split("; ")) == {"sid=newer", 't=a"=b'}


async def test_cookies_of_the_file_join_those_of_a_header() -> None:
    secrets = {"http://a.test": (("Cookie", "own=1"),)}
    async with (
        serve({"/": reply()}) as site,
        browse(site, cookie_file=read_cookies(line(), ""), secrets=secrets) as web,
    ):
        await web.fetch("http://a.test/")
    assert site.log[-1].headers["cookie"] == f"own=1; sid={SECRET}"
