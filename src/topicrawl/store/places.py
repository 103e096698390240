"""A place for files: a folder, or an object store (an fsspec URL such as s3://…). Files are put there whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from topicrawl.errors import AwayError, ConfigError
from topicrawl.store.disk import write_atomically


class Place(ABC):
    """Files by name, such as `visits/date=2026-01-31/part-00000001.parquet`. `AwayError` if it does not answer."""

    where: str

    @abstractmethod
    def put(self, name: str, content: bytes) -> None:
        """Store a file; one of that name is replaced."""

    @abstractmethod
    def get(self, name: str) -> bytes:
        """The content of a file."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Remove a file."""

    @abstractmethod
    def find(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""

    @abstractmethod
    def names(self, folder: str) -> list[str]:
        """The names of all files below a folder, sorted."""


class FolderPlace(Place):
    """A folder."""

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

    def find(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""
        return self.get(name) if (self._path / name).exists() else None

    def names(self, folder: str) -> list[str]:
        """The names of all files below a folder, sorted."""
        found = (self._path / folder).rglob("*")
        return sorted(path.relative_to(self._path).as_posix() for path in found if path.is_file())


class ObjectPlace(Place):
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

    def find(self, name: str) -> bytes | None:
        """The content of an object; None if there is none."""
        return self.get(name) if self._try(name, self._files.exists) else None

    def names(self, folder: str) -> list[str]:
        """The names of all objects below a folder, sorted."""
        found = self._try(folder, self._files.find)
        return sorted(path[path.index(self._root) + len(self._root) + 1 :] for path in found)

    def _try(self, name: str, work: Any) -> Any:
        try:
            return work(f"{self._root}/{name}")
        except Exception as error:  # each kind of store raises errors of its own library
            raise AwayError(f"{self.where}/{name}: {str(error) or type(error).__name__}") from error


def open_url(url: str, flag: str) -> tuple[Any, str]:
    """The file system of fsspec at a URL, and the path there; `ConfigError`, which names the flag, if there is none."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ConfigError(
            f"{flag} {url} needs fsspec, which is absent; get it with: pip install fsspec, and the package of "
            "that kind of store (s3fs)"
        ) from None
    try:
        files, root = url_to_fs(url)
    except (ValueError, ImportError, OSError) as error:
        raise ConfigError(
            f"{flag} {url} cannot be opened: {error}; give a folder, or a URL whose package is installed (s3fs)"
        ) from error
    return files, root


def open_place(where: str, flag: str) -> Place:
    """The place at a folder or an fsspec URL; `ConfigError` if there is no such kind of store."""
    if "://" not in where:
        return FolderPlace(Path(where).resolve())
    return ObjectPlace(where, *open_url(where, flag))
