"""`topicrawl cluster start | join | down`: the machines of a cluster."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from topicrawl.errors import ConfigError
from topicrawl.terminal import say

if TYPE_CHECKING:
    from topicrawl.cluster.settings import Settings

START = """\
[bold]topicrawl cluster start --head --listen 10.0.0.5 --store s3://bucket/crawls --postgres postgresql://crawler@10.0.0.9/crawls[/]

It prints what to do on the other machines. A password is best kept in ~/.pgpass of each.
"""
JOIN = """\
[bold]topicrawl cluster join 10.0.0.5:6390[/]  after copying token and cluster.json as `cluster start` says
"""
DOWN = "[bold]topicrawl cluster down[/]  on each machine; the head last"
NEEDED = ("fsspec", "psycopg", "ray")
PORT = 6390

Listen = Annotated[
    str,
    typer.Option(
        "--listen", metavar="ADDRESS", help="The address of this machine that the other nodes reach."
    ),
]
Cpus = Annotated[
    int | None,
    typer.Option("--cpus", metavar="N", min=1, help="Shards that may run here. Default: its processors."),
]
Work = Annotated[
    Path | None,
    typer.Option(
        "--work", metavar="FOLDER", help="Where this node keeps the runs of its shards, on its own disk."
    ),
]
AnyInterface = Annotated[
    bool,
    typer.Option(
        "--any-interface",
        help="Accept that Ray listens on all addresses of this machine, as it does but on 127.0.0.1.",
    ),
]


def require_packages() -> None:
    """`ConfigError` with the remedy if the packages of clusters are not installed, or this is not Linux."""
    if sys.platform != "linux":  # /proc tells which process is Ray, and which addresses the machine has
        raise ConfigError("a cluster needs Linux on each of its machines; run this command there")
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise ConfigError(f"a cluster needs {', '.join(missing)}; run: pip install 'topicrawl[cluster]'")


def start(
    store: Annotated[str, typer.Option("--store", metavar="FOLDER|URL", help="Where all nodes keep files.")],
    postgres: Annotated[
        str,
        typer.Option(
            "--postgres",
            metavar="DSN",
            help="The connection string of PostgreSQL, or where it is kept: env:NAME or file:PATH.",
        ),
    ],
    head: Annotated[bool, typer.Option("--head", help="This machine is the head.")] = False,
    listen: Listen = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=1, max=65535, help="The port of Ray.")
    ] = PORT,
    lease: Annotated[
        float,
        typer.Option(
            "--lease", metavar="SECONDS", min=1, help="When a shard whose node is gone starts elsewhere."
        ),
    ] = 15.0,
    turn: Annotated[
        float,
        typer.Option(
            "--turn", metavar="SECONDS", min=0.05, help="How often shards save to the store and report."
        ),
    ] = 1.0,
    cpus: Cpus = None,
    work: Work = None,
    any_interface: AnyInterface = False,
) -> None:
    """Start a cluster: its head, on this machine."""
    require_packages()
    from topicrawl.cluster.addresses import check_listen
    from topicrawl.cluster.database import check_clock, connect, kept_dsn, migrate
    from topicrawl.cluster.node import our_version
    from topicrawl.cluster.settings import Settings, folder
    from topicrawl.cluster.store import open_store
    from topicrawl.cluster.token import make_token

    if not head:
        raise ConfigError(
            "say --head if this machine is the head; other machines: topicrawl cluster join HEAD"
        )
    check_listen(listen, any_interface=any_interface)
    kept = kept_dsn(postgres)
    opened = open_store(store)
    with connect(postgres) as connection:
        check_clock(connection)
        mark = opened.mark()
        opened.check(mark)
        migrate(connection)
    make_token(folder())
    settings = Settings(f"{listen}:{port}", listen, opened.where, kept, our_version(), lease, mark, turn)
    _start_node(settings, cpus, work, port=port)
    say(f"head at {settings.head}; token and settings in {folder()}")
    say(
        "on other machines: copy token and cluster.json into the folder of that name (mode 0700, files 0600), then: "
        f"topicrawl cluster join {settings.head}"
    )


def join(
    head: Annotated[str, typer.Argument(metavar="HEAD", help="HOST:PORT of the head.", show_default=False)],
    listen: Annotated[
        str | None,
        typer.Option("--listen", metavar="ADDRESS", help="The address that the other nodes reach."),
    ] = None,
    cpus: Cpus = None,
    work: Work = None,
    any_interface: AnyInterface = False,
) -> None:
    """Make this machine a node of a cluster."""
    require_packages()
    from topicrawl.cluster.addresses import check_head, check_listen, own_address
    from topicrawl.cluster.control import checked
    from topicrawl.cluster.settings import folder, read_settings
    from topicrawl.cluster.token import check_token

    check_token(folder())
    settings = read_settings()
    address = listen or own_address(head)
    check_listen(address, any_interface=any_interface)
    settings = msgspec.structs.replace(settings, head=head, address=address)
    checked(settings).close()
    check_head(head)
    _start_node(settings, cpus, work, head=head)
    say(f"joined {head} as {address}")


def _start_node(
    settings: Settings,
    cpus: int | None,
    work: Path | None,
    *,
    port: int | None = None,
    head: str | None = None,
) -> None:
    from topicrawl.cluster.node import WORK, start_ray
    from topicrawl.cluster.settings import write_settings

    if work is not None:
        os.environ[WORK] = str(work.resolve())
    start_ray(settings.address, cpus or os.cpu_count() or 1, settings.lease, port=port, head=head)
    write_settings(settings)


def down() -> None:
    """End Ray on this machine. Crawls under way are not lost: start the cluster again and resume them."""
    require_packages()
    from topicrawl.cluster.node import stop_ray
    from topicrawl.cluster.settings import read_settings

    read_settings()
    say("ended" if stop_ray() else "Ray did not run here")
