"""The secret that all nodes of a cluster share: Ray refuses whoever lacks it. Only the owner can read its file."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from topicrawl.errors import ConfigError

FILE = "token"
BYTES = 32


def make_token(folder: Path) -> Path:
    """The file of the token in `folder`; made where there is none."""
    path = folder / FILE
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return check_token(folder)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(BYTES))
    return path


def check_token(folder: Path) -> Path:
    """The file of the token; `ConfigError` if it is absent, too short, or can be read by others."""
    path = folder / FILE
    try:
        mode, text = stat.S_IMODE(path.stat().st_mode), path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise ConfigError(
            f"{path} is absent or cannot be read: copy the file of that name from the head of the cluster, mode 0600"
        ) from None
    if mode & 0o077:
        raise ConfigError(f"{path} can be read by others (mode {mode:04o}); run: chmod 600 {path}")
    if len(text) < BYTES:
        raise ConfigError(
            f"{path} holds {len(text)} characters, which is no secret; remove it and start the head"
        )
    return path
