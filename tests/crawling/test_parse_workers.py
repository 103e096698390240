"""Parse workers: real processes, killed, stopped, starved and recycled. Only the page they were at is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from topicrawl.crawling.parsing import process
from topicrawl.crawling.parsing.pool import Parsed, ParseWorkers
from topicrawl.crawling.parsing.process import JOBS_HELD
from topicrawl.errors import FetchError, TopicrawlError
from topicrawl.page.read import read
from topicrawl.topic.matcher import Matcher

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs POSIX signals")

URL = "http://a.test/"
HTML = b"<title>Rain</title><p>Heavy rain <a href=/storm>storm</a></p>"
TERMS = ["rain", "storm"]

Run = Callable[[Coroutine[Any, Any, None]], None]


def loops() -> list[Any]:
    uvloop = pytest.importorskip("uvloop") if sys.platform != "win32" else None
    return [asyncio.run, *([uvloop.run] if uvloop else [])]


@pytest.fixture(params=loops(), ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a coroutine to its end, on each event loop we support."""
    return request.param  # type: ignore[no-any-return]


async def parse(workers: ParseWorkers, n: int = 0) -> str:
    """What came of page `n`: its URL, or the kind of its error."""
    try:
        parsed = await workers.parse(f"{URL}{n}", HTML, "text/html")
    except FetchError as error:
        return error.kind
    assert parsed is not None
    return parsed.page.url


async def outcomes(workers: ParseWorkers, pages: int) -> list[str]:
    return await asyncio.gather(*(parse(workers, n) for n in range(pages)))


def lives(pid: int) -> bool:
    """Whether the process is there and not merely waiting to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_worker_reads_and_counts_as_the_library_does(run: Run) -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            parsed = await workers.parse(URL, HTML, "text/html", "noindex", truncated=True)
        page = read(URL, HTML, "text/html", "noindex", truncated=True)
        assert page is not None
        assert page.noindex
        assert page.truncated
        assert parsed == Parsed(page, Matcher(TERMS).count(page), msgspec.msgpack.encode(page))

    run(scenario())


def test_what_is_no_page_is_none(run: Run) -> None:
    async def scenario() -> None:
        async with ParseWorkers([], count=1) as workers:
            assert await workers.parse(URL, b"\x89PNG\r\n\x1a\n\0\0\0", "image/png") is None

    run(scenario())


def test_many_pages_come_back_each_to_its_caller(run: Run) -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=2) as workers:
            assert await outcomes(workers, 100) == [f"{URL}{n}" for n in range(100)]

    run(scenario())


def test_a_page_larger_than_any_pipe_passes() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            parsed = await workers.parse(URL, b"<p>rain " * 100_000, "text/html")
        assert parsed is not None
        assert parsed.counts.length == parsed.page.text.count("rain") > 50_000

    asyncio.run(scenario())


def test_a_worker_killed_once_costs_no_page(run: Run) -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            (pid,) = workers.pids
            os.kill(pid, signal.SIGSTOP)
            pages = asyncio.gather(*(parse(workers, n) for n in range(4)))
            await asyncio.sleep(0.05)
            os.kill(pid, signal.SIGKILL)
            assert await pages == [f"{URL}{n}" for n in range(4)]
            assert workers.pids != [pid]

    run(scenario())


def test_a_worker_that_died_unnoticed_costs_no_page(run: Run) -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            for first in range(0, 12, 4):
                (pid,) = workers.pids
                await parse(workers, first)
                os.kill(pid, signal.SIGKILL)
                while lives(pid):  # the event loop is not told
                    pass
                pages = []
                for n in range(4):
                    pages.append(asyncio.create_task(parse(workers, n)))
                    await asyncio.sleep(0)
                assert await asyncio.gather(*pages) == [f"{URL}{n}" for n in range(4)]

    run(scenario())


DIES_FIRST = """
import os, signal, sys
try:
    os.mkdir(sys.argv[1])
except FileExistsError:
    os.execv(sys.executable, [sys.executable, "-P", "-m", "topicrawl.crawling.parsing.worker"])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("later", [False, True])
def test_a_worker_killed_at_its_start_is_started_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, later: bool
) -> None:
    async def scenario() -> None:
        workers = ParseWorkers(TERMS, count=1, recycle=1 if later else 5000)
        if later:
            await workers.start()
        monkeypatch.setattr(
            process, "COMMAND", (sys.executable, "-c", DIES_FIRST, str(tmp_path / f"died{later}"))
        )
        if not later:
            await workers.start()
        found = [*await outcomes(workers, 3), *await outcomes(workers, 3)]
        await workers.close()
        assert found == 2 * [f"{URL}{n}" for n in range(3)]
        assert (tmp_path / f"died{later}").exists()

    run(scenario())


def test_a_page_over_which_two_workers_died_is_given_up_alone(run: Run) -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            pages = None
            for _ in range(2):
                while not workers.pids:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                (pid,) = workers.pids
                os.kill(pid, signal.SIGSTOP)
                pages = pages or asyncio.gather(*(parse(workers, n) for n in range(4)))
                await asyncio.sleep(0.05)
                os.kill(pid, signal.SIGKILL)
                await asyncio.sleep(0.05)
            assert pages is not None
            first, *others = await pages
            assert others == [f"{URL}{n}" for n in range(1, 4)]
            assert first in ("parse-crash", f"{URL}0"), (
                "unless it was read before the second worker could be stopped"
            )

    run(scenario())


def test_a_page_that_takes_too_long_is_cut_alone(run: Run) -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1, deadline=1.0) as workers:
            os.kill(workers.pids[0], signal.SIGSTOP)
            assert await outcomes(workers, 4) == ["parse-timeout", f"{URL}1", f"{URL}2", f"{URL}3"]

    run(scenario())


def test_the_other_worker_goes_on_while_one_is_stuck() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=2, deadline=60.0) as workers:
            stuck = workers.pids[0]
            os.kill(stuck, signal.SIGSTOP)
            pages = [asyncio.create_task(parse(workers, n)) for n in range(10)]
            while sum(page.done() for page in pages) < 10 - JOBS_HELD:
                await asyncio.wait([page for page in pages if not page.done()], return_when="FIRST_COMPLETED")
            os.kill(stuck, signal.SIGCONT)
            assert sorted(await asyncio.gather(*pages)) == [f"{URL}{n}" for n in range(10)]

    asyncio.run(scenario())


def test_a_page_that_needs_too_much_memory_is_lost_alone() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1, memory=160 << 20) as workers:
            with pytest.raises(FetchError, match="parse-crash"):
                await workers.parse(URL, b"<a href=/x>rain</a>" * 1_000_000, "text/html")
            assert await parse(workers) == f"{URL}0"

    asyncio.run(scenario())


def test_a_worker_is_replaced_after_its_share_of_pages() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1, recycle=3) as workers:
            pids = set()
            for n in range(8):
                pids.update(workers.pids)
                assert await parse(workers, n) == f"{URL}{n}"
            assert len(pids) == 3

    asyncio.run(scenario())


def test_a_second_worker_goes_on_while_the_first_is_stuck() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=2, deadline=60.0) as workers:
            (stuck,) = workers.pids
            os.kill(stuck, signal.SIGSTOP)
            pages = [asyncio.create_task(parse(workers, n)) for n in range(6)]
            await asyncio.wait(pages[JOBS_HELD:])
            assert not any(page.done() for page in pages[:JOBS_HELD])
            os.kill(stuck, signal.SIGCONT)
            assert await asyncio.gather(*pages) == [f"{URL}{n}" for n in range(6)]

    asyncio.run(scenario())


def test_no_process_is_left_after_closing(run: Run) -> None:
    async def scenario() -> None:
        workers = ParseWorkers(TERMS, count=2)
        await workers.start()
        pids = workers.pids
        os.kill(pids[0], signal.SIGSTOP)
        await workers.close()
        assert pids
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)

    run(scenario())


def test_closed_workers_take_no_more_pages() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            pass
        assert await parse(workers) == "parse-crash"
        assert workers.pids == []

    asyncio.run(scenario())


def test_workers_that_cannot_start_say_so_and_do_not_hang(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", "raise SystemExit(3)"))

    async def scenario() -> None:
        workers = ParseWorkers(TERMS, count=2)
        with pytest.raises(TopicrawlError, match="no parse worker can start"):
            await workers.start()
        assert await parse(workers) == "parse-crash"
        await workers.close()

    run(scenario())


def test_an_interrupt_from_the_keyboard_does_not_end_a_worker() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            before = workers.pids
            os.kill(before[0], signal.SIGINT)
            assert await outcomes(workers, 3) == [f"{URL}{n}" for n in range(3)]
            assert workers.pids == before
            assert os.getsid(before[0]) != os.getsid(0)

    asyncio.run(scenario())


def test_who_stops_waiting_disturbs_nobody() -> None:
    async def scenario() -> None:
        async with ParseWorkers(TERMS, count=1) as workers:
            pages = [asyncio.create_task(parse(workers, n)) for n in range(6)]
            await asyncio.sleep(0)
            for page in pages[::2]:
                page.cancel()
            assert await asyncio.gather(*pages[1::2]) == [f"{URL}{n}" for n in (1, 3, 5)]

    asyncio.run(scenario())


ORPHANS = """
import asyncio, os, signal
from topicrawl.crawling.parsing.pool import ParseWorkers

async def main():
    workers = ParseWorkers(["rain"], count=2)
    await workers.start()
    print(*workers.pids, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_end_when_the_crawler_is_killed() -> None:
    crawler = subprocess.run([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, check=False)
    assert crawler.returncode == -signal.SIGKILL
    pids = [int(pid) for pid in crawler.stdout.split()]
    patience = time.monotonic() + 20
    while any(map(lives, pids)) and time.monotonic() < patience:
        time.sleep(0.02)
    assert pids
    assert not any(map(lives, pids))
