"""`topicrawl seeds` where something is asked of the network, or weighed by a topic."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from topicrawl.cli.output import Output
from topicrawl.cli.progress_bar import Countdown
from topicrawl.errors import SeedError
from topicrawl.finding.answers import Result
from topicrawl.finding.begin import judge_of, topic_of
from topicrawl.finding.cdx import parts_of
from topicrawl.finding.endpoint import Endpoint
from topicrawl.finding.listed import fetched_lists
from topicrawl.finding.seeds import Finder, Wanted, queries_for
from topicrawl.finding.weigh import Candidate, Candidates, spread, url_words
from topicrawl.setup.inputs import read_results
from topicrawl.setup.seeds import seed_line
from topicrawl.terminal import say
from topicrawl.web.http import HttpWeb

if TYPE_CHECKING:
    from topicrawl.cli.seeds import Asked
    from topicrawl.model import Topic
    from topicrawl.setup.config import Config


def find(asked: Asked, config: Config, output: Output) -> None:
    """Print the seeds found, the best first; interrupted, those found so far."""
    remarks = _Remarks(output.remark)
    searches = tuple(Endpoint.read(url, "--search-url") for url in config.search_url)
    indexes = tuple(Endpoint.read(url, "--cdx") for url in asked.cdx)
    parts = tuple(parts_of(*asked.parts)) if indexes else ()
    if config.search and not searches:
        raise SeedError(
            "--search: there is no server to ask; name one: --search-url https://searx.example/search"
        )
    config, topic, ontology = topic_of(config, remarks)
    queries = queries_for(config.search, topic, ontology, config.queries) if searches else ()
    wanted = Wanted(searches, queries, indexes, parts)
    if queries and not config.search:
        output.say("queries", f"queries: {', '.join(queries)}", queries=list(queries))
    found = Candidates()
    if asked.files:
        for file in asked.files:
            found.add(_of_lists(read_results([file], asked.home, remarks)), file)
    interrupted = False

    def tell(text: str) -> None:
        output.say("progress", text)

    try:
        with Countdown(output.console, what="questions") as countdown:
            shown = _shown(countdown, wanted.requests)
            asyncio.run(_ask(asked, config, wanted, topic, found, remarks, tell, shown))
    except KeyboardInterrupt:
        interrupted = True
        remarks("interrupted; what was found so far is taken")
    _tell(found, asked, config, topic, remarks)
    if interrupted:
        raise typer.Exit(130)


async def _ask(
    asked: Asked,
    config: Config,
    wanted: Wanted,
    topic: Topic | None,
    found: Candidates,
    remarks: _Remarks,
    tell: Callable[[str], None],
    shown: Callable[[str], None],
) -> None:
    web = HttpWeb(config.http)
    try:
        async for place, listing in fetched_lists(web, asked.places, remarks):
            found.add(_of_lists(listing.urls), place)
        await Finder(web, remarks, tell, shown, found).find(wanted, topic)
    finally:
        await web.close()


def _tell(found: Candidates, asked: Asked, config: Config, topic: Topic | None, remarks: _Remarks) -> None:
    weighed = [each for each in found.weighed(topic, judge_of(config)) if asked.wants(each.url)]
    if not weighed:
        dropped = f"--exclude drops all {len(found):,} links found; give a narrower pattern"
        why = f": {remarks.latest}" if remarks.latest else "; try other words, or another server"
        raise SeedError(dropped if len(found) else f"no seed was found{why}")
    remarks.pass_on()
    chosen = spread(weighed, 1 if asked.distinct_hosts else None, asked.distinct_hosts)
    say("\n".join(map(_line, chosen)))


def _line(candidate: Candidate) -> str:
    return seed_line(candidate.url, candidate.sources, candidate.relevance)


def _of_lists(urls: Iterable[str]) -> list[Result]:
    return [Result(url, "", url_words(url)) for url in urls]


def _shown(countdown: Countdown, questions: int) -> Callable[[str], None]:
    """Counts the questions that were asked."""
    done = 0

    def shown(name: str) -> None:
        nonlocal done
        done += 1
        if left := questions - done:
            countdown.cell(name, 1, False, left, left)

    return shown


@dataclass
class _Remarks:
    """Passes remarks on; the latest is held back, for the error that may follow."""

    remark: Callable[[str], None]
    latest: str = ""

    def __call__(self, text: str) -> None:
        self.pass_on()
        self.latest = text

    def pass_on(self) -> None:
        """Pass on the latest one."""
        if self.latest:
            self.remark(self.latest)
        self.latest = ""
