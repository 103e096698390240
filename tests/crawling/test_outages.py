"""What is waited for, and what has failed. tests/test_hanging.py has the same with real servers."""

from __future__ import annotations

import asyncio

import pytest

from topicrawl.crawling import outages as patience
from topicrawl.crawling.outages import WITNESSES, Network, Outages
from topicrawl.errors import FetchError
from topicrawl.model import Response


class Scripted:
    """A web that answers as lists say: an error or a page, and whether hosts answer at all (the last for good)."""

    name = "scripted"

    def __init__(self, *answers: FetchError | None, up: tuple[bool, ...] = (True,)) -> None:
        self.answers = list(answers)
        self.up = list(up)
        self.probed: list[str] = []

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        answer = self.answers.pop(0) if self.answers else None
        if answer:
            raise answer
        return Response(url, url, 200)

    async def host_answers(self, url: str) -> bool:
        self.probed.append(url)
        return self.up.pop(0) if len(self.up) > 1 else self.up[0]

    def remember(self, url: str, parsed: bytes) -> None:
        """Nothing."""

    async def close(self) -> None:
        """Nothing."""


def test_without_a_host_that_ever_answered_nobody_can_tell_of_an_outage() -> None:
    async def scenario() -> bool:
        return await Network(Scripted(up=(False,)), print).is_up(0.0)

    assert asyncio.run(scenario())


def test_the_network_is_judged_by_the_first_and_the_last_sites_that_answered() -> None:
    web = Scripted(up=(False,))

    async def scenario() -> bool:
        network = Network(web, print)
        for number in range(3 * WITNESSES):
            network.heard(f"http://www.h{number}.test/")
        return await network.is_up(asyncio.get_running_loop().time() + 1)

    assert not asyncio.run(scenario())
    numbers = [*range(WITNESSES // 2), *range(3 * WITNESSES - WITNESSES // 2, 3 * WITNESSES)]
    assert web.probed == [f"http://www.h{number}.test/" for number in numbers]


def test_somebody_heard_since_proves_that_the_network_is_up() -> None:
    web = Scripted(up=(False,))

    async def scenario() -> bool:
        network = Network(web, print)
        began = asyncio.get_running_loop().time()
        network.heard("http://a.test/")
        return await network.is_up(began)

    assert asyncio.run(scenario())
    assert web.probed == []


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SHORTEST_PAUSE", 0.01)
    monkeypatch.setattr(patience, "IDLE", 0.01)
    monkeypatch.setattr(patience, "LONGEST_PAUSE", 0.02)


def fetches(web: Scripted, *urls: str, seconds: float = 0.1) -> list[str]:
    """What comes of fetching these one after the other, with patience for so many seconds."""
    said: list[str] = []
    parked: list[int] = []

    async def scenario() -> list[str]:
        patient = Outages(web, seconds, parked.append, 0, said.append)
        outcomes = []
        for url in urls:
            try:
                outcomes.append(str((await patient.fetch(url)).status))
            except FetchError as error:
                outcomes.append(error.kind)
        return outcomes

    outcomes = asyncio.run(scenario())
    assert sum(parked) == 0
    return outcomes + said


RESET = FetchError("connect", "reset", retry_after=0.0)
SILENT = FetchError("timeout", "silent", retry_after=0.0)
REFUSED = FetchError("robots-unreachable", "connect: refused", retry_after=0.01)


@pytest.mark.parametrize(("failure", "tries"), [(RESET, 2), (SILENT, 3)])
def test_a_url_whose_host_answers_is_tried_again_and_given_up(failure: FetchError, tries: int) -> None:
    assert fetches(Scripted(*[failure] * (tries - 1)), "http://a.test/")[0] == "200"
    assert fetches(Scripted(*[failure] * tries), "http://a.test/")[0] == failure.kind


def test_a_host_that_is_down_alone_is_waited_for_and_then_closed() -> None:
    others = (True, True)  # each time another site is asked, it answers
    web = Scripted(None, SILENT, up=(False, *others, False, *others, False, *others, True))
    assert fetches(web, "http://b.test/", "http://a.test/", seconds=30.0)[:2] == ["200", "200"]
    web = Scripted(None, SILENT, up=(False, *others) * 500)
    assert fetches(web, "http://b.test/", "http://a.test/")[:2] == ["200", "robots-unreachable"]


def test_an_outage_is_sat_out_and_told_once() -> None:
    web = Scripted(None, SILENT, up=(*[False] * 8, True))
    outcomes = fetches(web, "http://a.test/", "http://a.test/2", seconds=0.1)
    assert outcomes[:2] == ["200", "200"]
    assert len([said for said in outcomes[2:] if "waiting for the network" in said]) == 1


@pytest.mark.parametrize("failure", [SILENT, REFUSED])
def test_an_outage_that_does_not_end_is_given_up(
    failure: FetchError, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "LONGEST_OUTAGE", 0.1)
    web = Scripted(None, failure, up=(False,))
    assert fetches(web, "http://a.test/", "http://a.test/2")[:2] == ["200", failure.kind]


def test_an_outage_costs_no_host_that_never_answered() -> None:
    web = Scripted(None, REFUSED, up=(*[False] * 8, True))
    assert fetches(web, "http://a.test/", "http://b.test/", seconds=0.0)[:2] == ["200", "200"]


def test_a_host_that_never_answered_is_waited_for_only_so_long() -> None:
    assert fetches(Scripted(*[REFUSED] * 500), "http://a.test/")[0] == "robots-unreachable"


def test_a_name_that_is_not_found_for_now_fails_while_others_answer() -> None:
    later = FetchError("dns", "try again", retry_after=0.0)
    assert fetches(Scripted(None, later), "http://a.test/", "http://b.test/")[:2] == ["200", "dns"]
    back = Scripted(None, later, up=(False, False, True))
    assert fetches(back, "http://a.test/", "http://b.test/")[:2] == ["200", "200"]


def test_a_proxy_that_refuses_is_an_outage_unless_other_hosts_answer() -> None:
    refused = FetchError("proxy", "refuses this user and password", retry_after=0.0)
    back = Scripted(None, refused, up=(*[False] * 8, True))
    assert fetches(back, "http://a.test/", "http://a.test/2", seconds=0.0)[:2] == ["200", "200"]
    assert fetches(Scripted(None, refused), "http://a.test/", "http://b.test/")[:2] == ["200", "proxy"]
    assert fetches(Scripted(refused), "http://a.test/")[0] == "proxy", (
        "none ever answered: it is told at once"
    )


def test_a_host_that_asks_for_a_pause_is_waited_for_only_so_long() -> None:
    later = FetchError("retry-later", "", retry_after=0.02)
    assert fetches(Scripted(later, later), "http://a.test/")[0] == "200"
    assert fetches(Scripted(*[later] * 30), "http://a.test/")[0] == "retry-later"
