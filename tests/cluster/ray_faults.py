"""What may happen to a cluster while it crawls. Each is over when it returns, but for what follows from it."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cluster.ray_stories import Cluster

LEASE = 8
"""Seconds of a lease in the stories."""
STORE_AWAY = 60
"""Seconds for which the store cannot be reached."""
NODE = "node_ip_address=127.0.0.2"
"""In the command line of the raylet of the second node."""


def processes(pattern: str) -> list[int]:
    """The processes whose command line matches."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if re.search(pattern, words):
                    found.append(int(entry.name))
    return sorted(found)


def kill(pattern: str) -> None:
    """kill -9 the first process that matches."""
    [first, *_] = processes(pattern)
    os.kill(first, signal.SIGKILL)


def restart_postgres(made: Cluster) -> None:
    made.postgres.stop()
    time.sleep(1)
    made.postgres.start()


def store_away(made: Cluster) -> None:
    """The store cannot be reached for a minute."""
    store, elsewhere = made.folder / "store", made.folder / "elsewhere"
    store.rename(elsewhere)
    store.write_text("in the way")
    time.sleep(STORE_AWAY)
    store.unlink()
    elsewhere.rename(store)


def lose_node(made: Cluster) -> None:
    """kill -9 the raylet of the second node, whose shards go elsewhere; the node joins again."""
    populate(made)
    kill(f"raylet/raylet .*{NODE}")
    time.sleep(2)
    made.run("down", machine="node", check=False)
    made.join()


def sleep_shard(made: Cluster) -> None:
    """A shard that stops for longer than its lease, and wakes."""
    [first, *_] = processes("^ray::Shard")
    os.kill(first, signal.SIGSTOP)
    time.sleep(LEASE + 3)
    with suppress(ProcessLookupError):
        os.kill(first, signal.SIGCONT)


def sleep_node(made: Cluster) -> None:
    """A node that is given up and wakes after others have its shards: all that it still does must not count."""
    raylet = populate(made)
    asleep = [raylet, *children(raylet)]
    for process in asleep:
        os.kill(process, signal.SIGSTOP)
    began = time.monotonic()
    all_held(made, asleep)
    sys.stdout.write(f"its shards were taken over after {time.monotonic() - began:.0f} s\n")
    for process in asleep:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)
    time.sleep(3)
    made.run("down", machine="node", check=False)
    made.join()


def populate(made: Cluster) -> int:
    """Have the second node hold a shard: shards are killed until Ray starts one there; returns its raylet."""
    [raylet, *_] = processes(f"raylet/raylet .*{NODE}")
    for _ in range(20):
        if all_held(made) & set(children(raylet)):
            return raylet
        kill("^ray::Shard")
        time.sleep(LEASE + 1)  # until the lease of whoever was killed is over
    raise AssertionError("no shard was started on the second node")


def children(process: int) -> list[int]:
    """All processes below one."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found, more = list[int](), [process]
    while more:
        more = [child for child, parent in parents.items() if parent in more]
        found += more
    return found


def all_held(made: Cluster, asleep: Collection[int] = ()) -> set[int]:
    """Wait until every shard is held, none by a process that sleeps; returns the processes that hold them."""
    import psycopg

    until = time.monotonic() + 150
    with psycopg.connect(made.dsn, autocommit=True) as connection:
        while True:
            rows = connection.execute("SELECT holder FROM shard WHERE until > clock_timestamp()").fetchall()
            shards = connection.execute("SELECT count(*) FROM shard").fetchall()
            holders = {int(holder.rpartition("/")[2]) for (holder,) in rows}
            if len(rows) == shards[0][0] and not holders & set(asleep):
                return holders
            assert time.monotonic() < until, "the shards of a node that sleeps were not taken over"
            time.sleep(0.5)


FAULTS: dict[str, Callable[[Cluster], None]] = {
    "the process of a shard": lambda made: kill("topicrawl.shards.process"),
    "a shard": lambda made: kill("^ray::Shard"),
    "a postman": lambda made: kill("^ray::Postman"),
    "the teacher or, without one, the coordinator": lambda made: kill(
        "^ray::Teacher" if processes("^ray::Teacher") else "^ray::Coordinator"
    ),
    "the coordinator": lambda made: kill("^ray::Coordinator"),
    "a node": lose_node,
    "PostgreSQL is restarted": restart_postgres,
    "the store is away": store_away,
    "a shard sleeps": sleep_shard,
    "a node sleeps": sleep_node,
}
