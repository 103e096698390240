"""--metrics: a running crawl answers Prometheus with its figures."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from crawling.test_listening import complete, opened, pausing
from topicrawl.cli.local import _exposition
from topicrawl.crawling import metrics
from topicrawl.crawling.metrics import Endpoint, Metrics, listen
from topicrawl.crawling.speed import Speed
from topicrawl.errors import ConfigError
from topicrawl.model import Instruction
from topicrawl.report.exposition import METRICS, Figures, exposition
from topicrawl.shards.coordinator import Coordinator, Offer
from topicrawl.shards.hub import Hub
from topicrawl.shards.messages import Report


def read(answer: str) -> dict[str, float]:
    """The metrics without labels of an answer, by name."""
    families = list(text_string_to_metric_families(answer))
    assert all(family.documentation for family in families)
    return {family.name: family.samples[0].value for family in families}


def visits(answer: str) -> float:
    values = read(answer)
    return values["topicrawl_pages"] + values["topicrawl_failed_visits"]


def test_a_paused_crawl_tells_its_figures(tmp_path: Path) -> None:
    session = opened(tmp_path / "run", pages=12)
    asked: list[Future[None]] = []
    answers: list[str] = []
    with listen("0") as bound, ThreadPoolExecutor(1) as person:
        endpoint = Endpoint(bound)
        address = endpoint.address
        session.beside = lambda live: [Metrics(endpoint).serve(live)]

        def ask() -> None:
            try:
                while not answers or visits(answers[-1]) < 10:  # the crawl is read once a second
                    with urlopen(address, timeout=30) as answer:
                        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
                        answers.append(answer.read().decode())
                    time.sleep(0.05)
                with pytest.raises(HTTPError, match="404"):
                    urlopen(address.replace("metrics", "other"), timeout=30)
            finally:
                session.instruct(Instruction(pause=False))

        pausing(session, 10, lambda visit: asked.append(person.submit(ask)))
        complete(session)
        asked[0].result()
        assert bound.fileno() == -1, "the address is free again"
    values = read(answers[-1])
    assert len(values) == len(METRICS)
    assert visits(answers[-1]) in (10, 11), "one was in flight"
    assert 0 <= values["topicrawl_relevant_pages"] <= values["topicrawl_pages"]
    assert values["topicrawl_received_bytes"] > 1000
    assert values["topicrawl_waiting_links"] > 0


async def asked(endpoint: Endpoint, request: str) -> str:
    """What the endpoint answers to the bytes of a request, until it closes the connection."""
    host, port = urlsplit(endpoint.address).netloc.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request.replace("PORT", port).encode())
    try:
        async with asyncio.timeout(30):
            return (await reader.read()).decode()
    finally:
        writer.close()


def test_other_names_are_refused_and_a_request_in_part_does_not_stay_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> list[str]:
        with listen("0") as bound:
            endpoint = Endpoint(bound)
            endpoint.text = "figures"
            async with endpoint.answering():
                requests = [
                    f"GET /metrics HTTP/1.1\r\n{line}\r\n\r\n"
                    for line in (
                        "Host: 127.0.0.1:PORT",
                        "Host: localhost:PORT",
                        "Host: evil.test:PORT",
                        "X: y",
                    )
                ]
                whole = [await asked(endpoint, request) for request in requests]
                monkeypatch.setattr(metrics, "SLOWEST", 0.2)
                return [
                    *whole,
                    await asked(endpoint, "GET /metrics HTTP/1.1\r\nHost: "),
                    await asked(endpoint, ""),
                ]

    said = [(answer[9:12], answer.endswith("\r\n\r\nfigures")) for answer in asyncio.run(scenario())]
    assert said == [("200", True), ("200", True), ("421", False), ("421", False), ("", False), ("", False)]


def test_labels_are_escaped_as_a_client_reads_them() -> None:
    figures = Figures(1, 2, 3, 4, 5, 6, 0.5)
    told = [({"shard": "000"}, figures), ({"shard": 'a"b\\c\nd'}, figures)]
    families = list(text_string_to_metric_families(exposition(told)))
    assert [sample.labels["shard"] for sample in families[0].samples] == ["000", 'a"b\\c\nd']
    assert [family.samples[1].value for family in families] == [1, 2, 3, 4, 5, 6, 0.5]


def test_without_a_host_only_this_machine_can_ask() -> None:
    for address in ("0", ":0", "127.0.0.1:0", "localhost:0"):
        with listen(address) as bound:
            assert bound.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "address", ["", "port", "127.0.0.1:", "1:2:3", "70000", "9190x", "::1", "host:9\u0661"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="no address"):
        listen(address)


def test_an_address_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(ConfigError, match="in use"):
        listen(str(other.getsockname()[1]))


def test_a_crawl_in_shards_tells_the_figures_of_each() -> None:
    hub = Hub(("000", "001"), Coordinator({}, 4))
    hub.reported("001", Report(Offer(fetched=3, relevant=2, sent={"000": 5}, taken={"000": 1}), hosts=1))
    speeds = defaultdict[str, Speed](Speed)
    speeds["001"].at(time.monotonic() - 2, 1)
    families = {family.name: family for family in text_string_to_metric_families(_exposition(hub, speeds))}
    pages = {sample.labels["shard"]: sample.value for sample in families["topicrawl_pages"].samples}
    assert pages == {"000": 0, "001": 3}
    assert families["topicrawl_shards_alive"].samples[0].value == 1
    assert families["topicrawl_letters_waiting"].samples[0].value == 4
    assert 0.5 < families["topicrawl_pages_per_second"].samples[1].value <= 1


def test_speed_is_that_of_the_last_ten_seconds() -> None:
    speed = Speed()
    assert speed.at(0.0, 5) == 0.0
    assert [speed.at(second / 10, 5 + second) for second in range(1, 301)][-1] == 10.0
    assert speed.at(40.0, 305) < 10.0
