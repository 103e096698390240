"""The crawls that a server started: each is a process of the ordinary command line, and saved like any other."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from topicrawl.agents.limits import Limits
from topicrawl.api.run import Run
from topicrawl.crawling.lifecycle import is_run
from topicrawl.errors import TopicrawlError, UsageError

if sys.platform == "win32":
    END, OWN_GROUP = signal.CTRL_BREAK_EVENT, subprocess.CREATE_NEW_PROCESS_GROUP
else:
    END, OWN_GROUP = signal.SIGINT, 0
"""What ends a crawl, which saves itself, and what keeps from it what ends the server."""
PATIENCE = 30.0
"""Seconds that a crawl has to save itself."""


@dataclass
class Started:
    """A crawl of this server."""

    process: subprocess.Popen[bytes]
    pages: int
    """Pages that it counts of those that the server may fetch."""
    was_stopped: bool = False
    is_counted: bool = False
    """Whether `pages` is what it requested, and not what it was started with."""


class Crawls:
    """Starts crawls inside the limits, and ends them with the server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._started: dict[str, Started] = {}
        self._is_closed = False
        self._lock = threading.Lock()
        self._notes = tempfile.TemporaryDirectory(prefix="topicrawl-mcp-")
        """The configuration of each crawl, and what it says of errors."""

    def start(self, name: str, topic: str, seeds: Sequence[str], pages: int) -> None:
        """Start a crawl; `UsageError` for what is beyond a limit."""
        path = self._limits.path(name)
        with self._lock:
            if self._is_closed:
                raise UsageError("crawls: this server is ending")
            if path.exists() or self.is_running(name):
                raise UsageError(f"run {name!r}: it exists; choose another name")
            running = [each for each in self._started if self.is_running(each)]
            if len(running) >= self._limits.crawls:
                raise UsageError(
                    f"crawls: {', '.join(running)} is under way, and this server allows {self._limits.crawls} at "
                    "once; wait for it, or stop it with stop_crawl"
                )
            if (left := self._limits.total_pages - self._counted()) < pages:
                raise UsageError(
                    f"pages {pages}: {left:,} are left of the {self._limits.total_pages:,} that this server may fetch"
                )
            config = self._limits.config(topic, seeds, pages)
            notes = Path(self._notes.name)
            (notes / f"{name}.toml").write_text(config.to_toml(), "utf-8")
            with (notes / f"{name}.err").open("wb") as errors:
                process = subprocess.Popen(
                    [
                        *(sys.executable, "-m", "topicrawl.cli", "crawl", "--quiet"),
                        *("--config", str(notes / f"{name}.toml"), "--out", str(path)),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    start_new_session=True,  # Ctrl-C is for the server, which then ends its crawls
                    creationflags=OWN_GROUP,
                )
            self._started[name] = Started(process, pages)

    def _counted(self) -> int:
        """Pages of all crawls: those asked for; of one that has ended no more than it has requested."""
        for name, each in self._started.items():
            if not each.is_counted and each.process.poll() is not None:
                each.pages = min(each.pages, _requests(self._limits.path(name), each.pages))
                each.is_counted = True
        return sum(each.pages for each in self._started.values())

    def failure(self, name: str) -> str:
        """The error with which a crawl of this server ended; empty where there is none."""
        started = self._started.get(name)
        if started is None or not started.process.poll() or started.was_stopped:
            return ""
        said = (Path(self._notes.name) / f"{name}.err").read_text("utf-8", "replace").strip().splitlines()
        return (
            said[-1].removeprefix("error: ") if said else f"it ended with code {started.process.returncode}"
        )

    def is_running(self, name: str) -> bool:
        """Whether a crawl of this server is under way."""
        started = self._started.get(name)
        return started is not None and started.process.poll() is None

    def stop(self, name: str) -> None:
        """End a crawl of this server; it is saved."""
        if not self.is_running(name):
            raise UsageError(f"run {name!r}: no crawl that this server started is under way there")
        self._end([self._started[name]])

    def close(self) -> None:
        """End all crawls; they are saved and can be resumed."""
        with self._lock:
            self._is_closed = True
            self._end([each for each in self._started.values() if each.process.poll() is None])
            self._notes.cleanup()

    @staticmethod
    def _end(some: Sequence[Started]) -> None:
        for each in some:
            each.was_stopped = True
            each.process.send_signal(END)
        for each in some:
            try:
                each.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                each.process.kill()  # the log has all that was committed
                each.process.wait()


def _requests(path: Path, unknown: int) -> int:
    """The requests of a run; `unknown` where it cannot be read, 0 where the crawl ended before there was one."""
    if not is_run(path):
        return 0
    try:
        with Run(path) as run:
            return int(run.summary["requests"])
    except TopicrawlError:
        return unknown
