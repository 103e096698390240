"""The dashboard as a process of its own, as `topicrawl ui` starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TOPICRAWL = (sys.executable, "-m", "topicrawl.cli")


@contextmanager
def dashboard_of(folder: Path) -> Iterator[str]:
    """The address of a dashboard, with its token."""
    command = [*TOPICRAWL, "ui", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("dashboard: "), said
            yield said.split()[1]
        finally:
            process.terminate()


@contextmanager
def dashboards_ended(folder: Path) -> Iterator[None]:
    """Ends the dashboards that crawls of this test started for runs in `folder`: they would go on for some minutes."""
    try:
        yield
    finally:
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"ui" in words and any(word.startswith(os.fsencode(folder)) for word in words):
                os.kill(int(process.name), signal.SIGTERM)
