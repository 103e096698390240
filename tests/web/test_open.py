"""How `--web` is read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from topicrawl.errors import WebError
from topicrawl.setup.config import Config
from topicrawl.web.cache_folder import cache_folder
from topicrawl.web.cached import CachedWeb
from topicrawl.web.http import HttpWeb
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl.web.open import open_web, web_info
from topicrawl.web.recorded import RecordedWeb
from web.warcs import Recorder, site


def test_http_is_the_network() -> None:
    async def opened() -> None:
        web = open_web("http", http=Config(delay=3.0).http)
        assert isinstance(web, HttpWeb)
        assert (web.name, web.settings.delay) == ("http", 3.0)
        await web.close()

    asyncio.run(opened())


def test_the_network_needs_settings() -> None:
    with pytest.raises(WebError, match="invented:7"):
        open_web("http")


def test_a_path_is_a_recorded_web_with_a_page_cache(tmp_path: Path, cache: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path

    async def fetched() -> bytes:
        web = open_web(str(path))
        assert isinstance(web, CachedWeb)
        assert isinstance(web.web, RecordedWeb)
        assert web.name == str(path)
        answer = await web.fetch("http://a.test/1")
        web.remember(answer.url, b"page")
        await web.close()
        return answer.parsed or answer.content[:13]

    assert asyncio.run(fetched()) == b"<p>page 1</p>"
    assert asyncio.run(fetched()) == b"page"
    site(path, pages=2)
    assert asyncio.run(fetched()) == b"<p>page 1</p>", "another recording, other pages"
    assert len(list(cache.glob("*.db"))) == 1, "the outdated cache is gone"


@pytest.mark.parametrize("spec", ["invented:7", "invented:scale", "invented:scale:3"])
def test_invented_webs_are_cached_by_name(spec: str, cache: Path) -> None:
    async def opened() -> None:
        web = open_web(spec, bodies=True)
        assert isinstance(web, CachedWeb)
        assert isinstance(web.web, InventedWeb)
        assert (web.name, web.bodies) == (spec, True)
        await web.close()

    asyncio.run(opened())
    assert [file.name.startswith(spec.replace(":", "-") + ".pages-") for file in cache.glob("*.db")] == [True]


@pytest.mark.parametrize(
    "spec", ["missing.warc", "https://example.com/", "invented:", "invented:x y", "htpp", ""]
)
def test_an_invalid_web_is_refused_with_a_remedy(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WebError, match=r"write|give") as refusal:
        open_web(spec)
    assert "\n" not in str(refusal.value)


def test_a_cache_folder_that_cannot_be_made_means_no_cache(tmp_path: Path) -> None:
    path = site(tmp_path / "a.warc.gz").path
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert isinstance(open_web(str(path), cache=blocked / "below"), RecordedWeb)


def test_the_cache_folder_is_the_argument_the_variable_or_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache_folder(tmp_path) == tmp_path
    monkeypatch.setenv("TOPICRAWL_CACHE", "/named")
    assert cache_folder() == Path("/named")
    monkeypatch.delenv("TOPICRAWL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/own")
    assert cache_folder() == Path("/own/topicrawl")


def test_web_info_counts_one_answer_per_url(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/", b"one")
        recorder.answer("http://a.test/", b"again")
        recorder.answer("http://b.test/", b"%PDF", "200 OK", ("Content-Type", "Application/PDF; x=1"))
        recorder.answer("http://b.test/gone", b"", "410 Gone")
    info = web_info(recorder.path)
    assert info.pages == 2
    assert info.hosts == {"a.test": 1, "b.test": 2}
    assert info.statuses == {200: 2, 410: 1}
    assert info.media_types == {"text/html": 2, "application/pdf": 1}
    assert info.bytes == len(b"one") + len(b"%PDF")
    assert info.warnings == ()


def test_web_info_of_an_invented_web_counts_the_pages_that_are_there() -> None:
    for spec in ("invented:7", "invented:site", "invented:7@day=30"):
        info, atlas = web_info(spec), invented_web(spec).atlas
        assert info.pages == sum(1 for _ in atlas.spots())
        assert set(info.hosts) == {host.name for host in atlas.hosts}
    assert len(web_info("invented:sites").hosts) == 420
    with pytest.raises(WebError, match="no invented web is called"):
        web_info("invented:nothing")


def test_web_info_of_the_recorded_webs(webs: Path) -> None:
    info = web_info(webs / "webkb.warc.gz")
    assert (info.pages, len(info.hosts)) == (8214, 590), "nine pages and 24 hosts have two spellings"
