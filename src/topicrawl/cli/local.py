"""`topicrawl crawl --local N`: the same crawl in shards, on several cores of this machine."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topicrawl.cli.output import Output

if TYPE_CHECKING:
    from topicrawl.crawling.metrics import Endpoint
    from topicrawl.crawling.speed import Speed
    from topicrawl.shards.begin import Divided
    from topicrawl.shards.hub import Hub
    from topicrawl.shards.local import LocalCrawl


def crawl_in_shards(
    given: Mapping[str, Any],
    out: Path,
    shards: int | None,
    split: Sequence[str],
    output: Output,
    show: Callable[[], None],
    endpoint: Endpoint | None = None,
) -> None:
    """Begin a crawl in shards, or resume the one in `out`; writes summary and report into it.

    `show` opens the dashboard, if that is wanted.
    """
    from topicrawl.cli.crawl import refuse_nothing
    from topicrawl.crawling.lifecycle import Finished, is_run
    from topicrawl.crawling.session import REPORT
    from topicrawl.frontier.route import Route
    from topicrawl.shards.begin import begin_shards, resume_shards

    if is_run(out):
        divided = resume_shards(out, given, shards, split, output.remark)
    else:
        divided = begin_shards(given, out, Route(shards or 1, tuple(split)), output.remark)
    if isinstance(divided, Finished):
        output.say("finished", f"{out} is finished: {divided.reason}", reason=divided.reason, run=str(out))
        output.ended(divided.summary, out / REPORT)
        refuse_nothing(divided.summary)
        return
    try:
        show()
        summary = _crawled(divided, output, endpoint)
    finally:
        divided.lock.release()
    output.ended(summary, out / REPORT)
    refuse_nothing(summary)


def _crawled(divided: Divided, output: Output, endpoint: Endpoint | None) -> dict[str, Any]:
    from topicrawl.crawling.event_loop import run_loop
    from topicrawl.crawling.session import cpu_seconds
    from topicrawl.model import Topic
    from topicrawl.shards.local import LocalCrawl

    config = divided.config
    assert isinstance(config.topic, Topic)
    output.topic(config.topic)
    output.say("shards", f"{divided.route.shards} shards", shards=divided.route.shards)
    crawl = LocalCrawl(
        divided.folders,
        divided.limits,
        config.max_time,
        divided.teacher(),
        say=output.remark,
        show=lambda hub: _show(hub, output, divided.route.shards),
        follow=lambda: (divided.limits, divided.config.max_time) if divided.follow() else None,
    )
    running = crawl.run() if endpoint is None else _answered(crawl, endpoint, output)
    began = time.monotonic()
    with output.counting(config.pages, config.max_requests):
        reason = run_loop(running)
    seconds = divided.seconds + time.monotonic() - began
    return summed_up(divided, reason, seconds, cpu_seconds())


def _show(hub: Hub, output: Output, shards: int) -> None:
    """Show the counts of all shards on the progress line."""
    from topicrawl.shards.coordinator import total

    offers = hub.offers.values()
    tally, waiting = total(offers), sum(offer.waiting for offer in offers)
    more = f"{hub.alive}/{shards} shards · {hub.waiting_letters:,} letters waiting"
    output.progress(tally, waiting, hub.hosts, more)


async def _answered(crawl: LocalCrawl, endpoint: Endpoint, output: Output) -> str:
    """Crawl, and answer Prometheus meanwhile."""
    from topicrawl.crawling.speed import Speed

    show, speeds = crawl.show, defaultdict[str, Speed](Speed)

    def tell(hub: Hub) -> None:
        endpoint.text = _exposition(hub, speeds)
        show(hub)

    crawl.show = tell
    output.say("metrics", f"metrics: {endpoint.address}", address=endpoint.address)
    async with endpoint.answering():
        return await crawl.run()


def _exposition(hub: Hub, speeds: Mapping[str, Speed]) -> str:
    """The figures of all shards."""
    from topicrawl.report.exposition import Figures, exposition_of_shards

    now, each = time.monotonic(), dict[str, Figures]()
    for name, offer in hub.offers.items():
        each[name] = Figures(
            pages=offer.fetched,
            relevant=offer.relevant,
            failed=offer.failed,
            bytes=offer.bytes,
            waiting=offer.waiting,
            in_flight=offer.pending,
            pages_per_second=speeds[name].at(now, offer.fetched),
        )
    return exposition_of_shards(each, hub.alive, hub.waiting_letters)


def summed_up(divided: Divided, reason: str, seconds: float, used: float) -> dict[str, Any]:
    """Write summary and report of the whole crawl."""
    from topicrawl.crawling.judged import relevance_now, revised
    from topicrawl.crawling.session import report
    from topicrawl.report.summary import summarise
    from topicrawl.store.merged_run import MergedRun
    from topicrawl.value.judges.registry import TERMS

    config = divided.config
    with MergedRun(divided.path, divided.route) as run:
        now = relevance_now(run)
        summary = summarise(
            revised(run.visits(), now),
            threshold=config.threshold,
            stop_reason=reason,
            seconds=round(seconds, 3),
            are_probabilities=config.judge != TERMS,
        )
        at_visit = (visit.fetched and visit.relevance > config.threshold for visit in run.visits())
        summary["relevant_at_visit"] = sum(at_visit)
        summary["shards"] = divided.route.shards
        fetches = summary["fetches"]
        summary["pages_per_cpu_second"] = round(fetches / used, 1) if used > 0 and fetches else None
        run.finish(summary)
        report(run, config, summary, now)
    return summary
