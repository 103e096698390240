"""A bundle: a comparison in one file, which says what it was made of and can be repeated.

    bundle.json      versions, thresholds, digests of webs and labels, digest of every other member
    tasks.json       the tasks
    results/…        results.csv, the logs below visits/, summary.md
    webs/…           the webs and labels, where they were put in
    __main__.py      `python bundle.zip` checks it, with an installed topicrawl

It is a ZIP with fixed dates and order: the same results make the same file.
"""

from __future__ import annotations

import hashlib
import io
import platform
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

import msgspec

from topicrawl.errors import RunError, UsageError
from topicrawl_lab.cell_runner import Thresholds
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.results import read_rows
from topicrawl_lab.tasks import Task, read_tasks

MANIFEST, TASKS, RESULTS, WEBS = "bundle.json", "tasks.json", "results", "webs"
TABLE = f"{RESULTS}/results.csv"
KEPT = ("results.csv", "summary.md", "scores.tex", "judges.csv")
"""Files of a results folder that are kept besides the logs."""
PACKAGES = ("topicrawl", "numpy", "scipy", "msgspec", "turbohtml", "can-ada")
"""Packages whose versions may change a result."""
NAME = re.compile(r"(bundle\.json|tasks\.json|__main__\.py|(results|webs)/[^\\:\0]+)")
NO_PARTS = frozenset({"", ".", ".."})
"""What no part of a name may be: `results//etc/x` joined to a folder would be `/etc/x`."""
EPOCH = (1980, 1, 1, 0, 0, 0)
STARTER = b"""\
import sys

from topicrawl.cli import run

sys.exit(run(["bundle", "verify", sys.argv[0], *sys.argv[1:]]))
"""
CHUNK = 1 << 20


class Manifest(msgspec.Struct, frozen=True):
    """What a bundle says of itself."""

    versions: dict[str, str]
    python: str
    machine: str
    threshold: float
    similarity: float
    webs: dict[str, str]
    """SHA-256 of each file of a web, by its name."""
    members: dict[str, str]
    """SHA-256 of each member of the bundle but this one, by its name."""
    bundle: int = 1
    """The form of the bundle."""


def make_bundle(
    results: Path,
    webs: Path,
    out: Path,
    thresholds: Thresholds,
    *,
    tasks: Path | None = None,
    with_webs: bool = False,
) -> Manifest:
    """Write the bundle of a results folder to `out`; `RunError` if a web or a log is missing."""
    kept = read_tasks(tasks or results / TASKS)
    rows = read_rows(results / "results.csv")
    if failed := [row for row in rows if row.error]:
        raise RunError(
            f"{results}: {len(failed)} cells failed ({failed[0].strategy} on {failed[0].task}); run the comparison "
            "again first"
        )
    if not rows:
        raise RunError(
            f"{results}: has no results; run a comparison first: topicrawl compare … --out {results}"
        )
    files = dict(_web_files(kept, webs))
    digests = {name: _digest(path) for name, path in files.items()}
    members: dict[str, bytes | Path] = {
        TASKS: msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n"
    }
    members |= {"__main__.py": STARTER, **dict(_result_files(results))}
    if with_webs:
        members |= {f"{WEBS}/{name}": path for name, path in files.items()}
    manifest = Manifest(
        {name: version(name) for name in PACKAGES},
        platform.python_version(),
        platform.machine(),
        thresholds.relevance,
        thresholds.similarity,
        digests,
        {name: _digest(content) for name, content in sorted(members.items())},
    )
    _write(out, {MANIFEST: msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n", **members})
    return manifest


def _web_files(tasks: list[Task], webs: Path) -> Iterator[tuple[str, Path]]:
    for web in sorted({task.web for task in tasks}):
        for path in (web_path(webs, web), labels_path(webs, web)):
            if not path.is_file():
                raise UsageError(f"{path} is absent; name the folder of webs with --webs")
            yield path.name, path


def _result_files(results: Path) -> Iterator[tuple[str, Path]]:
    for name in KEPT:
        if (results / name).is_file():
            yield f"{RESULTS}/{name}", results / name
    for path in sorted((results / "visits").rglob("*.json*")):
        yield f"{RESULTS}/{path.relative_to(results).as_posix()}", path


def _digest(content: bytes | Path) -> str:
    hashed = hashlib.sha256()
    if isinstance(content, bytes):
        hashed.update(content)
    else:
        with content.open("rb") as file:
            while chunk := file.read(CHUNK):
                hashed.update(chunk)
    return hashed.hexdigest()


def _write(out: Path, members: Mapping[str, bytes | Path]) -> None:
    """Write under another name first: an interrupted bundle is none."""
    part = out.with_name(f".{out.name}.part")
    try:
        with zipfile.ZipFile(part, "w") as archive:
            for name, content in sorted(members.items()):
                info = zipfile.ZipInfo(name, EPOCH)
                info.compress_type = zipfile.ZIP_STORED if name.endswith(".gz") else zipfile.ZIP_DEFLATED
                with archive.open(info, "w", force_zip64=True) as entry, _opened(content) as source:
                    while chunk := source.read(CHUNK):
                        entry.write(chunk)
        part.replace(out)
    except OSError as error:
        raise UsageError(f"--out {str(out)!r}: {error.strerror or error}; nothing was written") from error
    finally:
        part.unlink(missing_ok=True)


def _opened(content: bytes | Path) -> io.BufferedIOBase:
    return io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")


class Bundle:
    """A bundle that is read; use it in a `with`."""

    def __init__(self, path: Path) -> None:
        try:
            self._archive = zipfile.ZipFile(path)
            self.manifest = msgspec.json.decode(self._archive.read(MANIFEST), type=Manifest)
        except (OSError, KeyError, zipfile.BadZipFile, msgspec.DecodeError) as error:
            raise RunError(f"{path} is no bundle ({error}); topicrawl bundle make writes one") from error
        self.path = path

    def __enter__(self) -> Bundle:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def faults(self) -> Iterator[str]:
        """What in the file is not as it was made."""
        present = {info.filename for info in self._archive.infolist()} - {MANIFEST}
        for name in sorted(present - self.manifest.members.keys()):
            yield f"{name} does not belong to it"
        for name, digest in self.manifest.members.items():
            if not NAME.fullmatch(name) or not NO_PARTS.isdisjoint(name.split("/")):
                yield f"{name} is no name of a member"
            elif name not in present:
                yield f"{name} is missing"
            elif self._digest(name) != digest:
                yield f"{name} has changed since the bundle was made"

    def web_faults(self, webs: Path) -> Iterator[str]:
        """Which webs in a folder are not those of the bundle."""
        for name, digest in self.manifest.webs.items():
            if not (webs / name).is_file():
                yield f"{webs / name} is absent"
            elif _digest(webs / name) != digest:
                yield f"{webs / name} is another web than that of the bundle"

    @property
    def has_webs(self) -> bool:
        """Whether the webs are inside."""
        return all(f"{WEBS}/{name}" in self.manifest.members for name in self.manifest.webs)

    def read(self, name: str) -> bytes:
        """The content of a member."""
        return self._archive.read(name)

    def unpack(self, prefix: str, folder: Path) -> None:
        """Write the members below a prefix into a folder. Call `faults` first: names are not checked here."""
        for name in self.manifest.members:
            if name.startswith(prefix + "/"):
                target = folder / name.removeprefix(prefix + "/")
                target.parent.mkdir(parents=True, exist_ok=True)
                with self._archive.open(name) as source, target.open("wb") as file:
                    while chunk := source.read(CHUNK):
                        file.write(chunk)

    def _digest(self, name: str) -> str:
        hashed = hashlib.sha256()
        try:
            with self._archive.open(name) as source:
                while chunk := source.read(CHUNK):
                    hashed.update(chunk)
        except (
            zipfile.BadZipFile,
            OSError,
            EOFError,
            RuntimeError,
            zlib.error,
        ):  # encrypted, other compression
            return ""
        return hashed.hexdigest()


def other_versions(manifest: Manifest) -> list[str]:
    """What differs here from where the bundle was made, in words."""
    now = {name: version(name) for name in PACKAGES} | {"Python": platform.python_version()}
    now["machine"] = platform.machine()
    then = {**manifest.versions, "Python": manifest.python, "machine": manifest.machine}
    return [
        f"{name} {then[name]} then, {value} now"
        for name, value in now.items()
        if then.get(name, value) != value
    ]
