"""Summary and report of a run that has ended, written anew: after marks, and of a crawl in shards when all have ended.

The pages of all shards are judged together, once. The summary of each shard counts by that judgement too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from topicrawl.crawling.judged import relevance_now, revised
from topicrawl.crawling.marks import as_marked
from topicrawl.crawling.reporting import report
from topicrawl.judge.registry import TERMS
from topicrawl.model import Visit
from topicrawl.report.sources import source_yields
from topicrawl.report.summary import summarise
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import config_of
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.relevance_file import write_relevance
from topicrawl.store.run import Run, write_summary
from topicrawl.store.seed_sources import read_sources
from topicrawl.store.shard_files import whole_of


def sum_up(run: Run, known: Mapping[str, Any]) -> dict[str, Any]:
    """Write summary and report by the last judgement of all pages; returns the summary.

    `known` has what does not follow from the visits: why the crawl stopped, how long it took. Of one shard only a
    summary is written, by what was said at the visits: `sum_up` of the whole crawl follows.
    """
    config = config_of(run)
    if whole_of(run.path) != run.path:
        summary = _figures(run, config, known, as_marked(run))
        run.finish(summary)
        return summary
    now = relevance_now(run)
    summary = _figures(run, config, known, revised(run.visits(), now))
    if seeds := read_sources(run.path):
        summary["sources"] = source_yields(revised(run.visits(), now), seeds, config.threshold)
    run.finish(summary)
    report(run, config, summary, now)
    if isinstance(run, MergedRun):
        write_relevance(run, run.path, now)
        for name, shard in run.shards.items():
            if (before := shard.summary) is not None:
                visits = revised(shard.visits(), now[[0, *run.numbers_of(name)]])
                write_summary(shard.path, _figures(shard, config, before, visits))
    return summary


def _figures(run: Run, config: Config, known: Mapping[str, Any], visits: Iterable[Visit]) -> dict[str, Any]:
    figures = summarise(
        visits,
        threshold=config.threshold,
        stop_reason=known["stop_reason"],
        seconds=known["seconds"],
        are_probabilities=config.judge != TERMS,
    )
    at_visit = sum(visit.fetched and visit.relevance > config.threshold for visit in as_marked(run))
    cost = known.get("pages_per_cpu_second")
    others = {name: value for name, value in known.items() if name not in figures}
    return {**figures, **others, "relevant_at_visit": at_visit, "pages_per_cpu_second": cost}
