"""A program run to its end, and what it cost: processor time of the program and of all processes it waited for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall clock and of processor (user and system), and the largest resident size in bytes."""

    wall: float
    cpu: float
    memory: int


def run(command: Sequence[str], *, silent: bool = True) -> Cost:
    """Run `command`, heard only if it fails or is not `silent`. It may keep compiled code, as installed programs do."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    out = subprocess.DEVNULL if silent else None
    with subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, env=environment) as child:
        assert child.stderr is not None
        said = child.stderr.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)}\nended with {child.returncode}:\n{said.decode()}")
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def topicrawl(*arguments: str) -> Cost:
    """Run our command line, as it is installed."""
    return run([sys.executable, "-m", "topicrawl.cli", *arguments])
