"""The command line, one file per command group. A command parses its arguments, calls the library and prints.

All commands are registered here. `run` is the only place where errors become text and exit codes.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from typing import Annotated, Any

# ruff: noqa: E402 - two settings that must come before large imports, for speed alone. There are few reference cycles to
# collect, and looking for them took 5 % of start and crawl; idle threads of numpy's BLAS would spin.
gc.set_threshold(50_000, 20, 50)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import typer

from topicrawl.cli import cache, crawl, demo, doctor, kb, new, runs, search, seeds, strategies, topic, web
from topicrawl.cli.output import send_warnings_to
from topicrawl.errors import TopicrawlError
from topicrawl.setup.config import SETTINGS
from topicrawl.terminal import note, say

__all__ = ["EXIT_CODES", "app", "main", "run"]

EXIT_CODES = {
    0: "done, finished earlier, or interrupted and saved: the run can be resumed",
    1: "a bug in topicrawl, or a failed crawl of compare, reproduce or weights: the line on standard error says where "
    "the traceback is; please report it",
    2: "invalid input: the line on standard error names the thing, the value and the remedy",
    3: "storage failed (disk full, no permission): the run stopped, nothing that was committed is lost",
    4: "a damaged run: its log does not replay, or records are lost; see `topicrawl doctor`",
    5: "no page was fetched: the line on standard error says why",
    130: "interrupted (Ctrl-C) in a command that cannot be resumed",
}
CommandLineError: type[Exception] = typer.BadParameter.__mro__[1]
"""Click's UsageError, from the click that typer bundles."""

app = typer.Typer(
    name="topicrawl",
    help="A focused web crawler: it fetches pages about a topic, and as few others as possible.",
    epilog="Exit codes: "
    + " · ".join(f"[bold]{code}[/] {why.split(':')[0]}" for code, why in EXIT_CODES.items()),
    no_args_is_help=True,
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
BEGIN, RUNS, FOUND, TOOLS = "Start a crawl", "Runs", "What a run found", "Installation and webs"
app.command(rich_help_panel=BEGIN, epilog=new.EXAMPLES)(new.new)
app.add_typer(topic.app, rich_help_panel=BEGIN)
app.command(rich_help_panel=BEGIN, epilog=crawl.EXAMPLES)(crawl.crawl)
app.command(rich_help_panel=BEGIN, epilog=seeds.EXAMPLES)(seeds.seeds)
app.command(rich_help_panel=BEGIN, epilog=demo.EXAMPLES)(demo.demo)
app.command(rich_help_panel=RUNS, epilog=runs.STATUS)(runs.status)
app.command(rich_help_panel=RUNS, epilog=runs.REPORT)(runs.report)
app.command(rich_help_panel=RUNS, epilog=runs.WHY)(runs.why)
app.command(rich_help_panel=RUNS, epilog=runs.EXPORT)(runs.export)
app.command(rich_help_panel=FOUND, epilog=search.SEARCH)(search.search)
app.command(rich_help_panel=FOUND, epilog=search.XREF)(search.xref)
app.command(rich_help_panel=FOUND, epilog=search.LABELS)(search.labels)
app.add_typer(kb.app, rich_help_panel=FOUND)
app.command(rich_help_panel=TOOLS, epilog=doctor.EXAMPLES)(doctor.doctor)
app.command(rich_help_panel=TOOLS, epilog=strategies.EXAMPLES)(strategies.strategies)
app.add_typer(web.app, rich_help_panel=TOOLS)
app.command(rich_help_panel=TOOLS, epilog=cache.EXAMPLES)(cache.cache)
LABORATORY = "topicrawl_lab.cli"
"""Has the commands that compare strategies. It is imported by name, so that a crawl does not load it."""


def _registered_names() -> set[str]:
    commands = {each.name or each.callback.__name__ for each in app.registered_commands if each.callback}
    return commands | {
        str(each.typer_instance.info.name) for each in app.registered_groups if each.typer_instance
    }


PRODUCT = frozenset(_registered_names())
"""Commands that need nothing of the laboratory."""


def add_laboratory() -> None:
    """Register the commands of the laboratory, once."""
    if _registered_names() == PRODUCT:
        import_module(LABORATORY).add_commands(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"topicrawl {version('topicrawl')}")
        raise typer.Exit


@app.callback()
def topicrawl(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Options that come before a command."""


def main() -> None:
    """The console script."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. An error is one line on standard error, without a traceback."""
    send_warnings_to(lambda warning: note(f"note: {warning}"))
    try:
        _refuse_remote(arguments)
        if not PRODUCT.intersection(arguments[:1]):
            add_laboratory()
        return app(args=list(arguments), prog_name="topicrawl", standalone_mode=False) or 0
    except TopicrawlError as error:
        return _fail(str(error), error.exit_code)
    except CommandLineError as error:
        if (
            type(error).__name__ == "NoArgsIsHelpError"
        ):  # a bare `topicrawl` or `topicrawl topic`: help is printed
            return 0
        return _fail(_usage_message(error), 2)
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except Exception as error:
        if not {"-v", "--verbose"}.isdisjoint(arguments):
            note(traceback.format_exc())
        return _fail(
            f"topicrawl {version('topicrawl')} failed with an internal error ({type(error).__name__}: {error}); "
            "run again with -v and report what it prints",
            1,
        )


def _refuse_remote(arguments: Sequence[str]) -> None:
    """Refuse a URL such as s3://… as the place to write to, in every command."""
    for flag, value in pairwise((*arguments, "")):
        name, equals, joined = flag.partition("=")
        if name == "--out":
            SETTINGS["out"].read(joined if equals else value, "--out")


def _fail(message: str, code: int) -> int:
    note("error: " + " ".join(message.split()))
    return code


def _usage_message(error: Any) -> str:
    """A usage error of click in our form: what is wrong, then the command that shows help."""
    message = error.format_message().strip().rstrip(".")
    command = error.ctx.command_path if error.ctx else "topicrawl"
    return f"{message[:1].lower()}{message[1:]}; see: {command} --help"
