"""A run of the invented web, and a dashboard of it on loopback."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from topicrawl.cli import run as command
from topicrawl.dashboard.app import application
from topicrawl.dashboard.guard import Keys
from topicrawl.dashboard.runs import Runs
from topicrawl.serving.names import Names
from topicrawl.serving.prompt import server_of
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:7", "storms: rainstorm 1, flood 0.95, rainfall, disaster 0.5"


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody may change: copy it."""
    folder = tmp_path_factory.mktemp("crawled") / "storms"
    seeds = folder.with_name("seeds.txt")
    fails = "http://no-such-host.invented.test/"
    seeds.write_text("\n".join([fails, *invented_web(WEB).seeds("rainstorm disaster", 4)]))
    words = [
        "--topic",
        TOPIC,
        "--seeds",
        str(seeds),
        "--web",
        WEB,
        "--pages",
        "40",
        "--strategy",
        "scout",
    ]
    assert command(["crawl", *words, "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.fixture(scope="module")
def run_folder(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run for the tests of one module."""
    return Path(shutil.copytree(crawled, tmp_path_factory.mktemp("runs") / "storms"))


@dataclass
class Answer:
    """What the server answered."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Dashboard:
    """A dashboard that is served, and a browser without a window: it keeps the cookie."""

    port: int
    keys: Keys
    cookie: str = ""

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: dict[str, str | None] | None = None,
    ) -> Answer:
        """One request; a header of None is not sent."""
        sent: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Cookie": self.cookie,
            **(headers or {}),
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            if value:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)

    def get(self, path: str) -> str:
        """The text of a page, which must be there."""
        answer = self.ask(path)
        assert answer.status == 200, answer.text
        return answer.text

    def say(self, path: str, what: dict[str, Any]) -> tuple[int, str]:
        """What one of our own pages would post; returns status and sentence."""
        ours = {
            "Origin": f"http://127.0.0.1:{self.port}",
            "X-CSRF-Token": self.keys.csrf,
            "Sec-Fetch-Site": "same-origin",
        }
        answer = self.ask(path, "POST", json.dumps(what).encode(), dict(ours))
        return answer.status, json.loads(answer.text)["says"] if answer.text.startswith("{") else answer.text


@pytest.fixture(scope="module")
def served(run_folder: Path) -> Iterator[Dashboard]:
    """The dashboard of the folder with the run, entered with its token."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        names, keys, runs = Names("127.0.0.1", bound.getsockname()[1]), Keys(), Runs(run_folder.parent)
        server = server_of(application(runs, names, keys))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        found = Dashboard(names.port, keys)
        entered = found.ask(f"/?token={keys.token}")
        found.cookie = entered.headers["set-cookie"].partition(";")[0]
        yield found
        server.should_exit = True
        thread.join()
        runs.close()


@pytest.fixture
def dashboard(served: Dashboard) -> Dashboard:
    """A browser of its own at that dashboard."""
    return replace(served)
