"""The cache in the user's folder: announced on first use, shown, cleared; clearing it does not disturb a crawl."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.web.cache_folder import clear, kept
from topicrawl.web.open import open_web
from topicrawl.web.recorded import RecordedWeb
from web.warcs import site

URL = "http://a.test/44"


@pytest.fixture
def own(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that was never used."""
    monkeypatch.setenv("TOPICRAWL_CACHE", str(here / "own"))
    return here / "own"


@pytest.fixture
def recording(here: Path) -> Path:
    """A recorded web that must be unpacked to be read: its records share one gzip stream."""
    path = here / "rain.warc.gz"
    path.write_bytes(gzip.compress(site(here / "rain.warc", pages=50, gzip=False).path.read_bytes()))
    return path


def test_the_first_use_is_announced_once(
    own: Path, crawl: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--pages", "3") == 0
    printed = capsys.readouterr().err
    assert printed.count("topicrawl cache") == 1
    assert f"is kept in {own}" in printed
    assert crawl("--pages", "3", "--out", "again") == 0
    assert "topicrawl cache" not in capsys.readouterr().err


def test_quiet_prints_nothing_and_log_json_a_line_of_json(
    own: Path, crawl: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--pages", "3", "--quiet") == 0
    assert capsys.readouterr().err == ""
    assert run(["cache", "clear"]) == 0
    assert crawl("--pages", "3", "--out", "again", "--log-json") == 0
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert sum("topicrawl cache" in event.get("remark", "") for event in events) == 1


def test_web_info_announces_the_cache_too(
    own: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor"]) == 0, "this makes the folder"
    capsys.readouterr()
    assert run(["web", "info", str(recording)]) == 0
    assert capsys.readouterr().err.startswith("note: what is read from recorded and invented webs is kept in")


def test_the_command_shows_what_the_cache_holds_and_what_clearing_it_freed(
    own: Path, crawl: Callable[..., int], recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["cache"]) == 0
    assert capsys.readouterr().out == f"{own} holds 0.0 MB; clear it with: topicrawl cache clear\n"
    assert crawl("--pages", "3", "--quiet") == 0
    assert run(["web", "info", str(recording)]) == 0
    (own / "mine.txt").write_text("not made by us")
    (own / "mine.warc").write_text("nor this")
    capsys.readouterr()
    assert run(["cache"]) == 0
    listed = [line.strip().partition("MB  ")[2] for line in capsys.readouterr().out.splitlines()[1:]]
    assert listed == [
        "invented-7: pages read already",
        "rain.warc.gz: the recording, unpacked",
        "rain.warc.gz: where pages stand in the recording",
    ]
    held = sum(file.size for file in kept(own))
    assert run(["cache", "clear"]) == 0
    assert capsys.readouterr().out == f"{held / 1e6:,.1f} MB freed in {own}\n"
    assert sorted(path.name for path in own.iterdir()) == ["mine.txt", "mine.warc"]


def test_an_unknown_action_is_refused(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cache", "claer"]) == 2
    assert "topicrawl cache clear" in capsys.readouterr().err


def test_a_crawl_goes_on_when_the_cache_is_cleared_under_it(own: Path, recording: Path) -> None:
    async def read() -> None:
        web = str(recording)
        first, second = open_web(web), open_web(web)
        assert (await first.fetch(URL)).content
        first.remember(URL, b"parsed")
        assert clear(own)[1] == []
        assert list(kept(own)) == []
        third = open_web(web)  # makes a new cache while others still use the old one
        for opened in (first, second, third):
            assert (await opened.fetch(URL)).status == 200
            opened.remember(URL, b"parsed")
            await opened.close()
        again = open_web(web)
        assert (await again.fetch(URL)).parsed == b"parsed"
        await again.close()

    asyncio.run(read())


def test_a_recording_that_was_unpacked_is_unpacked_again(own: Path, recording: Path) -> None:
    web = RecordedWeb(recording)
    clear(own)
    assert web.exchange(URL).content == RecordedWeb(recording).exchange(URL).content != b""
