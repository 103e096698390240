"""How a server ends: a signal is taken as Ctrl-C, so that it closes what it has open."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

if sys.platform == "win32":
    ENDING = (signal.SIGTERM, signal.SIGBREAK)
else:
    ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a process besides Ctrl-C."""


@contextmanager
def until_ended() -> Iterator[None]:
    """Serve in this `with`; it ends at Ctrl-C, and so at the other signals.

    uvicorn serves no more at SIGTERM, and then has it end the process at once, where nothing takes it.
    """
    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup
            signal.signal(number, signal.default_int_handler if number == signal.SIGTERM else _terminate)
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _terminate(number: int, frame: FrameType | None) -> None:
    """Take a signal that uvicorn does not know as SIGTERM: an exception raised in its event loop may be lost there."""
    signal.raise_signal(signal.SIGTERM)
