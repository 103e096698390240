"""The relevance of a run's pages by all that was learned, kept beside the catalogue: judging all takes a while."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import msgspec
import numpy as np

from topicrawl.crawling.judged import Now, relevance_now
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


def kept_relevance(run: Run, folder: Path) -> Now:
    """The relevance of each visit by its number; computed anew after further visits or instructions."""
    of = (run.id, run.last_n, len(run.instructions()), version("topicrawl"))
    try:
        kept = msgspec.msgpack.decode((folder / FILE).read_bytes(), type=Kept)
        if (kept.run, kept.last_n, kept.instructions, kept.version) == of and len(kept.now) == 8 * (
            run.last_n + 1
        ):
            return np.frombuffer(kept.now, dtype="<f8")
    except (OSError, msgspec.DecodeError):
        pass
    now = relevance_now(run)
    with disk_errors(folder / FILE):
        write_atomically(folder / FILE, msgspec.msgpack.encode(Kept(*of, now.astype("<f8").tobytes())))
    return now
