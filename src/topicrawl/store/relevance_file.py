"""The relevance of a run's pages by all that was learned, kept in a file: judging all takes a while."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.store.run import Run

FILE = "relevance.bin"


class Kept(msgspec.Struct, array_like=True):
    """The file: what it was computed from, and a float64 for each visit."""

    run: str
    last_n: int
    instructions: int
    version: str
    now: bytes


def read_relevance(run: Run, folder: Path) -> npt.NDArray[np.float64] | None:
    """The relevance of each visit by its number; None after further visits or instructions, and if it is not kept."""
    try:
        kept = msgspec.msgpack.decode((folder / FILE).read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError):
        return None
    is_current = (kept.run, kept.last_n, kept.instructions, kept.version) == _of(run)
    return np.frombuffer(kept.now, "<f8") if is_current and len(kept.now) == 8 * (run.last_n + 1) else None


def write_relevance(run: Run, folder: Path, now: npt.NDArray[np.float64]) -> None:
    """Keep the relevance of each visit."""
    with disk_errors(folder / FILE):
        write_atomically(folder / FILE, msgspec.msgpack.encode(Kept(*_of(run), now.astype("<f8").tobytes())))


def _of(run: Run) -> tuple[str, int, int, str]:
    return run.id, run.last_n, len(run.instructions()), version("topicrawl")
