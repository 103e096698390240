"""Messages of a command on standard error: text for people, or one line of JSON per event (`--log-json`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from topicrawl.cli.log_warnings import send_warnings_to
from topicrawl.model import Topic, Visit
from topicrawl.report.progress import Progress, print_summary
from topicrawl.terminal import messages, note, note_json
from topicrawl.topic.letters import OR

if TYPE_CHECKING:
    from topicrawl.console import Terminal
    from topicrawl.crawling.core import Crawl, Tally
    from topicrawl.setup.config import Config

TERMS_SHOWN = 6


@dataclass
class Output:
    """The messages of one command, in the form that its flags ask for."""

    verbose: bool = False
    quiet: bool = False
    log_json: bool = False
    _hosts: set[str] = field(default_factory=set)
    _progress: Progress | None = None

    def __post_init__(self) -> None:
        send_warnings_to(self.remark)

    @cached_property
    def console(self) -> Terminal:
        """Standard error; made when it is first used."""
        return messages(quiet=self.quiet or self.log_json)

    def say(self, event: str, text: str, **facts: Any) -> None:
        """One line: `text` for people, `event` with `facts` for programs."""
        try:
            if self.log_json:
                note_json({"event": event, **facts})
            elif not self.quiet:
                from rich.text import Text  # Rich delays the start

                self.console.print(Text(text), soft_wrap=True)
        except BrokenPipeError:
            self.mute()

    def mute(self) -> None:
        """Print nothing more: the reader has closed the pipe (`| head`), and the crawl continues."""
        self.console = messages(quiet=True)
        self.quiet, self.log_json, self.verbose = True, False, False
        self._progress = None

    def remark(self, text: str) -> None:
        """A warning: something unusual that does not stop the command."""
        self.say("remark", f"note: {text}", remark=text)

    def stands(self, text: str) -> None:
        """Why a crawl stands still: said with --quiet, too, as nothing else would tell of it."""
        if self.quiet and not self.log_json:
            with suppress(BrokenPipeError):
                note(f"note: {text}")
        else:
            self.remark(text)

    def topic(self, topic: Topic) -> None:
        """How `--topic` was read."""
        pairs = list(zip(topic.terms, topic.weights, strict=True))
        more = f", … ({len(pairs)} terms)" if len(pairs) > TERMS_SHOWN else ""
        terms = ", ".join(f"{term.partition(OR)[0]} {weight:.3g}" for term, weight in pairs[:TERMS_SHOWN])
        text = f"topic {topic.name}, read as {topic.source}: {terms}{more}"
        self.say("topic", text, name=topic.name, source=topic.source, terms=dict(pairs))

    def counting(self, pages: int, requests: int | None = None) -> AbstractContextManager[Any]:
        """The progress line, shown inside a `with`; there is none with --quiet, --log-json or --verbose."""
        if self.quiet or self.log_json or self.verbose:
            return nullcontext()
        self._progress = Progress(pages, self.console, requests=requests)
        return self._progress

    def hosts(self, visits: Iterable[Visit]) -> None:
        """Add the hosts of earlier visits to the count that the progress line shows."""
        self._hosts.update(visit.host for visit in visits if visit.fetched)

    def visit(self, visit: Visit, crawl: Crawl, config: Config | None = None) -> None:
        """Report a visit; `config` has the limits as they are by now."""
        self.hosts([visit])
        if self.log_json:
            self.say("visit", "", **msgspec.to_builtins(visit))
        elif self.verbose:
            what = f"{visit.relevance:.3f}" if visit.fetched else visit.error or str(visit.status)
            self.say("visit", f"{visit.n:6}  {what:>9}  {visit.url}")
        if self._progress:
            tally = crawl.tally
            if config is not None:
                self._progress.limit(config.pages, config.max_requests)
            try:
                self._progress.update(
                    tally.fetched, tally.relevant, crawl.waiting, len(self._hosts), tally.visits
                )
            except BrokenPipeError:
                self.mute()

    def progress(self, tally: Tally, waiting: int, hosts: int, more: str) -> None:
        """Show the counts of a crawl in shards, and something more."""
        if self._progress:
            try:
                self._progress.update(tally.fetched, tally.relevant, waiting, hosts, tally.visits, more)
            except BrokenPipeError:
                self.mute()

    def ended(self, summary: Mapping[str, Any], report: Path) -> None:
        """Print the summary table and the path of the report."""
        if self.log_json:
            self.say("summary", "", **summary, report=str(report))
            return
        if not self.quiet:
            with suppress(BrokenPipeError):
                print_summary(summary, self.console)
        self.say("report", f"report: {report}")
