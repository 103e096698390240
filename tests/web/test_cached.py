"""The page cache: a second crawl parses nothing and gets the same pages."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from topicrawl.web.cache_folder import code_key
from topicrawl.web.cached import BATCH, CachedWeb
from topicrawl.web.recorded import RecordedWeb
from web.warcs import Recorder, site


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/", b"words" * 100)
        recorder.answer("http://a.test/old", b"", "301 Moved", ("Location", "/"))
        recorder.answer("http://a.test/gone", b"", "410 Gone")
    return recorder.path


def opened(recording: Path, *, bodies: bool = False) -> CachedWeb:
    return CachedWeb(RecordedWeb(recording), recording.with_suffix(".db"), bodies=bodies)


async def warm(recording: Path, url: str = "http://a.test/") -> None:
    web = opened(recording)
    answer = await web.fetch(url)
    assert answer.parsed is None
    web.remember(answer.url, b"parsed page " * 50)
    await web.close()


def test_a_page_that_was_remembered_comes_parsed_and_without_content(recording: Path) -> None:
    async def crawl_twice() -> None:
        await warm(recording)
        web = opened(recording)
        answer = await web.fetch("http://a.test/")
        assert answer.parsed == b"parsed page " * 50
        assert (answer.url, answer.status, answer.size, answer.content) == ("http://a.test/", 200, 500, b"")
        await web.close()

    asyncio.run(crawl_twice())


def test_a_page_fetched_twice_at_a_time_keeps_its_size(recording: Path) -> None:
    async def crawl_twice() -> None:
        web = opened(recording)
        for url in ("http://a.test/", "http://a.test/old"):
            assert (await web.fetch(url)).size == 500
        for _ in range(2):
            web.remember("http://a.test/", b"parsed")
        web.remember("http://elsewhere.test/", b"not fetched from this web")
        await web.close()
        web = opened(recording)
        answer = await web.fetch("http://a.test/")
        assert (answer.parsed, answer.size) == (b"parsed", 500)
        await web.close()

    asyncio.run(crawl_twice())


def test_with_bodies_a_cached_page_has_its_body(recording: Path) -> None:
    async def crawl_twice() -> None:
        await warm(recording)
        web = opened(recording, bodies=True)
        answer = await web.fetch("http://a.test/")
        assert answer.parsed == b"parsed page " * 50
        assert answer.content == b"words" * 100
        assert answer.header("content-type").startswith("text/html")
        await web.close()

    asyncio.run(crawl_twice())


def test_a_redirect_leads_to_the_page_cached_under_its_final_url(recording: Path) -> None:
    async def crawl_twice() -> None:
        await warm(recording, "http://a.test/old")
        web = opened(recording)
        answer = await web.fetch("http://a.test/old")
        assert (answer.url, answer.asked) == ("http://a.test/", "http://a.test/old")
        assert answer.parsed == b"parsed page " * 50
        assert [hop.status for hop in answer.hops] == [301]
        assert (await web.fetch("http://a.test/")).parsed == answer.parsed
        await web.close()

    asyncio.run(crawl_twice())


def test_failures_pass_through(recording: Path) -> None:
    async def crawl() -> None:
        web = opened(recording)
        assert (await web.fetch("http://a.test/gone")).status == 410
        assert (await web.fetch("http://a.test/never")).status == 404
        await web.close()

    asyncio.run(crawl())


def test_pages_from_the_cache_count_as_read(recording: Path) -> None:
    async def crawl_twice() -> None:
        await warm(recording)
        web = opened(recording)
        for url in ("http://a.test/", "http://a.test/", "http://a.test/gone", "http://a.test/never"):
            await web.fetch(url)
        assert web.reads == 3
        await web.close()

    asyncio.run(crawl_twice())


def test_full_batches_are_written_without_closing(tmp_path: Path) -> None:
    async def crawl() -> None:
        path = site(tmp_path / "a.warc.gz", pages=BATCH).path
        web = opened(path)
        for number in range(BATCH):
            answer = await web.fetch(f"http://a.test/{number}")
            web.remember(answer.url, str(number).encode())
        while (await web.fetch("http://a.test/7")).parsed is None:  # noqa: ASYNC110 - a writer thread
            await asyncio.sleep(0.01)
        other = opened(path)
        assert (await other.fetch("http://a.test/199")).parsed == b"199"
        await web.close()
        await other.close()

    asyncio.run(asyncio.wait_for(crawl(), 30))


def test_a_damaged_cache_is_replaced(recording: Path) -> None:
    recording.with_suffix(".db").write_bytes(b"this is no database" * 100)
    asyncio.run(warm(recording))
    asyncio.run(_expect_parsed(recording))


async def _expect_parsed(recording: Path) -> None:
    web = opened(recording)
    assert (await web.fetch("http://a.test/")).parsed is not None
    await web.close()


WRITER = """
import asyncio, sys
from pathlib import Path
from topicrawl.web.cache_folder import code_key
from topicrawl.web.cached import CachedWeb
from topicrawl.web.recorded import RecordedWeb

async def crawl(path, first):
    web = CachedWeb(RecordedWeb(path), path.with_suffix(".db"), bodies=False)
    for number in range(first, 600, 3):
        answer = await web.fetch(f"http://a.test/{number}")
        web.remember(answer.url, b"page %d" % number)
    await web.close()

asyncio.run(crawl(Path(sys.argv[1]), int(sys.argv[2])))
"""


def test_processes_share_one_cache(tmp_path: Path) -> None:
    path = site(tmp_path / "a.warc.gz", pages=600).path
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(n)]) for n in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]

    async def crawl() -> None:
        web = opened(path)
        for number in range(600):
            assert (await web.fetch(f"http://a.test/{number}")).parsed == b"page %d" % number
        await web.close()

    asyncio.run(crawl())


def test_a_cache_that_another_process_is_creating_is_waited_for(recording: Path) -> None:
    """SQLite refuses at once to change a file to WAL while another process writes it."""
    creator = sqlite3.connect(recording.with_suffix(".db"), isolation_level=None, check_same_thread=False)
    creator.execute("CREATE TABLE other (number)")
    creator.execute("BEGIN IMMEDIATE")
    end = threading.Timer(0.2, creator.commit)
    end.start()
    asyncio.run(warm(recording))
    end.join()
    creator.close()
    asyncio.run(_expect_parsed(recording))


def test_the_code_key_changes_with_the_code() -> None:
    assert code_key("page") == code_key("page")
    assert code_key("page") != code_key("page", "urls.py")
