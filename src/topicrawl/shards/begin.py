"""Begins and resumes a crawl in shards: the folder of the whole crawl, and a run for each shard in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from topicrawl.crawling.hooks import NO_HOOKS
from topicrawl.crawling.lifecycle import Finished, check_function, finished
from topicrawl.crawling.listening import anything_waits
from topicrawl.errors import ConfigError, RunError, TopicrawlError
from topicrawl.finding.begin import Begin, given_with_found, with_found_seeds
from topicrawl.frontier.route import Route
from topicrawl.model import Topic
from topicrawl.report.stop_rules import LIMITS
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import check_resume, check_web, resolve, resume_config, with_sitemaps
from topicrawl.setup.run_config import config_in
from topicrawl.shards.shard import check_strategy
from topicrawl.shards.teacher import Teacher
from topicrawl.store.disk import disk_errors, part_of, write_atomically
from topicrawl.store.lock import Lock
from topicrawl.store.merged_run import MergedRun, check_shards
from topicrawl.store.run import CONFIG, LOCK, SUMMARY, Run, read_config
from topicrawl.store.seed_sources import SOURCES, write_sources
from topicrawl.store.shard_files import SHARDS, read_route, shard_folders, write_route, write_shard
from topicrawl.strategies.registry import make_strategy
from topicrawl.urls import canonical, host, site

Remark = Callable[[str], None]


@dataclass
class Divided:
    """A crawl in shards that is ready to go on; `release` its lock at the end."""

    path: Path
    config: Config
    route: Route
    lock: Lock
    seconds: float = 0.0
    """How long earlier sessions took."""

    told: str = ""
    """The configuration of the first shard, as read last."""
    _written: int = 0
    """When that was written, in nanoseconds."""

    def follow(self) -> bool:
        """Take over what a person has asked all shards to change; whether there was anything.

        A shard writes its crawl.toml before it does what it is asked, and all are asked the same.
        """
        folder = next(iter(self.folders.values()))
        with suppress(TopicrawlError, OSError):
            before, self._written = self._written, (folder / CONFIG).stat().st_mtime_ns
            if before == self._written or (text := read_config(folder / CONFIG)) == self.told:
                return False
            self.told = text
            self.config = replace(config_in(folder, text), concurrency=self.config.concurrency)
            write_atomically(self.path / CONFIG, self.config.to_toml().encode())
            return True
        return False

    @property
    def folders(self) -> dict[str, Path]:
        """The folder of each shard."""
        return shard_folders(self.path, self.route)

    @property
    def limits(self) -> dict[str, int]:
        """The limits of the whole crawl, by the reasons of report/stop_rules.py."""
        return limits_of(self.config)

    def teacher(self) -> Teacher | None:
        """One who teaches all shards, where the strategy learns."""
        return teacher_of(self.config)


def limits_of(config: Config) -> dict[str, int]:
    """The limits of a whole crawl, by the reasons of report/stop_rules.py."""
    values = {limit.reason: getattr(config, limit.setting) for limit in LIMITS}
    return {reason: value for reason, value in values.items() if value is not None}


def teacher_of(config: Config) -> Teacher | None:
    """One who teaches all shards, where the strategy learns."""
    assert isinstance(config.topic, Topic)
    strategy = make_strategy(config.strategy, config.parameters)
    return Teacher(config.topic, strategy) if Teacher.teaches(strategy) else None


def divisible_config(given: Mapping[str, Any], route: Route, remark: Remark) -> Config:
    """The resolved configuration of a crawl in shards; `ConfigError` if it cannot be divided so."""
    return divisible(given, route, remark).config


def divisible(given: Mapping[str, Any], route: Route, remark: Remark) -> Begin:
    """The same, with where its seeds are from."""
    for name in route.split:
        if canonical(f"http://{name}/") != f"http://{name}/" or site(name) != name:
            raise ConfigError(f"--split {name}: give a registrable domain in lower case, such as example.org")
    for setting in ("recrawl", "train"):
        if given.get(setting):
            raise ConfigError(
                f"--{setting} does not work in shards yet; leave it out, or crawl without shards"
            )
    config, sources = with_found_seeds(Config(**given), remark, remark)
    config = resolve(config, remark)
    check_function(config, NO_HOOKS)
    check_strategy(make_strategy(config.strategy, config.parameters), config.strategy)
    for warning in check_web(config):
        remark(warning)
    if config.sitemaps:
        with ThreadPoolExecutor(1) as other_thread:
            config = other_thread.submit(asyncio.run, with_sitemaps(config)).result()
    return Begin(config, sources)


def begin_shards(given: Mapping[str, Any], out: Path, route: Route, remark: Remark) -> Divided:
    """A new crawl in shards, in `out`, a folder that is absent or empty."""
    config, sources = divisible(given, route, remark)
    remark_on_sites(config.seeds, route, remark)
    ours = {LOCK, *(name for each in (SHARDS, SOURCES) for name in (each, part_of(out / each).name))}
    ours.add(part_of(out / CONFIG).name)  # crawl.toml is written last: until then the crawl has not begun
    found = sorted(entry.name for entry in out.iterdir() if entry.name not in ours) if out.is_dir() else []
    if found:
        raise RunError(f"{out} is not empty (it holds {found[0]}); give an empty or new folder as --out")
    with disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        lock = Lock(out / LOCK)
        write_route(out, route)
        write_sources(out, sources)
        write_atomically(out / CONFIG, config.to_toml().encode())
    return _prepared(out, config, route, lock)


def remark_on_sites(seeds: Sequence[str], route: Route, remark: Remark) -> None:
    """Say so where all seeds are of one site: other shards may have nothing to do."""
    sites = {site(host(url)) for url in seeds}
    if route.shards > 1 and len(sites) == 1 and not sites & set(route.split):
        (only,) = sites
        remark(
            f"all seeds are of one site, {only}, which one shard crawls; if most pages are there, begin with "
            f"--split {only}: its hosts are divided"
        )


def resume_shards(
    out: Path, given: Mapping[str, Any], shards: int | None, split: Sequence[str], remark: Remark
) -> Divided | Finished:
    """Resume the crawl in shards in `out`; `shards` and `split` are what was asked for now, if that was said."""
    route = read_route(out)
    if route is None:
        raise RunError(
            f"{out} was begun without --local; resuming cannot divide it: leave --local out, or begin another run "
            "with another --out"
        )
    if shards is not None and shards != route.shards:
        raise RunError(
            f"{out} was begun with --local {route.shards}; resuming cannot change that to {shards}: leave it out, "
            "or begin another run with another --out"
        )
    if split and tuple(split) != route.split:
        raise RunError(f"{out} was begun with another --split; resuming cannot change that: leave it out")
    old = config_in(out, read_config(out / CONFIG))
    given, found = given_with_found(given, old, remark)
    config = resume_config(old, given)
    check_resume(old, config)
    summary = _summary(out, route)
    waits = any(anything_waits(folder) for folder in shard_folders(out, route).values())
    if summary is not None and not waits and (reason := finished(summary, config)):
        return Finished(out, reason, summary)
    for warning in check_web(config):
        remark(warning)
    with disk_errors(out):
        lock = Lock(out / LOCK)
        (out / SUMMARY).unlink(missing_ok=True)
        write_sources(out, found.sources)
        write_atomically(out / CONFIG, config.to_toml().encode())
    divided = _prepared(out, config, route, lock)
    divided.seconds = float(summary["seconds"]) if summary else 0.0
    return divided


def _summary(out: Path, route: Route) -> dict[str, Any] | None:
    if not (out / SUMMARY).is_file():
        return None
    with MergedRun(out, route) as run:
        return run.summary


def _prepared(out: Path, config: Config, route: Route, lock: Lock) -> Divided:
    """Create the runs of shards that do not exist, and give all of them the configuration."""
    folders = shard_folders(out, route)
    own = shard_config(config, route)
    try:
        check_shards(out, route)
        for name, folder in folders.items():
            if not (folder / CONFIG).is_file():
                write_shard(folder, name, route)
                Run.create(folder, own, warc=config.warc, segment_bytes=config.segment_size).close()
            elif read_config(folder / CONFIG) != own:
                write_atomically(folder / CONFIG, own.encode())
    except BaseException:
        lock.release()
        raise
    return Divided(out, config, route, lock, told=own)


def shard_config(config: Config, route: Route) -> str:
    """The configuration of each shard: as many links in flight as its share."""
    return replace(config, concurrency=-(-config.concurrency // route.shards)).to_toml()
