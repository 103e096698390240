"""Failpoints: named moments of writing a run at which a test can inject a fault.

    TOPICRAWL_FAULT=commit:kill:3     at the third time this moment is reached, the process dies as by kill -9
    TOPICRAWL_FAULT=archive:enospc    the disk is full from the first time on
    TOPICRAWL_FAULT=commit:stall      the disk takes two seconds, every time

Without that variable, nothing happens. The moments, in the order of writing: `room` (a column of links is allocated),
`archive` (before the records of a batch are written), `commit` (records written, batch not committed), `follow`
(committed, lines not written), `written`, `finish` (before summary and index). Of a snapshot: `snapshot` (before its
first byte) and `snapshot-end` (complete, but not under its name). Of a wish: `settle` (it is in the log, and still
waits). Of a sink: `sink-part` (a part is there), `sink` (all parts of a range are there, and not noted), `sink-end`.
"""

from __future__ import annotations

import errno
import os
import signal
import time

MOMENTS = ("room", "archive", "commit", "follow", "written", "finish", "snapshot", "snapshot-end")
STALL_SECONDS = 2.0
_moment, _, _rest = os.environ.get("TOPICRAWL_FAULT", "").partition(":")
_action, _, _nth = _rest.partition(":")
_left = int(_nth or 1)


def reach(moment: str) -> None:
    """Mark that `moment` is reached: the configured fault, if any, happens now."""
    if moment == _moment:
        _fail()


def _fail() -> None:
    global _left  # noqa: PLW0603 - a process fails once
    _left -= 1
    if _left > 0:
        return
    if _action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif _action == "stall":
        time.sleep(STALL_SECONDS)
    else:
        number = {"enospc": errno.ENOSPC, "eio": errno.EIO, "erofs": errno.EROFS}[_action]
        raise OSError(number, os.strerror(number))
