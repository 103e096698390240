"""The crawls that a server started: each is a process of the ordinary command line, and saved like any other."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from topicrawl.agents.limits import Limits
from topicrawl.errors import UsageError

if sys.platform == "win32":
    END, OWN_GROUP = signal.CTRL_BREAK_EVENT, subprocess.CREATE_NEW_PROCESS_GROUP
else:
    END, OWN_GROUP = signal.SIGINT, 0
"""What ends a crawl, which saves itself, and what keeps from it what ends the server."""
PATIENCE = 30.0
"""Seconds that a crawl has to save itself."""


class Crawls:
    """Starts crawls inside the limits, and ends them with the server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._pages = 0
        self._lock = threading.Lock()
        self._notes = tempfile.TemporaryDirectory(prefix="topicrawl-mcp-")
        """The configuration of each crawl, and what it says of errors."""

    def start(self, name: str, topic: str, seeds: Sequence[str], pages: int) -> None:
        """Start a crawl; `UsageError` for what is beyond a limit."""
        path = self._limits.path(name)
        with self._lock:
            if path.exists() or name in self._started:
                raise UsageError(f"run {name!r}: it exists; choose another name")
            running = [each for each, process in self._started.items() if process.poll() is None]
            if len(running) >= self._limits.crawls:
                raise UsageError(
                    f"crawls: {', '.join(running)} is under way, and this server allows {self._limits.crawls} at "
                    "once; wait for it, or stop it with stop_crawl"
                )
            if (left := self._limits.total_pages - self._pages) < pages:
                raise UsageError(
                    f"pages {pages}: {left:,} are left of the {self._limits.total_pages:,} that this server may fetch"
                )
            config = self._limits.config(topic, seeds, pages)
            notes = Path(self._notes.name)
            (notes / f"{name}.toml").write_text(config.to_toml(), "utf-8")
            with (notes / f"{name}.err").open("wb") as errors:
                self._started[name] = subprocess.Popen(
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
            self._pages += pages

    def failure(self, name: str) -> str:
        """The error with which a crawl of this server ended; empty where there is none."""
        process = self._started.get(name)
        if process is None or not process.poll():
            return ""
        said = (Path(self._notes.name) / f"{name}.err").read_text("utf-8", "replace").strip().splitlines()
        return said[-1].removeprefix("error: ") if said else f"it ended with code {process.returncode}"

    def is_running(self, name: str) -> bool:
        """Whether a crawl of this server is under way."""
        process = self._started.get(name)
        return process is not None and process.poll() is None

    def stop(self, name: str) -> None:
        """End a crawl of this server; it is saved."""
        if not self.is_running(name):
            raise UsageError(f"run {name!r}: no crawl that this server started is under way there")
        self._end([self._started[name]])

    def close(self) -> None:
        """End all crawls; they are saved and can be resumed."""
        self._end([each for each in self._started.values() if each.poll() is None])
        self._notes.cleanup()

    @staticmethod
    def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
        for each in processes:
            each.send_signal(END)
        for each in processes:
            try:
                each.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                each.kill()  # the log has all that was committed
                each.wait()
