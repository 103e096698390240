"""The files that say how a crawl is divided into shards.

RUN/shards.toml             how many there are, and which sites are split by host; written when it is begun
RUN/shards/003/shard.toml   the same, and which of them this run is
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from topicrawl.errors import RunError
from topicrawl.frontier.route import Route
from topicrawl.store.disk import write_atomically

SHARDS, SHARD, FOLDER = "shards.toml", "shard.toml", "shards"


@dataclass(frozen=True)
class ShardFile:
    """Which shard a run is, and of how many."""

    name: str
    route: Route


def write_route(folder: Path, route: Route) -> None:
    """Begin a crawl in shards in `folder`."""
    write_atomically(folder / SHARDS, _text(route).encode())


def write_shard(folder: Path, name: str, route: Route) -> None:
    """Make a run in `folder` a shard, before it is created."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / SHARD, f'shard = "{name}"\n{_text(route)}'.encode())


def read_route(folder: Path) -> Route | None:
    """The shards of the crawl in `folder`; None if it is not divided."""
    path = folder / SHARDS
    return _route(_read(path), path) if path.is_file() else None


def read_shard(folder: Path) -> ShardFile | None:
    """Which shard the run in `folder` is; None if it is a whole crawl."""
    path = folder / SHARD
    if not path.is_file():
        return None
    found = _read(path)
    route = _route(found, path)
    if found.get("shard") not in route.names:
        raise _damaged(path)
    return ShardFile(found["shard"], route)


def shard_folders(folder: Path, route: Route) -> dict[str, Path]:
    """The folder of each shard."""
    return {name: folder / FOLDER / name for name in route.names}


def owner_of(folder: Path, url: str) -> Path:
    """The folder of the shard that crawls the site of a canonical URL; `folder` itself if it is not divided."""
    route = read_route(folder)
    return folder if route is None else shard_folders(folder, route)[route.owner(url)]


def runs_in(folder: Path) -> list[Path]:
    """The folders of all shards; `folder` itself if it is not divided."""
    route = read_route(folder)
    return [folder] if route is None else list(shard_folders(folder, route).values())


def whole_of(folder: Path) -> Path:
    """The folder of the crawl that the run in `folder` is a shard of; `folder` itself if it is none."""
    whole = folder.resolve().parent.parent
    return whole if (folder / SHARD).is_file() and (whole / SHARDS).is_file() else folder


def refuse_shards(folder: Path) -> None:
    """`RunError` if `folder` holds a crawl in shards, for what writes a single run."""
    if (folder / SHARDS).is_file():
        raise RunError(
            f"{folder} is a crawl in shards, which this command cannot write; give one of its shards, such as "
            f"{folder / FOLDER / '000'}"
        )


def _text(route: Route) -> str:
    split = ", ".join(f'"{site}"' for site in route.split)
    return f"shards = {route.shards}\nsplit = [{split}]\n"


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{path} cannot be read: {error}; put the file back as it was") from error


def _route(found: dict[str, Any], path: Path) -> Route:
    shards, split = found.get("shards"), found.get("split", [])
    if not isinstance(shards, int) or shards < 1 or not all(isinstance(site, str) for site in split):
        raise _damaged(path)
    return Route(shards, tuple(split))


def _damaged(path: Path) -> RunError:
    return RunError(f"{path} is not as the crawl wrote it; put the file back as it was")
