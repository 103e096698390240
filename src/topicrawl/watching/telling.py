"""Tells a command or an address what a watch noticed (`--on-new`).

A command gets one line of JSON a page on its standard input; an address gets one POST of all pages as JSON. Whoever
fails or takes longer than `PATIENCE` is told again after the next turn: what was told is written down only when it was
taken, so nothing is lost, and something may be told twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import msgspec

from topicrawl.credentials import used_address
from topicrawl.errors import UsageError
from topicrawl.model import Turned
from topicrawl.store.disk import disk_errors, read_small, write_atomically

TOLD = "watch.json"
"""The file of a run that keeps which turn was told last."""
PATIENCE = 60.0
"""Seconds that a command or an address may take."""
MOST_TURNS = 50
"""Turns that are told together, at most: the latest."""
LONGEST = 1000
"""Bytes that are read of that file, and of what a command says."""


class Listener:
    """A command, or an address (http or https), that is told."""

    def __init__(self, target: str, run: Path, patience: float = PATIENCE) -> None:
        """`UsageError` if `target` is neither."""
        self._target, self._run, self._patience = target, run, patience
        self._is_address = target.startswith(("http://", "https://", "env:", "file:"))
        try:
            self._command = [] if self._is_address else shlex.split(target)
        except ValueError as error:
            raise UsageError(f"--on-new {target!r}: {error}; quote the command as for a shell") from error
        if not self._is_address and not self._command:
            raise UsageError(
                "--on-new is empty; give a command such as 'mail-me --stdin', or an http address"
            )
        if self._command and shutil.which(self._command[0]) is None:
            raise UsageError(
                f"--on-new: {self._command[0]!r} is no program that can be started; give its path, or an http address"
            )

    async def tell(self, pages: list[dict[str, Any]]) -> str:
        """Tell of pages; returns why that failed, empty where it did not."""
        try:
            return await asyncio.wait_for(self._tell(pages), self._patience)
        except TimeoutError:
            return f"no end after {self._patience:g} s"
        except OSError as error:
            return f"{self._command[0]}: {error.strerror}" if self._command else str(error)
        except (ValueError, UsageError) as error:
            return str(error) or type(error).__name__

    async def _tell(self, pages: list[dict[str, Any]]) -> str:
        if self._is_address:
            return await self._post(json.dumps({"run": str(self._run), "noticed": pages}).encode())
        # files, as pipes of uvloop raise where the command ends before it has read, or what it started outlives it
        with TemporaryFile() as lines, TemporaryFile() as said:
            lines.writelines(json.dumps(page).encode() + b"\n" for page in pages)
            lines.seek(0)
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=lines,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=said,
                env={**os.environ, "TOPICRAWL_RUN": str(self._run)},
                start_new_session=True,
            )
            try:
                code = await process.wait()
            finally:
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        _kill(process)
                    await process.wait()
            if code == 0:
                return ""
            said.seek(max(said.seek(0, os.SEEK_END) - LONGEST, 0))
            last = said.read(LONGEST).decode("utf-8", "replace").strip().splitlines()[-1:]
        return f"exit code {code}: {last[0][:200] if last else 'without a word'}"

    async def _post(self, body: bytes) -> str:
        import aiohttp

        address = used_address(self._target, "--on-new")
        timeout = aiohttp.ClientTimeout(total=self._patience)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as client,
                client.post(address, data=body, headers={"Content-Type": "application/json"}) as answer,
            ):
                return "" if answer.status < 300 else f"it answered {answer.status}"
        except aiohttp.ClientError as error:
            return type(error).__name__  # its text may hold the address, which may be secret


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process, and where the system has groups of processes, those that it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def untold(run: Path, turned: Iterable[tuple[int, Turned]]) -> list[tuple[int, Turned]]:
    """The turns that were not told, the oldest first; `turned` has the latest first, by their numbers in the log.

    Of a run that told nobody so far none: who begins to listen hears what comes.
    """
    last = told_until(run)
    waiting = list[tuple[int, Turned]]()
    for seq, turn in turned:
        if last is None or seq <= last or len(waiting) == MOST_TURNS:
            break
        waiting.append((seq, turn))
    return waiting[::-1]


def told_until(run: Path) -> int | None:
    """The number in the log of the last turn that was told; None if nobody was told so far."""
    try:
        found = json.loads(read_small(run / TOLD, LONGEST) or "null")
        return int(found["told"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def keep_told(run: Path, seq: int) -> None:
    """Write down that all turns up to this number of the log were told."""
    with disk_errors(run / TOLD):
        write_atomically(run / TOLD, json.dumps({"told": seq}).encode() + b"\n")


def pages_of(turned: Iterable[Turned], threshold: float) -> list[dict[str, Any]]:
    """What turns noticed of relevant pages, for programs."""
    return [
        {"time": turn.time, **msgspec.to_builtins(each)}
        for turn in turned
        for each in turn.noticed
        if each.relevance > threshold
    ]
