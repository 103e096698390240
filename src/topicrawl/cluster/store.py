"""Where all nodes of a cluster keep files: a folder that they share, or an object store (an fsspec URL such as s3://…).

A file is put there whole or not at all, and never changed. Files whose row is not in PostgreSQL do not count.
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from topicrawl.cluster.database import AwayError
from topicrawl.errors import ConfigError
from topicrawl.store.disk import write_atomically

PROBE = "probe"


class Store(ABC):
    """Files by name, such as `ID/shard-003/log/000000000001-2.zst`. `AwayError` if it does not answer."""

    where: str

    @abstractmethod
    def put(self, name: str, content: bytes) -> None:
        """Store a file."""

    @abstractmethod
    def get(self, name: str) -> bytes:
        """The content of a file."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Remove a file."""

    def check(self) -> None:
        """`ConfigError` if nothing can be written here, or read again."""
        name = f"{PROBE}-{uuid.uuid4().hex}"
        try:
            self.put(name, name.encode())
            found = self.get(name)
            self.delete(name)
        except AwayError as error:
            raise ConfigError(
                f"--store {self.where} cannot be written: {error.__cause__ or error}; give a place that all nodes "
                "can write"
            ) from error
        if found != name.encode():
            raise ConfigError(f"--store {self.where} gave back other bytes than were written; choose another")


class Folder(Store):
    """A folder that all nodes see at the same path."""

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._path = path

    def put(self, name: str, content: bytes) -> None:
        """Write, then rename."""
        path = self._path / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
        except OSError as error:
            raise AwayError(f"{path}: {error.strerror or error}") from error

    def get(self, name: str) -> bytes:
        """The content of a file."""
        try:
            return (self._path / name).read_bytes()
        except OSError as error:
            raise AwayError(f"{self._path / name}: {error.strerror or error}") from error

    def delete(self, name: str) -> None:
        """Remove a file."""
        try:
            (self._path / name).unlink(missing_ok=True)
        except OSError as error:
            raise AwayError(f"{self._path / name}: {error.strerror or error}") from error


class ObjectStore(Store):
    """An object store: each file is one object, which appears when all of it has arrived."""

    def __init__(self, url: str, files: Any, root: str) -> None:
        self.where = url
        self._files, self._root = files, root.rstrip("/")

    def put(self, name: str, content: bytes) -> None:
        """Store an object."""
        self._try(name, lambda path: self._files.pipe_file(path, content))

    def get(self, name: str) -> bytes:
        """The content of an object."""
        return bytes(self._try(name, self._files.cat_file))

    def delete(self, name: str) -> None:
        """Remove an object."""
        self._try(name, self._files.rm_file)

    def _try(self, name: str, work: Any) -> Any:
        try:
            return work(f"{self._root}/{name}")
        except Exception as error:  # each kind of store raises errors of its own library
            raise AwayError(f"{self.where}/{name}: {str(error) or type(error).__name__}") from error


def open_store(where: str) -> Store:
    """The store at a folder or an fsspec URL; `ConfigError` if there is no such kind of store."""
    if "://" not in where:
        return Folder(Path(where).resolve())
    from fsspec.core import url_to_fs

    try:
        files, root = url_to_fs(where)
    except (ValueError, ImportError, OSError) as error:
        raise ConfigError(
            f"--store {where} cannot be opened: {error}; give a folder, or a URL whose package is installed (s3fs)"
        ) from error
    return ObjectStore(where, files, root)
