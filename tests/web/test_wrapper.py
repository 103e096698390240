"""Webs around webs forward the whole protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from topicrawl.crawling.recrawl import ConditionalWeb
from topicrawl.model import Response
from topicrawl.web import Web, Wrapper
from topicrawl.web.cached import CachedWeb
from topicrawl.web.invented import invented_web
from topicrawl.web.recorded import RecordedWeb
from web.http.loopback import browse
from web.warcs import site

MEMBERS = {name for name in vars(Web) if not name.startswith("_")}
URL = "http://a.test/"
ARGUMENTS = {
    "fetch": (URL, (("Accept-Language", "de"),)),
    "host_answers": (URL,),
    "remember": (URL, b"page"),
    "rest": ({"a.test", "b.test"},),
    "resting": (),
    "pace": (0.5, 3),
    "addresses": (),
    "share_addresses": ({"93.184.216.34": 2},),
    "close": (),
}


class RecordingWeb:
    """Lists each use of a member with its arguments."""

    def __init__(self) -> None:
        self.used: list[tuple[object, ...]] = []

    @property
    def name(self) -> str:
        self.used.append(("name",))
        return "recording"

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        self.used.append(("fetch", url, headers))
        return Response(url, url, 200)

    async def host_answers(self, url: str) -> bool:
        self.used.append(("host_answers", url))
        return False

    def remember(self, url: str, parsed: bytes) -> None:
        self.used.append(("remember", url, parsed))

    def rest(self, hosts: Iterable[str]) -> None:
        self.used.append(("rest", hosts))

    def resting(self) -> dict[str, float]:
        self.used.append(("resting",))
        return {"a.test": 0.5}

    def pace(self, delay: float, concurrency: int) -> None:
        self.used.append(("pace", delay, concurrency))

    def addresses(self) -> set[str]:
        self.used.append(("addresses",))
        return {"93.184.216.34"}

    def share_addresses(self, addresses: Mapping[str, int]) -> None:
        self.used.append(("share_addresses", addresses))

    @property
    def warnings(self) -> tuple[str, ...]:
        self.used.append(("warnings",))
        return ("one file is damaged",)

    @property
    def reads(self) -> int:
        self.used.append(("reads",))
        return 7

    async def close(self) -> None:
        self.used.append(("close",))


def use(web: Web, member: str) -> object:
    """What `member` gives: the value of a property, or the result of a call with `ARGUMENTS`."""
    value = getattr(web, member)
    if member not in ARGUMENTS:
        return value
    result = value(*ARGUMENTS[member])

    async def awaited() -> object:
        return await result

    return asyncio.run(awaited()) if asyncio.iscoroutine(result) else result


@pytest.mark.parametrize("member", sorted(MEMBERS))
def test_a_wrapper_forwards_each_member_of_the_protocol(member: str) -> None:
    inside = RecordingWeb()
    expected = use(inside, member)
    assert use(Wrapper(inside), member) == expected
    assert inside.used == [(member, *ARGUMENTS.get(member, ()))] * 2


def test_fetch_without_headers_forwards_none() -> None:
    inside = RecordingWeb()
    asyncio.run(Wrapper(inside).fetch(URL))
    assert inside.used == [("fetch", URL, ())]


@pytest.mark.parametrize("wrapper", [CachedWeb, ConditionalWeb])
def test_the_webs_around_a_web_are_wrappers(wrapper: type) -> None:
    assert issubclass(wrapper, Wrapper)


def test_a_cache_forwards_rest_and_warnings(tmp_path: Path) -> None:
    inside = RecordingWeb()
    web = CachedWeb(inside, tmp_path / "pages.db", bodies=False)
    web.rest({"a.test"})
    assert list(web.warnings) == ["one file is damaged"]
    assert web.reads == 7
    asyncio.run(web.close())
    assert inside.used == [("rest", {"a.test"}), ("warnings",), ("reads",), ("close",)]


def test_every_web_has_the_whole_protocol(tmp_path: Path) -> None:
    site(tmp_path / "a.warc")

    async def missing() -> set[str]:
        async with browse() as http:
            webs = (http, invented_web("invented:7"), RecordedWeb(tmp_path / "a.warc"))
            return {member for web in webs for member in MEMBERS if not hasattr(web, member)}

    assert asyncio.run(missing()) == set()
