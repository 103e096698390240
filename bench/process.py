"""Runs a program and measures its cost: CPU time (with that of its child processes), wall time, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """Wall and CPU seconds (user and system), and peak resident memory in bytes."""

    wall: float
    cpu: float
    memory: int


def run(command: Sequence[str], *, silent: bool = True) -> Cost:
    """Run `command`; its output is shown only if it fails or is not `silent`. It may write compiled bytecode."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    out = subprocess.DEVNULL if silent else None
    with subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, env=environment) as child:
        assert child.stderr is not None
        stderr = child.stderr.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)}\nended with {child.returncode}:\n{stderr.decode()}")
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def topicrawl(*arguments: str) -> Cost:
    """Run topicrawl's command line."""
    return run([sys.executable, "-m", "topicrawl.cli", *arguments])
