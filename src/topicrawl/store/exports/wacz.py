"""A web archive in one file that replay tools open: WACZ 1.1.1.

A ZIP of the records, their index (CDXJ in gzip blocks, with a small index of those blocks, so that a viewer
reads only what it needs), the list of pages, and a manifest with the SHA-256 of each. Compressed
members are stored uncompressed in the ZIP, for the same reason.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, BinaryIO, cast

from topicrawl.store.cdxj import cdxj
from topicrawl.store.exports.archives import WARC_NAME, Copied, copy_records
from topicrawl.store.exports.selection import Selection
from topicrawl.store.log import Place

LINES_A_BLOCK = 1024
INDEX, BLOCKS = "index.cdx.gz", "index.idx"


def write_wacz(selection: Selection, file: BinaryIO) -> int:
    """The chosen visits as a WACZ; returns how many had records."""
    pages: list[dict[str, Any]] = [{"format": "json-pages-1.0", "id": "pages", "title": "All pages"}]
    places: list[Place] = []
    count = 0
    with zipfile.ZipFile(file, "w") as archive:
        package = _Package(archive)
        with package.member(f"archive/{WARC_NAME}", zipfile.ZIP_STORED) as warc:
            for count, copied in enumerate(copy_records(selection, warc), 1):  # noqa: B007
                places += copied.places
                if copied.visit.fetched:
                    pages.append(_page(copied, selection.relevance(copied.visit)))
        index, blocks = _compressed(cdxj(places))
        package.add(f"indexes/{INDEX}", index, zipfile.ZIP_STORED)
        package.add(f"indexes/{BLOCKS}", blocks)
        package.add("pages/pages.jsonl", b"".join(_json(page) + b"\n" for page in pages))
        package.close(title=selection.run.path.resolve().name)
    return count


class _Package:
    """A ZIP that records size and SHA-256 of its members, for the manifest."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._resources: list[dict[str, Any]] = []

    @contextmanager
    def member(self, path: str, method: int) -> Iterator[BinaryIO]:
        """A file of the package to write; of any size."""
        info = zipfile.ZipInfo(path)
        info.compress_type = method
        with self._archive.open(info, "w", force_zip64=True) as entry:
            hashed = _Hashed(cast("BinaryIO", entry))
            yield cast("BinaryIO", hashed)
        name = path.rpartition("/")[2]
        self._resources.append({"name": name, "path": path, "hash": hashed.digest(), "bytes": hashed.size})

    def add(self, path: str, content: bytes, method: int = zipfile.ZIP_DEFLATED) -> None:
        """A small file of the package."""
        with self.member(path, method) as entry:
            entry.write(content)

    def close(self, *, title: str) -> None:
        """Write the manifest and its hash, with which the whole package can be checked."""
        manifest = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": title,
            "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "software": f"topicrawl {version('topicrawl')}",
            "resources": list(self._resources),
        }
        self.add("datapackage.json", json.dumps(manifest, ensure_ascii=False, indent=2).encode())
        digest = {"path": "datapackage.json", "hash": self._resources[-1]["hash"]}
        self.add("datapackage-digest.json", _json(digest))


class _Hashed:
    """A writer that counts and hashes the bytes written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, content: bytes) -> int:
        self._hash.update(content)
        self.size += len(content)
        return self._file.write(content)

    def digest(self) -> str:
        return "sha256:" + self._hash.hexdigest()


def _page(copied: Copied, now: float) -> dict[str, Any]:
    visit, answer = copied.visit, copied.places[-1]
    moment = datetime.fromtimestamp(answer.started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    page = {"id": f"{visit.n:06}", "url": answer.url, "ts": moment, "title": visit.title or visit.url}
    return page | {"size": visit.bytes, "relevance": visit.relevance, "relevance_now": now}


def _compressed(index: bytes) -> tuple[bytes, bytes]:
    """The index in gzip blocks, and a line for each block: its first key, where it begins and its length."""
    lines = index.splitlines(keepends=True)
    packed = bytearray()
    heads = ["!meta 0 " + json.dumps({"format": "cdxj-gzip-1.0", "filename": INDEX})]
    for first in range(0, len(lines), LINES_A_BLOCK):
        block = gzip.compress(b"".join(lines[first : first + LINES_A_BLOCK]), mtime=0)
        key = lines[first].partition(b" {")[0].decode()
        heads.append(f"{key} " + json.dumps({"offset": len(packed), "length": len(block)}))
        packed += block
    return bytes(packed), ("\n".join(heads) + "\n").encode()


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
