"""The command line, one file per command group. A command parses its arguments, calls the library and prints.

All commands are listed here; the module of a command is imported when the command is given, since imports delay the
start. `run` is the only place where errors become text and exit codes.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

# ruff: noqa: E402 - two settings that must come before large imports, for speed alone. There are few reference cycles to
# collect, and looking for them took 5 % of start and crawl: none is looked for before a crawl has begun. Idle threads
# of numpy's BLAS would spin.
gc.set_threshold(100_000, 20, 50)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import typer

from topicrawl.cli.completion import typed_command
from topicrawl.cli.log_warnings import send_warnings_to
from topicrawl.cli.plain_command import PlainCommand, PlainGroup
from topicrawl.errors import StorageError, TopicrawlError
from topicrawl.terminal import note, say

__all__ = ["EXIT_CODES", "app", "main", "run"]

EXIT_CODES = {
    0: "done, finished earlier, or interrupted and saved: the run can be resumed",
    1: "a bug in topicrawl, or a failed crawl of compare, reproduce or weights: the line on standard error says where "
    "the traceback is; please report it",
    2: "invalid input: the line on standard error names the thing, the value and the remedy",
    3: "storage failed (disk full, no permission), or a judge from outside: the run stopped, nothing that was "
    "committed is lost",
    4: "a damaged run: its log does not replay, or records are lost; see `topicrawl doctor`",
    5: "no page was fetched: the line on standard error says why",
    130: "interrupted (Ctrl-C) in a command that cannot be resumed",
}
CommandLineError: type[Exception] = typer.BadParameter.__mro__[1]
"""Click's UsageError, from the click that typer bundles."""

BEGIN, RUNS, FOUND, TOOLS = "Start a crawl", "Runs", "What a run found", "Installation and webs"


class Command(NamedTuple):
    """Where a command is: a function, or for a group of commands `app`, of a module of this package."""

    panel: str
    module: str
    member: str
    epilog: str = ""
    """The name of the text below its help."""


COMMANDS = {
    "new": Command(BEGIN, "new", "new", "EXAMPLES"),
    "topic": Command(BEGIN, "topic", "app"),
    "crawl": Command(BEGIN, "crawl", "crawl", "EXAMPLES"),
    "judge": Command(BEGIN, "judge", "app"),
    "seeds": Command(BEGIN, "seeds", "seeds", "EXAMPLES"),
    "demo": Command(BEGIN, "demo", "demo", "EXAMPLES"),
    "cluster": Command(BEGIN, "cluster", "app"),
    "ui": Command(RUNS, "ui", "ui", "EXAMPLES"),
    "mcp": Command(RUNS, "mcp", "mcp", "EXAMPLES"),
    "status": Command(RUNS, "runs", "status", "STATUS"),
    "report": Command(RUNS, "runs", "report", "REPORT"),
    "why": Command(RUNS, "runs", "why", "WHY"),
    "mark": Command(RUNS, "mark", "mark", "EXAMPLES"),
    "watch": Command(RUNS, "watch", "watch", "EXAMPLES"),
    "changes": Command(RUNS, "watch", "changes", "CHANGES"),
    "tell": Command(RUNS, "tell", "tell", "EXAMPLES"),
    "export": Command(RUNS, "runs", "export", "EXPORT"),
    "sink": Command(RUNS, "sink", "sink", "EXAMPLES"),
    "search": Command(FOUND, "search", "search", "SEARCH"),
    "xref": Command(FOUND, "search", "xref", "XREF"),
    "labels": Command(FOUND, "search", "labels", "LABELS"),
    "kb": Command(FOUND, "kb", "app"),
    "doctor": Command(TOOLS, "doctor", "doctor", "EXAMPLES"),
    "strategies": Command(TOOLS, "strategies", "strategies", "EXAMPLES"),
    "web": Command(TOOLS, "web", "app"),
    "cache": Command(TOOLS, "cache", "cache", "EXAMPLES"),
}
"""Commands that need nothing of the laboratory, in the order of the help."""
ALONE = ("--version", "--install-completion", "--show-completion")
"""Options that need no command."""
LABORATORY = "topicrawl_lab.cli"
"""Has the commands that compare strategies. It is imported by name, so that a crawl does not load it."""


def app(names: Iterable[str] = COMMANDS, *, laboratory: bool = True, completion: bool = True) -> typer.Typer:
    """The command line with the commands called `names`, and with those of the laboratory.

    With `completion` it has the flags that set up completion in a shell, and answers the shell.
    """
    made = typer.Typer(
        name="topicrawl",
        help="A focused web crawler: it fetches pages about a topic, and as few others as possible.",
        epilog="Exit codes: "
        + " · ".join(f"[bold]{code}[/] {why.split(':')[0]}" for code, why in EXIT_CODES.items()),
        no_args_is_help=True,
        rich_markup_mode="rich",
        add_completion=completion,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback(cls=PlainGroup)(topicrawl)
    for name in names:
        command = COMMANDS[name]
        module = import_module(f"topicrawl.cli.{command.module}")
        member = getattr(module, command.member)
        if isinstance(member, typer.Typer):
            made.add_typer(member, rich_help_panel=command.panel)
        else:
            epilog = getattr(module, command.epilog)
            made.command(rich_help_panel=command.panel, epilog=epilog, cls=PlainCommand)(member)
    if laboratory:
        import_module(LABORATORY).add_commands(made)
    return made


def _version() -> str:
    from importlib.metadata import version  # imports what only this function needs

    return version("topicrawl")


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"topicrawl {_version()}")
        raise typer.Exit


def topicrawl(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Options that come before a command."""


def main() -> None:
    """The console script."""
    # a pipe of Windows may lack letters: they are written as \uXXXX
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:])
    gc.freeze()  # the interpreter looks for cycles when it ends, which takes .03 s
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. An error is one line on standard error, without a traceback."""
    send_warnings_to(lambda warning: note(f"note: {warning}"))
    try:
        _refuse_remote(arguments)
        return _app_for(arguments)(args=list(arguments), prog_name="topicrawl", standalone_mode=False) or 0
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
        if _lacks_files(error):
            return _fail("too many open files; allow more (ulimit -n 1024)", StorageError.exit_code)
        return _fail(
            f"topicrawl {_version()} failed with an internal error ({type(error).__name__}: {error}); "
            f"please report it with the traceback, which is in {_traceback_file()}",
            1,
        )


def _app_for(arguments: Sequence[str]) -> typer.Typer:
    """The command line with only the command that is given; with all of them where none is, for the help."""
    if not arguments and (typed := typed_command(os.environ)) is not None:
        return _completed(typed)
    first = arguments[0] if arguments else ""
    if first in COMMANDS:
        return app([first], laboratory=False, completion=False)
    return app([], laboratory=False) if first in ALONE else app()


def _completed(typed: str) -> typer.Typer:
    """The command line that completes words of the command `typed`, or where that is empty, its name."""
    if typed:
        return app([typed] if typed in COMMANDS else [], laboratory=typed not in COMMANDS)
    made = app([], laboratory=False)
    for name in (*COMMANDS, *import_module(LABORATORY).NAMES):
        made.command(name)(lambda: None)
    return made


def _refuse_remote(arguments: Sequence[str]) -> None:
    """Refuse a URL such as s3://… as the place to write to, in every command."""
    for flag, value in pairwise((*arguments, "")):
        name, equals, joined = flag.partition("=")
        if name == "--out":
            from topicrawl.setup.config import SETTINGS

            SETTINGS["out"].read(joined if equals else value, "--out")


def _lacks_files(error: BaseException | None) -> bool:
    """Whether an error, or one that it followed, is that no more files may be open."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            return True
        error = error.__cause__ or error.__context__
    return False


def _fail(message: str, code: int) -> int:
    note("error: " + " ".join(message.split()))
    return code


def _traceback_file() -> str:
    """Write the traceback of the error that is handled to a file of its own; returns its path, or why there is none."""
    from tempfile import NamedTemporaryFile  # imports what only this function needs

    try:
        with NamedTemporaryFile("w", prefix="topicrawl-error-", suffix=".txt", delete=False) as file:
            file.write(
                f"topicrawl {_version()}, Python {sys.version}, {sys.platform}\n{traceback.format_exc()}"
            )
    except OSError as error:
        note(traceback.format_exc())
        return f"no file ({error.strerror}) but above"
    return file.name


def _usage_message(error: Any) -> str:
    """A usage error of click in our form: what is wrong, then the command that shows help."""
    message = error.format_message().strip().rstrip(".")
    command = error.ctx.command_path if error.ctx else "topicrawl"
    return f"{message[:1].lower()}{message[1:]}; see: {command} --help"
