"""`topicrawl cluster …`: a crawl on many machines, with Ray and PostgreSQL."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from topicrawl.cli.cluster_nodes import DOWN, JOIN, START, down, join, require_packages, start
from topicrawl.cli.output import Output
from topicrawl.terminal import say, say_json

if TYPE_CHECKING:
    from topicrawl.cluster.database import Connection

SUBMIT = """\
[bold]topicrawl cluster submit crawl.toml --shards 64[/]  Ctrl-C ends the progress line, not the crawl
"""
STATUS = "[bold]topicrawl cluster status[/]  lists crawls; with a name its shards, with --json for programs"
LOG = "[bold]topicrawl cluster log 20260102-030405-a1b2[/]  which node took which shard, what was away"
STOP = "[bold]topicrawl cluster stop 20260102-030405-a1b2[/]"
RESUME = "[bold]topicrawl cluster resume 20260102-030405-a1b2[/]"
FETCH = (
    "[bold]topicrawl cluster fetch 20260102-030405-a1b2 --out run/[/]  then [bold]topicrawl report run/[/] …"
)
POLL_SECONDS = 0.5

app = typer.Typer(
    name="cluster", help="Crawl on many machines: Ray, PostgreSQL, a common store.", no_args_is_help=True
)

Name = Annotated[
    str, typer.Argument(metavar="ID", help="The crawl, as `submit` names it.", show_default=False)
]
MetricsAt = Annotated[
    str | None,
    typer.Option(
        "--metrics", metavar="ADDRESS", help="Answer Prometheus at http://ADDRESS/metrics meanwhile."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say only errors.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


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


def log(crawl: Name) -> None:
    """Print what the shards of a crawl said, in the order of time."""
    require_packages()
    from topicrawl.cluster.crawls import get_crawl
    from topicrawl.cluster.remarks import remarks

    with _database() as connection:
        get_crawl(connection, crawl)
        for remark in remarks(connection, crawl):
            say(f"{remark.time:%Y-%m-%d %H:%M:%S}  {remark.part}  {remark.sentence}")


def stop(
    crawl: Name,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Return when it has ended.")] = True,
) -> None:
    """Have a crawl save and end; it can be resumed."""
    require_packages()
    from topicrawl.cluster.control import has_ended
    from topicrawl.cluster.control import stop as stopped

    with _database() as connection:
        stopped(connection, crawl)
        while wait and not has_ended(connection, crawl):
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

    settings, output = read_settings(), Output(quiet=quiet)
    with bound_endpoint(metrics) as endpoint:
        resumed(crawl, shards, settings, output.remark)
        if not detach:
            follow(crawl, settings, output, endpoint)


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
        summary = summed_up(divided, found.reason or "not finished", divided.seconds)
    finally:
        divided.lock.release()
    say(f"{summary['fetches']:,} pages of {found.route.shards:,} shards in {out}")


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
app.command(epilog=LOG)(log)
app.command(epilog=STOP)(stop)
app.command(epilog=RESUME)(resume)
app.command(epilog=FETCH)(fetch)
app.command(epilog=DOWN)(down)
