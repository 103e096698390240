"""`topicrawl doctor`: is the installation sound, is a run sound?"""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topicrawl.errors import ReplayError, TopicrawlError

if TYPE_CHECKING:
    from topicrawl.store.run import Run

EXAMPLES = """\
[bold]topicrawl doctor[/]  checks the installation

[bold]topicrawl doctor run/[/]  reads everything a run keeps, and changes nothing

Exit codes: 0 all is well; 4 the run is damaged
"""
Findings = Iterator[tuple[bool, str]]
"""What was looked at: whether it is well, and a sentence about it."""


def doctor(
    run: Annotated[Path | None, typer.Argument(metavar="[RUN]", help="The folder of a run.")] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Cut a run's files back to its last commit, as resuming would.")
    ] = False,
) -> None:
    """Check the installation, or a run."""
    findings = installation() if run is None else examine(run, repair=repair)
    sound = True
    for well, sentence in findings:
        print(("ok    " if well else "WRONG ") + sentence)
        sound = sound and well
    if not sound:
        raise typer.Exit(1 if run is None else ReplayError.exit_code)


def installation() -> Findings:
    """Versions, and the places we write to."""
    from topicrawl.web.cache_folder import cache_folder

    yield True, f"topicrawl {version('topicrawl')} on Python {platform.python_version()}, {platform.system()}"
    for requirement in requires("topicrawl") or []:
        name, _, condition = requirement.partition(";")
        if "extra ==" not in condition:
            yield _installed(re.split(r"[^\w.-]", name, maxsplit=1)[0], optional="sys_platform" in condition)
    yield True, _wordnet()
    yield _writable(cache_folder())


def _installed(package: str, *, optional: bool) -> tuple[bool, str]:
    try:
        return True, f"{package} {version(package)}"
    except PackageNotFoundError:
        return (
            optional,
            f"{package} is absent{': slower, nothing else' if optional else '; install topicrawl again'}",
        )


def _wordnet() -> str:
    from topicrawl.topic.wordnet import WordNet

    if WordNet.load() is None:
        return (
            "WordNet is absent: topics are built without its synonyms, nothing else; install again to have it"
        )
    return "WordNet 3.0 is there for building topics"


def _writable(folder: Path) -> tuple[bool, str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as why:
        return False, f"cache {folder} cannot be written ({why.strerror}); point $TOPICRAWL_CACHE elsewhere"
    held = sum(os.path.getsize(Path(at) / name) for at, _, names in os.walk(folder) for name in names)  # noqa: PTH202
    return True, f"cache {folder} holds {held / 1e6:,.1f} MB; it may be deleted at any time"


def examine(path: Path, *, repair: bool) -> Findings:
    """Everything a run keeps, read back and compared."""
    from topicrawl.store.run import Run

    with Run.open(path, writable=repair) as run:
        if repair:
            yield True, "cut back to the last commit"
            yield from ((False, sentence) for sentence in run.repairs)
        yield True, f"{run.last_n:,} visits in the log"
        yield _replays(run)
        yield _follows(run)
        if run.has_archive:
            yield _archived(run)


def _replays(run: Run) -> tuple[bool, str]:
    from topicrawl.cli.runs import config_of
    from topicrawl.session import make_crawl

    try:
        crawl = make_crawl(config_of(run))
        for event in run.replay():
            crawl.replay(event)
    except TopicrawlError as why:
        return False, f"the log does not replay: {why}"
    return (
        True,
        f"the log replays to itself: {crawl.waiting:,} links wait, {len(crawl.pending):,} are in flight",
    )


def _follows(run: Run) -> tuple[bool, str]:
    from topicrawl.store.followers import visit_line

    path = run.path / "visits.jsonl"
    if not path.exists():
        return False, f"{path.name} is absent; resuming or --repair writes it again"
    with path.open("rb") as lines:
        for visit in run.visits():
            if lines.readline() != visit_line(visit):
                return (
                    False,
                    f"{path.name} differs from the log at visit {visit.n:,}; --repair writes it again",
                )
        if lines.read(1):
            return False, f"{path.name} goes on behind the log; --repair cuts it back"
    return True, f"{path.name} says what the log says"


def _archived(run: Run) -> tuple[bool, str]:
    count = 0
    for visit in run.visits():
        try:
            count += run.record(visit.n) is not None
        except Exception as why:  # whatever a damaged file makes a reader raise
            return False, f"the archived answer of visit {visit.n:,} cannot be read: {why}"
    return True, f"{count:,} archived answers can be read back from {len(run.segments()):,} WARC files"
