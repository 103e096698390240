"""Commands and addresses that are told what a watch noticed: those that take it, fail, hang, or are not there."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from topicrawl.crawling.event_loop import run_loop
from topicrawl.model import Noticed, Turned
from topicrawl.watching.telling import TOLD, Listener, keep_told, pages_of, told_until, untold

PAGES = [{"url": "http://a.test/", "change": "new"}]


class Hook(BaseHTTPRequestHandler):
    """Takes what is posted, and answers with `status`."""

    taken: list[bytes]
    status = 200

    def do_POST(self) -> None:
        self.taken.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    Hook.taken, Hook.status = [], 200
    server = HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/new"
    server.shutdown()
    thread.join()
    server.server_close()


def tell(target: str, tmp_path: Path, patience: float = 20.0, times: int = 1) -> str:
    return run_loop(lambda: Listener(target, tmp_path, patience).tell(PAGES * times))


def test_an_address_gets_all_pages_in_one_post(address: str, tmp_path: Path) -> None:
    assert tell(address, tmp_path) == ""
    assert json.loads(Hook.taken[0]) == {"run": str(tmp_path), "noticed": PAGES}


def test_an_address_may_be_a_secret(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOK", address)
    assert tell("env:HOOK", tmp_path) == ""
    (tmp_path / "hook").write_text(f"{address}\n")
    assert tell(f"file:{tmp_path / 'hook'}", tmp_path) == ""
    monkeypatch.delenv("HOOK")
    assert "set the environment variable HOOK" in tell("env:HOOK", tmp_path)


def test_an_address_that_refuses_or_is_not_there_is_a_failure(address: str, tmp_path: Path) -> None:
    Hook.status = 500
    assert tell(address, tmp_path) == "it answered 500"
    assert tell("http://127.0.0.1:1/", tmp_path) == "ClientConnectorError"


def test_a_command_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    script = tmp_path / "hang.py"
    child = f"import time, pathlib; time.sleep(1.5); pathlib.Path({str(tmp_path / 'late')!r}).touch()"
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])")
    assert tell(f"{sys.executable} {script}", tmp_path, 0.5) == "no end after 0.5 s"
    threading.Event().wait(1.6)
    assert not (tmp_path / "late").exists()


def test_a_command_that_does_not_read_or_is_there_no_longer_harms_nothing(tmp_path: Path) -> None:
    for times in (1, 20_000):  # less and more than a pipe holds
        assert {tell("true", tmp_path, times=times) for _ in range(20)} == {""}
        assert {tell("false", tmp_path, times=times) for _ in range(20)} == {"exit code 1: without a word"}
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    listener = Listener(str(program), tmp_path)
    program.unlink()
    assert run_loop(lambda: listener.tell([])) == f"{program}: No such file or directory"


def test_what_was_told_is_not_told_again_and_a_damaged_note_harms_nothing(tmp_path: Path) -> None:
    turns = [(seq, Turned(float(seq))) for seq in (30, 20, 10)]
    assert untold(tmp_path, turns) == [], "who begins to listen hears what comes"
    keep_told(tmp_path, 10)
    assert [seq for seq, _ in untold(tmp_path, turns)] == [20, 30]
    (tmp_path / TOLD).write_text("{")
    assert told_until(tmp_path) is None


def test_only_relevant_pages_are_told() -> None:
    noticed = [Noticed("http://a.test/", "new", 1, 0.9), Noticed("http://b.test/", "new", 2, 0.1)]
    assert [page["url"] for page in pages_of([Turned(5.0, noticed=noticed)], 0.5)] == ["http://a.test/"]
