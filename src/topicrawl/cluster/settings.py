"""What a machine knows of the cluster that it belongs to: a file beside the token, which only its owner can read."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from topicrawl.errors import ConfigError
from topicrawl.store.disk import write_atomically

FILE, VARIABLE = "cluster.json", "TOPICRAWL_CLUSTER"
NAMESPACE = "topicrawl"
"""Of all our actors in Ray."""


class Settings(msgspec.Struct, frozen=True):
    """A cluster."""

    head: str
    """ADDRESS:PORT of Ray on the head."""
    address: str
    """Of this node, as the others reach it."""
    store: str
    postgres: str
    """The connection string; it may have a password."""
    version: str
    """Of topicrawl on the head."""
    lease: float = 15.0
    """Seconds after which a shard whose node is gone may be taken over."""
    mark: str = ""
    """What the file topicrawl-store in the store says."""
    turn: float = 1.0
    """Seconds between two reports of a shard; each is preceded by a piece of its log in the store."""


def folder() -> Path:
    """Where token and settings are: $TOPICRAWL_CLUSTER, or below the user's configuration."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "topicrawl" / "cluster"


def write_settings(settings: Settings) -> None:
    """Remember the cluster that this machine belongs to."""
    path = folder() / FILE
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    before = os.umask(0o077)
    try:
        write_atomically(path, msgspec.json.encode(settings))
    finally:
        os.umask(before)


def read_settings() -> Settings:
    """The cluster that this machine belongs to; `ConfigError` if it belongs to none."""
    path = folder() / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except (OSError, msgspec.DecodeError):
        raise ConfigError(
            f"this machine belongs to no cluster ({path} is absent or damaged); copy that file from the head, or make "
            "this machine the head: topicrawl cluster start --head"
        ) from None
