"""The dashboard as a process of its own, as `topicrawl ui` starts it."""

from __future__ import annotations

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
