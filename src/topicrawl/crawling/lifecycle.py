"""Begin, resume and finish a crawl. The command line, the Python interface and `xref` use only this.

    start(given, out) ─► Session ─► session.complete() ─► summary and report
                      └► Finished: a run that has nothing left to do

All settings are checked before anything is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from topicrawl.crawling.hooks import NO_HOOKS, Hooks
from topicrawl.crawling.instructions import SCOPE
from topicrawl.crawling.judging import try_judge
from topicrawl.crawling.listening import anything_waits
from topicrawl.crawling.marks import as_marked
from topicrawl.crawling.session import Session
from topicrawl.errors import ConfigError, RunError
from topicrawl.finding.begin import given_with_found, with_found_seeds
from topicrawl.judge.outside import as_judge, check_given
from topicrawl.judge.registry import OURS, PYTHON, TERMS, make_judge
from topicrawl.model import Instruction, Topic
from topicrawl.report.stop_rules import LIMITS
from topicrawl.report.summary import summarise
from topicrawl.setup.config import SETTINGS, Config
from topicrawl.setup.resolve import check_resume, check_web, resolve, resume_config, with_sitemaps
from topicrawl.setup.run_config import TRAINING, begun_config, config_of, instruction_between, logged_config
from topicrawl.store.run import CONFIG, Run
from topicrawl.store.seed_sources import SeedSource, write_sources
from topicrawl.store.shard_files import whole_of

Remark = Callable[[str], None]
"""Called with warnings that do not stop the crawl."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that has nothing left to do."""

    path: Path
    reason: str
    """Why, with the remedy."""
    summary: dict[str, Any]


def start(
    given: Mapping[str, Any], out: Path | None, remark: Remark, hooks: Hooks = NO_HOOKS
) -> Session | Finished:
    """Begin a crawl whose run is stored in `out` (None: not stored), or resume the run that is there."""
    if out is not None and is_run(out):
        return resume(out, given, remark, hooks)
    return begin(given_config(given), out, remark, hooks)


def is_run(folder: Path) -> bool:
    """Whether a crawl has been begun in `folder`."""
    return (folder / CONFIG).exists()


def given_config(given: Mapping[str, Any]) -> Config:
    """The given settings; a recrawl takes the others from the earlier run."""
    if not given.get("recrawl"):
        return Config(**given)
    with Run.open(Path(given["recrawl"]), writable=False) as earlier:
        return replace(config_of(earlier), **given)


def begin(config: Config, out: Path | None, remark: Remark, hooks: Hooks = NO_HOOKS) -> Session:
    """A new crawl, its run in `out`, a folder that is absent or empty."""
    config, sources = with_found_seeds(config, remark, remark)
    config = resolve(config, remark)
    check_function(config, hooks)
    assert isinstance(config.topic, Topic)
    examples = tuple(map(hooks.filtered, config.topic.examples))
    topic = replace(config.topic, examples=examples)
    config = replace(config, topic=topic)
    for warning in check_web(config):
        remark(warning)
    if config.sitemaps:
        with ThreadPoolExecutor(1) as other_thread:  # this thread may have an event loop of its own
            config = other_thread.submit(asyncio.run, with_sitemaps(config)).result()
    if out is None:
        if config.sink:
            raise ConfigError("--sink needs a run that it can follow; say where to keep it: --out run/")
        return Session(config, hooks=hooks)
    _check_sinks(out, config, None)
    if hooks.judge is not None:
        try_judge(as_judge(hooks.judge), topic)
    elif config.judge not in OURS:
        hooks = replace(hooks, judge=make_judge(config.judge, topic))  # what fails, fails before it is stored
    run = Run.create(out, config.to_toml(), warc=config.warc, segment_bytes=config.segment_size)
    try:
        write_sources(run.path, sources)
        return Session(_with_own_training(run, config), run, hooks=hooks)
    except BaseException:
        run.close()
        raise


def resume(
    out: Path, given: Mapping[str, Any], remark: Remark, hooks: Hooks = NO_HOOKS
) -> Session | Finished:
    """Resume the run in `out`. Settings given anew become an instruction; those that are fixed may not differ."""
    resuming = _to_resume(out, given, remark, hooks)
    return resuming.done or _resumed(out, resuming, remark, hooks)


def go_on(out: Path, remark: Remark) -> Session:
    """Resume the run in `out` also where it has nothing left to do: for a watch, which fetches known pages anew."""
    return _resumed(out, _to_resume(out, {}, remark, NO_HOOKS), remark, NO_HOOKS)


class _Resuming(NamedTuple):
    """What a resume goes by."""

    config: Config
    instruction: Instruction | None
    """What it changes."""
    sources: tuple[SeedSource, ...]
    """Where further seeds were found."""
    done: Finished | None = None
    """Why there is nothing left to do."""


def _to_resume(out: Path, given: Mapping[str, Any], remark: Remark, hooks: Hooks) -> _Resuming:
    if (whole := whole_of(out)) != out:
        raise RunError(f"{out} is a shard; resume the whole crawl: topicrawl crawl --out {whole}")
    with Run.open(out, writable=False) as run:
        run.check_kinds()
        before = logged_config(run)
        check_resume(before, config_of(run))
        given, found = given_with_found(given, config_of(run), remark)
        config = resume_config(config_of(run), given)
        check_resume(before, config)
        check_function(config, hooks)
        instruction = instruction_between(before, config)
        _check_sinks(out, config, run)
        summary, is_closed = summary_of(run, config), run.summary is not None and not anything_waits(out)
        if run.missing_count:
            remark(missing_records(run))
    # a run killed after its last commit has no summary yet: resume it to write one
    if is_closed and not _changes_result(instruction) and (reason := finished(summary, config)):
        return _Resuming(config, instruction, found.sources, Finished(out, reason, summary))
    return _Resuming(config, instruction, found.sources)


def _resumed(out: Path, resuming: _Resuming, remark: Remark, hooks: Hooks) -> Session:
    config, instruction = resuming.config, resuming.instruction
    for warning in check_web(config):
        remark(warning)
    run = Run.open(out)
    try:
        for sentence in run.repairs:
            remark(sentence)
        write_sources(run.path, resuming.sources)
        run.update_config(config.to_toml())
        begun = begun_config(run)
        run.begun_with = replace(begun, header=config.header, proxy=config.proxy).to_toml()  # without secrets
        return Session(config, run, hooks=hooks, begun=begun, instruction=instruction)
    except BaseException:
        run.close()
        raise


def _check_sinks(out: Path, config: Config, run: Run | None) -> None:
    """`ConfigError` if a sink cannot be written, or has the pages of another run."""
    if config.sink:
        from topicrawl.crawling.sinking import sinks_of  # most crawls have none

        for sink in sinks_of(out, config):
            sink.check(run)


def check_function(config: Config, hooks: Hooks) -> None:
    """`ConfigError` if the judge is Python code and none was passed, or none that a crawl can call."""
    if hooks.judge is not None:
        check_given(hooks.judge)
    if config.judge == PYTHON and hooks.judge is None:
        raise ConfigError(
            "--judge python: this judge is Python code, and none was given; pass it: topicrawl.crawl(…, judge=…)"
        )


def _changes_result(instruction: Instruction | None) -> bool:
    """Whether a finished run may have links again, or counts other pages as relevant."""
    if instruction is None:
        return False
    changed = {*SCOPE, "threshold"} & set(instruction.settings)
    told = (instruction.seeds, instruction.examples, instruction.unwanted, instruction.marks)
    return bool(changed) or any(told)


def finished(summary: Mapping[str, Any], config: Config) -> str | None:
    """Why a run is complete, with the remedy; None if it is not."""
    if summary["stop_reason"] == "frontier empty":
        return "there is no link left to follow"
    if summary["stop_reason"] == "rounds" and (config.rounds or 0) <= summary["rounds"]:
        return f"it has the rounds that --rounds {config.rounds} asks for; raise it to go on"
    for limit in LIMITS:
        value = getattr(config, limit.setting)
        if value is not None and summary.get(limit.summary, 0) >= value:
            flag = SETTINGS[limit.setting].flag
            return f"it has what {flag} {value} asks for; raise it to go on"
    return None


def summary_of(run: Run, config: Config) -> dict[str, Any]:
    """The stored summary of a run, or one of the visits so far, with the relevance that judge and people said at each.

    topicrawl 0.1 said nothing else, and did not sum up the requests.
    """
    if (stored := run.summary) is not None:
        requests = stored["fetches"] + sum(stored["failures"].values())
        return {"relevant_at_visit": stored["relevant"], "requests": requests, **stored}
    spans = [(timing.started, timing.started + timing.fetched + timing.parsed) for _, timing in run.timings()]
    seconds = max(end for _, end in spans) - min(begun for begun, _ in spans) if spans else 0.0
    summary = summarise(
        as_marked(run),
        threshold=config.threshold,
        stop_reason="not finished",
        seconds=seconds,
        are_probabilities=config.judge != TERMS,
    )
    return {**summary, "relevant_at_visit": summary["relevant"]}


def missing_records(run: Run) -> str:
    """A warning that the archive of a run lacks records, with the remedy."""
    return (
        f"the archive has lost the records of {run.missing_count:,} visits; get them back with: "
        f"topicrawl crawl --out {run.path} --refetch-missing"
    )


def _with_own_training(run: Run, config: Config) -> Config:
    """Copy the training set into the run, so that it can be resumed without the original."""
    if not config.train:
        return config
    from topicrawl.setup.examples import read_training, write_training

    write_training(read_training(Path(config.train)), run.path / TRAINING)
    return replace(config, train=str(run.path / TRAINING))
