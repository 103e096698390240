"""The Python API, used as its users do."""

from __future__ import annotations

import asyncio
import doctest
import os
import pydoc
import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from http.server import HTTPServer
from pathlib import Path

import pytest

import topicrawl
from topicrawl import api, model
from topicrawl.cli import run
from topicrawl.crawling.hooks import Hooks, unfiltered
from topicrawl.errors import ConfigError, RunError
from topicrawl.model import Links, Page, pack_ints
from topicrawl.setup.config import SETTINGS
from topicrawl.urls import host
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:5", "rainstorm disaster"
ROOT = Path(__file__).resolve().parents[1]


def arguments(**more: object) -> dict[str, object]:
    web = invented_web(WEB)
    return {"topic": web.topic_spec(TOPIC), "seeds": web.seeds(TOPIC, 3), "web": WEB, "pages": 20, **more}


def links_of(*urls: str) -> Links:
    places = pack_ints([0] * len(urls))
    return Links(list(urls), [""] * len(urls), [""] * len(urls), places, places, bytes(len(urls)))


async def collect(**more: object) -> list[topicrawl.Visit]:
    return [visit async for visit in topicrawl.crawl(**arguments(**more))]  # type: ignore[arg-type]


def test_a_crawl_yields_its_visits_in_order() -> None:
    visits = asyncio.run(collect(concurrency=1))
    assert sum(visit.fetched for visit in visits) == 20
    assert [visit.n for visit in visits] == list(range(1, len(visits) + 1))


def test_the_synchronous_form_gives_the_same() -> None:
    assert list(topicrawl.crawl_sync(**arguments(concurrency=1))) == asyncio.run(collect(concurrency=1))


def test_a_run_has_the_main_text_of_its_pages(tmp_path: Path) -> None:
    visits = list(topicrawl.crawl_sync(**arguments(out=tmp_path / "run", pages=3)))
    page = next(visit.page for visit in visits if visit.page is not None)
    with topicrawl.Run(tmp_path / "run") as run:
        found = run.main_text(page.url)
        assert run.main_text("http://never.test/") is None
    assert found is not None
    assert found.title == page.title
    assert 0 < len(found.text) < len(page.text)
    assert isinstance(topicrawl.main_text(page.url, "<p>a"), topicrawl.MainText)


def test_leaving_early_ends_the_crawl_and_keeps_the_run(tmp_path: Path) -> None:
    for visit in topicrawl.crawl_sync(**arguments(out=tmp_path / "run", pages=500, concurrency=1)):
        if visit.n == 5:
            break
    lines = (tmp_path / "run" / "visits.jsonl").read_text().splitlines()
    assert 5 <= len(lines) < 500
    assert (tmp_path / "run" / "report.html").exists()


def test_a_run_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(RunError, match="not empty"):
        list(topicrawl.crawl_sync(**arguments(out=tmp_path)))
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_a_run_is_not_kept_at_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("s3://bucket/run", Path("s3://bucket/run")):
        with pytest.raises(ConfigError, match="s3: is not written to"):
            list(topicrawl.crawl_sync(**arguments(out=place)))
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_setting_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="'max_dept'; did you mean 'max_depth'"):
        list(topicrawl.crawl_sync(**arguments(max_dept=3)))


def test_a_topic_may_be_a_value() -> None:
    topic = topicrawl.Topic("storms", ("rainstorm", "flood"), (1.0, 0.5))
    assert len([visit for visit in asyncio.run(collect(topic=topic)) if visit.fetched]) == 20


def test_a_run_is_resumed_with_no_topic_or_seeds_needed(tmp_path: Path) -> None:
    list(topicrawl.crawl_sync(**arguments(out=tmp_path / "run", pages=5, concurrency=1)))
    more = list(topicrawl.crawl_sync(out=tmp_path / "run", pages=12))
    whole = list(topicrawl.crawl_sync(**arguments(out=tmp_path / "other", pages=12, concurrency=1)))
    assert [visit.n for visit in more] == [visit.n for visit in whole][-len(more) :]
    lines = [(tmp_path / name / "visits.jsonl").read_bytes() for name in ("run", "other")]
    assert lines[0] == lines[1]


def test_a_finished_run_yields_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    list(topicrawl.crawl_sync(**arguments(out=tmp_path / "run", pages=5)))
    assert list(topicrawl.crawl_sync(out=tmp_path / "run")) == []
    assert "is finished: it has what --pages 5 asks for" in caplog.text


def test_sitemaps_are_a_setting_like_others() -> None:
    with pytest.raises(ConfigError, match="--sitemaps needs --web http"):
        list(topicrawl.crawl_sync(**arguments(sitemaps=True)))


def test_a_visit_has_its_page_and_its_fields() -> None:
    visits = list(topicrawl.crawl_sync(**arguments(concurrency=1)))
    read = [visit for visit in visits if visit.fetched]
    assert all(visit.page and visit.page.text and visit.page.title == visit.title for visit in read)
    assert all(visit.page is None for visit in visits if not visit.fetched)
    assert list(read[0].asdict()) == list(model.Visit.__struct_fields__)
    assert read[0].asdict()["url"] == read[0].url


def test_links_that_filter_link_refuses_are_not_followed_nor_asked_about_again(tmp_path: Path) -> None:
    asked: list[topicrawl.Link] = []

    def other_hosts_only(link: topicrawl.Link) -> bool:
        asked.append(link)
        return host(link.url) != host(link.page)

    given = arguments(out=tmp_path / "run", pages=8, concurrency=1)
    visits = list(topicrawl.crawl_sync(filter_link=other_hosts_only, **given))
    found = [visit for visit in visits if visit.parent]
    assert found
    assert all(host(visit.asked) != host(visit.parent or "") for visit in found)
    asked.clear()
    resumed = list(topicrawl.crawl_sync(filter_link=other_hosts_only, out=tmp_path / "run", pages=10))
    assert {link.page for link in asked} <= {visit.url for visit in resumed}
    with topicrawl.Run(tmp_path / "run") as run:
        assert any(link.refused for link in run.links())
        assert all(link.refused == (host(link.url) == host(link.page)) for link in run.links())


def test_links_of_examples_are_filtered_too() -> None:
    asked: list[str] = []

    def fetch(url: str) -> str:
        asked.append(url)
        return "<title>storm</title>"

    page = Page(
        "http://mine.test/e",
        "storm",
        text="storm flood",
        links=links_of("http://mine.test/no", "http://mine.test/yes"),
    )
    topic = topicrawl.Topic("storms", ("storm", "flood"), (1.0, 0.5), examples=(page,))
    given = {"topic": topic, "seeds": "http://mine.test/", "web": "invented:7", "concurrency": 1}
    list(topicrawl.crawl_sync(fetch=fetch, filter_link=lambda link: not link.url.endswith("/no"), **given))
    assert "http://mine.test/yes" in asked
    assert "http://mine.test/no" not in asked


def test_a_page_loses_the_marks_of_an_earlier_filter() -> None:
    marked = Hooks(filter_link=lambda link: False).filtered(
        Page("http://a.test/", links=links_of("http://a.test/x"))
    )
    assert marked.links.flags == bytes([model.REFUSED])
    assert unfiltered(marked).links.flags == bytes([0])


def test_fetch_may_answer_with_a_response_of_a_body_alone() -> None:
    def fetch(url: str) -> topicrawl.Response:
        headers = (("content-type", "text/html"),)
        return topicrawl.Response(url, "HTTP://Mine.test", 200, headers=headers, body=b"<title>storm</title>")

    (visit,) = topicrawl.crawl_sync(topic="storm", seeds="http://mine.test/", web="invented:7", fetch=fetch)
    assert (visit.url, visit.title, visit.bytes) == ("http://mine.test/", "storm", 20)


def test_fetch_may_answer_for_the_web_and_on_page_sees_what_it_said() -> None:
    seen: list[topicrawl.Visit] = []
    answers = {
        "http://mine.test/": '<title>storm</title><a href="/next">storm</a>',
        "http://mine.test/next": b"<title>flood</title>",
    }
    visits = list(
        topicrawl.crawl_sync(
            topic="storm, flood",
            seeds="http://mine.test/",
            web="invented:7",
            fetch=answers.get,
            on_page=seen.append,
        )
    )
    assert [visit.title for visit in visits] == ["storm", "flood"]
    assert [visit.page for visit in seen] == [visit.page for visit in visits]


def test_an_error_in_a_hook_ends_the_crawl_and_comes_out(tmp_path: Path) -> None:
    def fails(visit: topicrawl.Visit) -> None:
        raise LookupError("no such table")

    with pytest.raises(LookupError, match="no such table"):
        list(topicrawl.crawl_sync(on_page=fails, **arguments(out=tmp_path / "run")))
    assert not (tmp_path / "run" / "summary.json").exists()


def test_a_run_on_disk_is_read_searched_and_explained(tmp_path: Path) -> None:
    made = list(topicrawl.crawl_sync(**arguments(out=tmp_path / "run")))
    with topicrawl.Run(tmp_path / "run") as run:
        assert list(run.visits()) == made
        assert [visit.n for visit in run.visits(after=3)] == [visit.n for visit in made[3:]]
        first = next(run.pages())
        assert run.page(first.url) == first.page
        assert run.summary["fetches"] == 20
        assert run.config.pages == 20
        assert run.search("rainstorm")[0].found.url in {visit.url for visit in made}
        assert run.why(first.url).visit is not None
        with pytest.raises(RunError, match="no http or https URL"):
            run.why("ftp://x")


def test_the_typed_settings_are_those_of_the_configuration() -> None:
    assert set(topicrawl.Settings.__annotations__) == set(SETTINGS)


def test_mypy_finds_misspelt_settings_and_knows_data_frames_where_their_types_are_installed(
    tmp_path: Path,
) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import topicrawl\nfor visit in topicrawl.crawl_sync(topic='a', seeds='b', pagse=3): ...\n"
        "reveal_type(topicrawl.Run('run').tables.pages.pandas())\n"
    )
    (tmp_path / "pandas.pyi").write_text("class DataFrame: ...\nclass ArrowDtype: ...\n")
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", str(script)]
    env = {**os.environ, "MYPYPATH": str(tmp_path)}
    checked = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert 'Unexpected keyword argument "pagse"' in checked.stdout
    assert 'Revealed type is "pandas.DataFrame"' in checked.stdout


@pytest.mark.parametrize("hook", ["filter_link", "fetch", "on_page"])
def test_functions_that_cannot_be_called_are_refused_before_anything_is_fetched(
    tmp_path: Path, hook: str
) -> None:
    async def waits(given: object) -> None:
        """Never awaited."""

    for function, why in ((waits, "asynchronous"), (lambda: None, "is called with"), (5, "cannot be called")):
        with pytest.raises(ConfigError, match=f"{hook}: .*{why}"):
            list(topicrawl.crawl_sync(**{hook: function}, **arguments(out=tmp_path / "run")))
    assert not (tmp_path / "run").exists()


def test_the_public_names_are_shown_by_dir_and_help() -> None:
    assert set(topicrawl.__all__) <= set(dir(topicrawl))
    shown = pydoc.render_doc(topicrawl)
    assert "crawl_sync" in shown
    assert "Run(folder)" in shown
    assert "filter_link" in pydoc.render_doc(topicrawl.crawl)


def test_all_public_names_can_be_imported() -> None:
    assert all(getattr(topicrawl, name) is not None for name in topicrawl.__all__)
    with pytest.raises(AttributeError):
        topicrawl.nothing  # noqa: B018


def test_the_docstring_example_runs() -> None:
    assert doctest.testmod(api).failed == 0
    assert doctest.testmod(api.run).failed == 0


@pytest.mark.parametrize(
    ("script", "shows"),
    [
        ("crawl_in_python.py", "invented.test/"),
        ("resume_a_run.py", "visits more, the last http://"),
        ("functions_of_your_own.py", "2 visits"),
        ("read_a_run.py", "linked most: ('http://"),
    ],
)
def test_the_examples_run(script: str, shows: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / script), run_name="__main__")
    assert shows in capsys.readouterr().out


def test_the_example_of_a_search_engine_is_asked_for_seeds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list(topicrawl.crawl_sync(**arguments(out=tmp_path / "run")))
    example = runpy.run_path(str(ROOT / "examples" / "search_server.py"))
    with (
        topicrawl.Run(tmp_path / "run") as opened,
        HTTPServer(("127.0.0.1", 0), example["handler"](opened)) as server,
        ThreadPoolExecutor(1) as other_thread,  # a run is read by the thread that opened it
    ):
        server.timeout = 30
        place = f"http://127.0.0.1:{server.server_address[1]}/search"
        words = ["--search", "rainstorm", "--search-url", place, "--allow-net", "127.0.0.0/8"]
        asked = other_thread.submit(run, ["seeds", *words])
        server.handle_request()
        assert asked.result() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.endswith("  # from search: rainstorm") for line in lines)


def test_every_example_is_tested() -> None:
    tested = {
        mark.args[1][n][0] for mark in test_the_examples_run.pytestmark for n in range(len(mark.args[1]))
    }  # type: ignore[attr-defined]
    assert tested | {"search_server.py"} == {path.name for path in (ROOT / "examples").glob("*.py")}
