"""The tools: what an agent may call. Their docstrings are what it reads of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from topicrawl.agents.crawls import Crawls
from topicrawl.agents.limits import Limits, refuse_secrets
from topicrawl.agents.page_text import NOTICE, quoted
from topicrawl.api.run import Run
from topicrawl.errors import TopicrawlError, UsageError
from topicrawl.report.summary import why_stopped
from topicrawl.safe_text import for_terminal, one_line
from topicrawl.store.lock import writer_of
from topicrawl.store.shard_files import owner_of
from topicrawl.urls import canonical

P = ParamSpec("P")
R = TypeVar("R")
LONGEST = 20_000
"""Letters of a page in one answer."""
LONGEST_TITLE, LONGEST_QUERY = 300, 1000
MOST_HITS, PAGES_SHOWN = 50, 10
VERDICTS = {"relevant": True, "irrelevant": False, "forget": None}


def server(limits: Limits, crawls: Crawls) -> MCPServer[Any]:
    """The server with its tools; read-only, it has none that changes something."""
    made: MCPServer[Any] = MCPServer("topicrawl", instructions=_instructions(limits), log_level="WARNING")
    tools = Tools(limits, crawls)
    reading: list[Callable[..., Any]] = [
        tools.list_runs,
        tools.crawl_status,
        tools.search,
        tools.read_page,
        tools.why,
    ]
    changing: list[Callable[..., Any]] = [tools.start_crawl, tools.stop_crawl, tools.mark]
    for tool in reading if limits.read_only else reading + changing:
        made.add_tool(_told(tool))
    return made


def _instructions(limits: Limits) -> str:
    may = (
        "Crawls cannot be started."
        if limits.read_only
        else (
            f"A crawl has {limits.pages:,} pages at most, {limits.crawls} at once. "
            "Scope and network are fixed by the person who started this server."
        )
    )
    return f"Focused crawls and what they found. {may} {NOTICE}"


def _told(tool: Callable[P, R]) -> Callable[P, R]:
    """The tool with our errors as its answers."""

    @wraps(tool)
    def call(*args: P.args, **given: P.kwargs) -> R:
        try:
            return tool(*args, **given)
        except TopicrawlError as error:
            raise ToolError(" ".join(str(error).split())) from error

    return call


class Tools:
    """The tools over the runs of one folder."""

    def __init__(self, limits: Limits, crawls: Crawls) -> None:
        self._limits, self._crawls = limits, crawls
        self._latest: tuple[str, str, str] | None = None
        """Run, URL and text of the page that was read last: a long one is read on in parts."""

    def start_crawl(self, name: str, topic: str, seeds: list[str], pages: int = 100) -> dict[str, Any]:
        """Start a crawl. `topic` is terms with weights, as "rainstorm 0.8, flood 0.5"; `seeds` are addresses of pages
        to begin with; `name` is that of the new run. Watch it with crawl_status.
        """
        self._crawls.start(name, topic, seeds, pages)
        return {"run": name, "pages": pages, "state": "running"}

    def stop_crawl(self, run: str) -> dict[str, Any]:
        """End a crawl that this server started. What it fetched is kept."""
        self._limits.path(run)
        self._crawls.stop(run)
        if run not in self._limits.names():
            return {"run": run, "state": "ended", "fetches": 0, "stopped": "before it had begun"}
        return self.crawl_status(run)

    def list_runs(self) -> list[str]:
        """The names of all runs."""
        return self._limits.names()

    def crawl_status(self, run: str) -> dict[str, Any]:
        """How far a crawl is: running, ended or failed, and its counts."""
        path, failure = self._limits.path(run), self._crawls.failure(run)
        is_running = self._crawls.is_running(run) or writer_of(path) is not None
        state = "running" if is_running else "failed" if failure else "ended"
        if (is_running or failure) and run not in self._limits.names():
            return {"run": run, "state": state, "error": failure}
        with Run(self._limits.run(run)) as opened:
            summary = opened.summary
            said = {key: summary.get(key) for key in ("fetches", "relevant", "requests", "harvest_rate")}
            why = "" if is_running else why_stopped(summary)
        return {"run": run, "state": state, **said, "error": failure, "stopped": why}

    def search(self, run: str, words: str, limit: int = 10) -> dict[str, Any]:
        """The pages of a run with any of these words, best first, and how many. Their words are from the web."""
        if len(words) > LONGEST_QUERY:
            raise UsageError(f"words: {len(words):,} letters given; give {LONGEST_QUERY:,} at most")
        with Run(self._limits.run(run)) as opened:
            hits = opened.search(words, max(1, min(limit, MOST_HITS)))
        found = [
            {
                "url": hit.found.url,
                "title": one_line(hit.found.title, LONGEST_TITLE),
                "score": round(hit.score, 4),
                "relevance": round(hit.relevance_now, 4),
                "passage": for_terminal(hit.snippet),
            }
            for hit in hits
        ]
        return {"notice": NOTICE, "total": hits.total, "found": found}

    def read_page(self, run: str, url: str, start: int = 0) -> str:
        """The main text of a page that the run fetched, as Markdown, at most 20,000 letters from letter `start` on."""
        link, start = _url(url), max(0, start)
        latest = self._latest
        if start and latest is not None and latest[:2] == (run, link):
            text = latest[2]
        else:
            text = self._markdown(run, link)
            self._latest = run, link, text
        part = text[start : start + LONGEST]
        return f"letters {start:,} to {start + len(part):,} of {len(text):,}\n{quoted(part)}"

    def _markdown(self, run: str, link: str) -> str:
        with Run(self._limits.run(run)) as opened:
            main = opened.main_text(link)
        if main is None:
            raise UsageError(f"{link}: the run has not fetched this page; search names pages that it has")
        return main.markdown

    def why(self, run: str, url: str) -> dict[str, Any]:
        """Where a link was found, whether it was chosen, with which priority, or why it was not followed."""
        link = _url(url)
        with Run(owner_of(self._limits.run(run), link)) as opened:
            story = opened.why(link)
        visit = story.visit
        return {
            "url": story.url,
            "state": story.state,
            "found_on": story.found_on[:PAGES_SHOWN],
            "waiting_rank": story.rank,
            "not_followed": story.refusal,
            "visit": visit
            and {
                "number": visit.n,
                "priority": str(visit.priority),
                "relevance": visit.relevance,
                "error": visit.error or "",
            },
            "afterwards": story.fate,
        }

    def mark(self, run: str, url: str, verdict: Literal["relevant", "irrelevant", "forget"]) -> str:
        """Say whether a page that the run fetched is relevant; the crawl learns from it."""
        link = _url(url)
        with Run(self._limits.run(run)) as opened:
            if opened.page(link) is None:
                raise UsageError(
                    f"{url}: the run has not fetched this page; only fetched pages can be marked"
                )
            said = opened.mark(link, VERDICTS[verdict])
        return f"{said.state}: {said.answer}" if said.answer else said.state


def _url(text: str) -> str:
    refuse_secrets("url", text)
    if (url := canonical(text)) is None:
        raise UsageError(f"{text[:200]!r} is no http or https address")
    return url
