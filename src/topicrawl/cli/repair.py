"""`topicrawl doctor RUN --repair`: mends what is damaged, and nothing else.

A log is cut only before the first entry that cannot be read or contradicts those before it. Choices that this version
would not make are no damage.
"""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from topicrawl.cli.run_checks import Findings, checks, replayed, same_config
from topicrawl.errors import ReplayError, TopicrawlError

if TYPE_CHECKING:
    from topicrawl.model import Visit
    from topicrawl.store.run import Run

SPELLINGS = "spellings of several terms of the topic belong to the first of them now"


def repair_run(path: Path) -> Findings:
    """Mend what is damaged; a run that is not, of whatever version, is left as it is."""
    from topicrawl.store.lock import refuse_written
    from topicrawl.store.run import VISITS, Run
    from topicrawl.store.salvage import copy_aside
    from topicrawl.store.verify import unreadable

    refuse_written(path)
    yield from _restored_config(path)
    lines = path / VISITS
    has_mended = _mend_topic(path)
    if has_mended:
        yield True, SPELLINGS
    damage = _damage(path)
    if damage:
        sentence, aside = _salvage_log(path, damage)
        lines = next((each for each in aside if each.name.startswith(VISITS)), lines)
        yield True, sentence
    elif all(ok is not False for ok, _ in checks(path)):
        if not has_mended:
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


def _restored_config(path: Path) -> Findings:
    """Write crawl.toml of a run that has lost it, from the log."""
    from topicrawl.setup.run_config import logged_config
    from topicrawl.store.disk import write_atomically
    from topicrawl.store.log import Log
    from topicrawl.store.run import CONFIG, DATABASE, Run

    config = path / CONFIG
    if config.exists() or not (path / DATABASE).is_file():
        return
    with closing(Log.read(path / DATABASE)) as log:
        begun = log.config
    if not begun:
        return
    write_atomically(config, begun.encode())
    with Run.open(path, writable=False) as run:
        text = logged_config(run).to_toml()
    write_atomically(config, text.encode())
    yield True, f"{CONFIG} was gone, and was written again from {DATABASE}"


def mend_file(path: Path) -> bool:
    """Mend the topic in the crawl.toml at `path`; whether it was one that earlier versions could not read."""
    from topicrawl.setup.run_config import mended
    from topicrawl.store.disk import write_atomically
    from topicrawl.store.run import read_config

    text = read_config(path)
    with suppress(ValueError):
        if (right := mended(text)) != text:
            write_atomically(path, right.encode())
            return True
    return False


def _mend_topic(path: Path) -> bool:
    """Mend the topic in both copies of the configuration; whether there was anything to mend."""
    from topicrawl.setup.run_config import mended
    from topicrawl.store.run import CONFIG, Run

    changed = mend_file(path / CONFIG)
    with suppress(TopicrawlError, ValueError), Run.open(path, writable=False) as run:
        if (right := mended(run.begun_with)) != run.begun_with:
            with Run.open(path) as writable:
                writable.begun_with = right
            return True
    return changed


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
        read = sound_entries(rescued)
        left = trim(rescued, read.entries)
        if not left:
            discard(rescued)
            raise ReplayError(_beyond_saving(path, damage))
        aside = install(rescued, database, archive, lines)
        for outdated in (store.SUMMARY, store.INDEX):
            (path / outdated).unlink(missing_ok=True)
    finally:
        lock.release()
    names = ", ".join(each.name for each in aside)
    what = f"after visit {left:,}: cut there" if read.fault else f"and its {left:,} visits could all be read"
    return f"the log was damaged {what}; set aside: {names}; resuming fetches the rest", aside


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
    from topicrawl.crawling.make import crawl_of
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
        if same_config(run)[0]:
            return False
        own, logged = (replayed(run, text) for text in (run.config_toml, run.begun_with))
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
