"""`topicrawl crawl --local N`: the same crawl in shards, on several cores of this machine."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topicrawl.cli.output import Output
from topicrawl.errors import UsageError

if TYPE_CHECKING:
    from topicrawl.crawling.metrics import Endpoint
    from topicrawl.crawling.speed import Speed
    from topicrawl.shards.begin import Divided
    from topicrawl.shards.hub import Hub
    from topicrawl.shards.local import LocalCrawl
    from topicrawl.store.merged_run import MergedRun


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
    from topicrawl.crawling.reporting import REPORT
    from topicrawl.frontier.route import Route
    from topicrawl.shards.begin import begin_shards, resume_shards

    if (
        sys.platform == "win32"
    ):  # its pipes cannot be read by the event loop of the process that inherits them
        raise UsageError("--local: a crawl in shards needs Linux or macOS; leave --local away")
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
    from topicrawl.store.merged_run import MergedRun

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
    crawl.fork(config.web)
    with MergedRun(divided.path, divided.route) as run:
        earlier = _fetched(run)
    running = crawl.run if endpoint is None else lambda: _answered(crawl, endpoint, output)
    began = time.monotonic()
    with output.counting(config.pages, config.max_requests):
        reason = run_loop(running)
    seconds = divided.seconds + time.monotonic() - began
    return summed_up(divided, reason, seconds, cpu_seconds(), earlier)


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


def summed_up(
    divided: Divided, reason: str, seconds: float, used: float = 0.0, earlier: int = 0
) -> dict[str, Any]:
    """Write summary and report of the whole crawl.

    `used` is the processor time of this session, in seconds, and `earlier` the pages of those before.
    """
    from topicrawl.crawling.summing_up import sum_up
    from topicrawl.store.merged_run import MergedRun

    with MergedRun(divided.path, divided.route) as run:
        fetched = _fetched(run) - earlier
        speed = round(fetched / used, 1) if used > 0 and fetched else None
        shards = divided.route.shards
        known = {"stop_reason": reason, "seconds": round(seconds, 3), "shards": shards}
        return sum_up(run, {**known, "pages_per_cpu_second": speed})


def _fetched(run: MergedRun) -> int:
    """The pages of all shards."""
    return sum(visit.fetched for shard in run.shards.values() for visit in shard.visits())
