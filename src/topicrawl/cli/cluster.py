"""`topicrawl cluster …`: a crawl on many machines, with Ray and PostgreSQL."""

from __future__ import annotations

import os
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from topicrawl.cli.output import Output
from topicrawl.errors import ConfigError
from topicrawl.terminal import say, say_json

if TYPE_CHECKING:
    from topicrawl.cluster.database import Connection
    from topicrawl.cluster.settings import Settings

START = """\
[bold]topicrawl cluster start --head --listen 10.0.0.5 --store s3://bucket/crawls --postgres postgresql://crawler@10.0.0.9/crawls[/]

It prints what to do on the other machines. A password is best kept in ~/.pgpass of each.
"""
JOIN = """\
[bold]topicrawl cluster join 10.0.0.5:6390[/]  once the folder that `cluster start` names was copied from the head
"""
SUBMIT = """\
[bold]topicrawl cluster submit crawl.toml --shards 64[/]  Ctrl-C ends the progress line, not the crawl
"""
STATUS = "[bold]topicrawl cluster status[/]  lists crawls; with a name its shards, with --json for programs"
STOP = "[bold]topicrawl cluster stop 20260102-030405-a1b2[/]"
RESUME = "[bold]topicrawl cluster resume 20260102-030405-a1b2[/]"
FETCH = (
    "[bold]topicrawl cluster fetch 20260102-030405-a1b2 --out run/[/]  then [bold]topicrawl report run/[/] …"
)
DOWN = "[bold]topicrawl cluster down[/]  on each machine; the head last"
NEEDED = ("fsspec", "psycopg", "ray")
PORT = 6390
POLL_SECONDS = 0.5

app = typer.Typer(
    name="cluster", help="Crawl on many machines: Ray, PostgreSQL, a common store.", no_args_is_help=True
)

Name = Annotated[
    str, typer.Argument(metavar="ID", help="The crawl, as `submit` names it.", show_default=False)
]
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
    bool, typer.Option("--any-interface", help="Accept that Ray listens on all addresses of this machine.")
]
MetricsAt = Annotated[
    str | None,
    typer.Option(
        "--metrics", metavar="ADDRESS", help="Answer Prometheus at http://ADDRESS/metrics meanwhile."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say only errors.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def require_packages() -> None:
    """`ConfigError` with the remedy if the packages of clusters are not installed."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise ConfigError(f"a cluster needs {', '.join(missing)}; run: pip install 'topicrawl[cluster]'")


def start(
    store: Annotated[str, typer.Option("--store", metavar="FOLDER|URL", help="Where all nodes keep files.")],
    postgres: Annotated[
        str, typer.Option("--postgres", metavar="DSN", help="The connection string of PostgreSQL.")
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
    cpus: Cpus = None,
    work: Work = None,
    any_interface: AnyInterface = False,
) -> None:
    """Start a cluster: its head, on this machine."""
    require_packages()
    from topicrawl.cluster.addresses import check_listen
    from topicrawl.cluster.database import check_clock, connect, migrate
    from topicrawl.cluster.node import our_version
    from topicrawl.cluster.settings import Settings, folder
    from topicrawl.cluster.store import open_store
    from topicrawl.cluster.token import make_token

    if not head:
        raise ConfigError(
            "say --head if this machine is the head; other machines: topicrawl cluster join HEAD"
        )
    check_listen(listen, any_interface=any_interface)
    opened = open_store(store)
    with connect(postgres) as connection:
        check_clock(connection)
        opened.check()
        migrate(connection)
    make_token(folder())
    settings = Settings(f"{listen}:{port}", listen, opened.where, postgres, our_version(), lease)
    _start_node(settings, cpus, work, port=port)
    say(f"head at {settings.head}; token and settings in {folder()}")
    say(
        f"on other machines: copy that folder there (mode 0700), then: topicrawl cluster join {settings.head}"
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
    from topicrawl.cluster.addresses import check_listen, own_address
    from topicrawl.cluster.control import checked
    from topicrawl.cluster.settings import folder, read_settings
    from topicrawl.cluster.token import check_token

    check_token(folder())
    settings = read_settings()
    address = listen or own_address(head)
    check_listen(address, any_interface=any_interface)
    settings = msgspec.structs.replace(settings, head=head, address=address)
    checked(settings).close()
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
    start_ray(settings.address, cpus or os.cpu_count() or 1, port=port, head=head)
    write_settings(settings)


def submit(
    config: Annotated[Path, typer.Argument(metavar="FILE", help="A crawl.toml.", show_default=False)],
    shards: Annotated[
        int, typer.Option("--shards", metavar="N", help="Shards; they cannot be changed later.")
    ],
    split: Annotated[
        list[str] | None, typer.Option("--split", metavar="SITE", help="A site that is divided by host.")
    ] = None,
    detach: Annotated[bool, typer.Option("--detach", help="Print its name and return.")] = False,
    metrics: MetricsAt = None,
    quiet: Quiet = False,
) -> None:
    """Begin a crawl on the cluster, and show how far it is until it ends."""
    require_packages()
    from topicrawl.cli.cluster_view import follow
    from topicrawl.cli.crawl import bound_endpoint
    from topicrawl.cluster.control import submit as submitted
    from topicrawl.cluster.settings import read_settings
    from topicrawl.setup.config import read_file

    settings, given, output = read_settings(), read_file(config), Output(quiet=quiet)
    given.pop("out", None)
    with bound_endpoint(metrics) as endpoint:
        crawl = submitted(given, shards, split or [], settings, output.remark)
        say(crawl)
        if not detach:
            follow(crawl, settings, output, endpoint)


def status(
    crawl: Annotated[str | None, typer.Argument(metavar="[ID]", help="A crawl. Default: all.")] = None,
    json: Json = False,
) -> None:
    """Say what the crawls of the cluster do: from PostgreSQL, so also where Ray is down."""
    require_packages()
    from topicrawl.cli.cluster_view import show_crawls, show_shards
    from topicrawl.cluster.control import status as told
    from topicrawl.cluster.crawls import crawl_ids

    with _database() as connection:
        names = [crawl] if crawl else crawl_ids(connection)
        found = [told(connection, name) for name in names]
    if json:
        say_json(msgspec.to_builtins(found[0] if crawl else found))
    elif crawl:
        show_shards(found[0])
    else:
        show_crawls(found)


def stop(
    crawl: Name,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Return when it has ended.")] = True,
) -> None:
    """Have a crawl save and end; it can be resumed."""
    require_packages()
    from topicrawl.cluster.control import stop as stopped
    from topicrawl.cluster.crawls import ENDED, get_crawl

    with _database() as connection:
        stopped(connection, crawl)
        while wait and get_crawl(connection, crawl).state != ENDED:
            time.sleep(POLL_SECONDS)
    say(f"{crawl} {'has ended' if wait else 'is to end'}; go on with: topicrawl cluster resume {crawl}")


def resume(
    crawl: Name,
    shards: Annotated[
        int | None, typer.Option("--shards", metavar="N", help="As submitted.", show_default=False)
    ] = None,
    detach: Annotated[bool, typer.Option("--detach", help="Return at once.")] = False,
    metrics: MetricsAt = None,
    quiet: Quiet = False,
) -> None:
    """Continue a crawl that was stopped, or whose cluster went down."""
    require_packages()
    from topicrawl.cli.cluster_view import follow
    from topicrawl.cli.crawl import bound_endpoint
    from topicrawl.cluster.control import resume as resumed
    from topicrawl.cluster.settings import read_settings

    settings = read_settings()
    with bound_endpoint(metrics) as endpoint:
        resumed(crawl, shards, settings)
        if not detach:
            follow(crawl, settings, Output(quiet=quiet), endpoint)


def fetch(
    crawl: Name,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The run directory to write.")],
) -> None:
    """Bring a crawl from the store into a run directory here, which the other commands read."""
    require_packages()
    from topicrawl.cli.local import summed_up
    from topicrawl.cluster.crawls import get_crawl
    from topicrawl.cluster.fetch import fetch as fetched
    from topicrawl.cluster.settings import read_settings
    from topicrawl.cluster.store import open_store

    with _database() as connection:
        found = get_crawl(connection, crawl)
        divided = fetched(found, out, open_store(read_settings().store), connection)
    try:
        summary = summed_up(divided, found.reason or "not finished", 0.0, 0.0)
    finally:
        divided.lock.release()
    say(f"{summary['fetches']:,} pages of {found.route.shards:,} shards in {out}")


def down() -> None:
    """End Ray on this machine. Crawls under way are not lost: start the cluster again and resume them."""
    require_packages()
    from topicrawl.cluster.node import stop_ray
    from topicrawl.cluster.settings import forget_settings, read_settings

    settings = read_settings()
    ended = stop_ray()
    if settings.head.rpartition(":")[0] != settings.address:
        forget_settings()
    say("ended" if ended else "Ray did not run here")


def _database() -> Connection:
    from topicrawl.cluster.database import check_schema, connect
    from topicrawl.cluster.settings import read_settings

    connection = connect(read_settings().postgres)
    try:
        check_schema(connection)
    except BaseException:
        connection.close()
        raise
    return connection


app.command(epilog=START)(start)
app.command(epilog=JOIN)(join)
app.command(epilog=SUBMIT)(submit)
app.command(epilog=STATUS)(status)
app.command(epilog=STOP)(stop)
app.command(epilog=RESUME)(resume)
app.command(epilog=FETCH)(fetch)
app.command(epilog=DOWN)(down)
