"""`topicrawl ui` and `crawl --ui` as processes."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.dashboard.server import serve
from topicrawl.web.invented import invented_web

UI = [sys.executable, "-m", "topicrawl.cli", "ui"]


def opened(address: str) -> int:
    """The status of the page that a browser sees at a printed address."""
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/\?token=[\w-]+)", address)
    assert found, address
    connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)
    connection.request("GET", found[2])
    answer = connection.getresponse()
    answer.read()
    cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
    while answer.status == 303:
        connection.request("GET", answer.getheader("location") or "/", headers={"Cookie": cookie})
        answer = connection.getresponse()
        answer.read()
    connection.close()
    return answer.status


def test_it_prints_its_address_and_ends_with_an_interrupt(run_folder: Path) -> None:
    with subprocess.Popen(
        [*UI, str(run_folder), "--no-browser"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            assert opened(server.stdout.readline().strip().removeprefix("dashboard: ")) == 200
            server.send_signal(signal.SIGINT)
            assert server.wait(30) == 0
        finally:
            server.kill()


@pytest.fixture
def ended_dashboards(tmp_path: Path) -> Iterator[None]:
    """Ends the dashboards of runs of this test: they would go on for some minutes."""
    yield
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"ui" in words and any(word.startswith(os.fsencode(tmp_path)) for word in words):
            os.kill(int(process.name), signal.SIGTERM)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds the dashboard in /proc")
def test_a_dashboard_beside_a_crawl_outlives_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ended_dashboards: None
) -> None:
    seed = invented_web("invented:7").seeds("rainstorm disaster", 1)[0]
    words = ["--topic", "flood", "--seeds", seed, "--web", "invented:7", "--pages", "3", "--strategy", "ops"]
    assert run(["crawl", *words, "--out", str(tmp_path / "run"), "--ui"]) == 0
    address = re.search(r"dashboard: (\S+)", capsys.readouterr().err)
    assert address
    assert opened(address[1]) == 200


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--listen", "0.0.0.0"], "steer the crawl"),
        (["--listen", "0.0.0.0", "--token-file", "absent"], "absent"),
        (["--listen", "0.0.0.0", "--token-file", "short"], "at least 16"),
        (["--token-file", "readable"], "chmod 600"),
        (["--listen", "no.such.name.invalid", "--token-file", "good"], "cannot listen"),
        (["nowhere"], "no folder"),
    ],
)
def test_what_cannot_be_served_is_refused_with_a_remedy(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text, mode in (
        ("short", "abc", 0o600),
        ("readable", "x" * 40, 0o644),
        ("good", "x" * 40, 0o600),
    ):
        Path(name).write_text(text)
        Path(name).chmod(mode)
    assert run(["ui", *words]) == 2
    assert says in capsys.readouterr().err


def test_it_ends_when_nobody_has_looked(run_folder: Path) -> None:
    said: list[str] = []
    serve(run_folder, ready=said.append, linger=0.1)
    assert said[0].startswith("http://127.0.0.1:")


def test_where_its_packages_are_absent_it_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("topicrawl.cli.ui.NEEDED", ("jinja2", "no_such_package_here"))
    assert run(["ui"]) == 2
    assert "needs no_such_package_here; run: pip install 'topicrawl[ui]'" in capsys.readouterr().err
