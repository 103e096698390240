"""What can be shown here of Windows and macOS: topicrawl without what they lack. docs/platforms.md says what cannot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from topicrawl.crawling.parsing import process
from topicrawl.web.invented import invented_web

WITHOUT = """\
import asyncio, importlib, mmap, os, pkgutil, signal, sys, types
import topicrawl, topicrawl_lab

def import_all():
    for package in (topicrawl, topicrawl_lab):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)

import_all()  # the libraries too, of which others exist there
for name in [name for name in sys.modules if name.startswith(("topicrawl.", "topicrawl_lab."))]:
    if name != "topicrawl._native":
        del sys.modules[name]
for name in ("fcntl", "resource", "termios", "pwd", "grp", "tty", "uvloop"):
    sys.modules[name] = None
for module, names in {
    os: "fork setsid killpg getloadavg register_at_fork getuid geteuid mkfifo O_NONBLOCK O_NOFOLLOW O_CLOEXEC",
    signal: "setitimer SIGALRM",
    mmap: "MADV_DONTNEED",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.platform = "win32"
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda *_: None)
signal.SIGBREAK, signal.CTRL_BREAK_EVENT = signal.SIGUSR1, signal.SIGUSR1
import subprocess
subprocess.CREATE_NEW_PROCESS_GROUP = 0
asyncio.SelectorEventLoop.add_signal_handler = asyncio.AbstractEventLoop.add_signal_handler
import_all()
"""
"""Takes away what Windows lacks. The operating system below stays Linux: what Windows has instead is not tested."""


def python(code: str, here: Path, *arguments: str, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WITHOUT + textwrap.dedent(code), *arguments],
        cwd=here,
        env=os.environ | {"TOPICRAWL_CACHE": str(here / "cache")} | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def crawl(pages: int) -> list[str]:
    seed = invented_web("invented:7").seeds("tourism", 1)[0]
    words = ["crawl", "--web", "invented:7", "--topic", "tourism", "--seeds", seed, "--out", "run"]
    return [*words, "--concurrency", "1", "--quiet", "--pages", str(pages)]


RUN = "from topicrawl.cli import run\nsys.exit(run(sys.argv[1:]))\n"


def test_a_crawl_needs_nothing_that_windows_lacks_and_makes_the_same_visits(tmp_path: Path) -> None:
    here = tmp_path / "without"
    here.mkdir()
    with python(RUN, here, *crawl(40)) as process:
        _, said = process.communicate(timeout=200)
    assert (process.returncode, said) == (0, "")
    subprocess.run([sys.executable, "-m", "topicrawl.cli", *crawl(40)], cwd=tmp_path, timeout=200, check=True)
    assert (here / "run" / "visits.jsonl").read_bytes() == (tmp_path / "run" / "visits.jsonl").read_bytes()


def test_a_signal_ends_and_saves_a_crawl_where_event_loops_catch_none(tmp_path: Path) -> None:
    with python(RUN, tmp_path, *crawl(1_000_000)) as process:
        visits = tmp_path / "run" / "visits.jsonl"
        until = time.monotonic() + 120
        while not (visits.exists() and visits.stat().st_size) and process.poll() is None:
            assert time.monotonic() < until
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=100)
    assert (process.returncode, said) == (0, "")
    assert '"interrupted"' in (tmp_path / "run" / "summary.json").read_text()


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (
            ["crawl", "--local", "2"],
            "error: --local: a crawl in shards needs Linux or macOS; leave --local away\n",
        ),
        (
            ["cluster", "down"],
            "error: a cluster needs Linux on each of its machines; run this command there\n",
        ),
    ],
)
def test_what_needs_another_system_is_refused_in_one_line(
    command: list[str], complaint: str, tmp_path: Path
) -> None:
    arguments = [*command, *crawl(4)[1:]] if command[0] == "crawl" else command
    with python(RUN, tmp_path, *arguments) as process:
        _, said = process.communicate(timeout=200)
    assert (process.returncode, said) == (2, complaint)


def test_a_pipe_whose_encoding_lacks_letters_gets_them_escaped() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from topicrawl.cli import main; main()", "strategies", "--json"],
        env=os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u03bb" in done.stdout or rb"\u03b1" in done.stdout


def test_a_load_that_the_system_does_not_tell_counts_as_low(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> tuple[float, float, float]:
        raise OSError("no load here")

    monkeypatch.setattr(os, "getloadavg", lambda: (1e6, 0.0, 0.0))
    assert process._is_overloaded()
    monkeypatch.setattr(os, "getloadavg", refused)
    assert not process._is_overloaded()
