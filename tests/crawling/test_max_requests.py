"""`--max-requests`: one request per link asked for, whatever comes of it; crawled live, with a real server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from topicrawl.crawling.lifecycle import Finished, start
from topicrawl.crawling.make import crawl_of
from topicrawl.crawling.session import Session
from topicrawl.model import Ask, Instruction, Page, Told, Visit
from topicrawl.report.summary import why_stopped
from topicrawl.setup.config import read_flags
from topicrawl.store.run import Run
from web.http.loopback import Site, reply, serve

LIMIT = 60
"""Seconds after which a crawl counts as frozen."""


def site_of_many_links() -> dict[str, Any]:
    """A page with dead links, redirects and pages by turns; a redirect target is linked nowhere else."""
    paths = [path for n in range(10) for path in (f"/dead{n}", f"/old{n}", f"/page{n}")]
    home = reply("<title>storm</title>" + "".join(f'<a href="{path}">storm</a>' for path in paths))
    moved = {f"/old{n}": reply(status=301, location=f"/new{n}") for n in range(10)}
    pages = {f"/{kind}{n}": reply(f"<p>storm {kind} {n}") for n in range(10) for kind in ("new", "page")}
    return {"/": home, **moved, **pages}


def sitting(site: Site, out: Path, **more: Any) -> Session | Finished:
    given: dict[str, Any] = {"topic": "storms: storm", "strategy": "bfs", "seeds": ["http://a.test/"]}
    given |= {"resolve": (f"*.test=127.0.0.1:{site.port}",), "allow_net": ("127.0.0.0/8",), "delay": 0.0}
    return start(read_flags({**given, "avoid_traps": False, **more}), out, lambda sentence: None)


async def complete(session: Session | Finished) -> dict[str, Any]:
    assert isinstance(session, Session)
    assert session.run is not None
    with session.run:
        async with asyncio.timeout(LIMIT):
            return await session.complete()


def events(path: Path, kind: type) -> list[Any]:
    with Run.open(path, writable=False) as run:
        return [event for event in run.replay() if isinstance(event, kind)]


@pytest.mark.parametrize("concurrency", [1, 8])
def test_failures_count_and_redirects_and_robots_do_not(concurrency: int, tmp_path: Path) -> None:
    async def scenario() -> tuple[dict[str, Any], list[str]]:
        async with serve(site_of_many_links()) as site:
            given = {"max_requests": 14, "concurrency": concurrency, "per_host": concurrency}
            summary = await complete(sitting(site, tmp_path / "run", **given))
            return summary, site.paths

    summary, paths = asyncio.run(scenario())
    assert (summary["stop_reason"], summary["requests"]) == ("requests", 14)
    assert why_stopped(summary) == "the limit of requests is reached"
    assert summary["fetches"] == 14 - summary["failures"]["http-404"] < 14
    assert len([path for path in paths if not path.startswith(("/new", "/robots"))]) == 14
    assert any(path.startswith("/new") for path in paths)
    assert len(events(tmp_path / "run", Ask)) == len(events(tmp_path / "run", Told)) == 14


def test_an_interrupted_crawl_has_the_same_limit_and_replays(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve(site_of_many_links()) as site:
            first = sitting(site, tmp_path / "run", max_requests=14, concurrency=4, per_host=4)
            assert isinstance(first, Session)

            def on_visit(visit: Visit, page: Page | None) -> None:
                if visit.n == 9:
                    first.stop("interrupted")

            first.on_visit = on_visit
            assert (await complete(first))["requests"] == 9
            assert (await complete(sitting(site, tmp_path / "run")))["stop_reason"] == "requests"

    asyncio.run(scenario())
    assert len(events(tmp_path / "run", Ask)) == len(events(tmp_path / "run", Told)) == 14
    with Run.open(tmp_path / "run", writable=False) as run:
        again = crawl_of(run)
        for event in run.replay():
            again.replay(event)
        assert again.agreement.exact, again.agreement.first
        assert again.tally.visits == 14


def test_a_finished_run_goes_on_with_a_higher_limit_which_is_logged(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve(site_of_many_links()) as site:
            await complete(sitting(site, tmp_path / "run", max_requests=5))
            done = sitting(site, tmp_path / "run", max_requests=5)
            assert isinstance(done, Finished)
            assert done.reason == "it has what --max-requests 5 asks for; raise it to go on"
            assert (await complete(sitting(site, tmp_path / "run", max_requests=8)))["requests"] == 8

    asyncio.run(scenario())
    (instruction,) = events(tmp_path / "run", Instruction)
    assert instruction.settings == {"max_requests": 8}
