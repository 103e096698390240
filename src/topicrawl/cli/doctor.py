"""`topicrawl doctor`: check the installation, or check and repair a run."""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from topicrawl.errors import ReplayError, TopicrawlError
from topicrawl.terminal import say

if TYPE_CHECKING:
    from topicrawl.model import Event
    from topicrawl.store.run import Run

EXAMPLES = """\
[bold]topicrawl doctor[/]  checks the installation

[bold]topicrawl doctor run/[/]  reads everything a run keeps, and changes nothing

[bold]topicrawl doctor run/ --repair[/]  cuts off what is damaged; resuming fetches the rest

Exit codes: 0 no problem found; 4 the run is damaged, or its archive has lost records
"""
Finding = tuple[bool | None, str]
"""The result of one check, and a sentence about it: True is ok, False a problem, None works but could be better."""
Findings = Iterator[Finding]
MARKS = {True: "ok    ", None: "note  ", False: "WRONG "}


def doctor(
    run: Annotated[Path | None, typer.Argument(metavar="RUN", help="The folder of a run.")] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Cut off what is damaged, and rebuild what follows from the log.")
    ] = False,
) -> None:
    """Check the installation, or a run."""
    findings = installation() if run is None else examine(run, repair=repair)
    sound = True
    for ok, sentence in findings:
        say(MARKS[ok] + sentence)
        sound = sound and ok is not False
    if not sound:
        raise typer.Exit(1 if run is None else ReplayError.exit_code)


def installation() -> Findings:
    """Checks of the installation: versions, native code, WordNet, the cache folder."""
    from topicrawl.web.cache_folder import cache_folder

    yield True, f"topicrawl {version('topicrawl')} on Python {platform.python_version()}, {platform.system()}"
    for requirement in requires("topicrawl") or []:
        name, _, condition = requirement.partition(";")
        if "extra ==" not in condition:
            yield _installed(re.split(r"[^\w.-]", name, maxsplit=1)[0], optional="sys_platform" in condition)
    yield _native()
    yield _wordnet()
    yield _writable(cache_folder())


def _installed(package: str, *, optional: bool) -> Finding:
    try:
        return True, f"{package} {version(package)}"
    except PackageNotFoundError:
        if optional:
            return None, f"{package} is not installed: crawls are slower, with the same results"
        return False, f"{package} is not installed; install topicrawl again"


def _native() -> Finding:
    try:
        import topicrawl._native  # noqa: F401
    except ImportError as why:
        return None, (
            f"native code is not in use ({why}): pages are read by Python, slower and with the same results; "
            "install again where there is a C compiler to have it"
        )
    return True, "native code reads pages, finds terms and looks up links"


def _wordnet() -> Finding:
    from topicrawl.topic.wordnet import WordNet

    if WordNet.load() is None:
        return None, (
            "WordNet is not installed: topics are built without its synonyms, and ssrm and svsm_mcoa match equal words "
            "only; install again to have it"
        )
    return True, "WordNet 3.0 is installed, for building topics and comparing texts"


def _writable(folder: Path) -> Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as why:
        return False, f"cache {folder} cannot be written ({why.strerror}); point $TOPICRAWL_CACHE elsewhere"
    held = sum(os.path.getsize(Path(at) / name) for at, _, names in os.walk(folder) for name in names)  # noqa: PTH202
    return True, f"cache {folder} holds {held / 1e6:,.1f} MB; see and clear it with: topicrawl cache"


def examine(path: Path, *, repair: bool) -> Findings:
    """Check a run twice: replay its log, and verify its files with a reader that shares no code with the writer."""
    from topicrawl.store.run import Run
    from topicrawl.store.verify import examine as verify

    if repair:
        yield from _repair(path)
    with Run.open(path, writable=False) as run:
        yield True, f"{run.last_n:,} visits in the log"
        run.check_log()
        replayed = _replayed(path, run.replay, run.config_toml)
        why = replayed.why
        yield (
            why is None,
            f"the log does not replay: {why}" if why else f"the log replays to itself: {replayed.left}",
        )
        if why is None:
            yield _same_config(run)
    for finding in verify(path):
        yield finding.well, finding.sentence


def _same_config(run: Run) -> tuple[bool, str]:
    """Whether crawl.toml and its copy in the log describe the same crawl."""
    from topicrawl.setup.resolve import check_resume
    from topicrawl.setup.run_config import begun_config, config_of

    try:
        check_resume(begun_config(run), config_of(run))
    except TopicrawlError as why:
        return False, f"crawl.toml and the copy of it in crawl.db differ: {why}"
    return True, "crawl.toml agrees with its copy in crawl.db"


def _repair(path: Path) -> Findings:
    """Salvage a damaged log, then rewrite the other files from it."""
    from topicrawl.store.run import Run
    from topicrawl.store.verify import unreadable

    damage, config = _damage(path)
    if damage:
        yield True, _salvage_log(path, damage)
    with Run.open(path) as run:
        run.rewrite_lines()
        yield True, "cut back to the last commit, lines written again"
        if config == run.config_toml != run.begun_with:
            run.update_config(config)
            yield True, "the copy of crawl.toml in crawl.db was written again"
        yield from ((False, sentence) for sentence in run.repairs)
        lost = unreadable(path) if run.has_archive else []
        run.forget_archived(lost)
        if lost:
            yield (
                False,
                f"the archived records of {len(lost):,} visits were damaged or gone, and are noted as missing",
            )


def _damage(path: Path) -> tuple[ReplayError | None, str]:
    """The error in the log of a run, or None and the configuration with which it replays."""
    from topicrawl.store.run import Run

    try:
        with Run.open(path, writable=False) as run:
            run.check_log()
            replayed = _replayed(path, run.replay, run.config_toml, run.begun_with)
    except ReplayError as error:
        return error, ""
    why = replayed.why
    return (why, "") if isinstance(why, ReplayError) else (None, "" if why else replayed.config)


def _salvage_log(path: Path, damage: ReplayError) -> str:
    """Replace a damaged log by the part of it that can be read and replayed; returns a sentence that says so."""
    from topicrawl.store import run as store
    from topicrawl.store.lock import Lock
    from topicrawl.store.log import Log
    from topicrawl.store.salvage import discard, install, rescue, trim

    database, archive, lines = (
        path / store.DATABASE,
        path / store.ARCHIVE,
        (path / store.VISITS, path / store.TIMINGS),
    )
    lock = Lock(path / store.LOCK)
    try:
        rescued = rescue(database, archive, *lines, segment_bytes=store.SEGMENT_BYTES)
        with closing(Log.read(rescued)) as log:
            config = (path / store.CONFIG).read_text(encoding="utf-8")
            replayed = _replayed(path, log.events, log.config or config, config)
        left = trim(rescued, replayed.entries, replayed.config)
        if not left:
            discard(rescued)
            raise ReplayError(_beyond_saving(path, damage))
        aside = install(rescued, database, archive, lines)
        for outdated in (store.SUMMARY, store.INDEX):
            (path / outdated).unlink(missing_ok=True)
    finally:
        lock.release()
    names = ", ".join(each.name for each in aside)
    return (
        f"the log was damaged after visit {left:,}: cut there; set aside: {names}; resuming fetches the rest"
    )


def _beyond_saving(path: Path, damage: ReplayError) -> str:
    """The error for a log of which nothing can be salvaged; names what else of the run can still be used."""
    useful = {
        "archive": f"the pages are in {path / 'archive'} (crawl them with --web {path / 'archive'})",
        "visits.jsonl": f"the visits are listed in {path / 'visits.jsonl'}",
    }
    left = [sentence for name, sentence in useful.items() if (path / name).exists()]
    reason = str(damage).partition(";")[0]
    return "; ".join(
        [
            f"{path / 'crawl.db'} is beyond saving ({reason}), and nothing was changed",
            "restore a copy of it, or crawl again with another --out",
            *left,
        ]
    )


class Replayed(NamedTuple):
    """How far a log replays."""

    entries: int
    """Events replayed before the first error."""
    config: str
    left: str = ""
    """How many links wait and are in flight at the end of the log, as text."""
    why: TopicrawlError | None = None
    """The error that ended the replay."""


def _replayed(path: Path, events: Callable[[], Generator[Event, None, None]], *configs: str) -> Replayed:
    """Replay the log of the run in `path` with each configuration until one replays it all; else the best try.

    A repair gives two: crawl.toml and its copy in the log, since either may be the damaged one.
    """
    tried: list[Replayed] = []
    for text in dict.fromkeys(configs):
        tried.append(_replayed_with(path, events, text))
        if tried[-1].why is None:
            break
    return max(tried, key=lambda each: (each.why is None, each.entries))


def _replayed_with(path: Path, events: Callable[[], Generator[Event, None, None]], text: str) -> Replayed:
    from topicrawl.crawling.session import make_crawl
    from topicrawl.setup.run_config import config_in

    entries = 0
    try:
        crawl = make_crawl(config_in(path, text))
        with closing(events()) as logged:
            for event in logged:
                crawl.replay(event)
                entries += 1
    except TopicrawlError as why:
        return Replayed(entries, text, why=why)
    return Replayed(entries, text, f"{crawl.waiting:,} links wait, {len(crawl.pending):,} are in flight")
