"""Finds the browser, and how it can be started with its sandbox on and without a network.

As root it runs as the user `nobody`: Chromium has no sandbox for root.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from topicrawl.errors import BrowserError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OLDEST = 120
"""The oldest major version that is driven."""
SECONDS = 20.0
"""Longest wait for the browser to say its version."""
NOBODY = "nobody"
INSTALL = "install Chromium (Debian, Ubuntu: apt install chromium)"
USER = f"run topicrawl as another user, or add a user {NOBODY} and install util-linux (setpriv)"


@dataclass(frozen=True, slots=True)
class Found:
    """A browser that can be used."""

    path: str
    version: str
    prefix: tuple[str, ...] = ()
    """The command that changes user and network namespace and then runs the browser."""
    user: tuple[int, int] | None = None
    """The user and group that it runs as, if not those of this process."""

    @property
    def has_namespace(self) -> bool:
        """Whether it has a network namespace without interfaces."""
        return "--net" in self.prefix

    def __str__(self) -> str:
        runs = ["in its sandbox"]
        if self.user is not None:
            runs.append(f"as user {NOBODY}")
        if self.has_namespace:
            runs.append("in a network namespace of its own")
        return f"{self.version} at {self.path}, {', '.join(runs)}"


def find_browser(path: str | None = None) -> Found:
    """The browser at `path`, or the first one on the PATH; `BrowserError` with the remedy if none can be used."""
    found = path or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise BrowserError(f"there is no browser ({', '.join(NAMES)} on the PATH); {INSTALL}")
    version = _version(found)
    user = _other_user() if _is_root() else None
    return Found(found, version, _prefix(user), user)


def _version(path: str) -> str:
    """What the browser calls itself; `BrowserError` if it does not run or is too old."""
    try:
        said = subprocess.run(
            [path, "--version"],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BrowserError(f"{path} --version does not run ({error}); {INSTALL}") from None
    number = re.search(r"(\d+)(?:\.\d+)+", said.stdout)
    if said.returncode or number is None:
        complaint = next(iter(said.stderr.split("\n")), "").strip()[:200] or f"exit code {said.returncode}"
        raise BrowserError(f"{path} --version fails ({complaint}); {INSTALL}")
    if int(number[1]) < OLDEST:
        raise BrowserError(f"{path} is version {number[0]}, and {OLDEST} is needed; {INSTALL} or update it")
    name = said.stdout[: number.start()].strip() or "browser"
    return f"{name} {number[0]}"


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _other_user() -> tuple[int, int]:
    """The user and group for the browser of a process of root."""
    import pwd

    try:
        entry = pwd.getpwnam(NOBODY)
    except KeyError:
        raise BrowserError(f"the sandbox of the browser does not work as root; {USER}") from None
    if shutil.which("setpriv") is None:
        raise BrowserError(f"the sandbox of the browser does not work as root; {USER}")
    return entry.pw_uid, entry.pw_gid


def _prefix(user: tuple[int, int] | None) -> tuple[str, ...]:
    """The command in front of the browser; without a namespace where the system does not allow one."""
    change: tuple[str, ...] = ()
    if user is not None:
        change = ("setpriv", f"--reuid={user[0]}", f"--regid={user[1]}", "--clear-groups", "--")
    if not sys.platform.startswith("linux") or shutil.which("unshare") is None:
        return change
    own = ("unshare", "--net", "--") if user else ("unshare", "--user", "--map-current-user", "--net", "--")
    return (*own, *change) if _runs((*own, *change, "true")) else change


def _runs(command: tuple[str, ...]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
