"""An archive as a web of one date, and its index as a source of seeds: pywb's answers, or pywb (`make cdx-test`)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from finding.pywb import COLLECTION, pywb
from finding.servers import Reply, Request, Server, answering
from topicrawl.cli import run
from topicrawl.errors import ConfigError, FetchError
from topicrawl.model import Response
from topicrawl.web.archive import ArchiveWeb
from topicrawl.web.archive_name import Archive, archive_name, read_name
from topicrawl.web.open import open_web
from topicrawl.web.recorded import RecordedWeb
from web.http.loopback import QUICK, http_settings

LOOPBACK = ["--allow-net", "127.0.0.0/8", "--delay", "0", "--retries", "0"]
AT = "20200501235959"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pywb(tmp_path_factory.mktemp("pywb")) as running:
        yield running


def fetched(name: str, *urls: str) -> list[Response]:
    async def all_of_them() -> list[Response]:
        web = ArchiveWeb(name, http_settings(**QUICK))
        try:
            return [await web.fetch(url) for url in urls]
        finally:
            await web.close()

    return asyncio.run(all_of_them())


def test_a_page_is_as_it_was_on_the_date_although_a_later_capture_is_nearer(server: Server) -> None:
    (page,) = fetched(f"cdx:{server.url}/{COLLECTION}/@{AT}", "http://rain.test/")
    assert (page.url, page.status) == ("http://rain.test/", 200)
    assert b"<title>Flood warning</title>" in page.content
    assert page.header("X-Old") == "yes"
    assert page.header("Memento-Datetime") == "Fri, 01 Mar 2019 10:00:00 GMT"
    assert b"/static/" not in page.content  # as recorded, not as replayed for people


def test_redirects_stay_inside_the_archive(server: Server) -> None:
    (page,) = fetched(f"cdx:{server.url}/{COLLECTION}/@{AT}", "http://rain.test/moved")
    assert (page.asked, page.url) == ("http://rain.test/moved", "http://rain.test/dike?from=moved")
    assert [(hop.url, hop.status) for hop in page.hops] == [("http://rain.test/moved", 301)]
    assert all(
        request.path.startswith(f"/{COLLECTION}/")
        for request in server.requests
        if "robots" not in request.path
    )


def test_what_was_recorded_later_or_never_is_not_there_and_what_was_gone_is_gone(server: Server) -> None:
    urls = ["http://late.test/flood", "http://rain.test/never", "http://rain.test/gone"]
    late, never, gone = fetched(f"cdx:{server.url}/{COLLECTION}/@{AT}", *urls)
    assert [page.status for page in (late, never, gone)] == [404, 404, 404]
    assert (late.content, never.content, gone.content) == (b"", b"", b"gone")
    assert fetched(f"cdx:{server.url}/{COLLECTION}/@20231231235959", urls[0])[0].status == 200


def test_a_crawl_of_an_archive_has_the_pages_of_that_date_and_can_be_resumed(
    server: Server, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "--web",
        f"cdx:{server.url}/{COLLECTION}",
        "--topic",
        "flood",
        "--seeds",
        "http://rain.test/",
        *LOOPBACK,
    ]
    words += ["--strategy", "ops", "--concurrency", "1"]
    assert run(["crawl", *words, "--at", "2020-05-01", "--out", "run", "--pages", "2"]) == 0
    assert run(["crawl", "--out", "run", "--pages", "9"]) == 0
    lines = [msgspec.json.decode(line) for line in Path("run/visits.jsonl").read_bytes().splitlines()]
    pages = {line["url"]: line["title"] for line in lines if line["fetched"]}
    assert pages == {
        "http://rain.test/": "Flood warning",
        "http://rain.test/dike": "Dike",
        "http://rain.test/dike?from=moved": "Arrived",
    }
    assert {line["asked"]: line["status"] for line in lines if not line["fetched"]} == {
        "http://late.test/flood": 404,
        "http://rain.test/gone": 404,
    }
    again = asyncio.run(RecordedWeb(Path("run/archive")).fetch("http://rain.test/dike"))
    assert again.content == b"<title>Dike</title>A flood dike"
    assert f'web = "cdx:{server.url}/{COLLECTION}/@{AT}"' in Path("run/crawl.toml").read_text()
    capsys.readouterr()
    assert run(["crawl", "--out", "run", "--at", "2021"]) == 2
    assert "resuming cannot change that" in capsys.readouterr().err


def test_the_index_names_the_pages_of_a_domain(
    server: Server, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = ["seeds", "--cdx", f"{server.url}/{COLLECTION}/cdx", *LOOPBACK]
    assert run([*index, "--domain", "rain.test"]) == 0
    found = {line.split()[0] for line in capsys.readouterr().out.splitlines()}
    assert found == {"http://rain.test/", "http://rain.test/dike", "http://rain.test/dike?from=moved"}
    assert run([*index, "--prefix", "rain.test/d", "--words", "MOVED"]) == 0
    assert (
        capsys.readouterr().out == "http://rain.test/dike?from=moved  # from cdx: rain.test/d* with moved\n"
    )
    assert run([*index, "--domain", "nothing.test"]) == 2
    assert "no seed was found; try other words" in capsys.readouterr().err


def test_answers_of_the_wayback_machine_are_understood() -> None:
    """By its documentation: it redirects to the date of a capture and puts a prefix before recorded headers."""

    def wayback(request: Request) -> Reply:
        path = request.raw.removeprefix("/web/")
        memento = ("Memento-Datetime", "Wed, 01 Apr 2020 00:00:00 GMT")
        if path == f"{AT}id_/http://rain.test/":
            return Reply(b"", 302, (("Location", "/web/20200401000000id_/http://rain.test:80/"),))
        if path == "20200401000000id_/http://rain.test/":
            led = f"{server.url}/web/20200401000000id_/http://rain.test/dike"
            return Reply(b"", 301, (("Location", led), memento))
        if path.endswith("id_/http://rain.test/dike"):
            own = (
                ("x-archive-orig-etag", '"1"'),
                ("x-archive-orig-content-encoding", "gzip"),
                ("x-ts", "200"),
            )
            return Reply(b"<title>Dike</title>", 200, (("Content-Type", "text/html"), memento, *own))
        return Reply(b"busy", 503) if path.endswith("busy") else Reply(b"", 404)

    with answering(wayback) as server:
        name = f"cdx:{server.url}/web/@{AT}"
        (page,) = fetched(name, "http://rain.test/")
        with pytest.raises(FetchError, match=r"archive: .* answers with status 503") as busy:
            fetched(name, "http://rain.test/busy")
    assert (page.url, page.content) == ("http://rain.test/dike", b"<title>Dike</title>")
    assert dict(page.headers) == {
        "etag": '"1"',
        "Content-Type": "text/html",
        "Memento-Datetime": "Wed, 01 Apr 2020 00:00:00 GMT",
    }
    assert busy.value.retry_after == 0.0


def test_a_server_that_replays_nothing_is_said_to_be_none() -> None:
    with (
        answering(
            lambda request: Reply(b"<title>Welcome</title>", 404 if "robots" in request.path else 200)
        ) as server,
        pytest.raises(FetchError, match="no Memento-Datetime; it is no replay server"),
    ):
        fetched(f"cdx:{server.url}/@{AT}", "http://rain.test/")


@pytest.mark.parametrize(
    ("given", "replay", "index"),
    [
        (
            "https://web.archive.org/web/",
            "https://web.archive.org/web/",
            "https://web.archive.org/cdx/search/cdx",
        ),
        ("https://web.archive.org", "https://web.archive.org/web/", "https://web.archive.org/cdx/search/cdx"),
        (
            "https://web.archive.org/cdx/search/cdx",
            "https://web.archive.org/web/",
            "https://web.archive.org/cdx/search/cdx",
        ),
        ("http://w.test:8080/all", "http://w.test:8080/all/", "http://w.test:8080/all/cdx"),
        ("http://w.test:8080/all/index", "http://w.test:8080/all/", "http://w.test:8080/all/cdx"),
    ],
)
def test_the_address_of_pages_and_of_the_index_follow_from_one_another(
    given: str, replay: str, index: str
) -> None:
    name = archive_name(f"cdx:{given}", AT)
    assert name == f"cdx:{replay}@{AT}"
    assert archive_name(name, None) == name
    assert read_name(name) == Archive(replay, index, AT)
    assert open_web(name, http=http_settings()).name == name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--web", "cdx:http://w.test/all"], "an archive has many dates; say which: --at 2020-05-01"),
        (
            ["--web", "cdx:nowhere", "--at", "2020"],
            "'nowhere' is no address of an archive; write it as cdx:https://",
        ),
        (["--web", "cdx:http://me:x@w.test/", "--at", "2020"], "is no address of an archive"),
        (["--at", "2020"], "--web http has no dates; name the archive: --web cdx:URL"),
        (
            ["--web", "cdx:http://w.test/all", "--at", "2020-13"],
            "--at: '2020-13' is not a date such as 2020-05-01",
        ),
        (["--web", "cdx:http://w.test/all", "--at", "2020-02-30"], "is not a date such as 2020-05-01"),
    ],
)
def test_an_archive_that_cannot_be_crawled_is_refused_in_one_line(
    words: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["crawl", "--topic", "flood", "--seeds", "http://rain.test/", "--out", "run", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not Path("run").exists()


def test_a_name_without_a_date_is_no_full_name() -> None:
    with pytest.raises(ConfigError, match="say which"):
        read_name("cdx:http://w.test/all/")
