"""A process that is a fork of this one: it has all modules already, which takes a new interpreter half a second.

Only the thread that forks lives on in the fork, and what other threads had locked stays locked there; an event loop
keeps descriptors that a fork would share. So a process may be forked only where there is one thread, and before uvloop
is loaded for its first loop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from topicrawl.terminal import note


def may_fork() -> bool:
    """Whether this process may be forked."""
    return sys.platform == "linux" and threading.active_count() == 1 and "uvloop" not in sys.modules


@dataclass
class Forked:
    """A fork, with the members of `asyncio.subprocess.Process` that are used here; `connect` comes first."""

    pid: int
    ends: tuple[int, int]
    """Descriptors: what is written to the first is its standard input, the second is its standard output."""
    returncode: int | None = None
    stdin: asyncio.StreamWriter | None = None
    stdout: asyncio.StreamReader | None = None
    _transports: tuple[asyncio.BaseTransport, ...] = ()

    async def connect(self, limit: int) -> None:
        """Read from it and write to it in the running event loop."""
        loop = asyncio.get_running_loop()
        to, of = self.ends
        self.stdout = asyncio.StreamReader(limit=limit)
        reader = asyncio.StreamReaderProtocol(self.stdout)
        reading, _ = await loop.connect_read_pipe(lambda: reader, os.fdopen(of, "rb", 0))
        transport, protocol = await loop.connect_write_pipe(
            asyncio.streams.FlowControlMixin, os.fdopen(to, "wb", 0)
        )
        self.stdin = asyncio.StreamWriter(transport, protocol, None, loop)
        self._transports = reading, transport

    async def wait(self) -> int:
        """Its exit code, once it has ended; negative where a signal ended it."""
        if self.returncode is None:
            _, status = await asyncio.to_thread(os.waitpid, self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
            for transport in self._transports:
                transport.close()
        return self.returncode

    def terminate(self) -> None:
        """Ask it to end."""
        os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)


def fork(work: Callable[[], None], others: Iterable[Forked] = ()) -> Forked:
    """Have a fork of this process do `work`, in a session of its own, with pipes as standard input and output.

    `others` are forks made before: the pipes to them are not for this one.
    """
    its_input, to = os.pipe()
    of, its_output = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()  # else the fork writes it too
    pid = os.fork()
    if pid:
        os.close(its_input)
        os.close(its_output)
        return Forked(pid, (to, of))
    code = 1
    try:
        for each in (to, of, *(end for other in others for end in other.ends)):
            os.close(each)
        os.setsid()
        os.dup2(its_input, 0)
        os.dup2(its_output, 1)
        os.close(its_input)
        os.close(its_output)
        work()
        code = 0
    except BaseException:
        with suppress(Exception):
            note(traceback.format_exc())
    finally:
        os._exit(code)
