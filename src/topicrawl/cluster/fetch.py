"""A crawl of a cluster as a run directory here: its shards, brought from the store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from topicrawl.cluster.crawls import Submitted
from topicrawl.cluster.database import Connection
from topicrawl.cluster.manifest import pieces
from topicrawl.cluster.pieces import download
from topicrawl.cluster.store import Store
from topicrawl.errors import RunError
from topicrawl.frontier.route import Route
from topicrawl.setup.run_config import config_in
from topicrawl.shards.begin import Divided, shard_config
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.store.lock import Lock
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.run import CONFIG, LOCK, Run
from topicrawl.store.shard_files import shard_folders, write_route, write_shard


def fetch(
    crawl: Submitted,
    out: Path,
    store: Store,
    connection: Connection,
    say: Callable[[str], None] = lambda sentence: None,
) -> Divided:
    """Bring a crawl as it is in the store into `out`, a folder that is absent or empty; release its lock at the end."""
    if out.exists() and not out.is_dir():
        raise RunError(f"{out} is no folder; give an empty or new folder as --out")
    if out.exists() and any(out.iterdir()):
        raise RunError(f"{out} is not empty; give an empty or new folder as --out")
    config = config_in(out, crawl.config_toml)
    with disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        lock = Lock(out / LOCK)
        write_route(out, crawl.route)
        write_atomically(out / CONFIG, crawl.config_toml.encode())
    try:
        for number, (name, folder) in enumerate(shard_folders(out, crawl.route).items()):
            say(f"shard {name}")
            if pieces(connection, crawl.id, number):
                download(folder, store, connection, crawl.id, number)
                write_shard(folder, name, crawl.route)
                Run.open(folder).close()  # writes the files that follow from the log
            else:
                write_shard(folder, name, crawl.route)
                own = shard_config(config, crawl.route)
                Run.create(folder, own, warc=config.warc, segment_bytes=config.segment_size).close()
    except BaseException:
        lock.release()
        raise
    return Divided(out, config, crawl.route, lock, _seconds(out, crawl.route))


def _seconds(out: Path, route: Route) -> float:
    """From the first request to the last answer."""
    with MergedRun(out, route) as run:
        spans = [
            (timing.started, timing.started + timing.fetched + timing.parsed) for _, timing in run.timings()
        ]
    return max(end for _, end in spans) - min(begun for begun, _ in spans) if spans else 0.0
