"""`topicrawl doctor`: is the installation sound, is a run sound?"""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topicrawl.errors import ReplayError, StorageError, TopicrawlError

if TYPE_CHECKING:
    from topicrawl.store.run import Run

EXAMPLES = """\
[bold]topicrawl doctor[/]  checks the installation

[bold]topicrawl doctor run/[/]  reads everything a run keeps, and changes nothing

[bold]topicrawl doctor run/ --repair[/]  cuts back to what is sound; resuming fetches the rest

Exit codes: 0 all is well; 4 the run is damaged
"""
Findings = Iterator[tuple[bool, str]]
"""What was looked at: whether it is well, and a sentence about it."""


def doctor(
    run: Annotated[Path | None, typer.Argument(metavar="[RUN]", help="The folder of a run.")] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what is torn or damaged: cut back to what is sound.")
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
            "WordNet is absent: topics are built without its synonyms, and ssrm and svsm_mcoa know equal words only; "
            "install again to have it"
        )
    return "WordNet 3.0 is there for building topics and comparing texts"


def _writable(folder: Path) -> tuple[bool, str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as why:
        return False, f"cache {folder} cannot be written ({why.strerror}); point $TOPICRAWL_CACHE elsewhere"
    held = sum(os.path.getsize(Path(at) / name) for at, _, names in os.walk(folder) for name in names)  # noqa: PTH202
    return True, f"cache {folder} holds {held / 1e6:,.1f} MB; see and clear it with: topicrawl cache"


def examine(path: Path, *, repair: bool) -> Findings:
    """Everything a run keeps, read back twice: by a reader that shares no code with the writer, and by replaying it."""
    from topicrawl.store.run import Run
    from topicrawl.store.witness import examine as witness

    if repair:
        yield from _mend(path)
    with Run.open(path, writable=False) as run:
        yield True, f"{run.last_n:,} visits in the log"
        _, left, why = _replayed(run)
        yield why is None, f"the log does not replay: {why}" if why else f"the log replays to itself: {left}"
    for finding in witness(path):
        yield finding.well, finding.sentence


def _mend(path: Path) -> Findings:
    """Cut a damaged log back to what can be trusted, then everything else to the log."""
    from topicrawl.store.run import Run
    from topicrawl.store.salvage import DAMAGED, cut_log

    with Run.open(path) as run:
        yield True, "cut back to the last commit"
        yield from ((False, sentence) for sentence in run.repairs)
        sound, _, why = _replayed(run, run.begun_with)
    if isinstance(why, ReplayError | StorageError):
        left = cut_log(path / "crawl.db", sound)
        for outdated in ("summary.json", "index.cdxj"):
            (path / outdated).unlink(missing_ok=True)
        yield True, f"the log was damaged behind visit {left:,}: cut there, the rest is in crawl.db{DAMAGED}"
        Run.open(path).close()


def _replayed(run: Run, begun_with: str = "") -> tuple[int, str, TopicrawlError | None]:
    """Replay a log: how many entries are sound, what is left to do, and what stopped the replay, if anything did."""
    from topicrawl.cli.runs import config_of
    from topicrawl.config import Config
    from topicrawl.session import make_crawl

    entries = 0
    try:
        crawl = make_crawl(Config.from_toml(begun_with) if begun_with else config_of(run))
        with closing(run.replay()) as events:
            for event in events:
                crawl.replay(event)
                entries += 1
    except TopicrawlError as why:
        return entries, "", why
    return entries, f"{crawl.waiting:,} links wait, {len(crawl.pending):,} are in flight", None
