"""Files and folders that get their name only when they are complete.

They are written under a new random name beside the target, so nothing that exists there (a malicious symbolic link,
another running export) is followed or overwritten. Replacing a symbolic link does not change its target.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from topicrawl.errors import StorageError, UsageError


@contextmanager
def new_file(out: Path, *, force: bool) -> Iterator[BinaryIO]:
    """A file to write that becomes `out` at the end; it is removed on any error."""
    _check(out, force=force)
    if out.is_dir() and not out.is_symlink():
        raise UsageError(f"--out {str(out)!r} is a folder; give the name of a file")
    growing = _beside(out)
    with _failures(out):
        try:
            with growing.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            growing.replace(out)
        finally:
            growing.unlink(missing_ok=True)


@contextmanager
def new_folder(out: Path, *, force: bool, ours: re.Pattern[str]) -> Iterator[Path]:
    """An empty folder to fill that becomes `out` at the end; `ours` matches the file names of an earlier export."""
    _check(out, force=force)
    if os.path.lexists(out):
        _refuse_foreign(out, ours)
    growing, old = _beside(out), _beside(out)
    with _failures(out):
        try:
            growing.mkdir()
            yield growing
            if os.path.lexists(out):
                out.rename(old)
            growing.rename(out)
        finally:
            shutil.rmtree(growing, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def _check(out: Path, *, force: bool) -> None:
    if not out.parent.is_dir():
        raise UsageError(f"--out {str(out)!r}: there is no folder {str(out.parent)!r}; make it first")
    if os.path.lexists(out) and not force:
        raise UsageError(f"--out {str(out)!r} exists; give another name, or --force to replace it")


def _refuse_foreign(out: Path, ours: re.Pattern[str]) -> None:
    """Refuse to replace a folder with foreign files: `--force` must not empty a home folder."""
    if out.is_symlink() or not out.is_dir():
        raise UsageError(f"--out {str(out)!r} is not a folder; give another name")
    foreign = next((entry.name for entry in out.iterdir() if not ours.fullmatch(entry.name)), None)
    if foreign is not None:
        raise UsageError(f"--out {str(out)!r} holds {foreign!r}, which is no export; give another folder")


def _beside(out: Path) -> Path:
    return out.with_name(f".{out.name}.{secrets.token_hex(6)}.part")


@contextmanager
def _failures(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(f"{out}: {reason}; nothing was exported, and the run is as it was") from error
