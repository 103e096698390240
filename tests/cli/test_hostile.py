"""`topicrawl web serve hostile`, as a user starts it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
def test_the_hostile_web_is_served_prints_how_to_crawl_it_and_writes_a_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    args = [
        sys.executable,
        "-m",
        "topicrawl.cli",
        "web",
        "serve",
        "hostile",
        "--port",
        "0",
        "--log",
        str(log),
    ]
    with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        where, how = server.stdout.readline(), server.stdout.readline()
        address = re.search(r"http://[\d.:]+/", where)
        assert address
        request = urllib.request.Request(address[0], headers={"Host": "h42.test"})
        assert b"/same" in urllib.request.urlopen(request, timeout=10).read()
        pem = urllib.request.urlopen(f"{address[0]}ca.pem", timeout=10).read()
        server.send_signal(signal.SIGTERM)
        assert server.wait(10) == 0
    assert "--resolve '*.test=127.0.0.1:" in how
    assert pem.startswith(b"-----BEGIN CERTIFICATE")
    assert json.loads(log.read_text().splitlines()[0])["row"] == "h42"
