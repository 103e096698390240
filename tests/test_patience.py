"""What is waited for, and what has failed."""

from __future__ import annotations

import asyncio

import pytest

from topicrawl import patience
from topicrawl.errors import FetchError
from topicrawl.model import Response
from topicrawl.patience import Outage, Patience


def test_an_outage_needs_hosts_that_answered_before() -> None:
    outage = Outage()
    assert [outage.missed("never-there.test", "u") for _ in range(9)] == [False] * 9
    assert not outage.is_on


def test_failures_in_a_row_of_all_known_hosts_are_an_outage_until_somebody_answers() -> None:
    outage = Outage()
    for host in ("a.test", "b.test"):
        outage.heard(host)
    for page in ("1", "1", "2"):
        assert outage.missed("a.test", page)
    assert not outage.is_on, "the other host was not asked yet"
    outage.missed("b.test", "3")
    assert outage.is_on
    outage.heard("c.test")
    assert not outage.is_on


def test_one_silent_host_among_many_is_no_outage() -> None:
    outage = Outage()
    for number in range(10):
        outage.heard(f"h{number}.test")
    for _ in range(20):
        outage.missed("h1.test", "4")
    assert not outage.is_on


class Scripted:
    """A web that answers as a list says: an error, or a page."""

    name = "scripted"

    def __init__(self, *answers: FetchError | None) -> None:
        self.answers = list(answers)

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        answer = self.answers.pop(0) if self.answers else None
        if answer:
            raise answer
        return Response(url, url, 200)

    def remember(self, url: str, parsed: bytes) -> None:
        """Nothing."""

    async def close(self) -> None:
        """Nothing."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SHORTEST_PAUSE", 0.01)


def fetches(web: Scripted, *urls: str, seconds: float = 0.1) -> list[str]:
    """What comes of fetching these one after the other, with patience for so many seconds."""
    said: list[str] = []
    parked: list[int] = []

    async def scenario() -> list[str]:
        patient = Patience(web, seconds, parked.append, 0, said.append)
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


DOWN = FetchError("connect", "refused", retry_after=0.0)


def test_a_host_that_never_answered_fails_at_once() -> None:
    assert fetches(Scripted(DOWN), "http://a.test/") == ["connect"]


def test_a_host_that_answered_is_looked_at_once_more() -> None:
    assert fetches(Scripted(None, DOWN), "http://a.test/", "http://a.test/2") == ["200", "200"]


def test_a_page_that_alone_gets_no_answer_is_given_up_after_a_while() -> None:
    *outcomes, _ = fetches(Scripted(None, *[DOWN] * 500), "http://a.test/", "http://a.test/2")
    assert outcomes == ["200", "connect"]


def test_an_outage_is_sat_out_and_told_once() -> None:
    web = Scripted(None, *[DOWN] * 8)
    *outcomes, said = fetches(web, "http://a.test/", "http://a.test/2", seconds=30.0)
    assert outcomes == ["200", "200"]
    assert "waiting for the network" in said


def test_a_host_that_asks_for_a_pause_is_waited_for_only_so_long() -> None:
    later = FetchError("retry-later", "", retry_after=0.02)
    assert fetches(Scripted(later, later), "http://a.test/") == ["200"]
    assert fetches(Scripted(*[later] * 30), "http://a.test/") == ["retry-later"]
