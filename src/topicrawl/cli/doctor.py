"""`topicrawl doctor`: check the installation, or check and repair a run."""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from topicrawl.errors import ReplayError, TopicrawlError
from topicrawl.terminal import say

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl
    from topicrawl.model import Visit
    from topicrawl.store.run import Run

EXAMPLES = """\
[bold]topicrawl doctor[/]  checks the installation

[bold]topicrawl doctor run/[/]  reads everything a run keeps, and changes nothing

[bold]topicrawl doctor run/ --repair[/]  cuts off what is damaged; resuming fetches the rest

[bold]topicrawl doctor run/ --replay[/]  also says whether this version would choose as the log says

Exit codes: 0 no problem found; 4 the run is damaged, its archive has lost records, or this version logged it and
would choose otherwise now
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
    replay: Annotated[
        bool,
        typer.Option("--replay", help="Replay the log, and say where this version would choose otherwise."),
    ] = False,
) -> None:
    """Check the installation, or a run."""
    findings = installation() if run is None else examine(run, repair=repair, replay=replay)
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


def examine(path: Path, *, repair: bool, replay: bool = False) -> Findings:
    """Check a run, after repairing it; with `replay` also say how far this version decides as the log says."""
    if repair:
        yield from _repair(path)
    yield from _checks(path)
    if replay:
        yield _agreement(path)


def _checks(path: Path) -> Findings:
    """Read everything a run keeps; the files are verified by code that shares nothing with the writer."""
    from topicrawl.store.run import Run
    from topicrawl.store.verify import examine as verify

    with Run.open(path, writable=False) as run:
        yield True, f"{run.last_n:,} visits in the log"
        run.check_log()
        yield _written_by(run)
        yield _same_config(run)
    for finding in verify(path):
        yield finding.well, finding.sentence


def _written_by(run: Run) -> Finding:
    """Which versions wrote a run: True if it is this one alone, None if not, which is no damage."""
    from topicrawl.setup.run_config import config_of
    from topicrawl.strategies.registry import strategy_class

    name = config_of(run).strategy
    this = _version_name(version("topicrawl"), name, strategy_class(name).behaviour)
    wrote = [_version_name(each.topicrawl, each.strategy, each.behaviour) for each in run.versions()]
    if run.began_without_version:
        wrote.insert(0, "topicrawl 0.1")
    if set(wrote) <= {this}:
        return True, f"written by {this}, which this is"
    return (
        None,
        f"written by {', then '.join(dict.fromkeys(wrote))}; this is {this}, and follows the log as it is",
    )


def _version_name(topicrawl: str, strategy: str, behaviour: int) -> str:
    return f"topicrawl {topicrawl} with {strategy} (behaviour {behaviour})"


def _same_config(run: Run) -> Finding:
    """Whether crawl.toml describes the crawl that the log was begun with, as later instructions changed it."""
    from topicrawl.setup.resolve import check_resume
    from topicrawl.setup.run_config import config_of, logged_config

    try:
        check_resume(logged_config(run), config_of(run))
    except TopicrawlError as why:
        return False, f"crawl.toml and the configuration in crawl.db differ: {why}"
    return True, "crawl.toml agrees with the configuration in crawl.db"


def _repair(path: Path) -> Findings:
    """Mend what is damaged; a run that is not, of whatever version, is left as it is."""
    from topicrawl.store.run import VISITS, Run
    from topicrawl.store.salvage import copy_aside
    from topicrawl.store.verify import unreadable

    lines = path / VISITS
    damage = _damage(path)
    if damage:
        sentence, aside = _salvage_log(path, damage)
        lines = next((each for each in aside if each.name.startswith(VISITS)), lines)
        yield True, sentence
    elif all(ok is not False for ok, _ in _checks(path)):
        yield True, "nothing is damaged, so nothing was changed"
        return
    differing, right = _differing_lines(path, lines)
    if len(right) < len(differing) and not damage:
        yield True, f"lines of visits.jsonl that differ from the log are kept in {copy_aside(lines).name}"
    has_right_config = _has_right_config(path)
    with Run.open(path) as run:
        if right:
            run.restore_visits(right)
            yield (
                True,
                f"{len(right):,} visits of the log had changed, and were written again from visits.jsonl",
            )
        run.rewrite_lines()
        yield True, "cut back to the last commit, lines written again"
        if has_right_config:
            run.begun_with = run.config_toml
            yield True, "the configuration in crawl.db was written again, from crawl.toml"
        yield from ((False, sentence) for sentence in run.repairs)
        lost = unreadable(path) if run.has_archive else []
        run.forget_archived(lost)
        if lost:
            yield (
                False,
                f"the archived records of {len(lost):,} visits were damaged or gone, and are noted as missing",
            )


def _damage(path: Path) -> ReplayError | None:
    """The error of a log that cannot be read to its end, or whose entries contradict each other."""
    from topicrawl.store.run import DATABASE, Run
    from topicrawl.store.verify import sound_entries

    try:
        with Run.open(path, writable=False) as run:
            run.check_log()
    except ReplayError as error:
        return error
    read = sound_entries(path / DATABASE)
    return ReplayError(f"entry {read.entries + 1} of {path / DATABASE} {read.fault}") if read.fault else None


def _salvage_log(path: Path, damage: ReplayError) -> tuple[str, list[Path]]:
    """Replace a damaged log by the part of it that can be read; returns a sentence about it, and what was set aside."""
    from topicrawl.store import run as store
    from topicrawl.store.lock import Lock
    from topicrawl.store.salvage import discard, install, rescue, trim
    from topicrawl.store.verify import sound_entries

    database, archive, lines = (
        path / store.DATABASE,
        path / store.ARCHIVE,
        (path / store.VISITS, path / store.TIMINGS),
    )
    lock = Lock(path / store.LOCK)
    try:
        rescued = rescue(database, archive, *lines, segment_bytes=store.SEGMENT_BYTES)
        left = trim(rescued, sound_entries(rescued).entries)
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
    ), aside


def _differing_lines(path: Path, lines: Path) -> tuple[dict[int, Visit], list[Visit]]:
    """The lines of visits.jsonl that differ from the log, and those of them that are right: a replay gives them.

    Bits may have changed in either file, and some fields of a visit are in no third one.
    """
    from topicrawl.store.run import Run
    from topicrawl.store.salvage import lines_unlike

    with Run.open(path, writable=False) as run:
        differing = lines_unlike(run.visits(), lines)
        return differing, _lines_that_replay(run, differing) if differing else []


def _lines_that_replay(run: Run, lines: dict[int, Visit]) -> list[Visit]:
    """Those of the visits in `lines` that a replay of the run gives."""
    from topicrawl.crawling.session import crawl_of
    from topicrawl.model import Told

    right: list[Visit] = []
    with suppress(TopicrawlError), closing(run.replay()) as events:
        crawl = crawl_of(run)
        for event in events:
            line = lines.get(event.visit.n) if isinstance(event, Told) else None
            if line is None or not isinstance(event, Told):
                crawl.replay(event)
                continue
            before = crawl.agreement.other_visits
            crawl.replay(replace(event, visit=line))
            if crawl.agreement.other_visits == before:
                right.append(line)
    return right


def _has_right_config(path: Path) -> bool:
    """Whether crawl.toml, and not the configuration in the log, is what the crawl was begun with."""
    from topicrawl.store.run import Run

    with Run.open(path, writable=False) as run:
        if _same_config(run)[0]:
            return False
        own, logged = (_replayed(run, text) for text in (run.config_toml, run.begun_with))
    return own.share > logged.share


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
    """How a log replays with one configuration."""

    crawl: Crawl | None = None
    why: TopicrawlError | None = None
    """The error that ended the replay."""

    @property
    def share(self) -> float:
        """Share of choices and visits that this version decides as the log says; −1 where the replay failed."""
        if self.crawl is None or self.why is not None:
            return -1.0
        agreed = self.crawl.agreement
        differing = agreed.other_choices + agreed.other_visits
        return 1.0 - differing / max(1, agreed.choices + agreed.visits)


def _replayed(run: Run, config: str) -> Replayed:
    """Replay the log of a run that was begun with this configuration."""
    from topicrawl.crawling.session import make_crawl, past_of
    from topicrawl.setup.run_config import config_in

    crawl = None
    try:
        crawl = make_crawl(config_in(run.path, config), past=past_of(run))
        with closing(run.replay()) as events:
            for event in events:
                crawl.replay(event)
    except TopicrawlError as why:
        return Replayed(crawl, why)
    return Replayed(crawl)


def _agreement(path: Path) -> Finding:
    """Whether this version decides as the log says. A run of another version is not wrong where it does not."""
    from topicrawl.store.run import Run

    with Run.open(path, writable=False) as run:
        is_of_this_version = _written_by(run)[0]
        crawl, why = _replayed(run, run.begun_with)
    if why is not None or crawl is None:
        is_damaged = isinstance(why, ReplayError)
        return (False if is_damaged else None), f"the log does not replay: {why}"
    agreed = crawl.agreement
    if agreed.exact:
        left = f"{crawl.waiting:,} links wait, {len(crawl.pending):,} are in flight"
        return (
            True,
            f"the log replays to itself: {agreed.choices:,} choices, {agreed.visits:,} visits; {left}",
        )
    return (False if is_of_this_version else None), (
        f"a replay differs from the log in {agreed.other_choices:,} of {agreed.choices:,} choices and "
        f"{agreed.other_visits:,} of {agreed.visits:,} visits: {agreed.first}; the log is not damaged, and resuming "
        "follows it"
    )
