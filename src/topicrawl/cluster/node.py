"""The processes of Ray on this machine: started with our token, at the address asked for, without dashboard."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from topicrawl.cluster.settings import folder
from topicrawl.cluster.token import check_token
from topicrawl.errors import BusyError, ConfigError

STARTED = "Ray runtime started."
"""What `ray start` prints when it is ready."""
TOO_LATE = "timed out during startup"
"""What it prints when it has waited too long for its own processes."""
NOTHING = "it said nothing"
START_SECONDS, STOP_SECONDS = 120.0, 30.0
PID, LOG = "ray.pid", "ray.log"
WORK = "TOPICRAWL_WORK"
"""The variable that says where a node keeps the runs of its shards."""
OBJECTS = 100_000_000
"""Bytes of Ray's object store: messages are small, and letters do not stay there."""
CHECKS, LEAST_CHECK = 5, 2.0
"""Checks of a node without an answer until it is given up, and seconds that one waits at least."""


def environment() -> dict[str, str]:
    """The variables that Ray needs everywhere; `ConfigError` without a token."""
    return {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(check_token(folder())),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_TMPDIR": str(_temporary()),
        "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": "0",  # whatever a shard has not saved, it does again elsewhere
    }


def health_checks(lease: float) -> dict[str, str]:
    """The variables that say when the head gives a node up: five checks without an answer, a lease and a third long.

    Ray itself waits for more than a minute, in which nobody takes the shards of the node over. A node that is given up
    though it lives is started again by hand, so a check waits two seconds at least.
    """
    timeout, period = max(lease / CHECKS, LEAST_CHECK), lease / (3 * CHECKS)
    return {
        "RAY_health_check_failure_threshold": str(CHECKS),
        "RAY_health_check_timeout_ms": str(round(1000 * timeout)),
        "RAY_health_check_period_ms": str(round(1000 * period)),
    }


def work_folder() -> Path:
    """Where this node keeps the runs of its shards, on a disk of its own."""
    if given := os.environ.get(WORK):
        return Path(given).resolve()
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "topicrawl" / "shards"


def our_version() -> str:
    """The version of topicrawl; nodes with another get no shards."""
    return version("topicrawl")


def resource(of: str) -> str:
    """What nodes with this version offer, and shards need."""
    return f"topicrawl-{of}"


def start_ray(
    address: str, cpus: int, lease: float, *, port: int | None = None, head: str | None = None
) -> None:
    """Start Ray at `address`: as head, listening on `port`, or as a node of the cluster of `head`.

    It outlives this process. `ConfigError` with Ray's own words if it does not start. Ray waits for half a minute at
    most, which on a busy machine may be too short: then it is started once more.
    """
    if pid := running():
        raise BusyError(f"Ray runs here already (process {pid}); end it with: topicrawl cluster down")
    of_head = [
        "--head",
        f"--port={port}",
        f"--temp-dir={_temporary()}",
        "--include-dashboard=false",
        "--no-monitor",
    ]
    where = of_head if port else [f"--address={head}"]
    command = [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *where),
        *(f"--node-ip-address={address}", f"--num-cpus={cpus}", f"--object-store-memory={OBJECTS}"),
        f"--resources={json.dumps({resource(our_version()): 10_000})}",
        "--disable-usage-stats",
    ]
    if TOO_LATE in (said := _start(command, lease)):
        said = _start(command, lease)
    if said:
        raise ConfigError(f"Ray did not start: {_reason(said)}; see {folder() / LOG}")


def _start(command: Sequence[str], lease: float) -> str:
    """Start Ray; returns what it said if it did not start."""
    log = folder() / LOG
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=health_checks(lease) | os.environ | environment(),
            start_new_session=True,  # Ctrl-C is not for Ray
        )
    (folder() / PID).write_text(str(process.pid))
    until = time.monotonic() + START_SECONDS
    while STARTED not in (said := log.read_text(errors="replace")):
        if process.poll() is not None or time.monotonic() > until:
            stop_ray()
            return said or NOTHING
        time.sleep(0.1)
    process.returncode = 0  # it goes on by itself: nobody waits for it
    return ""


def running() -> int | None:
    """The process that holds Ray on this machine; None if there is none."""
    with suppress(OSError, ValueError):
        pid = int((folder() / PID).read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"ray.scripts.scripts" in words:
            return pid
    return None


def stop_ray() -> bool:
    """End Ray on this machine; False if it did not run."""
    pid = running()
    if pid is None:
        (folder() / PID).unlink(missing_ok=True)
        return False
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + STOP_SECONDS
    while running() and time.monotonic() < until:
        time.sleep(0.1)
    if running():
        os.killpg(pid, signal.SIGKILL)
    (folder() / PID).unlink(missing_ok=True)
    return True


def _temporary() -> Path:
    """Ray's own folder: its path is short, because sockets are in it."""
    path = Path(tempfile.gettempdir()) / f"topicrawl-ray-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    if path.stat().st_uid != os.getuid():
        raise ConfigError(f"{path} belongs to another user; remove it, or set TMPDIR")
    path.chmod(0o700)
    return path


def _reason(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if "rror" in line]
    return (errors or lines or [NOTHING])[-1][:300]
