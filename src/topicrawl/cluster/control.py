"""What the commands of a cluster do: submit, follow, stop and resume crawls."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from topicrawl.cluster.addresses import check_head
from topicrawl.cluster.crawls import (
    ENDED,
    RUNNING,
    STOPPING,
    ShardRow,
    Submitted,
    add_crawl,
    get_crawl,
    new_id,
    refuse_held,
    set_state,
    shard_rows,
)
from topicrawl.cluster.database import Connection, check_clock, check_schema, connect
from topicrawl.cluster.leases import Counts
from topicrawl.cluster.node import environment, our_version
from topicrawl.cluster.settings import NAMESPACE, Settings
from topicrawl.cluster.store import open_store
from topicrawl.errors import BusyError, ConfigError, RunError
from topicrawl.frontier.route import Route

MOST_SHARDS = 10_000


class Status(msgspec.Struct, frozen=True):
    """A crawl as `cluster status` tells it."""

    id: str
    state: str
    reason: str
    shards: int
    alive: int
    """Shards that are held."""
    letters: int
    """Letters that were sent and not taken."""
    total: Counts
    each: list[ShardRow]


def checked(settings: Settings) -> Connection:
    """A connection to PostgreSQL; `ConfigError` if this machine, PostgreSQL or the store does not fit."""
    if settings.version != our_version():
        raise ConfigError(
            f"this machine has topicrawl {our_version()}, the head {settings.version}; install the same version"
        )
    connection = connect(settings.postgres)
    try:
        check_schema(connection)
        check_clock(connection)
        open_store(settings.store).check(settings.mark)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def joined(settings: Settings) -> Iterator[None]:
    """A connection to Ray; `ConfigError` if it does not answer, or refuses our token."""
    os.environ.update(environment())
    import ray

    try:
        check_head(settings.head)
        ray.init(address=settings.head, namespace=NAMESPACE, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise ConfigError(
            f"Ray at {settings.head} does not answer, or refuses the token of this machine ({_first(error)}); "
            "if it does not run, on the head: topicrawl cluster start --head"
        ) from None
    try:
        yield
    finally:
        ray.shutdown()


def submit(
    given: Mapping[str, Any],
    shards: int,
    split: Sequence[str],
    settings: Settings,
    remark: Callable[[str], None],
) -> str:
    """Begin a crawl on the cluster; returns its name. It goes on when this process ends."""
    from topicrawl.shards.begin import divisible_config, remark_on_sites

    if not 1 <= shards <= MOST_SHARDS:
        raise ConfigError(f"--shards {shards} is not possible; give 1 to {MOST_SHARDS:,}")
    crawl, route = new_id(), Route(shards, tuple(split))
    config = divisible_config(given, route, remark)
    with checked(settings) as connection, joined(settings):
        remark_on_sites(config.seeds, route, remark)
        _count_processors(shards, remark)
        open_store(settings.store).put(f"{crawl}/crawl.toml", config.to_toml().encode())
        add_crawl(connection, crawl, config.to_toml(), route, our_version())
        _start(get_crawl(connection, crawl), settings)
    return crawl


def resume(crawl: str, shards: int | None, settings: Settings, remark: Callable[[str], None]) -> None:
    """Continue a crawl that stopped, or whose cluster was ended."""
    with checked(settings) as connection:
        found = get_crawl(connection, crawl)
        if shards is not None and shards != found.route.shards:
            raise RunError(
                f"crawl {crawl} was submitted with --shards {found.route.shards}; resuming cannot change that to "
                f"{shards}: leave it out, or submit another crawl"
            )
        refuse_held(connection, crawl)
        with joined(settings):
            from topicrawl.cluster.actors import kill_actors

            _count_processors(found.route.shards, remark)
            kill_actors(crawl)
            connection.execute("UPDATE crawl SET version = %s WHERE id = %s", (our_version(), crawl))
            set_state(connection, crawl, RUNNING)
            _start(get_crawl(connection, crawl), settings)


def stop(connection: Connection, crawl: str, reason: str = "stopped") -> None:
    """Have a crawl save and end."""
    if get_crawl(connection, crawl).state == ENDED:
        raise BusyError(f"crawl {crawl} has ended already; see: topicrawl cluster status {crawl}")
    is_held = any(shard.is_held for shard in shard_rows(connection, crawl))
    set_state(connection, crawl, STOPPING if is_held else ENDED, reason)


def has_ended(connection: Connection, crawl: str) -> bool:
    """Whether a crawl that was to stop has ended; it has too when nobody holds a shard any more, as after `down`."""
    found = get_crawl(connection, crawl)
    if found.state == STOPPING and not any(shard.is_held for shard in shard_rows(connection, crawl)):
        set_state(connection, crawl, ENDED, found.reason)
        return True
    return found.state == ENDED


def status(connection: Connection, crawl: str) -> Status:
    """What a crawl does now."""
    found, each = get_crawl(connection, crawl), shard_rows(connection, crawl)
    sums = {name: sum(getattr(row.counts, name) for row in each) for name in Counts.__struct_fields__}
    total = Counts(**sums)
    return Status(
        crawl,
        found.state,
        found.reason,
        found.route.shards,
        sum(row.is_held for row in each),
        max(total.sent - total.taken, 0),  # shards tell of them at different times
        total,
        each,
    )


def _start(crawl: Submitted, settings: Settings) -> None:
    from topicrawl.cluster.actors.coordinator import coordinator
    from topicrawl.cluster.actors.shard import shard

    coordinator(crawl.id, settings, crawl.version)
    for number in range(crawl.route.shards):
        shard(crawl.id, number, settings, crawl.version)


def _count_processors(shards: int, remark: Callable[[str], None]) -> None:
    """Say it if shards must wait: each takes a processor until the crawl ends."""
    import ray

    if (there := int(ray.cluster_resources().get("CPU", 0))) < shards:  # type: ignore[no-untyped-call]
        remark(
            f"the nodes have {there:,} processors (--cpus) and the crawl {shards:,} shards: the others, and the pages "
            "of their sites, wait until more nodes join"
        )


def _first(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0][:200]
