"""Where all nodes of a cluster keep files: a folder that they share, or an object store (an fsspec URL such as s3://…).

A file is put there whole or not at all, and never changed. Files whose row is not in PostgreSQL do not count.

The file `topicrawl-store` marks it. Without, the folder of a file system that is not mounted would be taken for the
store, and what is written there be lost to all other nodes.
"""

from __future__ import annotations

import uuid
from abc import abstractmethod
from pathlib import Path

from topicrawl.errors import AwayError, ConfigError
from topicrawl.store.disk import write_atomically
from topicrawl.store.places import FolderPlace, ObjectPlace, Place, open_url

PROBE, MARK = "probe", "topicrawl-store"


class Store(Place):
    """Files by name, such as `ID/shard-003/log/000000000001-2.zst`. `AwayError` if it does not answer."""

    @abstractmethod
    def mark(self) -> str:
        """Make it a store, unless it is one; returns what its mark says, which no other has."""

    def check(self, mark: str) -> None:
        """`ConfigError` if nothing can be written here, or read again, or if it has another mark than `mark`."""
        name = f"{PROBE}-{uuid.uuid4().hex}"
        try:
            if mark and self.get(MARK).decode(errors="replace") != mark:
                raise ConfigError(
                    f"--store {self.where} is not the store of this cluster: its file {MARK} is of another one"
                )
            self.put(name, name.encode())
            found = self.get(name)
            self.delete(name)
        except AwayError as error:
            raise self._unusable(error) from error
        if found != name.encode():
            raise ConfigError(f"--store {self.where} gave back other bytes than were written; choose another")

    def _unusable(self, error: AwayError) -> ConfigError:
        return ConfigError(
            f"--store {self.where} cannot be used here: {error.__cause__ or error}; give a place that all nodes can "
            "read and write, mounted at the same path on each"
        )


class Folder(FolderPlace, Store):
    """A folder that all nodes see at the same path."""

    def mark(self) -> str:
        """Make the folder, and the mark in it."""
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            if not (self._path / MARK).exists():
                write_atomically(self._path / MARK, uuid.uuid4().hex.encode())
            return self.get(MARK).decode(errors="replace")
        except OSError as error:
            raise self._unusable(AwayError(str(error))) from error
        except AwayError as error:
            raise self._unusable(error) from error

    def put(self, name: str, content: bytes) -> None:
        """Write, then rename; only where the mark is."""
        try:
            (self._path / MARK).stat()
        except OSError as error:
            raise AwayError(f"{self._path / name}: {error.strerror or error}") from error
        super().put(name, content)


class ObjectStore(ObjectPlace, Store):
    """An object store: each file is one object, which appears when all of it has arrived."""

    def mark(self) -> str:
        """Store the mark, if there is none."""
        try:
            if self.find(MARK) is None:
                self.put(MARK, uuid.uuid4().hex.encode())
            return self.get(MARK).decode(errors="replace")
        except AwayError as error:
            raise self._unusable(error) from error


def open_store(where: str) -> Store:
    """The store at a folder or an fsspec URL; `ConfigError` if there is no such kind of store."""
    if "://" not in where:
        return Folder(Path(where).resolve())
    return ObjectStore(where, *open_url(where, "--store"))
